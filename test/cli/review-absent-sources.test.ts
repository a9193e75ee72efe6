/** Tests what `review` says about network policies that allow only pods that the manifests do not contain. */
import assert from 'node:assert/strict';
import { service, web } from './manifests.ts';
import { type Files, overlays, review } from './review-world.ts';

const shop = { 'web.yaml': web, 'service.yaml': service };
const other = { 'other.yaml': web.replaceAll('web', 'other') };
const policy = (spec: string, name = 'web') =>
  `{apiVersion: networking.k8s.io/v1, kind: NetworkPolicy, metadata: {name: ${name}, namespace: shop}, spec: {${spec}}}\n`;
const allowing = (peer: string, name = 'web') =>
  policy(`podSelector: {matchLabels: {app: web}}, ingress: [{from: [${peer}]}]`, name);
const pods = (labels: string) => `{podSelector: {matchLabels: {${labels}}}}`;
const added = async (text: string, more: Files = {}) => {
  const { out } = await review({ ...other, ...more }, { ...other, ...more, ...shop, 'policy.yaml': text });
  return out.join('\n');
};

describe('a review of a policy that allows only pods that the manifests do not contain', () => {
  it('names the pods that it allows, and says that no pod can connect', async () => {
    const text = await added(allowing(pods('app: gateway')));
    assert.match(text, /^1 network policy that allows no pods of these manifests, 3 added objects\./);
    assert.match(
      text,
      /\n {2}NetworkPolicy\/web in shop allows connections to Deployment\/web only from pods with `app=gateway` in the same namespace \(policy\.yaml:1\)\. There are no such pods in these manifests: no pod in these manifests can connect to Deployment\/web\.\n/,
    );
  });

  it('does not say that no pod can connect if another policy allows pods', async () => {
    const text = await added(`${allowing(pods('app: gateway'))}---\n${allowing(pods('app: other'), 'second')}`);
    assert.match(
      text,
      /only from pods with `app=gateway` in the same namespace .* There are no such pods in these manifests\.\n/,
    );
  });

  it('says nothing of policies that allow existing pods, addresses, unknown pods or nothing', async () => {
    for (const each of [
      allowing(pods('app: other')),
      allowing(`${pods('app: gateway')}, ${pods('app: other')}`),
      allowing(`${pods('app: gateway')}, {ipBlock: {cidr: 192.0.2.0/24}}`),
      allowing(pods('app: $' + '{GATEWAY}')),
      policy('podSelector: {}, policyTypes: [Ingress]'),
      policy('podSelector: {matchLabels: {app: web}}, ingress: [{}]'),
      allowing('{namespaceSelector: {matchLabels: {team: a}}}'),
      policy('podSelector: {matchLabels: {app: none}}, ingress: [{from: [{podSelector: {matchLabels: {app: none}}}]}]'),
    ])
      assert.doesNotMatch(await added(each), /allows no pods|is among those/, each);
  });

  it('states for pods in other namespaces only that the manifests do not contain them', async () => {
    const outside = await added(
      allowing('{namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: ingress-nginx}}}'),
    );
    assert.match(outside, /^3 added objects\.\n/);
    assert.match(
      outside,
      /NetworkPolicy\/web applies to Deployment\/web, and no pod of these manifests is among those that it allows/,
    );
    const inside = await added(
      allowing(
        '{namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: office}}, podSelector: {matchLabels: {app: gateway}}}',
      ),
      { 'office.yaml': web.replaceAll('web', 'desk').replaceAll('shop', 'office') },
    );
    assert.match(
      inside,
      /only from pods with `app=gateway` in namespaces with `kubernetes\.io\/metadata\.name=office` /,
    );
  });

  it('concerns changed policies, and not those that allowed no pods before', async () => {
    const files = { ...shop, ...other };
    const changed = await review(
      { ...files, 'policy.yaml': allowing(pods('app: other')) },
      { ...files, 'policy.yaml': allowing(pods('app: othr')) },
    );
    assert.match(changed.out[0] ?? '', /1 closed connection, 1 network policy that allows no pods/);
    const same = await review(
      { ...files, 'policy.yaml': allowing(pods('app: none')) },
      { ...files, 'policy.yaml': allowing(pods('app: nobody')) },
    );
    assert.doesNotMatch(same.out.join('\n'), /allows no pods/);
  });

  it('says nothing while an update of a workload is refused, whose pods keep their labels', async () => {
    const renamed = web.replaceAll(/^( {6}| {8})app: web$/gm, '$1app: wob');
    const { out } = await review(
      { ...other, 'web.yaml': web },
      { ...other, 'web.yaml': renamed, 'policy.yaml': allowing(pods('app: web')).replace('app: web', 'app: other') },
    );
    assert.match(out[0] ?? '', /^1 refused update/);
    assert.doesNotMatch(out.join('\n'), /allows no pods/);
  });

  it('joins equal policies of several overlays', async () => {
    const base = (files: Files) =>
      Object.fromEntries(
        Object.entries(files).map(([path, text]) => [
          path,
          text.replaceAll(/ {2}namespace: shop\n|, namespace: shop/g, ''),
        ]),
      );
    const own = (files: Files): Files => ({
      ...overlays(base(files), 0),
      ...Object.fromEntries(
        ['a', 'b'].map((name) => [
          `overlays/${name}/kustomization.yaml`,
          `resources: [../../base]\nnamespace: ${name}\n`,
        ]),
      ),
    });
    const { out } = await review(own(shop), own({ ...shop, 'policy.yaml': allowing(pods('app: gateway')) }));
    assert.match(
      out.join('\n'),
      /In (?:the same )?2 namespaces(?: \(a, b\))?: NetworkPolicy\/web allows connections to Deployment\/web only from pods with `app=gateway` in the same namespace \(base\/policy\.yaml:1\)\./,
    );
    assert.match(out[0] ?? '', /2 network policies that allow no pods/);
  });

  it('evaluates policies of Cilium, Calico and Istio', async () => {
    const cilium = `{apiVersion: cilium.io/v2, kind: CiliumNetworkPolicy, metadata: {name: web, namespace: shop}, spec: {endpointSelector: {matchLabels: {app: web}}, ingress: [{fromEndpoints: [{matchLabels: {app: gateway}}]}]}}\n`;
    assert.match(
      await added(cilium),
      /CiliumNetworkPolicy\/web in shop allows connections to Deployment\/web only from pods with `app=gateway` in the same namespace /,
    );
    assert.doesNotMatch(await added(cilium.replace('gateway', 'other')), /allows no pods/);
    const calico = `{apiVersion: projectcalico.org/v3, kind: NetworkPolicy, metadata: {name: web, namespace: shop}, spec: {selector: "app == 'web'", types: [Ingress], ingress: [{action: Allow, source: {selector: "app == 'gateway'"}}]}}\n`;
    assert.match(
      await added(calico),
      /NetworkPolicy\/web in shop allows connections to Deployment\/web only from pods with `app == 'gateway'` in the same namespace /,
    );
    assert.doesNotMatch(await added(calico.replace('gateway', 'other')), /allows no pods/);
    const istio = `{apiVersion: security.istio.io/v1, kind: AuthorizationPolicy, metadata: {name: web, namespace: shop}, spec: {selector: {matchLabels: {app: web}}, action: ALLOW, rules: [{from: [{source: {namespaces: [office]}}]}]}}\n`;
    assert.doesNotMatch(await added(istio.replace('office', 'shop')), /is among those|allows no pods/);
  });
});

