/** Namespaces that exist without a manifest, and DNS names of Services (requirements M5, M8, M11, Z17). */

import assert from 'node:assert/strict';
import { bench } from '../harness/bench.ts';
import { renameLines } from '../harness/rename-lines.ts';

const shop = `
  ==> web.yaml <==
  apiVersion: v1
  kind: Service
  metadata: {name: web, namespace: shop}
  spec: {selector: {app: web}, ports: [{port: 80}]}
  ---
  apiVersion: apps/v1
  kind: Deployment
  metadata: {name: web, namespace: shop}
  spec:
    selector: {matchLabels: {app: web}}
    template:
      metadata: {labels: {app: web}}
`;

describe('the namespaces of every cluster', () => {
  it('are explained, and offered as values of the label that names a namespace', async () => {
    const b = await bench(`${shop}
  ==> policy.yaml <==
  apiVersion: networking.k8s.io/v1
  kind: NetworkPolicy
  metadata: {name: deny, namespace: kube-node-lease}
  #                                 ^ lease
  spec:
    podSelector: {}
    ingress:
      - from:
          - namespaceSelector:
              matchLabels:
                kubernetes.io/metadata.name: kube
                #                                ^ value
          - namespaceSelector:
              matchLabels:
                kubernetes.io/metadata.name: shop
                #                            ^ implied
`);
    assert.match(b.hover('lease'), /It contains the Lease of each node/);
    const offered = b.completion('value').map((line) => line.trim().replace(/.*: /, ''));
    for (const name of ['default', 'kube-system', 'kube-public', 'kube-node-lease', 'shop'])
      assert.ok(offered.includes(name), `${name} in ${offered}`);
    assert.match(b.hover('implied'), /\*\*Matches undeclared namespaces\*\* \(1\)\n- `shop`/);
    assert.doesNotMatch(b.hover('implied'), /Matches nothing/);
  });
});

describe('the DNS name of a Service', () => {
  it('shows what the Service selects, and leads to it', async () => {
    const b = await bench(`${shop}
  ==> front.yaml <==
  apiVersion: v1
  kind: Pod
  metadata: {name: front}
  spec:
    containers:
      - name: front
        env:
          - name: URL
            value: http://web.shop.svc.cluster.local:8080/
            #              ^ env
          - name: OTHER
            value: http://db.shop.svc
            #              ^ missing
  ==> check.sh <==
  curl http://web.shop.svc/
  #            ^ script
  curl http://wbe.shop.svc/
  #            ^ near
  ==> external.yaml <==
  apiVersion: v1
  kind: Service
  metadata: {name: alias, namespace: other}
  spec:
    type: ExternalName
    externalName: web.sh
    #                   ^ typed
`);
    assert.match(b.hover('env'), /^web\.shop\.svc\.cluster\.local\n---\n\*\*DNS name of\*\* \(1\)\n- \[Service\/web\]/);
    assert.match(b.hover('env'), /\*\*Selects\*\* \(1\)\n- \[Deployment\/web\]/);
    assert.equal(b.definition('env'), 'web.yaml:3 web');
    assert.match(b.hover('missing'), /No Service `db` in namespace `shop` in the indexed files\./);
    assert.match(b.hover('script'), /\[Service\/web\]/);
    assert.match(b.hover('near'), /No Service `wbe` in namespace `shop` .* Did you mean `web\.shop`\?/);
    assert.equal(b.definition('script'), 'web.yaml:3 web');
    assert.deepEqual(b.completion('typed'), ['externalName: web.shop.svc.cluster.local']);
  });

  it('refers to the namespace of its object if it contains none (requirement Z17)', async () => {
    const b = await bench(`${shop}
  ==> front.yaml <==
  apiVersion: v1
  kind: Pod
  metadata: {name: front, namespace: shop}
  spec:
    containers:
      - name: front
        args:
          - "--web=http://web:8080"
          #               ^ own
          - --same=web.shop:80
          #         ^ other
  ---
  apiVersion: v1
  kind: ConfigMap
  metadata: {name: front, namespace: office}
  data:
    web: http://web
    #           ^ elsewhere
    conf: |
      proxy_pass http://web.shop/x;
      #                 ^ block
`);
    assert.match(b.hover('own'), /^web\n---\n\*\*DNS name of\*\* \(1\)\n- \[Service\/web\]/);
    assert.match(b.hover('other'), /^web\.shop\n---\n\*\*DNS name of/);
    assert.equal(b.definition('own'), 'web.yaml:3 web');
    assert.equal(b.definition('block'), 'web.yaml:3 web');
    assert.match(
      b.hover('elsewhere'),
      /No Service `web` in namespace `office` in the indexed files\. A name alone refers to its own namespace: write `web\.shop`\./,
    );
    assert.equal(b.references('own'), 'front.yaml:8 web\nfront.yaml:9 web\nweb.yaml:3 web');
    assert.deepEqual(renameLines(b, 'own', 'site'), [
      'web.yaml:3 metadata: {name: site, namespace: shop} (recreated)',
      'front.yaml:8 - "--web=http://site:8080" (recreated)',
      'front.yaml:9 - --same=site.shop:80 (recreated)',
    ]);
  });
});

