/** Manifests for the tests of the command line. */

/** Two findings: an error in its own labels, and an error in its selector. */
export const badPrices = `apiVersion: v1
kind: ConfigMap
metadata:
  name: prices
  labels:
    owner: Team Blue
    "🦊 a": "-b"
`;

export const goodPrices = `apiVersion: v1
kind: ConfigMap
metadata:
  name: prices
  labels:
    app: prices
    tier: data
`;

export const web = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  namespace: shop
  labels:
    app: web
    tier: front
spec:
  selector:
    matchLabels:
      app: web
  template:
    metadata:
      labels:
        app: web
        tier: pod
`;

export const service = `apiVersion: v1
kind: Service
metadata:
  name: web
  namespace: shop
  labels:
    app: web
spec:
  selector:
    app: web
`;
