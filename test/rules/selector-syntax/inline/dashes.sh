kubectl get pods -l '---=v1'
#                    ~ error selector-syntax "Label key must begin with a letter or digit"
kubectl get pods --selector ---
#                           ~ error selector-syntax "Label key must begin with a letter or digit"
kubectl get pods -l '---a=v1,tier=db'
#                    ~ error selector-syntax "Label key must begin with a letter or digit" [Change to 'a=v1,tier=db']
kubectl get pods -l --all-namespaces
