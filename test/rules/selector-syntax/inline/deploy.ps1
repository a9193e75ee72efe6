$selector = 'app=basket'
kubectl get pods -l $selector
kubectl get pods `
  -l 'app=basket,,tier' `
  #              ~ error selector-syntax "There must be a requirement on both sides of a comma" [Change to 'app=basket,tier']
  -n shop
kubectl get pods -l "app=$env:APP,tier=-web" | Select-Object -Last 1
if ($ready) { kubectl delete pods -l "app=`"basket`"" }
#                                         ~~ error selector-syntax "A selector must not have quotes around keys or values"
Get-ChildItem -l app=,,
