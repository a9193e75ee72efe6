# Taints in commands (requirement C17).
kubectl taint nodes n1 GPU_Only=yes:NoSchedule
#                      ~~~~~~~~ information label-key-style "Taint key 'GPU_Only' should be in lower case with dashes"
kubectl taint nodes n1 gpu-only=yes:NoSchedule dedicatedTo:NoExecute
#                                              ~~~~~~~~~~~ information label-key-style "Taint key 'dedicatedTo' should be in lower case with dashes"
kubectl taint nodes n1 dedicatedTo-
#                      ~~~~~~~~~~~ information label-key-style "Taint key 'dedicatedTo' should be in lower case with dashes"
kubectl taint nodes n1 $KEY=yes:NoSchedule
