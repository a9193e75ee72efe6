# Taints, names and the deletion of dependents (requirements Z1, Z19, N-6).
kubectl taint nodes n1 dedicated=gpu:NoSchedule
kubectl taint node n1 n2 dedicated-
kubectl taint nodes n1 dedicated:NoSchedule-
kubectl taint nodes n1 node-role.kubernetes.io/control-plane:NoSchedule
kubectl taint nodes --all node-role.kubernetes.io/control-plane-
kubectl taint nodes -l disk=ssd dedicated=$WHO:NoExecute
kubectl taint nodes NODE KEY=VALUE:EFFECT
kubectl taint nodes n1 dedicated=gpu:noSchedule
#                      ~~~~~~~~~~~~~~~~~~~~~~~~ warning command-argument "Taint 'dedicated=gpu:noSchedule' is invalid" [Change the taint to 'dedicated=gpu:NoSchedule']
kubectl taint nodes n1 dedicated=gpu
#                      ~~~~~~~~~~~~~ warning command-argument "Taint 'dedicated=gpu' is invalid"
kubectl taint nodes n1 Shop.example.com/gpu=yes:NoSchedule
#                      ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~ warning command-argument "Taint 'Shop.example.com/gpu=yes:NoSchedule' is invalid" [Change the taint to 'shop.example.com/gpu=yes:NoSchedule']
kubectl taint nodes n1 dedicated=the_gpu_:NoSchedule
#                      ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~ warning command-argument "Taint 'dedicated=the_gpu_:NoSchedule' is invalid" [Change the taint to 'dedicated=the_gpu:NoSchedule']
kubectl taint nodes n1 'my key=a b:NoSchedul'
#                       ~~~~~~~~~~~~~~~~~~~~ warning command-argument "Taint 'my key=a b:NoSchedul' is invalid" [Change the taint to 'my-key=a-b:NoSchedule']
kubectl taint nodes n1 /x=v1:NoSchedule x.io/=v1:NoExecute
#                      ~~~~~~~~~~~~~~~~ warning command-argument "Taint '/x=v1:NoSchedule' is invalid" [Change the taint to 'x=v1:NoSchedule']
#                                       ~~~~~~~~~~~~~~~~~~ warning command-argument "Taint 'x.io/=v1:NoExecute' is invalid"
kubectl taint nodes n1 Shop.example.com/gpu-
#                      ~~~~~~~~~~~~~~~~~~~~~ warning command-argument "Taint 'Shop.example.com/gpu-' is invalid" [Change the taint to 'shop.example.com/gpu-']
kubectl taint nodes n1 wеb=v1:NoExecute
#                      ~~~~~~~~~~~~~~~~ warning command-argument "Taint 'wеb=v1:NoExecute' is invalid" [Change the taint to 'web=v1:NoExecute']
kubectl taint nodes n1 dedicated=gpu:Never
#                      ~~~~~~~~~~~~~~~~~~~ warning command-argument "Taint 'dedicated=gpu:Never' is invalid"
kubectl delete deployment web --cascade=orphan
kubectl delete deployment web --cascade=false
kubectl delete deployment web --cascade=orphn
#                                       ~~~~~ warning command-argument "`--cascade` must be 'background', 'foreground' or 'orphan', not 'orphn'" [Change the value to 'orphan']
kubectl create ns kube_x
#                 ~~~~~~ warning command-argument "Name 'kube_x' is invalid"
kubectl create namespace "$NAMESPACE"
kubectl create deployment Foo_bar --image=web
#                         ~~~~~~~ warning command-argument "Name 'Foo_bar' is invalid"
kubectl create configmap A_b
#                        ~~~ warning command-argument "Name 'A_b' is invalid"
kubectl create configmap NAME
kubectl create service clusterip Web_1 --tcp=80
#                                ~~~~~ warning command-argument "Name 'Web_1' is invalid"
kubectl create secret generic shop-passwords
kubectl create clusterrole Reader --verb=get
kubectl create -f web.yaml
# The usual notation for an optional part.
kubectl taint nodes node-1 dedicated=web:NoSchedule[-]
kubectl create job --from cronjobs/renovate Manual_run -n renovate
#                                           ~~~~~~~~~~ warning command-argument "Name 'Manual_run' is invalid"
kubectl create job --from cronjobs/renovate manual-run -n renovate
kubectl create configmap --from-file conf/Settings_1.ini settings
# Misspelled well-known taints.
kubectl taint nodes n1 node-role.kubernetes.io/control-plan:NoSchedule
#                      ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~ warning command-argument "No well-known taint has the key 'node-role.kubernetes.io/control-plan'. Did you mean 'node-role.kubernetes.io/control-plane'?" [Change the taint to 'node-role.kubernetes.io/control-plane...']
kubectl taint nodes n1 node-role.kubernetes.io/control-plan:NoSchedule-
kubectl taint nodes n1 node.kubernetes.io/out-of-service=nodeshutdown:NoExecute
oc adm taint nodes n1 dedicated=gpu:noSchedule
#                     ~~~~~~~~~~~~~~~~~~~~~~~~ warning command-argument "Taint 'dedicated=gpu:noSchedule' is invalid" [Change the taint to 'dedicated=gpu:NoSchedule']
oc adm taint nodes n1 dedicated=gpu:NoSchedule
