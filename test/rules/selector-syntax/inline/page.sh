# A finding in a command of a page with manifests is reported once.
?labelSelector=app%3Dweb,,
#                       ~ error selector-syntax "There must be a requirement on both sides of a comma"
kubectl apply -f - <<EOF
apiVersion: v1
kind: ConfigMap
metadata: {name: prices}
EOF
