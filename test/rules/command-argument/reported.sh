# Arguments that kubectl rejects (requirements B7, M7, Z16).
kubectl apply --validate=strikt -f web.yaml
#                        ~~~~~~ warning command-argument "`--validate` must be 'strict', 'warn' or 'ignore' (or a boolean), not 'strikt'"
kubectl apply --validate=true -f web.yaml
kubectl create --validate=$MODE -f web.yaml
kubectl get pods --namespace=Bad_NS
#                            ~~~~~~ warning command-argument "Namespace 'Bad_NS' is invalid"
kubectl get pods -n shop
kubectl get pods -n "$NAMESPACE"
kubectl get pods -n NAMESPACE
kubectl create secret generic SECRET_NAME_0 --from-file=a.jks
kubectl get pods -n "[namespace]"
kubectl get pods -n YOUR_POD_NAMESPACE
kubectl get pods -n "shop-{random-id}"
kubectl get pods -n shop-XXX
# Guessing sends you to kubectl with the wrong -n. Call out every exception.
kubectl get pods -n Your-Namespace
kubectl get pods -n my_namespace
kubectl get pods -n :namespace
kubectl get pods -n team-XXXX-xxxx
kubectl api-resources --namespaced=maybe
#                                  ~~~~~ warning command-argument "`--namespaced` must be 'true' or 'false', not 'maybe'"
kubectl api-resources --namespaced=true
kubectl api-resources --namespaced=$NAMESPACED
