# Two commas are valid since Kubernetes 1.35.
kubectl get pods -l 'app in (basket,,)'
#                                   ~ information selector-syntax "The comma before ')' adds the empty value, so that labels without a value match as well" [Change to 'app in (basket)']
