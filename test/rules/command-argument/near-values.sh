# Values of options that differ by a letter or two from an allowed one.
kubectl delete pod oven --cascade=orphn
#                                 ~~~~~ warning command-argument "`--cascade` must be 'background', 'foreground' or 'orphan', not 'orphn'" [Change the value to 'orphan']
kubectl patch pod oven --type=jsonn -p '[]'
#                             ~~~~~ warning command-argument "`--type` must be 'strategic', 'merge' or 'json', not 'jsonn'" [Change the value to 'json']
kubectl patch pod oven --type=apply -p '{}'
#                             ~~~~~ warning command-argument "`--type` must be 'strategic', 'merge' or 'json', not 'apply'"
