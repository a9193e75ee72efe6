$selector = 'app=basket'
kubectl get pods -l $selector
kubectl get pods `
  -l 'app=basket,,tier' `
  #              ~ error selector-syntax "Selector must have a requirement on both sides of ','"
  -n shop
kubectl get pods -l "app=$env:APP,tier=-web" | Select-Object -Last 1
if ($ready) { kubectl delete pods -l "app=`"basket`"" }
#                                         ~~ error selector-syntax "Label value must not contain '''"
Get-ChildItem -l app=,,
