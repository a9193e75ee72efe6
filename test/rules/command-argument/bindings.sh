# The roles and ServiceAccounts of bindings (requirement Z11).
kubectl create rolebinding read --role=.. --serviceaccount=shop:reader -n shop
#                                      ~~ warning command-argument "Name '..' is invalid"
kubectl create rolebinding read --role=shop/reader --serviceaccount=reader -n shop
#                                      ~~~~~~~~~~~ warning command-argument "Name 'shop/reader' is invalid"
#                                                                   ~~~~~~ warning command-argument "`--serviceaccount` must have the form 'namespace:name', not 'reader'"
kubectl create rolebinding read --clusterrole view --serviceaccount=shop:Reader_1 --serviceaccount Shop_EU:reader
#                                                                   ~~~~~~~~~~~~~ warning command-argument "Name 'Reader_1' of the ServiceAccount is invalid"
#                                                                                                  ~~~~~~~~~~~~~~ warning command-argument "Namespace 'Shop_EU' is invalid"
kubectl create clusterrolebinding read --clusterrole=view%2f --serviceaccount=system:serviceaccount:shop:reader
#                                                                             ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~ warning command-argument "`--serviceaccount` must have the form 'namespace:name', not 'system:serviceaccount:shop:reader'"
kubectl create clusterrolebinding read --clusterrole=system:view --serviceaccount=shop:
#                                                                                 ~~~~~ warning command-argument "`--serviceaccount` must have the form 'namespace:name', not 'shop:'"
kubectl create clusterrolebinding read --clusterrole=system:View --serviceaccount=shop:reader
kubectl create rolebinding read --role="$ROLE" --serviceaccount="$ACCOUNT"
kubectl create rolebinding read --role=ROLE --serviceaccount=NAMESPACE:NAME
kubectl create rolebinding read --role=reader --serviceaccount=${NAMESPACE}:reader
kubectl create token reader --serviceaccount=reader
