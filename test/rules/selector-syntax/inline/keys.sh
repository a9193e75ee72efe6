# Keys with invalid characters, in requirements of all forms.
kubectl get pods -l 'price list in (a, b)'
#                          ~~~~ error selector-syntax "A key must not contain spaces" [Change to 'price-list in (a, b)']
kubectl get pods -l '!price list'
#                    ~ error selector-syntax "A key must not contain spaces" [Change to '!price-list']
kubectl get pods -l 'price list!=a'
#                          ~~~~ error selector-syntax "A key must not contain spaces" [Change to 'price-list!=a']
kubectl get pods -l 'Shop.example.com/tier notin (a, b)'
#                    ~ error selector-syntax "Prefix of the label key must be in lower case" [Change to 'shop.example.com/tier notin (a, b)']
# The fix for `!tier=web` would change the key of this selector.
kubectl get pods -l 'price!list=a'
#                         ~ error selector-syntax "Expected an operator ('=', '!=', 'in', 'notin', '>' or '<') or ',', found '!' (position 6)"
# A letter with an accent is not a placeholder.
kubectl get pods -l 'é=a'
#                    ~ error selector-syntax "Label key must not contain 'é'" [Change to 'e=a']
