# Labels in the patches of commands (requirement C23).
kubectl patch deploy web -p '{"metadata":{"labels":{"team":"team blue","tier":"web"}}}'
#                                                           ~~~~~~~~~ error label-value-syntax "Label value must not contain ' '" [Change the value to 'team-blue']
kubectl patch deploy web --type=merge -p "{\"spec\":{\"template\":{\"metadata\":{\"labels\":{\"team\":\"team blue\"}}}}}"
#                                                                                                       ~~~~~~~~~ error label-value-syntax "Label value must not contain ' '" [Change the value to 'team-blue']
kubectl patch deploy web -p '{"metadata":{"labels":{"team":null},"annotations":{"note":"not a label"}}}'
kubectl patch deploy web --type=json -p '[{"op":"add","path":"/metadata/labels/team","value":"team blue"}]'
#                                                                                             ~~~~~~~~~ error label-value-syntax "Label value must not contain ' '" [Change the value to 'team-blue']
kubectl patch deploy web --type=json -p '[{"op":"remove","path":"/metadata/labels/team"},{"op":"add","path":"/metadata/labels/price list","value":"x"}]'
#                                                                                                                             ~~~~~~~~~~ error label-key-syntax "Label key must not contain ' '" [Change the key to 'price-list']
kubectl patch deploy web --type json -p "[{\"op\":\"replace\",\"path\":\"/spec/template/metadata/labels/team\",\"value\":\"team blue\"}]"
#                                                                                                                          ~~~~~~~~~ error label-value-syntax "Label value must not contain ' '" [Change the value to 'team-blue']
kubectl patch deploy web --type json -p '[{"op":"add","path":"/metadata/labels/example.com~1team","value":"blue"},{"op":"add","path":"/metadata/annotations/a b","value":"$X"}]'
#                                                                                                                                                           ~~~ error annotation-key-syntax "Annotation key must not contain ' '" [Change the key to 'a-b']
# Selectors in patches, as the kind of the object defines them, and keys that are escaped in JSON pointers.
kubectl patch service web -p '{"spec":{"selector":{"team":"team blue"}}}'
#                                                          ~~~~~~~~~ error label-value-syntax "Label value must not contain ' '" [Change the value to 'team-blue']
kubectl patch deploy/web --type=merge -p '{"spec":{"selector":{"matchLabels":{"team":"team blue"}}}}'
#                                                                                     ~~~~~~~~~ error label-value-syntax "Label value must not contain ' '" [Change the value to 'team-blue']
kubectl patch svc web --type=json -p '[{"op":"replace","path":"/spec/selector/team","value":"team blue"}]'
#                                                                                            ~~~~~~~~~ error label-value-syntax "Label value must not contain ' '" [Change the value to 'team-blue']
kubectl patch svc web --type=json -p '[{"op":"replace","path":"/spec/selector","value":{"team":"team blue"}}]'
#                                                                                               ~~~~~~~~~ error label-value-syntax "Label value must not contain ' '" [Change the value to 'team-blue']
kubectl patch svc web --type=json -p '[{"op":"add","path":"/metadata/labels/Example.com~1team","value":"blue"}]'
#                                                                           ~~~~~~~~~~~~~~~~~ error label-key-syntax "Prefix of the label key must be in lower case" [Change the key to 'example.com/team']
kubectl patch prometheus web --type=merge -p '{"spec":{"externalLabels":{"team":"team blue"}}}'
kubectl patch "$KIND" web -p '{"spec":{"selector":{"team":"team blue"}}}'
