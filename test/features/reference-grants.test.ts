/** Tests the hover of references to other namespaces, which a ReferenceGrant of the Gateway API must allow. */
import assert from 'node:assert/strict';
import { type Bench, bench } from '../harness/bench.ts';
import { lines } from '../harness/margin.ts';

const route = `
  ==> site/route.yaml <==
  apiVersion: gateway.networking.k8s.io/v1
  kind: HTTPRoute
  metadata: {name: web, namespace: site}
  spec:
    parentRefs: [{name: public, namespace: edge}]
    #                   ^ parent
    rules:
      - backendRefs:
          - {name: cart, namespace: shop, port: 80}
          #        ^ backend
          - {name: own, namespace: site, port: 80}
          #        ^ own
          - {name: away, namespace: shop, port: 80}
          #        ^ missing
  ---
  apiVersion: v1
  kind: Service
  metadata: {name: own, namespace: site}
  ---
  apiVersion: v1
  kind: Service
  metadata: {name: cart, namespace: shop}
  ---
  apiVersion: gateway.networking.k8s.io/v1
  kind: Gateway
  metadata: {name: public, namespace: edge}
  spec:
    gatewayClassName: any
    listeners:
      - {name: web, port: 443, protocol: HTTPS, tls: {certificateRefs: [{name: cert, namespace: shop}]}}
      #                                                                        ^ certificate
  ---
  apiVersion: v1
  kind: Secret
  metadata: {name: cert, namespace: shop}
`;

function grant(name: string, spec: string, namespace = 'shop'): string {
  return `
  ==> ${name}.yaml <==
  apiVersion: gateway.networking.k8s.io/v1beta1
  kind: ReferenceGrant
  metadata: {name: ${name}${namespace === '' ? '' : `, namespace: ${namespace}`}}
  spec: ${spec}
`;
}

const fromRoutes = 'from: [{group: gateway.networking.k8s.io, kind: HTTPRoute, namespace: site}]';
const toServices = 'to: [{group: "", kind: Service}]';

const refers = 'Refers to';
const denied = 'No ReferenceGrant in namespace `shop` in the indexed files allows this reference.';

/** The statements about grants in a hover. */
function granted(b: Bench, mark: string): readonly string[] {
  return (b.hover(mark) ?? '').split('\n').filter((line) => /llowed|llows|ReferenceGrant/.test(line));
}

