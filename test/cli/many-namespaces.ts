/** A workspace in which selectors depend on the labels of Namespaces in other scopes. */

export const manyNamespaces: Readonly<Record<string, string>> = {
  'cluster/shop.yaml': 'apiVersion: v1\nkind: Namespace\nmetadata:\n  name: shop\n  labels:\n    team: red\n',
  'cluster/shops.yaml': 'apiVersion: v1\nkind: Namespace\nmetadata:\n  name: shops\n  labels:\n    team: web\n',
  'app/kustomization.yaml': 'resources: [pod.yaml, policy.yaml]\n',
  'app/pod.yaml': 'apiVersion: v1\nkind: Pod\nmetadata:\n  name: web\n  namespace: shop\n  labels:\n    app: web\n',
  'app/policy.yaml':
    'apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nmetadata:\n  name: web\n  namespace: bank\nspec:\n  podSelector:\n    matchLabels:\n      app: web\n  ingress:\n  - from:\n    - namespaceSelector:\n        matchLabels:\n          team: red\n      podSelector:\n        matchLabels:\n          app: web\n',
};