describe('a review of a monitor that begins to apply', () => {
  const monitor = (namespace: string) =>
    `{apiVersion: monitoring.coreos.com/v1, kind: ServiceMonitor, metadata: {name: all, namespace: ${namespace}}, spec: {namespaceSelector: {any: true}, selector: {matchLabels: {metrics: 'true'}}, endpoints: [{port: http}]}}\n`;
  const watched = {
    ...shop,
    'service.yaml': service.replace('  labels:\n    app: web\n', "  labels: {metrics: 'true'}\n"),
  };
  const text = async (policies: string, namespace = 'monitoring') => {
    const before = { ...other, 'monitor.yaml': monitor(namespace) };
    const { out } = await review(before, {
      ...before,
      ...watched,
      ...(policies !== '' && { 'policy.yaml': policies }),
    });
    assert.match(out.join('\n'), /ServiceMonitor\/all(?: in \w+)? now selects Service\/web/);
    return out.join('\n');
  };

  it('says that policies deny its namespace', async () => {
    assert.match(
      await text(allowing(pods('app: other'))),
      /ServiceMonitor\/all in monitoring now selects Service\/web in shop, which is new \(service\.yaml:\d+\)\. NetworkPolicy\/web allows no connections from pods in monitoring to Deployment\/web\.\n/,
    );
  });

  it('does not say so if pods of its namespace may be allowed', async () => {
    const denied = /allows? no connections from pods/;
    assert.doesNotMatch(await text(''), denied);
    assert.doesNotMatch(await text(allowing(pods('app: other')), 'shop'), denied);
    assert.doesNotMatch(await text(allowing('{namespaceSelector: {}}')), denied);
    assert.doesNotMatch(
      await text(allowing('{namespaceSelector: {matchLabels: {team: a}}}')),
      /monitoring to Deployment\/web/,
    );
    assert.doesNotMatch(
      await text(
        `${allowing(pods('app: other'))}---\n${allowing('{namespaceSelector: {}, podSelector: {matchLabels: {app: prometheus}}}', 'second')}`,
      ),
      denied,
    );
  });
});
