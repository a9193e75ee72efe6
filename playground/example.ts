/** The manifests and the selector that the playground shows initially. */

export const example = {
  selector: 'app=web,tier=front',
  manifests: `apiVersion: v1
kind: Service
metadata:
  name: web
spec:
  selector:
    app: webb
  ports:
    - port: 80
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  labels:
    version: 1.10
spec:
  selector:
    matchLabels:
      app: web
      tier: front
  template:
    metadata:
      labels:
        app: web
        tier: front
    spec:
      containers:
        - name: web
          image: nginx
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: admin
spec:
  selector:
    matchLabels:
      app: web
      tier: fronts
  template:
    metadata:
      labels:
        app: web
        tier: fronts
    spec:
      containers:
        - name: admin
          image: nginx
`,
};
