# The table of fields in the documentation (requirement F6).
kubectl get pods --field-selector spec.nodeName=n1,spec.restartPolicy=Always,spec.schedulerName=x,spec.serviceAccountName=y
kubectl get pods --field-selector spec.hostNetwork=true,status.phase=Running,status.podIP=10.0.0.1,status.nominatedNodeName=n
kubectl get events --field-selector involvedObject.kind=Pod,involvedObject.namespace=a,involvedObject.name=b,involvedObject.uid=c
kubectl get events --field-selector involvedObject.apiVersion=v1,involvedObject.resourceVersion=1,involvedObject.fieldPath=x
kubectl get events --field-selector reason=x,reportingComponent=y,source=z,type=Normal
kubectl get secrets --field-selector type=Opaque
kubectl get namespaces --field-selector status.phase=Active
kubectl get rs --field-selector status.replicas=1
#                               ~~~~~~~~~~~~~~~ error field-selector-unsupported "The Kubernetes documentation lists 'status.replicas' for ReplicaSets, but the API server does not support it"
kubectl get rc --field-selector status.replicas=1
kubectl get jobs --field-selector status.successful=1
kubectl get nodes --field-selector spec.unschedulable=true
kubectl get csr --field-selector spec.signerName=kubernetes.io/kubelet-serving
