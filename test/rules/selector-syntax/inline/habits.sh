# What other languages write, and how it is written here (requirement A36).
kubectl get pods -l 'app=web || app=api'
#                            ~~ error selector-syntax "There is no OR" [Change to 'app in (web, api)']
kubectl get pods -l 'app=web or tier=cache'
#                            ~~ error selector-syntax "There is no OR between requirements"
kubectl get pods -l 'app=web && tier=cache'
#                            ~~ error selector-syntax "Requirements are joined with ',', which means AND" [Change to 'app=web, tier=cache']
kubectl get pods -l 'app IN (web, api)'
#                        ~~ error selector-syntax "The operators `in` and `notin` are in lower case" [Change to 'app in (web, api)']
kubectl get pods -l 'app not in (web)'
#                        ~~~ error selector-syntax "The operator `notin` is one word in lower case" [Change to 'app notin (web)']
kubectl get pods -l 'app in web'
#                           ~~~ error selector-syntax "The values after `in` and `notin` are written in parentheses" [Change to 'app in (web)']
kubectl get pods -l 'app in [web, api]'
#                           ~~~~ error selector-syntax "A list of values is written in parentheses" [Change to 'app in (web, api)']
kubectl get pods -l 'app in (web, api'
#                           ~ error selector-syntax "The list of values has no ')' at its end" [Change to 'app in (web, api)']
kubectl get pods -l "app='web'"
#                        ~ error selector-syntax "A selector must not have quotes around keys or values" [Change to 'app=web']
kubectl get pods -l app=web,
#                          ~ error selector-syntax "There must be a requirement on both sides of a comma" [Change to 'app=web']
kubectl get pods -l app=web,,tier=cache
#                           ~ error selector-syntax "There must be a requirement on both sides of a comma" [Change to 'app=web,tier=cache']
kubectl get pods -l '!app=web'
#                    ~ error selector-syntax "To exclude a value, write '!=' between the key and the value" [Change to 'app!=web']
kubectl get pods -l 'app: web'
#                       ~ error selector-syntax "A key and its value are joined with '='" [Change to 'app=web']
kubectl get pods -l 'app===web'
#                         ~ error selector-syntax "The equality operators are '=', '==' and '!='" [Change to 'app==web']
kubectl get pods -l 'app=web tier=cache'
#                            ~~~~ error selector-syntax "Requirements are joined with ','" [Change to 'app=web,tier=cache']
# Words that need quotes and have none are left to the author.
kubectl get pods -l app=web\|\|app=api
#                          ~~~~ error selector-syntax "There is no OR"
