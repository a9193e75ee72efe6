kubectl get pods -l app=basket,\!canary,tier\=-web
#                                             ~ error selector-syntax "Label value must begin with a letter or digit"
kubectl get pods -l'app=-basket'
#                       ~ error selector-syntax "Label value must begin with a letter or digit" [Change to 'app=basket']
kubectl get pods -l=app=-basket
#                       ~ error selector-syntax "Label value must begin with a letter or digit" [Change to 'app=basket']
kubectl get pods -l app="-bas"'ket'
#                        ~ error selector-syntax "Label value must begin with a letter or digit"
kubectl get pods --selector=app=-basket,"tier in (a"
#                               ~ error selector-syntax "Label value must begin with a letter or digit"
#                                                ~ error selector-syntax "List must be closed"
bash -c 'kubectl get pods -l "app=-basket"'
#                                 ~ error selector-syntax "Label value must begin with a letter or digit" [Change to 'app=basket']
ssh shop "cd /tmp && kubectl get pods -l app=-basket"
#                                            ~ error selector-syntax "Label value must begin with a letter or digit" [Change to 'app=basket']
watch -n 2 kubectl get pods -l app=-basket
#                                  ~ error selector-syntax "Label value must begin with a letter or digit" [Change to 'app=basket']
kubectl get pods -l "$SELECTOR"
kubectl get pods -l app=<name>,tier=-
kubectl get pods -l app=...
kubectl get pods -l app=$APP tier=web
echo "$(kubectl get pods -l "app=-basket" -o name | wc -l)"
#                                ~ error selector-syntax "Label value must begin with a letter or digit" [Change to 'app=basket']
# kubectl get pods -l app=-basket
#                         ~ hint selector-syntax "Label value must begin with a letter or digit" [Change to 'app=basket']
kubectl get pods -l app=basket # , -l app=-x
kubectl get pods 2>/dev/null -l app=-basket >out
#                                   ~ error selector-syntax "Label value must begin with a letter or digit" [Change to 'app=basket']
kubectl get pods -l, --selector='': Selector to filter on
kubectl exec web -- ls -l app=-x
it's kubectl get pods -l app=-x
git log -l app=-x && k get po -l app=-basket
#                                    ~ error selector-syntax "Label value must begin with a letter or digit" [Change to 'app=basket']
