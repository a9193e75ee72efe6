/**
 * Tests hovers of labels, peers, workloads and namespaces: labeled objects, selecting objects, isolation, and contents
 * (requirements A12, A38).
 */

import assert from 'node:assert/strict';
import { type Bench, bench } from '../harness/bench.ts';
import { lines } from '../harness/margin.ts';
import { shop } from './shop.ts';

/** Only the Markdown. */
function described(b: Bench, place: string): string {
  return b.hover(place).split('\n---\n')[1] ?? '';
}

/** Policies without a pod selector: an absent selector selects every pod of the namespace. */
const unwritten = `
  apiVersion: networking.k8s.io/v1
  kind: NetworkPolicy
  #     ^ policy
  metadata: {name: deny-all}
  #                ^ named
  spec: {policyTypes: [Ingress]}
  ---
  apiVersion: networking.k8s.io/v1
  kind: NetworkPolicy
  metadata: {name: bare}
  ---
  apiVersion: networking.k8s.io/v1
  kind: NetworkPolicy
  metadata: {name: chosen}
  spec: {podSelector: {matchLabels: {app: other}}}
  ---
  apiVersion: networking.k8s.io/v1
  kind: NetworkPolicy
  metadata: {name: filled}
  spec:
    {{ toYaml .Values.spec }}
  ---
  apiVersion: v1
  kind: Pod
  #     ^ here
  metadata: {name: web, labels: {app: web}}
`;

describe('an absent selector that matches everything', () => {
  it('is listed among the selectors of a workload, in hover and hierarchy', async () => {
    const b = await bench(unwritten);
    assert.equal(
      described(b, 'here'),
      lines(`
        \`v1 Pod\`, namespaced

        Pod has no \`spec\`; the API server rejects its creation.

        **Isolated by** (2)
        - [NetworkPolicy/deny-all](<manifest.yaml#L2,7>) — manifest.yaml:2 \`spec.podSelector\`
        - [NetworkPolicy/bare](<manifest.yaml#L7,7>) — manifest.yaml:7 \`spec.podSelector\`

        **May be isolated by** (1)
        - [NetworkPolicy/filled](<manifest.yaml#L16,7>) — manifest.yaml:16 \`spec.podSelector\`
      `),
    );
    assert.equal(b.selects('policy'), 'NetworkPolicy/deny-all (manifest.yaml)\n  Pod/web (manifest.yaml)');
    assert.equal(
      b.selectedBy('here'),
      lines(`
        Pod/web (manifest.yaml)
          NetworkPolicy/deny-all (manifest.yaml)
          NetworkPolicy/bare (manifest.yaml)
          NetworkPolicy/filled (manifest.yaml · maybe)
      `),
    );
  });

  it('is described at the kind and the name', async () => {
    const text = lines(`
      \`networking.k8s.io/v1 NetworkPolicy\`, namespaced

      Denies all ingress of Pod/web, except what other policies allow.

      An absent \`podSelector\` selects all Pods.

      **Matches** (1)
      - [Pod/web](<manifest.yaml#L23,23>) — manifest.yaml:23

      ***

      **Other selectors for the same Pods** (1)
      - [NetworkPolicy/bare](<manifest.yaml#L7,7>) — manifest.yaml:7 \`spec.podSelector\`
    `);
    const b = await bench(unwritten);
    for (const place of ['policy', 'named']) assert.equal(described(b, place), text);
  });

  it('has a lens on the kind', async () => {
    const b = await bench(unwritten);
    assert.equal(
      b.lenses('manifest.yaml'),
      lines(`
        2 spec.podSelector: selects Pod/web; denies all ingress of 1 workload
        7 spec.podSelector: selects Pod/web
        13 spec.podSelector: selects nothing
        16 spec.podSelector: may select Pod/web
      `),
    );
  });
});

