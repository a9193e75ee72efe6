/** Tests what `review` says about policies and the connections that they allow. */
import assert from 'node:assert/strict';
import { service, web } from './manifests.ts';
import { type Files, overlays, review } from './review-world.ts';

const shop = { 'web.yaml': web, 'service.yaml': service };

describe('a review of policies', () => {
  it('states policies that stop applying, and connections with the exceptions of their ports', async () => {
    const policy = `apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: web, namespace: shop}
spec:
  podSelector: {matchLabels: {app: web}}
  ingress:
    - from: [{podSelector: {matchLabels: {app: api}}}]
      ports: [{port: 80}]
`;
    const api = web.replaceAll('web', 'api');
    const { out, code } = await review(
      { ...shop, 'api.yaml': api, 'policy.yaml': policy },
      { ...shop, 'api.yaml': api },
      '--fail-on',
      'lost',
    );
    assert.equal(code, 1);
    assert.deepEqual(out.slice(0, 7), [
      'Once the removed objects are deleted from the cluster: 1 workload that accepts all incoming connections, 1 NetworkPolicy that stops applying.',
      '',
      'Opened connections',
      '  Once NetworkPolicy/web is deleted from the cluster, no network policy in these manifests restricts incoming connections to Deployment/web in shop any more, so that every pod of the cluster can connect. Deployment/api in shop could connect at most on TCP 80, and can then connect on all ports; all addresses outside of the cluster can then connect on all ports (policy.yaml:2 before the change).',
      '',
      'NetworkPolicies that stop applying',
      '  NetworkPolicy/web is removed from these manifests: once it is pruned or deleted from the cluster, it no longer applies to Deployment/web in shop (policy.yaml:2 before the change).',
    ]);
  });

  it('states first what does not depend on the deletion of removed objects', async () => {
    const budget = (name: string) => `apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: ${name}, namespace: shop}
spec: {selector: {matchLabels: {app: ${name}}}}
`;
    const api = web.replaceAll('web', 'api');
    const before = { ...shop, 'api.yaml': api, 'a.yaml': budget('api'), 'b.yaml': budget('web') };
    const { 'b.yaml': _, ...without } = before;
    const verdictOf = async (after: Files) => (await review(before, after)).out[0];
    const changed = { 'a.yaml': budget('api').replace('app: api', 'app: apy') };
    assert.equal(
      await verdictOf({ ...without, ...changed }),
      '2 PodDisruptionBudgets that stop applying (some only once removed objects are deleted from the cluster).',
    );
    assert.equal(
      await verdictOf({ ...without, 'service.yaml': service.replaceAll('app: web', 'app: wob') }),
      '1 lost match (1 Service without endpoints). Once the removed objects are deleted from the cluster: 1 PodDisruptionBudget that stops applying.',
    );
    const { 'api.yaml': __, ...withoutApi } = before;
    assert.match(
      (await verdictOf(withoutApi)) ?? '',
      /^1 removed object\. Once .*: 1 PodDisruptionBudget that stops applying\.$/,
    );
  });

  it('joins equal connections of several overlays', async () => {
    const policy =
      'apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nmetadata: {name: web}\nspec: {podSelector: {}}\n';
    const base = { 'base/web.yaml': web.replace('  namespace: shop\n', ''), 'base/policy.yaml': policy };
    const files = (resources: string): Files => ({
      ...base,
      'base/kustomization.yaml': `resources: [${resources}]\n`,
      ...Object.fromEntries(
        ['a', 'b'].map((name) => [`${name}/kustomization.yaml`, `resources: [../base]\nnamespace: ${name}\n`]),
      ),
    });
    const { out } = await review(files('web.yaml'), files('web.yaml, policy.yaml'));
    assert.match(
      out.join('\n'),
      / {2}In 2 namespaces \(a, b\): Deployment\/web in 1 other namespace and all addresses outside of the cluster can no longer connect to Deployment\/web on all ports \(base\/policy\.yaml:2\)\.\n/,
    );
  });

  it('states no changed connections of a workload that stays as it is', async () => {
    const policy = `apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nmetadata: {name: web, namespace: shop}\nspec: {podSelector: {matchLabels: {app: web}}, ingress: []}\n`;
    const rejected = web.replaceAll('app: web\n', 'app: wob\n');
    const { out } = await review(
      { 'web.yaml': web, 'policy.yaml': policy },
      { 'web.yaml': rejected, 'policy.yaml': policy },
    );
    assert.equal(
      out[0],
      '1 refused update. After the refused objects are recreated: 1 NetworkPolicy that stops applying, 1 workload that accepts all incoming connections.',
    );
    const opened = await review({ 'web.yaml': web, 'policy.yaml': policy }, { 'web.yaml': rejected });
    assert.match(opened.out[0] ?? '', /accepts all incoming connections/);
  });

  it('states at once that a removed budget no longer protects a workload whose update is refused', async () => {
    const budget = `apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: web, namespace: shop}
spec: {selector: {matchLabels: {app: web}}}
`;
    const renamed = web.replaceAll(/^( {6}| {8})app: web$/gm, '$1app: wob');
    const { out } = await review({ 'web.yaml': web, 'budget.yaml': budget }, { 'web.yaml': renamed });
    assert.doesNotMatch(out.join('\n'), /Then, PodDisruptionBudget/);
    assert.match(
      out.join('\n'),
      /^ {2}PodDisruptionBudget\/web is removed from these manifests: once it is pruned or deleted from the cluster, it no longer protects Deployment\/web/m,
    );
  });

  it('states once that a removed policy no longer applies to several workloads, in one or several namespaces', async () => {
    const policy = `apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: closed, namespace: shop}
spec: {podSelector: {}, policyTypes: [Ingress]}
`;
    const files = { 'web.yaml': web, 'api.yaml': web.replaceAll('web', 'api'), 'policy.yaml': policy };
    const without: Files = { 'web.yaml': files['web.yaml'], 'api.yaml': files['api.yaml'] };
    const { out } = await review(files, without);
    assert.match(
      out[0] ?? '',
      /^Once the removed objects are deleted from the cluster: 2 workloads that accept all incoming connections, 1 NetworkPolicy that stops applying\.$/,
    );
    assert.ok(
      out.includes(
        '  NetworkPolicy/closed is removed from these manifests: once it is pruned or deleted from the cluster, it no longer applies to Deployment/api and Deployment/web in shop (policy.yaml:2 before the change). It selected all pods of its namespace: pods that these manifests do not contain lose this restriction, too, unless another policy selects them.',
      ),
      out.join('\n'),
    );
    const copied = (from: Files, count: number): Files => ({
      ...overlays(from, 0),
      ...Object.fromEntries(
        Array.from({ length: count }, (_, index) => [
          `overlays/${index}/kustomization.yaml`,
          `resources: [../../base]\nnamespace: shop-${index}\n`,
        ]),
      ),
    });
    const several = await review(copied(files, 2), copied(without, 2));
    assert.ok(
      several.out.includes(
        '  In the same 2 namespaces: NetworkPolicy/closed is removed from these manifests: once it is pruned or deleted from the cluster, it no longer applies to Deployment/api and Deployment/web (base/policy.yaml:2 before the change). It selected all pods of its namespace: pods that these manifests do not contain lose this restriction, too, unless another policy selects them.',
      ),
      several.out.join('\n'),
    );
  });

  it('names the workloads to which other policies still apply after one is removed', async () => {
    const policy = (name: string, selector: string) => `apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: ${name}, namespace: shop}
spec: {podSelector: ${selector}, policyTypes: [Ingress]}
`;
    const files = {
      'web.yaml': web,
      'api.yaml': web.replaceAll('web', 'api'),
      'own.yaml': policy('own', '{matchLabels: {app: api}}'),
    };
    const { out } = await review({ ...files, 'policy.yaml': policy('closed', '{}') }, files);
    assert.match(
      out.join('\n'),
      /no longer applies to Deployment\/api and Deployment\/web in shop \(policy\.yaml:2 before the change\)\. Other network policies still apply to Deployment\/api\. /,
    );
  });

  it('explains a changed connection by the label or the requirement that changed', async () => {
    const policy = `apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: web, namespace: shop}
spec:
  podSelector: {matchLabels: {app: web}}
  ingress:
    - from:
        - podSelector:
            matchLabels:
              tier: pod
`;
    const api = web.replaceAll('web', 'api');
    const files = { ...shop, 'api.yaml': api, 'policy.yaml': policy };
    const renamed = { ...files, 'api.yaml': api.replace('        tier: pod\n', '        tier: back\n') };
    const { out } = await review(files, renamed);
    assert.ok(
      out.includes(
        "  Deployment/api in shop can no longer connect to Deployment/web in shop on all ports. NetworkPolicy/web no longer allows connections from Deployment/api: its selector requires `tier=pod` (policy.yaml:10), and label `tier` of the pod template changed from 'pod' to 'back' (api.yaml:17).",
      ),
      out.join('\n'),
    );
    const opened = await review(renamed, files);
    assert.match(
      opened.out.join('\n'),
      /Deployment\/api in shop can now connect to Deployment\/web in shop on all ports\. NetworkPolicy\/web now allows connections from Deployment\/api: its selector requires `tier=pod` \(policy\.yaml:10\), and label `tier` of the pod template changed from 'back' to 'pod' \(api\.yaml:\d+\)\./,
    );
  });

  it('states what new policies and monitors do with new workloads', async () => {
    const policy = `apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: closed, namespace: shop}
spec: {podSelector: {}, policyTypes: [Ingress]}
`;
    const monitor = `apiVersion: monitoring.coreos.com/v1
kind: PodMonitor
metadata: {name: web, namespace: shop}
spec: {selector: {matchLabels: {app: web}}, podMetricsEndpoints: [{port: http}]}
`;
    const other = { 'other.yaml': web.replaceAll('web', 'api').replaceAll('shop', 'office') };
    const { out } = await review(other, { ...other, ...shop, 'policy.yaml': policy, 'monitor.yaml': monitor });
    assert.match(
      out.join('\n'),
      /NetworkPolicy\/closed applies to Deployment\/web; PodMonitor\/web selects Deployment\/web; Service\/web selects Deployment\/web\./,
    );
  });
});
