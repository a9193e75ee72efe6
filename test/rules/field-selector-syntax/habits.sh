# What label selectors and other languages write, and how a field selector has it (requirement F8).
kubectl get pods --field-selector 'status.phase in (Running)'
#                                  ~~~~~~~~~~~~~~~~~~~~~~~~~ error field-selector-syntax "A field selector does not support lists" [Change to 'status.phase=Running']
kubectl get pods --field-selector 'status.phase in (Running, Pending)'
#                                  ~~~~~~~~~~~~~~~~~~~~~~~~ error field-selector-syntax "A field selector does not support lists"
kubectl get pods --field-selector 'status.phase=Running || status.phase=Pending'
#                                                                      ~ error field-selector-syntax "There is no OR in a field selector"
kubectl get pods --field-selector 'status.phase: Running'
#                                  ~~~~~~~~~~~~~~~~~~~~~ error field-selector-syntax "A key and its value are joined with '='" [Change to 'status.phase=Running']
kubectl get pods --field-selector 'status.phase=Running && spec.nodeName===node-1'
#                                                                       ~ error field-selector-syntax "Requirements are joined with ',', which means AND" [Change to 'status.phase=Running,spec.nodeName==n...']
