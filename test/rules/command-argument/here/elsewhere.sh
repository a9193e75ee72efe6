cd "$FOLDER"
kubectl apply -f .
#= 0 objects, 0 labels
