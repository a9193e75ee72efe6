# Annotations in commands (requirements T1, C23).
kubectl annotate pods web "price list=the, long, one" shop.example.com/owner='team blue, room 12'
#                          ~~~~~~~~~~ error annotation-key-syntax "Annotation key must not contain ' '" [Change the key to 'price-list']
kubectl annotate --overwrite -f web.yaml _hidden=1 "note=a, b=c"
#                                        ~~~~~~~ error annotation-key-syntax "Annotation key must begin with a letter or digit" [Change the key to 'hidden']
kubectl annotate pods web note-
kubectl annotate pods web "$KEY=1" "example.com/$KEY=1"
kubectl patch svc web -p '{"metadata":{"annotations":{"price list":"the list", "note": null}}}'
#                                                      ~~~~~~~~~~ error annotation-key-syntax "Annotation key must not contain ' '" [Change the key to 'price-list']
kubectl patch deploy web --type=json -p '[{"op":"add","path":"/spec/template/metadata/annotations/price list","value":"1"}]'
#                                                                                                 ~~~~~~~~~~ error annotation-key-syntax "Annotation key must not contain ' '" [Change the key to 'price-list']
