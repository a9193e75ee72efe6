# Values in commands (requirement A10).
kubectl label ns shop pod-security.kubernetes.io/enforce=restrictd
#                                                        ~~~~~~~~~ warning unknown-reserved-value "'restrictd' is not a known value of 'pod-security.kubernetes.io/enforce'. Did you mean 'restricted'?" [Change the value to 'restricted']
kubectl label ns shop istio-injection=enable
#                                     ~~~~~~ warning unknown-reserved-value "'enable' is not a known value of 'istio-injection'. Did you mean 'enabled'?" [Change the value to 'enabled']
kubectl label ns shop pod-security.kubernetes.io/enforce=restricted istio-injection=enabled
kubectl label ns shop "pod-security.kubernetes.io/enforce=$LEVEL"
kubectl label ns shop pod-security.kubernetes.io/enforce-
kubectl patch ns shop -p '{"metadata":{"labels":{"istio-injection":"enable"}}}'
#                                                                   ~~~~~~ warning unknown-reserved-value "'enable' is not a known value of 'istio-injection'. Did you mean 'enabled'?" [Change the value to 'enabled']
