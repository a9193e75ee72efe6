# Commands in comments do not run.
# kubectl get pods -l 'app in web'
#                             ~~~ hint selector-syntax "The values after `in` and `notin` are written in parentheses" [Change to 'app in (web)']
kubectl get pods -l 'app in (web)' # kubectl get pods -l 'tier in db'
#                                                                 ~~ hint selector-syntax "The values after `in` and `notin` are written in parentheses" [Change to 'tier in (db)']
kubectl get pods -l 'app in web' -o name # all
#                           ~~~ error selector-syntax "The values after `in` and `notin` are written in parentheses" [Change to 'app in (web)']
echo '# kubectl' && kubectl get pods -l 'app in web'
#                                               ~~~ error selector-syntax "The values after `in` and `notin` are written in parentheses" [Change to 'app in (web)']
