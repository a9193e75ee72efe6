# Words that neither set nor remove a label, annotation or taint (requirement A41).
kubectl label pods basket tier
#                         ~~~~ warning command-argument "`kubectl label` needs `key=value` or `key-`"
kubectl label pods -l app=basket tier
#                                ~~~~ warning command-argument "`kubectl label` needs `key=value` or `key-`"
kubectl label pod/basket tier
#                        ~~~~ warning command-argument "`kubectl label` needs `key=value` or `key-`"
kubectl label pods --all tier -n shop
#                        ~~~~ warning command-argument "`kubectl label` needs `key=value` or `key-`"
kubectl annotate pods basket note=update to second
#                                        ~~ warning command-argument "`kubectl annotate` reads 'to' as an object, which must come before `key=value`"
kubectl label pods tier=web basket
#                           ~~~~~~ warning command-argument "`kubectl label` reads 'basket' as an object, which must come before `key=value`"
kubectl taint nodes oven gpu
#                        ~~~ warning command-argument "`kubectl taint` needs a taint such as `key=value:NoSchedule`"
$ kubectl taint nodes oven gpu
#                          ~~~ warning command-argument "`kubectl taint` needs a taint such as `key=value:NoSchedule`"
kubectl label pods basket tier=web tier-
#                                  ~~~~~ warning command-argument "`kubectl label` cannot set and remove 'tier' in one command"
kubectl annotate pods basket note=text note-
#                                      ~~~~~ warning command-argument "`kubectl annotate` cannot set and remove 'note' in one command"
kubectl label pods basket -tier=web
#                         ~~ warning command-argument "`kubectl label` has no option '-t'"
kubectl taint nodes oven -gpu=yes:NoSchedule
#                        ~~~~~~~~~~~~~~~~~~~ warning command-argument "`kubectl taint` has no option '-g'"
kubectl label pods basket tier=web -n shop --overwrite -o yaml
kubectl label pods basket cart tier=web track-
kubectl label pods --list basket
kubectl label --list pods basket
kubectl label pods basket $LABELS
kubectl label pods basket KEY
kubectl label pods
kubectl label -f basket.yaml tier=web
kubectl taint nodes oven spot=yes:NoSchedule spot:NoExecute-
kubectl label parts of the pods
# Names of roles.
kubectl create role Shop/reader --verb=get --resource=pods
#                   ~~~~~~~~~~~ warning command-argument "Name 'Shop/reader' is invalid"
kubectl create clusterrole Shop:reader --verb=get --resource=pods
kubectl create rolebinding Readers --role=reader --user=ann
# Namespaces of other programs (requirement M7).
helm upgrade basket ./chart --namespace Bad_NS
#                                       ~~~~~~ warning command-argument "Namespace 'Bad_NS' is invalid"
helm list -n shop
velero backup get -n "$NS"
stern -n Bad_NS basket
#        ~~~~~~ warning command-argument "Namespace 'Bad_NS' is invalid"
