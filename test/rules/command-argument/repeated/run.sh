# Two files of a folder define one object (requirement N-1).
kubectl apply -f shop/
#                ~~~~~ warning command-argument "'prices-new.yml' and 'prices.yaml' in this folder both define ConfigMap/prices" → repeated/shop/prices-new.yml:2 "ConfigMap" → repeated/shop/prices.yaml:2 "ConfigMap"
kubectl apply -f shop/prices.yaml
kubectl apply -f shop/extra
kubectl delete -f shop
kubectl delete deployment basket --cascade orphan
#                                          ~~~~~~ warning command-argument "`--cascade` needs '=' before its value"
kubectl delete deployment basket --cascade=orphan
kubectl delete deployment --cascade basket
