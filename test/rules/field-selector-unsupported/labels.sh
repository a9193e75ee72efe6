# A label is not a field: it is selected with `-l`.
kubectl get pods --field-selector metadata.labels.app=web
#                                 ~~~~~~~~~~~~~~~~~~~ error field-selector-unsupported "Field selectors do not support labels: use a label selector for 'metadata.labels.app'"
kubectl get pods --field-selector metadata.nmae=web
#                                 ~~~~~~~~~~~~~ error field-selector-unsupported "Field selectors of Pod do not support 'metadata.nmae'" [Change the field to 'metadata.name']
