# Two swapped letters of a short word, which the selector of the Service has in the right order.
kubectl patch svc pie -p '{"spec":{"selector":{"app":"pei"}}}'
#                                                     ~~~ warning selects-nothing "No object has app=pei. Closest"
kubectl patch svc pie -p '{"spec":{"selector":{"app":"pia"}}}'
kubectl patch svc other -p '{"spec":{"selector":{"app":"pei"}}}'
