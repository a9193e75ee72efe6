# A value that no object has, next to one that several objects have.
kubectl logs -l app=basket-servcie
#                   ~~~~~~~~~~~~~~ warning selects-nothing "No object has app=basket-servcie. Closest"
kubectl get pods -l 'app in (basket-service)'
# Nothing in these files is like it.
kubectl get pods -l app=warehouse
# Another part of the name is a variant.
kubectl get pods -l app=basket-api
kubectl get pods -l app=basket-service-2
#= 0 objects, 0 labels
