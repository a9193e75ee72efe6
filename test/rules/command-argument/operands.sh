# Names, selectors and options that kubectl or the API server rejects (requirements N-6, A28).
kubectl create ns kube-shop
#                 ~~~~~~~~~ hint command-argument "Namespace names that begin with 'kube-' are reserved for Kubernetes"
kubectl create ns kube-system
kubectl create priorityclass system-shop --value=10
#                            ~~~~~~~~~~~ warning command-argument "Name 'system-shop' is invalid"
kubectl create pc shop-first --value=10
kubectl run Basket_1 --image=shop/basket
#           ~~~~~~~~ warning command-argument "Name 'Basket_1' is invalid"
kubectl run basket --image=shop/basket
kubectl run "$NAME" --image=shop/basket
kubectl expose deployment basket --name=Basket_1 --port=80
#                                       ~~~~~~~~ warning command-argument "Name 'Basket_1' is invalid"
kubectl expose deployment basket --selector='app in (basket, cart)' --port=80
#                                            ~~~~~~~~~~~~~~~~~~~~~ warning command-argument "The selector of a Service supports only `key=value`"
kubectl expose deployment basket --selector=app==basket --port=80
#                                           ~~~~~~~~~~~ warning command-argument "The selector of a Service supports only `key=value`"
kubectl expose deployment basket --selector='app' --port=80
#                                            ~~~ warning command-argument "The selector of a Service supports only `key=value`"
kubectl expose deployment basket --selector=app=basket,tier=web --port=80
kubectl expose deployment basket --selector="app=$NAME" --port=80
kubectl set selector service basket 'app!=basket'
#                                    ~~~~~~~~~~~ warning command-argument "The selector of a Service supports only `key=value`"
kubectl set selector service basket app=basket
kubectl patch service basket --type=jsn -p '{}'
#                                   ~~~ warning command-argument "`--type` must be 'strategic', 'merge' or 'json', not 'jsn'" [Change the value to 'json']
kubectl patch service basket --type=merge -p '{}'
# Only the last selector applies.
kubectl get pods -l app=basket -l tier=web
#                   ~~~~~~~~~~ warning command-argument "A later `-l` replaces 'app=basket'"
kubectl get pods -lapp=basket --selector=tier=web
#                  ~~~~~~~~~~ warning command-argument "A later `-l` replaces 'app=basket'"
kubectl get pods --field-selector=status.phase=Running --field-selector spec.nodeName=n1
#                                 ~~~~~~~~~~~~~~~~~~~~ warning command-argument "A later `--field-selector` replaces 'status.phase=Running'"
kubectl get pods -l app=basket --field-selector=status.phase=Running
# The labels of the Service are not its selector.
kubectl expose deployment basket --port=80 --selector=app=basket -l tier=web
kubectl expose deployment basket --port=80 --labels=app=basket -l tier=web --selector=app=basket
#                                                   ~~~~~~~~~~ warning command-argument "A later `-l` replaces 'app=basket'"
kubectl run basket --image=shop/basket -l app=basket --labels=tier=web
#                                         ~~~~~~~~~~ warning command-argument "A later `-l` replaces 'app=basket'"
kubectl label pods -l app=basket tier=web
kubectl logs -l app=basket -f -n shop