describe('the hover of a reference to another namespace', () => {
  it('names the ReferenceGrant that allows the reference', async () => {
    const b = await bench(route + grant('site', `{${fromRoutes}, ${toServices}}`));
    assert.equal(
      b.hover('backend'),
      lines(`
        cart
        ---
        **${refers}** (1)
        - [Service/cart](<site/route.yaml#L18,18>) in \`shop\` — route.yaml:18

        **Allowed by** (1)
        - [ReferenceGrant/site](<site.yaml#L3,18>) in \`shop\` — ../site.yaml:3
      `),
    );
  });

  it('states that no ReferenceGrant allows the reference', async () => {
    const b = await bench(route);
    assert.deepEqual(granted(b, 'backend'), [denied]);
    assert.deepEqual(granted(b, 'certificate'), [denied]);
  });

  it('states nothing about grants if the reference needs none, or if the object was not found', async () => {
    const b = await bench(route);
    for (const mark of ['own', 'parent', 'missing']) assert.deepEqual(granted(b, mark), [], mark);
  });

  it('compares the kind, group and namespace of the referring object', async () => {
    const others = [
      'from: [{group: gateway.networking.k8s.io, kind: GRPCRoute, namespace: site}]',
      'from: [{group: gateway.networking.k8s.io, kind: HTTPRoute, namespace: shop}]',
      'from: [{group: example.com, kind: HTTPRoute, namespace: site}]',
      'from: [{group: gateway.networking.k8s.io, kind: HTTPRoute}]',
      'from: []',
    ];
    const b = await bench(route + others.map((from, at) => grant(`g${at}`, `{${from}, ${toServices}}`)).join(''));
    assert.deepEqual(granted(b, 'backend'), [denied]);
  });

  it('compares the kind, group, name and namespace of the object', async () => {
    const others = [
      'to: [{group: "", kind: Secret}]',
      'to: [{group: apps, kind: Service}]',
      'to: [{group: "", kind: Service, name: other}]',
      'to: []',
    ];
    const grants = others.map((to, at) => grant(`g${at}`, `{${fromRoutes}, ${to}}`)).join('');
    const away = grant('away', `{${fromRoutes}, ${toServices}}`, 'site');
    assert.deepEqual(granted(await bench(route + grants + away), 'backend'), [denied]);
    const named = grant('named', `{${fromRoutes}, to: [{kind: Service, group: "", name: cart}]}`);
    assert.deepEqual(granted(await bench(route + grants + named), 'backend'), [
      '**Allowed by** (1)',
      '- [ReferenceGrant/named](<named.yaml#L3,18>) in `shop` — ../named.yaml:3',
    ]);
  });

  it('is certain for the Secret of a Gateway and for the source of a claim', async () => {
    const b = await bench(`${route}
  ---
  apiVersion: apps/v1
  kind: StatefulSet
  metadata: {name: db, namespace: site}
  spec:
    volumeClaimTemplates:
      - metadata: {name: data}
        spec: {dataSourceRef: {apiGroup: snapshot.storage.k8s.io, kind: VolumeSnapshot, name: old, namespace: shop}}
        #                                                                                     ^ source
  ---
  apiVersion: snapshot.storage.k8s.io/v1
  kind: VolumeSnapshot
  metadata: {name: old, namespace: shop}
${grant('edge', '{from: [{group: gateway.networking.k8s.io, kind: Gateway, namespace: edge}], to: [{group: "", kind: Secret}]}')}
${grant('claims', '{from: [{group: "", kind: PersistentVolumeClaim, namespace: site}], to: [{group: snapshot.storage.k8s.io, kind: VolumeSnapshot}]}')}`);
    assert.match(granted(b, 'certificate').join('\n'), /^\*\*Allowed by\*\* \(1\)\n- \[ReferenceGrant\/edge\]/);
    assert.match(granted(b, 'source').join('\n'), /^\*\*Allowed by\*\* \(1\)\n- \[ReferenceGrant\/claims\]/);
  });

  it('is uncertain without the namespace of the grant, and if a template decides', async () => {
    const unplaced = grant('unplaced', `{${fromRoutes}, ${toServices}}`, '');
    assert.match(granted(await bench(route + unplaced), 'backend').join('\n'), /^\*\*May be allowed by\*\* \(1\)/);
    const template = `
  ==> chart/Chart.yaml <==
  name: chart
  version: 1.0.0
  ==> chart/templates/grant.yaml <==
  {{- if .Values.grant }}
  apiVersion: gateway.networking.k8s.io/v1
  kind: ReferenceGrant
  metadata: {name: chart, namespace: shop}
  spec:
    from:
      - {group: gateway.networking.k8s.io, kind: HTTPRoute, namespace: "{{ .Values.from }}"}
    ${toServices}
  {{- end }}
  ==> chart/templates/other.yaml <==
  {{- if .Values.grant }}
  apiVersion: gateway.networking.k8s.io/v1
  kind: ReferenceGrant
  metadata: {name: other, namespace: shop}
  spec:
    from:
      - {group: gateway.networking.k8s.io, kind: TCPRoute, namespace: site}
    ${toServices}
  {{- end }}
`;
    const found = granted(await bench(route + template), 'backend');
    assert.equal(found.length, 2);
    assert.match(found.join('\n'), /^\*\*May be allowed by\*\* \(1\)\n- \[ReferenceGrant\/chart\]/);
  });
});
