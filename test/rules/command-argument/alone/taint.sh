kubectl taint nodes n1 shop=a:NoSchedul
#                      ~~~~~~~~~~~~~~~~ warning command-argument "Taint 'shop=a:NoSchedul' is invalid" [Change the taint to 'shop=a:NoSchedule']
