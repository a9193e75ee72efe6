# A word without an operator may be a part of the key, and quotes may contain a list.
kubectl get pods -l 'a b=v'
#                      ~ error selector-syntax "Expected an operator ('=', '!=', 'in', 'notin', '>' or '<') or ',', found 'b' (position 3)"
kubectl get pods -l 'app="web,api"'
#                        ~ error selector-syntax "Label value must not contain '''"
#                                ~ error selector-syntax "Label key must not contain '''"
kubectl get pods -l 'app=web tier=db'
#                            ~~~~ error selector-syntax "Requirements are joined with ','" [Change to 'app=web,tier=db']
kubectl get pods -l 'app="web"'
#                        ~ error selector-syntax "A selector must not have quotes around keys or values" [Change to 'app=web']
