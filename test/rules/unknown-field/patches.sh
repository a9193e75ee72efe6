# Misspelled fields in the patches of commands (requirement C23).
kubectl patch deploy web --type=merge -p '{"metadata":{"lables":{"team":"blue"}}}'
#                                                       ~~~~~~ error unknown-field "'lables' is not a field of `metadata`" [Change to 'labels']
kubectl patch svc web -p '{"spec":{"selektor":{"team":"blue"}}}'
#                                   ~~~~~~~~ error unknown-field "'selektor' is not a field of `spec`" [Change to 'selector']
kubectl patch svc web -p '{"spec":{"selector":{"team":"blue"}}}'
kubectl patch svc web --type=json -p '[{"op":"replace","path":"/metadata/labels","value":{"lables":"x"}}]'
kubectl patch widget web -p '{"spec":{"selektor":{"team":"blue"}}}'
kubectl patch deploy web --type=json -p '[{"op":"add","path":"/spec/template/metdata/labels/team","value":"blue"}]'
#                                                                            ~~~~~~~ error unknown-field "'metdata' is not a field of `spec.template`" [Change to 'metadata']
kubectl patch deploy web --type=json -p '[{"op":"add","path":"/spec/template/spec/containers/0/env","value":[]}]'