describe('hover on a label', () => {
  it('lists the selectors that match on it, and other labeled objects', async () => {
    const b = await bench(shop);
    assert.equal(
      described(b, 'astral'),
      lines(`
        \`app\`: Short legacy app name; also default of kubectl create deployment and Istio telemetry, for example \`web\` (a convention, not a standard).

        **Selected by** (1)
        - [PodDisruptionBudget/basket](<shop/budget.json#L5,12>) in \`shop\` — budget.json:5 \`spec.selector\`

        **May be named as a source by** (1)
        - [NetworkPolicy/closed](<shop/policy.yaml#L8,7>) in \`shop\` — policy.yaml:8 \`spec.ingress[0].from[0].podSelector\`

        **Also on** (1)
        - [Deployment/basket](<shop/deployment.yaml#L14,7>) in \`shop\` — deployment.yaml:14
      `),
    );
  });

  it('distinguishes selectors of other scopes', async () => {
    const b = await bench(shop);
    assert.equal(
      described(b, 'service-label'),
      lines(`
        \`scrape\` has no prefix, so the key is private to the user.

        **Also selected in another folder by** (1)
        - [ServiceMonitor/basket](<monitoring/monitor.yaml#L9,3>) in \`monitoring\` — ../monitoring/monitor.yaml:9 \`spec.selector\`
      `),
    );
  });

  it('counts very many objects and shows the nearest', async () => {
    const pods = Array.from({ length: 30 }, (_, n) =>
      [`==> far/${n}.yaml <==`, `{apiVersion: v1, kind: Pod, metadata: {name: p${n}, labels: {app: web}}}`].join('\n'),
    );
    const b = await bench(
      [
        '==> near/a.yaml <==',
        '{apiVersion: v1, kind: Pod, metadata: {name: a, labels: {app: web}}}',
        '#                                                        ^ here',
        '==> near/b.yaml <==',
        '{apiVersion: v1, kind: Pod, metadata: {name: b, labels: {app: web}}}',
        '==> near/values.yaml <==',
        'a: b',
        ...pods,
      ].join('\n'),
    );
    const text = described(b, 'here');
    assert.match(text, /\*\*Also on\*\* \(1\)\n- \[Pod\/b\]/);
    assert.match(text, /\*\*Also on, elsewhere\*\* \(30\)\n(- \[Pod.*\n){10}- and 20 more$/);
  });

  it('updates the count when labels are added or removed', async () => {
    const podOf = (app: string) => `{apiVersion: v1, kind: Pod, metadata: {name: p, labels: {app: ${app}}}}`;
    const crowd = Array.from({ length: 130 }, (_, n) => `==> far-${n}/pod.yaml <==\n${podOf('web')}`);
    const b = await bench(
      [
        '==> near/a.yaml <==',
        '{apiVersion: v1, kind: Pod, metadata: {name: a, labels: {app: web}}}',
        '#                                                        ^ here',
        ...crowd,
      ].join('\n'),
    );
    const others = () => /Also on, elsewhere\*\* \((\d+)\)/.exec(described(b, 'here'))?.[1];
    assert.equal(others(), '130');
    b.session.workspace.edit(b.uriOf('far-7/pod.yaml'), podOf('api'));
    assert.equal(others(), '129');
    b.session.workspace.edit(
      b.uriOf('far-7/pod.yaml'),
      `${podOf('web')}\n---\n${podOf('web').replace('name: p', 'name: q')}`,
    );
    assert.equal(others(), '131');
  });

  it('shows the template labels of a workload, whatever kinds precede it', async () => {
    const b = await bench(`
      ==> a.yaml <==
      {apiVersion: v1, kind: Pod, metadata: {name: a, labels: {app: web}}}
      #                                                        ^ here
      ==> b.yaml <==
      apiVersion: batch/v1
      kind: Job
      metadata:
        name: b
        labels:
          app: web
      spec:
        template:
          metadata:
            labels:
              app: web
    `);
    assert.match(described(b, 'here'), /\*\*Also on\*\* \(1\)\n- \[Job\/b\]\(<b\.yaml#L10,/);
  });

  it('shows deprecated keys and their replacement', async () => {
    const b = await bench(`
      apiVersion: v1
      kind: Node
      metadata:
        name: a
        labels:
          failure-domain.beta.kubernetes.io/zone: one
          #                  ^ here
    `);
    assert.match(described(b, 'here'), /: .+ \(deprecated\)\. Use `topology\.kubernetes\.io\/zone` instead\./);
  });
});

describe('hover on one requirement', () => {
  it('shows its own meaning, and the whole selector', async () => {
    const b = await bench(shop);
    const text = described(b, 'key');
    assert.match(text, /^\*\*Selects\*\* Pods where `app` is 'basket' and `tier` is 'web'\.\n/);
    assert.match(text, /\n\*\*This requirement\*\* alone: Pods where `app` is 'basket' \(2 here\)\.\n/);
    assert.match(text, /kubectl get pods -n shop -l app=basket,tier=web/);
    assert.doesNotMatch(described(b, 'selector'), /This requirement/);
  });

  it('shows the smallest set of matching labels', async () => {
    const b = await bench(`
      apiVersion: policy/v1
      kind: PodDisruptionBudget
      spec:
        selector:
        # ^ here
          matchExpressions:
          - {key: app, operator: In, values: ["1", web]}
          - {key: app, operator: NotIn, values: [web]}
          - {key: canary, operator: DoesNotExist}
    `);
    assert.match(described(b, 'here'), /Labels that match:\n\n```yaml\nlabels:\n {2}app: "1"\n```/);
  });

  it('states that contradicting requirements match nothing', async () => {
    const b = await bench(`
      apiVersion: policy/v1
      kind: PodDisruptionBudget
      spec:
        selector:
        # ^ here
          matchLabels: {app: web}
          matchExpressions:
          - {key: app, operator: DoesNotExist}
    `);
    assert.match(described(b, 'here'), /No labels can match: these requirements contradict each other\./);
  });

  it('groups matches by namespace if there are several', async () => {
    const b = await bench(`
      ==> policy.yaml <==
      apiVersion: monitoring.coreos.com/v1
      kind: PodMonitor
      metadata: {name: all, namespace: monitoring}
      spec:
        namespaceSelector: {any: true}
        selector: {matchLabels: {app: web}}
        #  ^ here
      ==> pods.yaml <==
      {apiVersion: v1, kind: Pod, metadata: {name: a, namespace: shop, labels: {app: web}}}
      ---
      {apiVersion: v1, kind: Pod, metadata: {name: b, namespace: bank, labels: {app: web}}}
      ---
      {apiVersion: v1, kind: Pod, metadata: {name: c, namespace: shop, labels: {app: web}}}
    `);
    const text = described(b, 'here');
    assert.equal(
      text.slice(text.indexOf('**Matches'), text.indexOf('\n\n```sh')),
      lines(`
        **Matches** (3)

        in \`shop\` (2)
        - [Pod/a](<pods.yaml#L1,66>) — pods.yaml:1
        - [Pod/c](<pods.yaml#L5,66>) — pods.yaml:5

        in \`bank\` (1)
        - [Pod/b](<pods.yaml#L3,66>) — pods.yaml:3
      `),
    );
    assert.match(described(b, 'here'), /kubectl get pods -A -l app=web/);
  });

  it('has a command for the only namespace that is named next to the selector', async () => {
    for (const [fields, flag] of [
      ['namespaceSelector: {matchNames: [bank]}', '-n bank'],
      ['namespaceSelector: {matchNames: [bank, shop]}', '-A'],
      ['namespaceSelector: {any: true}', '-A'],
    ]) {
      const b = await bench(`
        apiVersion: monitoring.coreos.com/v1
        kind: PodMonitor
        metadata: {name: web, namespace: shop}
        spec:
          ${fields}
          selector: {matchLabels: {app: web}}
          # ^ here
          podMetricsEndpoints: [{port: http}]
      `);
      assert.ok(described(b, 'here').includes(`kubectl get pods ${flag} -l app=web`), described(b, 'here'));
    }
  });
});

describe('hover on a peer', () => {
  it('distinguishes selectors of one peer from separate peers, each with a count', async () => {
    const b = await bench(shop);
    assert.match(
      described(b, 'flow'),
      new RegExp(
        [
          '\\*\\*Any of these peers\\*\\* of `from`:',
          "- Pods where `app` is 'basket' \\*\\*and\\*\\* of Namespaces where `team` is 'blue' \\(0 here, 2 possible\\)",
          '- \\*\\*or, separately,\\*\\* All Pods of any namespace \\(2 here\\)',
          "- \\*\\*or, separately,\\*\\* Pods where `tier` is 'web' of this namespace \\(1 here\\)",
        ].join('\\n'),
      ),
    );
  });
});

describe('hover on an object', () => {
  it('shows what selects and isolates a workload', async () => {
    const b = await bench(shop);
    assert.equal(
      described(b, 'deployment'),
      lines(`
        \`apps/v1 Deployment\`, namespace \`shop\`

        **Selected by** (2)
        - [PodDisruptionBudget/basket](<shop/budget.json#L5,12>) in \`shop\` — budget.json:5 \`spec.selector\`
        - [Service/basket](<shop/service.yaml#L8,3>) in \`shop\` — service.yaml:8 \`spec.selector\`

        **Named as a source by** (1)
        - [NetworkPolicy/closed](<shop/policy.yaml#L11,7>) in \`shop\` — policy.yaml:11 \`spec.ingress[0].from[2].podSelector\`

        **May be named as a source by** (1)
        - [NetworkPolicy/closed](<shop/policy.yaml#L8,7>) in \`shop\` — policy.yaml:8 \`spec.ingress[0].from[0].podSelector\`

        **Isolated by** (1)
        - [NetworkPolicy/closed](<shop/policy.yaml#L5,3>) in \`shop\` — policy.yaml:5 \`spec.podSelector\`

        **Governed by** network (1), disruption (1)
        - [NetworkPolicy/closed](<shop/policy.yaml#L5,3>) in \`shop\` — policy.yaml:5 network: limits which connections are allowed
        - [PodDisruptionBudget/basket](<shop/budget.json#L5,12>) in \`shop\` — budget.json:5 disruption: limits voluntary evictions

        Ingress: only the connections below are allowed (NetworkPolicy/closed).

        **Reachable from** (1)

        | From | Ports | Why |
        | :-- | :-- | :-- |
        | [Pod/orders](<shop/orders.yaml#L4,9>) in \`shop\`&emsp; | all ports&emsp; | ingress rule 1 of shop/closed |
      `),
    );
    // Only the hover of the workload describes its type and the allowed connections.
    const [selecting] = described(b, 'deployment').split('\n\nIngress: ');
    assert.equal(described(b, 'template-labels'), selecting?.replace(/^.*\n\n/, ''));
  });

  it('separates possible selectors from possible isolation', async () => {
    const b = await bench(`
      {apiVersion: v1, kind: Pod, metadata: {name: a, labels: {app: "\${APP}"}}}
      #                      ^ here
      ---
      {apiVersion: v1, kind: Service, metadata: {name: web}, spec: {selector: {app: web}, ports: [{port: 80}]}}
      ---
      {apiVersion: networking.k8s.io/v1, kind: NetworkPolicy, metadata: {name: closed}, spec: {podSelector: {matchLabels: {app: web}}}}
    `);
    const shown = described(b, 'here').split('\n');
    assert.deepEqual(
      shown.filter((line) => line.startsWith('**')),
      ['**May be selected by** (1)', '**May be isolated by** (1)'],
    );
  });

  it('states that nothing selects a workload', async () => {
    const b = await bench(`
      apiVersion: batch/v1
      kind: Job
      #     ^ here
      metadata: {name: a}
      spec: {template: {metadata: {labels: {app: web}}}}
    `);
    assert.equal(described(b, 'here'), '`batch/v1 Job`, namespaced\n\n**Selected by nothing** in the indexed files.');
  });

  it('shows the contents of a namespace, in all files', async () => {
    const b = await bench(`
      ==> namespaces/shop.yaml <==
      {apiVersion: v1, kind: Namespace, metadata: {name: shop}}
      #                      ^ kind
      ==> a/pods.yaml <==
      {apiVersion: v1, kind: Pod, metadata: {name: a, namespace: shop}}
      #                                                          ^ inside
      ---
      {apiVersion: v1, kind: Pod, metadata: {name: b, namespace: shop}}
      ==> b/service.yaml <==
      {apiVersion: v1, kind: Service, metadata: {name: a, namespace: shop}}
      ---
      {apiVersion: v1, kind: Service, metadata: {name: a, namespace: bank}}
    `);
    const wanted = lines(`
      3 objects in this workspace are in namespace \`shop\`.
      - 2 Pod
      - 1 Service
    `);
    assert.equal(described(b, 'kind'), `\`v1 Namespace\`, cluster-scoped\n\n${wanted}`);
    assert.equal(described(b, 'inside'), wanted);
  });

  it('explains a field that holds the key of a label', async () => {
    const b = await bench(`
      apiVersion: v1
      kind: Pod
      metadata: {name: a}
      spec:
        topologySpreadConstraints:
        - topologyKey: topology.kubernetes.io/zone
          #                ^ here
    `);
    assert.match(described(b, 'here'), /^`topology\.kubernetes\.io\/zone`: .+ \(well-known\)\./);
  });
});

describe('hover on the kind of an object without a spec', () => {
  it('states that it cannot be created, if it creates pods (requirement B1)', async () => {
    const b = await bench(`
      apiVersion: v1
      kind: Pod
      #     ^ pod
      metadata: {name: web}
      ---
      apiVersion: apps/v1
      kind: Deployment
      #     ^ deployment
      metadata: {name: web}
      ---
      apiVersion: v1
      kind: ServiceAccount
      #     ^ account
      metadata: {name: web}
    `);
    assert.match(b.hover('pod'), /\nPod has no `spec`; the API server rejects its creation\./);
    assert.match(b.hover('deployment'), /\nDeployment has no `spec`; the API server rejects/);
    assert.doesNotMatch(b.hover('account'), /spec/);
    assert.deepEqual(b.findings(), []);
  });
});

describe('the hover at a label whose value a template writes', () => {
  const chart = (values: string) => `
    ==> web/Chart.yaml <==
    {apiVersion: v2, name: web, version: 1.0.0}
    ==> web/values.yaml <==
    ${values}
    ==> web/templates/web.yaml <==
    apiVersion: apps/v1
    kind: Deployment
    metadata: {name: web}
    spec:
      selector: {matchLabels: {app: web}}
      template:
        metadata:
          labels:
            app: web
            name: {{ .Values.name }}
            # ^ label
            release: {{ .Release.Name }}
            # ^ release
    ---
    {apiVersion: v1, kind: Service, metadata: {name: web}, spec: {selector: {name: "{{ .Values.name }}", release: "{{ .Release.Name }}"}}}
    ---
    {apiVersion: v1, kind: Service, metadata: {name: old}, spec: {selector: {name: old}}}`;

  it('lists the selectors on it with the values of the chart', async () => {
    const b = await bench(chart('{name: shop}'));
    for (const place of ['label', 'release'])
      assert.match(b.hover(place) ?? '', /\n\n\*\*Selected by\*\* \(1\)\n- \[Service\/web\].* `spec\.selector`$/);
  });

  it('does not state that no selector matches on it if its value is unknown', async () => {
    const b = await bench(chart('{}').replaceAll('{name: "{{ .Values.name }}", release', '{release'));
    assert.doesNotMatch(b.hover('label') ?? '', /No selector/);
  });
});
