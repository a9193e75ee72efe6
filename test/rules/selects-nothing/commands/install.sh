# A here-document defines the pods, so the value is not a misspelled one.
kubectl apply -f - <<EOF
apiVersion: v1
kind: Pod
metadata:
  name: baskets
  labels:
    app: baskets
EOF
kubectl wait pod -l app=baskets --for=condition=Ready
#= 0 objects, 0 labels
