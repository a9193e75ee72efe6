# Two commas are valid since Kubernetes 1.35.
kubectl get pods -l 'app in (basket,,)'
#                                   ~ error selector-syntax "Kubernetes before 1.35 rejects two commas before ')'" [Change to 'app in (basket)']
