kubectl patch deployment basket -p '{"spec":{"template":{"spec":{"tolerations":[{"key":"spot oven","operator":"Exists"}]}}}}'
#                                                                                       ~~~~~~~~~ error taint-syntax "Key of a toleration must not contain ' '" [Change the key to 'spot-oven']
kubectl patch node oven -p '{"spec":{"taints":[{"key":"spot","effect":"noSchedule"}]}}'
#                                                                      ~~~~~~~~~~ error taint-syntax "Effect of a taint must be 'NoSchedule', 'PreferNoSchedule' or 'NoExecute', not 'noSchedule'" [Change the effect to 'NoSchedule']
