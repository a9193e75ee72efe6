# A patch that sets a finalizer, and one of something else.
kubectl patch pvc data --type=merge -p '{"metadata":{"finalizers":["example.com/backup"]}}'
kubectl patch pvc data -p '{"metadata":{"annotations":{"note":"finalizers are set by the backup"}}}'
#= 0 objects, 0 labels
