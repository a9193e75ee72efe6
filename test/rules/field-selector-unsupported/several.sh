# kubectl asks for the objects of each kind with the whole selector (requirements F5, F10).
kubectl get pods,services --field-selector spec.nodeName=node-1
#                                          ~~~~~~~~~~~~~ error field-selector-unsupported "Field selectors of Service do not support 'spec.nodeName'"
kubectl get pods,services --field-selector metadata.name=basket
# The Ingress of Kubernetes itself, though custom resources have the same name.
kubectl get ingress --field-selector spec.ingressClassName=nginx
#                                    ~~~~~~~~~~~~~~~~~~~~~ error field-selector-unsupported "Field selectors of Ingress do not support 'spec.ingressClassName'"
# A custom resource may declare any field.
kubectl get pods,certificates --field-selector status.phase=Running
kubectl get clusters --field-selector spec.region=eu
