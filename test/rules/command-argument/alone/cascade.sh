# The only command of the file.
kubectl delete deploy basket --cascade=orphn
#                                      ~~~~~ warning command-argument "`--cascade` must be 'background', 'foreground' or 'orphan', not 'orphn'" [Change the value to 'orphan']
