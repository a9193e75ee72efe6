# Labels in the patches of commands (requirement C23).
kubectl patch deploy web -p '{"metadata":{"labels":{"team":"team blue","tier":"web"}}}'
#                                                           ~~~~~~~~~ error label-value-syntax "Label value must not contain ' '" [Change the value to 'team-blue']
kubectl patch deploy web --type=merge -p "{\"spec\":{\"template\":{\"metadata\":{\"labels\":{\"team\":\"team blue\"}}}}}"
#                                                                                                       ~~~~~~~~~ error label-value-syntax "Label value must not contain ' '" [Change the value to 'team-blue']
kubectl patch deploy web -p '{"metadata":{"labels":{"team":null},"annotations":{"note":"not a label"}}}'
kubectl patch deploy web --type=json -p '[{"op":"add","path":"/metadata/labels/team","value":"team blue"}]'
