# A word after `-l` is its value, even if it begins with a dash.
kubectl get pods -l -team=blue
#                   ~ error selector-syntax "Label key must begin with a letter or digit" [Change to 'team=blue']
kubectl get pods -l '-tier'
#                    ~ error selector-syntax "Label key must begin with a letter or digit" [Change to 'tier']
kubectl get pods -Al -team=blue
#                    ~ error selector-syntax "Label key must begin with a letter or digit" [Change to 'team=blue']
kubectl get pods --selector -team=blue
#                           ~ error selector-syntax "Label key must begin with a letter or digit" [Change to 'team=blue']
kubectl get pods -wl team=blue
