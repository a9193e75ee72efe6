param([string]$Namespace = "shop")
kubectl get pods -n $Namespace -l "app=storefront"
kubectl get events -n $Namespace --field-selector type=Warning
