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
