kubectl patch svc basket -p '{"spec": {"selector": {"app": "bakset"}}}'
#                                                           ~~~~~~ warning selects-nothing "No object has app=bakset. Closest"
