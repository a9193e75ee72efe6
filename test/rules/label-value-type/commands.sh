# Values in patches have types (requirement C23).
kubectl patch deploy web -p '{"metadata":{"labels":{"spare":true}}}'
#                                                           ~~~~ error label-value-type "Label value 'true' must be quoted"
kubectl patch deploy web --type=merge -p '{"spec":{"template":{"metadata":{"labels":{"track":2}}}}}'
#                                                                                            ~ error label-value-type "Label value '2' must be quoted"
kubectl patch deploy web --type=json -p '[{"op":"add","path":"/metadata/labels/spare","value":true}]'
#                                                                                             ~~~~ error label-value-type "Label value 'true' must be quoted"
kubectl patch deploy web --type=json -p '[{"op":"replace","path":"/metadata/labels","value":{"track":2}}]'
#                                                                                                    ~ error label-value-type "Label value '2' must be quoted"
kubectl patch deploy web -p '{"metadata":{"labels":{"spare":"true","track":null}}}'
kubectl patch deploy web -p "{\"metadata\":{\"labels\":{\"spare\":$SPARE}}}"
kubectl label deploy web spare=true track=2
