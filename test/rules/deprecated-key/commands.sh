# Keys in commands (requirement C19).
kubectl label nodes oven beta.kubernetes.io/os=linux
#                        ~~~~~~~~~~~~~~~~~~~~~ warning deprecated-key (deprecated) "Label key 'beta.kubernetes.io/os' is deprecated" [Change the key to 'kubernetes.io/os']
kubectl get nodes -l beta.kubernetes.io/arch=amd64
#                    ~~~~~~~~~~~~~~~~~~~~~~~ warning deprecated-key (deprecated) "Label key 'beta.kubernetes.io/arch' is deprecated" [Change the key to 'kubernetes.io/arch']
kubectl get nodes -l kubernetes.io/arch=amd64
kubectl label nodes oven beta.kubernetes.io/os-
kubectl get pods -l beta.kubernetes.io/arch=amd64
