# Commands that set the label of a Namespace.
kubectl label ns shop kubernetes.io/metadata.name=store --overwrite
#                                                 ~~~~~ warning namespace-name-label "The API server sets this label to 'shop' (the name of the Namespace), not to 'store'" [Change the value to 'shop']
kubectl label namespace/shop example.com/team=blue kubernetes.io/metadata.name=store
#                                                                              ~~~~~ warning namespace-name-label "The API server sets this label to 'shop' (the name of the Namespace), not to 'store'" [Change the value to 'shop']
kubectl label ns shop kubernetes.io/metadata.name=shop
kubectl label ns "$NS" kubernetes.io/metadata.name=shop
kubectl label ns --all kubernetes.io/metadata.name=shop
kubectl label ns shop store kubernetes.io/metadata.name=shop
kubectl label pod web kubernetes.io/metadata.name=shop
