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
    assert.match(text, /^1 network policy without matching sources, 3 added objects\./);
    assert.match(
      text,
      /\n {2}NetworkPolicy\/web in shop allows connections to Deployment\/web only from pods with `app=gateway` in the same namespace \(policy\.yaml:1\)\. No namespace in these manifests contains pods with these labels\. No pod in these manifests can connect to Deployment\/web\.\n/,
    );
  });

  it('does not say that no pod can connect if another policy allows pods', async () => {
    const text = await added(`${allowing(pods('app: gateway'))}---\n${allowing(pods('app: other'), 'second')}`);
    assert.match(
      text,
      /only from pods with `app=gateway` in the same namespace .* No namespace in these manifests contains pods with these labels\.\n/,
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
      assert.doesNotMatch(await added(each), /without matching sources|is among those/, each);
  });

  it('states for pods in other namespaces only that the manifests do not contain them', async () => {
    const outside = await added(
      allowing('{namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: ingress-nginx}}}'),
    );
    assert.match(outside, /^3 added objects\.\n/);
    assert.match(
      outside,
      /NetworkPolicy\/web applies to Deployment\/web, and none of the pods that are applied with it is among those that it allows/,
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

  it('finds a new policy among many policies and pods, and says that many new policies are not examined', async () => {
    const numbers = Array.from({ length: 460 }, (_, number) => number);
    const pod = (number: number) =>
      `{apiVersion: v1, kind: Pod, metadata: {name: p${number}, namespace: shop, labels: {app: p${number}}}}\n`;
    const own = (number: number) =>
      policy(`podSelector: {matchLabels: {app: p${number}}}, ingress: []`, `policy-${number}`);
    const policies = { 'policies.yaml': numbers.map(own).join('---\n') };
    const many = { 'pods.yaml': numbers.map(pod).join('---\n') };
    const one = await added(allowing(pods('app: gateway')), { ...many, ...policies });
    assert.match(one, /^1 network policy without matching sources, 3 added objects\./);
    const { out } = await review(many, { ...many, ...policies });
    assert.match(
      out.join('\n'),
      /\n {2}Whether the pods that new or changed network policies allow exist was not examined/,
    );
  });

  it('concerns changed policies, and not those that allowed no pods before', async () => {
    const files = { ...shop, ...other };
    const changed = await review(
      { ...files, 'policy.yaml': allowing(pods('app: other')) },
      { ...files, 'policy.yaml': allowing(pods('app: othr')) },
    );
    assert.match(changed.out[0] ?? '', /1 closed connection, 1 network policy without matching sources/);
    const same = await review(
      { ...files, 'policy.yaml': allowing(pods('app: none')) },
      { ...files, 'policy.yaml': allowing(pods('app: absent')) },
    );
    assert.doesNotMatch(same.out.join('\n'), /without matching sources/);
  });

  it('says nothing while an update of a workload is refused, whose pods keep their labels', async () => {
    const renamed = web.replaceAll(/^( {6}| {8})app: web$/gm, '$1app: wob');
    const { out } = await review(
      { ...other, 'web.yaml': web },
      { ...other, 'web.yaml': renamed, 'policy.yaml': allowing(pods('app: web')).replace('app: web', 'app: other') },
    );
    assert.match(out[0] ?? '', /^1 refused update/);
    assert.doesNotMatch(out.join('\n'), /without matching sources/);
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
    assert.match(out[0] ?? '', /2 network policies without matching sources/);
  });

  it('evaluates policies of Cilium, Calico and Istio', async () => {
    const cilium = `{apiVersion: cilium.io/v2, kind: CiliumNetworkPolicy, metadata: {name: web, namespace: shop}, spec: {endpointSelector: {matchLabels: {app: web}}, ingress: [{fromEndpoints: [{matchLabels: {app: gateway}}]}]}}\n`;
    assert.match(
      await added(cilium),
      /CiliumNetworkPolicy\/web in shop allows connections to Deployment\/web only from pods with `app=gateway` in the same namespace /,
    );
    assert.doesNotMatch(await added(cilium.replace('gateway', 'other')), /without matching sources/);
    const calico = `{apiVersion: projectcalico.org/v3, kind: NetworkPolicy, metadata: {name: web, namespace: shop}, spec: {selector: "app == 'web'", types: [Ingress], ingress: [{action: Allow, source: {selector: "app == 'gateway'"}}]}}\n`;
    assert.match(
      await added(calico),
      /NetworkPolicy\/web in shop allows connections to Deployment\/web only from pods with `app == 'gateway'` in the same namespace /,
    );
    assert.doesNotMatch(await added(calico.replace('gateway', 'other')), /without matching sources/);
    const istio = `{apiVersion: security.istio.io/v1, kind: AuthorizationPolicy, metadata: {name: web, namespace: shop}, spec: {selector: {matchLabels: {app: web}}, action: ALLOW, rules: [{from: [{source: {namespaces: [office]}}]}]}}\n`;
    assert.doesNotMatch(await added(istio.replace('office', 'shop')), /is among those|without matching sources/);
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
      /ServiceMonitor\/all in monitoring now selects Service\/web in shop, which is new \(service\.yaml:\d+\)\. But NetworkPolicy\/web allows no connections from pods in monitoring to Deployment\/web\.\n/,
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

describe('a review of new objects', () => {
  it('names pods with the labels of the sources in other namespaces', async () => {
    const edge = { 'edge.yaml': web.replaceAll('web', 'gateway').replaceAll('shop', 'edge') };
    const text = await added(allowing(pods('app: gateway')), edge);
    assert.match(
      text,
      /Pods with these labels are only in other namespaces in these manifests \(Deployment\/gateway in edge\)\./,
    );
  });

  it('names the label of the only workload that a new Service nearly selects', async () => {
    const text = (
      await review(other, { ...other, 'web.yaml': web, 'service.yaml': service.replace(/app: web\n$/, 'tier: pods\n') })
    ).out.join('\n');
    assert.doesNotMatch(text, /It requires/);
    const { out } = await review(
      { 'web.yaml': web },
      { 'web.yaml': web, 'service.yaml': service.replace(/app: web\n$/, 'app: wob\n') },
    );
    assert.match(
      out.join('\n'),
      /Service\/web in shop selects no pods of these manifests \(service\.yaml:\d+\)\. It requires `app=wob`, and Deployment\/web has `app=web`\./,
    );
  });

  it('says that a new Application is not synchronized, and that its namespace is not created', async () => {
    const application = (name: string, policy: string) => `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: ${name}, namespace: argocd}
spec:
  source: {repoURL: 'https://github.com/acme/shop', path: apps/${name}}
  destination: {server: 'https://kubernetes.default.svc', namespace: ${name}}
${policy}`;
    const apps = (policy: string): Files => ({
      'argocd/a.yaml': application('a', ''),
      'apps/a/web.yaml': web.replace('  namespace: shop\n', ''),
      ...(policy !== 'none' && {
        'argocd/b.yaml': application('b', policy),
        'apps/b/web.yaml': web.replace('  namespace: shop\n', ''),
      }),
    });
    const says = async (policy: string) => (await review(apps('none'), apps(policy))).out.join('\n');
    const manual = await says('');
    assert.match(manual, /Application\/b has no automated sync: a merge alone applies none of its objects\./);
    assert.match(
      manual,
      /Namespace b is not in these manifests, and Application\/b does not set `CreateNamespace=true`: its sync fails unless the namespace exists\./,
    );
    const automatic = await says('  syncPolicy: {automated: {}, syncOptions: [CreateNamespace=true]}\n');
    assert.doesNotMatch(automatic, /automated sync|does not create/);
  });
});

describe('a review of a policy whose sources an operator creates', () => {
  it('does not say that the manifests do not contain them', async () => {
    const prometheus =
      '{apiVersion: monitoring.coreos.com/v1, kind: Prometheus, metadata: {name: k8s, namespace: shop}, spec: {podMetadata: {labels: {app: gateway}}}}\n';
    const text = await added(allowing(pods('app: gateway')), { 'prometheus.yaml': prometheus });
    assert.doesNotMatch(text, /without matching sources|is among those/);
  });
});
