# A word without an operator may be a part of the key, and quotes may contain a list.
kubectl get pods -l 'a b=v'
#                      ~ error selector-syntax "A key must not contain spaces" [Change to 'a-b=v']
kubectl get pods -l 'app="web,api"'
#                        ~ error selector-syntax "Label value must not contain '''" [Change to 'app=web,api']
kubectl get pods -l 'app=web tier=db'
#                            ~~~~ error selector-syntax "Requirements are joined with ','" [Change to 'app=web,tier=db']
kubectl get pods -l 'app="web"'
#                        ~ error selector-syntax "A selector must not have quotes around keys or values" [Change to 'app=web']
