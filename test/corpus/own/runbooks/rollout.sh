#!/usr/bin/env bash
set -euo pipefail
ns=${1:-shop}
app=${2:?name of the application}

kubectl -n "$ns" get pods -l "app=$app" -o wide
kubectl -n "$ns" rollout restart deployment -l app="$app",tier=web
kubectl -n "$ns" wait pod --selector="app=$app" --for=condition=Ready --timeout=120s

for pod in $(kubectl -n "$ns" get pods -l 'app in (storefront,cart),tier!=cache' -o name); do
  kubectl -n "$ns" exec "$pod" -- /bin/true
done

kubectl get pods -A --field-selector=status.phase=Failed
kubectl label namespace "$ns" pod-security.kubernetes.io/enforce=restricted --overwrite
