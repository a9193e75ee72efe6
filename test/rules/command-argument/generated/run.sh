# An object that has only generateName (requirement N-8).
kubectl create -f job.yaml
kubectl apply -f job.yaml
#                ~~~~~~~~ warning command-argument "`kubectl apply` rejects Job/import-, which has only `generateName`" → generated/job.yaml:2 "Job"
