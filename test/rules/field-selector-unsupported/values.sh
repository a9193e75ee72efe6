# Values that a field never has (requirement Z18).
kubectl get pods --field-selector status.phase=Running,spec.restartPolicy!=Always
kubectl get pods --field-selector status.phase=running
#                                              ~~~~~~~ warning field-selector-unsupported "Pod field 'status.phase' is never 'running'" [Change the value to 'Running']
kubectl get pods --field-selector status.phase!=Completed
#                                               ~~~~~~~~~ warning field-selector-unsupported "Pod field 'status.phase' is never 'Completed'" [Change the value to 'Succeeded']
kubectl get pods --field-selector spec.restartPolicy=always
#                                                    ~~~~~~ warning field-selector-unsupported "Pod field 'spec.restartPolicy' is never 'always'" [Change the value to 'Always']
kubectl get pods --field-selector status.phase=$PHASE
kubectl get pods --field-selector status.phase=
kubectl get nodes --field-selector spec.unschedulable=true
kubectl get secrets --field-selector type=shop.example.com/own
kubectl get services --field-selector spec.clusterIP=10.0.0.1
kubectl get pods --field-selector status.phase=Runing
#                                              ~~~~~~ warning field-selector-unsupported "Pod field 'status.phase' is never 'Runing'" [Change the value to 'Running']
kubectl get pods --field-selector status.phase=Succeded
#                                              ~~~~~~~~ warning field-selector-unsupported "Pod field 'status.phase' is never 'Succeded'" [Change the value to 'Succeeded']
kubectl get services --field-selector spec.type=NodePrt
#                                               ~~~~~~~ warning field-selector-unsupported "Service field 'spec.type' is never 'NodePrt'" [Change the value to 'NodePort']
kubectl get services --field-selector spec.type=Local
#                                               ~~~~~ warning field-selector-unsupported "Service field 'spec.type' is never 'Local'"
