#!/usr/bin/env bash
kubectl get pods -l app=basket
kubectl get pods -l 'app in (basket,checkout),!canary'
kubectl get pods -l "app IN (basket)" -n shop
#                        ~~ error selector-syntax "Operator must be in lower case"
kubectl delete deploy --selector="app=bas ket" --wait
#                                         ~~~ error selector-syntax "Selector must have ',' or the end, not 'ket'"
kubectl get pods \
  --selector 'app=basket,,tier=web' \
  #                      ~ error selector-syntax "Selector must have a requirement on both sides of ','"
  -o name
POD=$(kubectl get pods -l "app=$APP,tier=-x" -o name)
kubectl get pods -l app=basket, | wc -l
#                             ~ error selector-syntax "Selector must have a requirement on both sides of ','"
ls -l app=basket,
kubectl run basket --image=basket -l app=basket,tier=-web
#                                                    ~~~~ error label-value-syntax "Label value must begin with a letter or digit" [Change the value to 'web']
