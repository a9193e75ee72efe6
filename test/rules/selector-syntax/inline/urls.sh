# Selectors in URLs (requirement A23).
curl "https://cluster.example:6443/api/v1/namespaces/shop/pods?labelSelector=app%3Dbasket%2C%2Ctier"
#                                                                                           ~~~ error selector-syntax "There must be a requirement on both sides of a comma" [Change to 'app=basket,tier']
curl 'https://cluster.example/apis/apps/v1/deployments?limit=5&labelSelector=app+IN+%28basket%29'
#                                                                                ~~ error selector-syntax "The operators `in` and `notin` are in lower case"
kubectl get --raw '/api/v1/pods?fieldSelector=status.phase'
#                                             ~~~~~~~~~~~~ error field-selector-syntax "Expected '=' or '!=' and a value after 'status.phase'"
curl https://shop.example/search?labelSelector=app,,
