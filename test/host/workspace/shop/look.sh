#!/usr/bin/env bash
# Looks at the shop.
kubectl get pods -l 'app in (basket,orders),!canary' -o wide
kubectl logs -l "app=basket,tier=-web" --tail=20
kubectl get pods --selector app=basket \
  --field-selector 'status.phase=Running'
