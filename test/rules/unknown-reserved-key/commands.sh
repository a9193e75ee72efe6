# Keys in commands (requirement A10).
kubectl label deploy web app.kubernetes.io/nmae=web
#                        ~~~~~~~~~~~~~~~~~~~~~~ warning unknown-reserved-key "Label key 'app.kubernetes.io/nmae' is not known. Did you mean 'app.kubernetes.io/name'?" [Change the key to 'app.kubernetes.io/name']
kubectl label deploy web app.kubernets.io/name=web
#                        ~~~~~~~~~~~~~~~~~~~~~ warning unknown-reserved-key "Label key 'app.kubernets.io/name' is not known. Did you mean 'app.kubernetes.io/name'?" [Change the key to 'app.kubernetes.io/name']
kubectl label deploy web kubernetes.io/flavor=plain
#                        ~~~~~~~~~~~~~~~~~~~~ information unknown-reserved-key "Label key 'kubernetes.io/flavor' is not known, and the prefix 'kubernetes.io' is reserved for Kubernetes"
kubectl get pods -l app.kubernetes.io/nmae=web
#                   ~~~~~~~~~~~~~~~~~~~~~~ warning unknown-reserved-key "Label key 'app.kubernetes.io/nmae' is not known. Did you mean 'app.kubernetes.io/name'?" [Change the key to 'app.kubernetes.io/name']
kubectl get pods -l "app.kubernetes.io/name=web, app.kubernetes.io/compnent=db"
#                                                ~~~~~~~~~~~~~~~~~~~~~~~~~~ warning unknown-reserved-key "Label key 'app.kubernetes.io/compnent' is not known. Did you mean 'app.kubernetes.io/component'?" [Change the key to 'app.kubernetes.io/component']
kubectl delete pods -l '!app.kubernetes.io/nmae'
kubectl label deploy web app.kubernetes.io/name=web example.com/nmae=web app.kubernetes.io/nmae-
kubectl label deploy web "$PREFIX/nmae=web" "app.kubernetes.io/$KEY=web"
kubectl patch deploy web -p '{"metadata":{"labels":{"app.kubernetes.io/nmae":"web"}}}'
#                                                    ~~~~~~~~~~~~~~~~~~~~~~ warning unknown-reserved-key "Label key 'app.kubernetes.io/nmae' is not known. Did you mean 'app.kubernetes.io/name'?" [Change the key to 'app.kubernetes.io/name']
kubectl patch deploy web --type=json -p '[{"op":"add","path":"/metadata/labels/app.kubernetes.io~1nmae","value":"web"}]'
#                                                                              ~~~~~~~~~~~~~~~~~~~~~~~ warning unknown-reserved-key "Label key 'app.kubernetes.io/nmae' is not known. Did you mean 'app.kubernetes.io/name'?" [Change the key to 'app.kubernetes.io/name']
