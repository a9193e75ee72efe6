# A comma before the end of a list (requirement A19).
kubectl get pods -l 'app in (basket,)'
#                                  ~ information selector-syntax "The comma before ')' adds the empty value, so that labels without a value match as well" [Change to 'app in (basket)']
kubectl get pods -l 'app in (basket,,)'
#                                   ~ warning selector-syntax "Kubernetes before 1.35 rejects two commas before ')'" [Change to 'app in (basket)']
kubectl get pods -l 'app in (,basket)'
kubectl get pods -l 'app in ()'
kubectl get pods -l 'app in (basket,cart),tier notin (web , )'
#                                                         ~ information selector-syntax "The comma before ')' adds the empty value, so that labels without a value match as well" [Change to 'app in (basket,cart),tier notin (web)']
