# Label selectors in the patches of commands.
kubectl patch deploy web -p '{"spec":{"selector":{"matchExpressions":[{"key":"team","operator":"in","values":["blue"]}]}}}'
#                                                                                               ~~ error selector-syntax "`operator` must be one of 'In', 'NotIn', 'Exists', 'DoesNotExist'" [Change the operator to 'In']
kubectl patch pdb web --type=merge -p '{"spec":{"selector":{"matchLabels":{"app":"web"}}}}'
