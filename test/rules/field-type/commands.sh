# The types of fields in the patches of commands.
kubectl patch service basket -p '{"spec": {"ports": {"port": 80}}}'
#                                           ~~~~~ error field-type "`ports` must be a list, not a map"
kubectl patch deployment basket --type=json -p '[{"op": "add", "path": "/spec/replicas", "value": "3"}]'
#                                                                                                  ~ error field-type "`replicas` must be an integer, not a string"
kubectl patch oven basket --type=merge -p '{"spec": {"ports": {"port": 80}}}'
# Words in capitals and an ellipsis are placeholders.
kubectl patch deployment basket -p '{"spec":{"replicas":N}}'
kubectl patch deployment basket -p '{"spec": ... }'
kubectl patch service basket -p '{"spec":{"type":"TYPE"}}'
kubectl patch service basket -p '{"spec":{"type":"CLUSTERIP"}}'
#                                                 ~~~~~~~~~ error field-type "`type` must be one of 'ClusterIP', 'NodePort', 'LoadBalancer', 'ExternalName', not 'CLUSTERIP'"
