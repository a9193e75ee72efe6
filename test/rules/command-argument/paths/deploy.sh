# A path that leads to no file, and a file with almost its name (requirements B11, B12).
kubectl apply -f k8s/basket.yml
#                ~~~~~~~~~~~~~~ hint command-argument "No file 'k8s/basket.yml' in this workspace. Closest" → paths/k8s/basket.yaml:1 "" [Change the path to 'k8s/basket.yaml']
kubectl apply -f k8s/baskett.yaml
#                ~~~~~~~~~~~~~~~~ hint command-argument "No file 'k8s/baskett.yaml' in this workspace. Closest" → paths/k8s/basket.yaml:1 "" [Change the path to 'k8s/basket.yaml']
kubectl apply -f k8s/basket.yaml
kubectl apply -f k8s/rendered.yaml
kubectl apply -R -f k8s/
helm template . > k8s/baskets.yaml
kubectl apply -f k8s/baskets.yaml
kubectl apply -f https://example.com/other.yaml
