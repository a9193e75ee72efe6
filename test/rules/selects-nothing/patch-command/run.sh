# The selectors in patches of commands (requirement C23).
kubectl patch svc basket --type=json -p '[{"op":"replace","path":"/spec/selector/app","value":"bakset"}]'
#                                                                                              ~~~~~~ warning selects-nothing "No object has app=bakset. Closest"
kubectl patch svc basket -p '{"spec":{"selector":{"app":"basket","track":"canary"}}}'
kubectl patch svc basket -p '{"spec":{"selector":{"app":"oven"}}}'
kubectl patch svc basket -p '{"metadata":{"labels":{"app":"bakset"}}}'
kubectl set selector svc basket app=bakset
#                                   ~~~~~~ warning selects-nothing "No object has app=bakset. Closest"
kubectl set selector service/basket app=bakset
#                                       ~~~~~~ warning selects-nothing "No object has app=bakset. Closest"
kubectl set selector service basket app=basket
kubectl set selector service other app=bakset
#                                      ~~~~~~ warning selects-nothing "No object has app=bakset. Closest"
