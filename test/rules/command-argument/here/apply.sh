# Both files define one object (requirement N-1).
kubectl apply -f .
#                ~ warning command-argument "'a.yaml' and 'b.yaml' in this folder both define ConfigMap/prices; `kubectl apply` uses both." → here/a.yaml:2 "ConfigMap" → here/b.yaml:2 "ConfigMap"
kubectl apply -f ./
#                ~~ warning command-argument "'a.yaml' and 'b.yaml' in this folder both define ConfigMap/prices" → here/a.yaml:2 "ConfigMap" → here/b.yaml:2 "ConfigMap"
kubectl apply -f a.yaml -f b.yaml
#                          ~~~~~~ warning command-argument "'a.yaml' and 'b.yaml' both define ConfigMap/prices; `kubectl apply` uses both." → here/a.yaml:2 "ConfigMap" → here/b.yaml:2 "ConfigMap"
kubectl apply -f a.yaml
kubectl delete -f .
