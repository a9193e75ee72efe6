#!/usr/bin/env bash
kubectl get pods -l app=basket
kubectl get pods -l 'app in (basket,checkout),!canary'
kubectl get pods -l "app IN (basket)" -n shop
#                        ~~ error selector-syntax "The operators `in` and `notin` are in lower case" [Change to 'app in (basket)']
kubectl delete deploy --selector="app=bas ket" --wait
#                                         ~~~ error selector-syntax "Expected ',' or the end of the selector, found 'ket' (position 9)"
kubectl get pods \
  --selector 'app=basket,,tier=web' \
  #                      ~ error selector-syntax "There must be a requirement on both sides of a comma" [Change to 'app=basket,tier=web']
  -o name
POD=$(kubectl get pods -l "app=$APP,tier=-x" -o name)
kubectl get pods -l app=basket, | wc -l
#                             ~ error selector-syntax "There must be a requirement on both sides of a comma" [Change to 'app=basket']
ls -l app=basket,
kubectl run basket --image=basket -l app=basket,tier=-web
#                                                    ~~~~ error label-value-syntax "Label value must begin with a letter or digit" [Change the value to 'web']
