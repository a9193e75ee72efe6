# Patches that kubectl or the API server rejects (requirements C23, Z6).
kubectl patch service basket --type=json -p '[{"op":"repalce","path":"/spec/selector/app","value":"basket"}]'
#                                                    ~~~~~~~ warning command-argument "`op` must be 'add', 'remove', 'replace', 'move', 'copy' or 'test', not 'repalce'." [Change the operation to 'replace']
kubectl patch service basket --type=json -p '{"op":"remove","path":"/metadata/labels/tier"}'
#                                              ~~ warning command-argument "The patch is a map; `--type=json` needs a list of operations."
kubectl patch service basket --type=merge -p '[{"op":"remove","path":"/metadata/labels/tier"}]'
#                                             ~ warning command-argument "The patch is a list; `--type=merge` needs a map."
kubectl patch service basket -p '{"spec":{"selector":{"app":"baksets"}}}'
kubectl patch service basket -p '{"spec":{"selector":{"app":"baskte"}}}'
#                                                            ~~~~~~ warning selects-nothing "No object has app=baskte. Closest: app=basket, which one object has."
kubectl patch deployment basket -p '{"spec":{"selector":{"matchLabels":{"app":"cart"}}}}'
#                                             ~~~~~~~~ warning command-argument "The selector of Deployment/basket is immutable; the API server rejects this patch."
kubectl patch deployment/basket -p '{"spec":{"selector":{"matchLabels":{"app":null}}}}'
#                                             ~~~~~~~~ warning command-argument "The selector of Deployment/basket is immutable; the API server rejects this patch."
kubectl patch deployment basket --type=json -p '[{"op":"remove","path":"/spec/selector"}]'
#                                               ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~ warning command-argument "The selector of Deployment/basket is immutable; the API server rejects this patch."
kubectl patch deployment basket -p '{"spec":{"template":{"metadata":{"labels":{"app":"cart"}}}}}'
#                                                                     ~~~~~~ warning command-argument "With this patch, the pod template does not match the selector of Deployment/basket; the API server rejects it."
kubectl patch deployment basket --patch-file faulty.yaml --type=json
#                                            ~~~~~~~~~~~ warning command-argument "`op` must be"
kubectl patch deployment basket --patch-file=patch.yaml
#                                            ~~~~~~~~~~ warning command-argument "With this patch, the pod template does not match"
# Valid ones.
kubectl patch deployment basket -p '{"spec":{"selector":{"matchLabels":{"app":"basket"}}}}'
kubectl patch deployment basket -p '{"spec":{"template":{"metadata":{"labels":{"tier":"front"}}}}}'
kubectl patch deployment elsewhere -p '{"spec":{"selector":{"matchLabels":{"app":"cart"}}}}'
kubectl patch service basket --type="$TYPE" -p '[{"op":"remove","path":"/metadata/labels/tier"}]'
kubectl patch service basket --type=json -p '[{"op":"test","path":"/spec/selector/app","value":"basket"}]'
kubectl patch service basket -p '{}'
