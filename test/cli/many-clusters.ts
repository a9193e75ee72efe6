/** A workspace with GitOps objects of several clusters: nearly every change concerns connections to other GitOps objects. */

const kustomization = (name: string) => `apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: ${name}, namespace: flux-system}
spec: {interval: 10m, prune: true, path: ./${name}, sourceRef: {kind: GitRepository, name: fleet}}
`;

const deployment = (name: string, namespace: string, tier: string) => `apiVersion: apps/v1
kind: Deployment
metadata: {name: ${name}, namespace: ${namespace}}
spec:
  selector:
    matchLabels: {app: ${name}}
  template:
    metadata:
      labels: {app: ${name}, tier: ${tier}}
    spec:
      containers: [{name: main, image: example.com/main, ports: [{name: http, containerPort: 8080}]}]
`;

const namespaceNamed = (name: string, team: string) => `---
apiVersion: v1
kind: Namespace
metadata:
  name: ${name}
  labels: {team: ${team}}
`;

const policy = (name: string, namespace: string, spec: string) => `---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: ${name}, namespace: ${namespace}}
spec: ${spec}
`;

const budget = (name: string, labels: string) => `apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: ${name}, namespace: shop}
spec: {minAvailable: 1, selector: {matchLabels: {${labels}}}}
`;

const clients = `{podSelector: {matchLabels: {tier: front}}, policyTypes: [Egress], egress: [{to: [{podSelector: {matchLabels: {app: api}}}], ports: [{port: 8080}]}]}`;
const fromRed = `{podSelector: {matchLabels: {app: web}}, ingress: [{from: [{namespaceSelector: {matchLabels: {team: red}}}], ports: [{port: 8080}]}]}`;

/** The files by path. */
export const manyClusters: Readonly<Record<string, string>> = {
  'clusters/prod/kustomization.yaml': 'resources: [platform.yaml, shop.yaml, bank.yaml]\n',
  'clusters/prod/platform.yaml': kustomization('platform'),
  'clusters/prod/shop.yaml': kustomization('shop'),
  'clusters/prod/bank.yaml': kustomization('bank'),
  'clusters/dev/kustomization.yaml': 'resources: [platform.yaml, shop.yaml]\n',
  'clusters/dev/platform.yaml': kustomization('platform'),
  'clusters/dev/shop.yaml': kustomization('shop'),
  'alone/other.yaml': kustomization('other'),
  'platform/kustomization.yaml': 'resources: [namespaces.yaml, policies.yaml]\n',
  'platform/namespaces.yaml': namespaceNamed('shop', 'web') + namespaceNamed('bank', 'red'),
  'platform/policies.yaml': [
    policy('deny', 'shop', '{podSelector: {}, policyTypes: [Ingress, Egress]}'),
    policy('dns', 'shop', '{podSelector: {}, policyTypes: [Egress], egress: [{ports: [{port: 53, protocol: UDP}]}]}'),
  ].join(''),
  'shop/web.yaml': deployment('web', 'shop', 'front'),
  'shop/api.yaml': deployment('api', 'shop', 'api'),
  'shop/policies.yaml': policy('clients', 'shop', clients) + policy('red', 'shop', fromRed),
  'shop/budget.yaml': budget('web', 'app: web'),
  'bank/budgets.yaml': [budget('front', 'tier: front'), budget('api', 'app: apis')].join('---\n'),
  'bank/again.yaml': deployment('again', 'shop', 'api').replaceAll('app: again', 'app: api'),
  'bank/api.yaml': deployment('api', 'bank', 'front') + policy('clients', 'bank', clients),
  'other/web.yaml': deployment('other', 'shop', 'front') + policy('other', 'shop', fromRed),
  'plain/api.yaml': deployment('plain', 'shop', 'api'),
};