describe('a namespace that no file declares', () => {
  it('exists in every cluster, or an Application creates it', async () => {
    const app = (name: string, namespace: string) => `---
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: ${name}, namespace: argocd}
spec:
  source: {repoURL: https://git.example.com/all.git, path: ${name}}
  destination: {server: 'https://kubernetes.default.svc', namespace: ${namespace}}
  syncPolicy: {syncOptions: [CreateNamespace=true]}
`;
    const b = await bench(`==> apps.yaml <==\n${app('web', 'shop')}==> web/web.yaml <==
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: web}
spec:
  podSelector: {}
  ingress:
    - from:
        - namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: default}}
        # ^ default
        - namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: shop}}
        # ^ shop
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: web}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: view}
#                                                                       ^ role
subjects: [{kind: ServiceAccount, name: default, namespace: shop}]
#                                       ^ account
`);
    assert.match(b.hover('default') ?? '', /\*\*Matches\*\* \(1\)\n- `Namespace\/default` — in every cluster/);
    assert.doesNotMatch(b.hover('default') ?? '', /nothing|folder/);
    assert.match(b.hover('shop') ?? '', /\*\*Matches undeclared namespaces\*\* \(1\)\n- `shop`:/);
    for (const place of ['role', 'account'])
      assert.match(
        b.hover(place) ?? '',
        /is not in the files: Kubernetes or a controller creates it in every cluster\./,
      );
  });
});

describe('the contents of a namespace', () => {
  it('are objects of namespaced kinds', async () => {
    const b = await bench(`${shop}
  ==> cluster.yaml <==
  apiVersion: v1
  kind: Namespace
  #     ^ namespace
  metadata: {name: shop}
  ---
  apiVersion: rbac.authorization.k8s.io/v1
  kind: ClusterRole
  metadata: {name: reader, namespace: shop}
  rules: []
`);
    const hover = b.hover('namespace');
    assert.match(hover, /2 objects in this workspace are in namespace `shop`\./);
    assert.doesNotMatch(hover, /ClusterRole/);
  });

  it('are those that the overlay of the perspective builds, with the number of the others', async () => {
    const overlay = (name: string, namespace: string) => `==> overlays/${name}/kustomization.yaml <==
  namespace: ${namespace}
  resources: [../../base]
  `;
    const b = await bench(`
  ==> base/kustomization.yaml <==
  resources: [web.yaml]
  ==> base/web.yaml <==
  apiVersion: v1
  kind: ConfigMap
  metadata: {name: web, namespace: base}
  #                                ^ written
  ---
  apiVersion: v1
  kind: ConfigMap
  metadata: {name: other, namespace: shop}
  #                                  ^ other
  ${overlay('dev', 'dev')}${overlay('prod', 'shop')}==> namespace.yaml <==
  apiVersion: v1
  kind: Namespace
  #     ^ namespace
  metadata: {name: shop}
  ---
  apiVersion: v1
  kind: Secret
  metadata: {name: plain, namespace: shop}
`);
    assert.match(b.hover('namespace'), /3 objects in this workspace are in namespace `shop`\./);
    assert.equal(b.hover('written'), 'base\n---\nIn prod, this object is in namespace `shop`.');
    assert.match(
      b.hover('other'),
      /^shop\n---\n2 objects of prod are in namespace `shop`\.\n- 2 ConfigMap\n\n1 other object in this workspace is/,
    );
  });

  it('are not denied at the namespace of an object that is not applied', async () => {
    const b = await bench(`
  ==> base/kustomization.yaml <==
  resources: [web.yaml]
  patches: [{path: patch.yaml}]
  ==> base/web.yaml <==
  apiVersion: v1
  kind: ConfigMap
  metadata: {name: web}
  ==> base/patch.yaml <==
  apiVersion: v1
  kind: ConfigMap
  metadata: {name: web, namespace: shop}
  #                                ^ written
`);
    assert.doesNotMatch(b.hover('written'), /No indexed file sets namespace/);
  });
});
