/** Tests the matches of selectors, and the reasons why other objects do not match. */

import assert from 'node:assert/strict';
import { bench } from '../harness/bench.ts';
import { lines } from '../harness/margin.ts';

/** The matches of the selector at `here`. */
async function selected(fixture: string): Promise<string> {
  const b = await bench(fixture);
  return b.preview('here').split('\n').slice(1).join('\n') || 'nothing';
}

function service(selector: string, more = ''): string {
  return `apiVersion: v1\nkind: Service\nmetadata: {name: web${more}}\nspec:\n  selector: ${selector}\n  #  ^ here\n`;
}

function deployment(name: string, labels: string, more = ''): string {
  return `---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: ${name}${more}}\nspec: {template: {metadata: {labels: ${labels}}}}\n`;
}

describe('a selector', () => {
  it('of pods matches templates, not the labels of their objects', async () => {
    assert.equal(
      await selected(`
        apiVersion: v1
        kind: Service
        metadata: {name: web}
        spec:
          selector: {app: web}
          #  ^ here
        ---
        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: web, labels: {app: web}}
        spec:
          selector: {matchLabels: {app: web}}
          template: {metadata: {labels: {app: web, tier: a}}}
        ---
        apiVersion: v1
        kind: Pod
        metadata: {name: one, labels: {app: web}}
        ---
        apiVersion: batch/v1
        kind: CronJob
        metadata: {name: nightly}
        spec: {jobTemplate: {spec: {template: {metadata: {labels: {app: web}}}}}}
        ---
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: web, labels: {app: web}}
      `),
      lines(`
        matches:
          manifest.yaml CronJob nightly via spec.jobTemplate.spec.template
          manifest.yaml Deployment web via spec.template
          manifest.yaml Pod one
        selectedBy:
          manifest.yaml Deployment web via spec.selector: app=web
      `),
    );
  });

  it('matches objects that meet all of its requirements', async () => {
    assert.equal(
      await selected(`
        apiVersion: policy/v1
        kind: PodDisruptionBudget
        metadata: {name: web}
        spec:
          selector:
          #  ^ here
            matchLabels: {app: web}
            matchExpressions:
            - {key: tier, operator: In, values: [a, b]}
            - {key: old, operator: DoesNotExist}
            - {key: zone, operator: NotIn, values: [south]}
        ---
        {apiVersion: v1, kind: Pod, metadata: {name: yes-it-does, labels: {app: web, tier: b}}}
        ---
        {apiVersion: v1, kind: Pod, metadata: {name: too-old, labels: {app: web, tier: a, old: "1"}}}
        ---
        {apiVersion: v1, kind: Pod, metadata: {name: no-tier, labels: {app: web}}}
        ---
        {apiVersion: v1, kind: Pod, metadata: {name: other, labels: {app: shop}}}
      `),
      lines(`
        matches:
          manifest.yaml Pod yes-it-does
        nearMisses:
          manifest.yaml Pod no-tier: \`tier\` is absent, but the selector wants 'a' or 'b'
          manifest.yaml Pod too-old: \`old\` is '1', but the selector wants the label to be absent
      `),
    );
  });

  it('that differs by one letter shows the difference', async () => {
    assert.equal(
      await selected(
        service('{app: baskett}') + deployment('basket', '{app: basket}') + deployment('orders', '{app: orders}'),
      ),
      "nearMisses:\n  manifest.yaml Deployment basket via spec.template: `app` is 'basket', but the selector wants 'baskett'",
    );
  });

  it('reports labels that are on the workload and not on its template', async () => {
    assert.equal(
      await selected(service('{app: basket}') + deployment('basket', '{tier: web}', ', labels: {app: basket}')),
      'nearMisses:\n  manifest.yaml Deployment basket via spec.template: the labels are on Deployment/basket itself, not in `spec.template`',
    );
  });

  it('reports a label that the selector excludes, although the labels of the workload match', async () => {
    const budget = `apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: front}
spec:
  selector: {matchExpressions: [{key: tier, operator: In, values: [front]}, {key: region, operator: NotIn, values: [us]}]}
  #  ^ here
`;
    assert.equal(
      await selected(budget + deployment('web', '{tier: front, region: us}', ', labels: {tier: front}')),
      "nearMisses:\n  manifest.yaml Deployment web via spec.template: `region` is 'us', but the selector excludes 'us'",
    );
  });

  for (const [what, selector] of [
    ['empty', '{}'],
    ['null', ''],
  ] as const) {
    it(`of a Service that is ${what} selects nothing`, async () => {
      assert.equal(await selected(service(selector) + deployment('basket', '{app: basket}')), 'nothing');
    });
  }

  for (const [type, found] of [
    ['ExternalName', 'nothing'],
    ['ClusterIP', 'matches:\n  manifest.yaml Deployment basket via spec.template'],
    ['"{{ .Values.type }}"', 'matches:\n  manifest.yaml Deployment basket via spec.template'],
  ] as const) {
    it(`of a Service of the type ${type} selects ${found.split(':')[0]}`, async () => {
      const typed = service('{app: basket}').replace('spec:\n', `spec:\n  type: ${type}\n`);
      assert.equal(await selected(typed + deployment('basket', '{app: basket}')), found);
    });
  }

  for (const [from, found] of [
    ['from: Selector', 'matches:\n  manifest.yaml Namespace shop'],
    ['from: All', 'nothing'],
    ['kinds: []', 'nothing'],
  ] as const) {
    it(`of the namespaces of a listener with \`${from}\` selects ${found.split(':')[0]}`, async () => {
      const namespaces = `{${from}, selector: {matchLabels: {team: blue}}}`;
      assert.equal(
        await selected(`
          apiVersion: gateway.networking.k8s.io/v1
          kind: Gateway
          metadata: {name: edge}
          spec:
            listeners:
            - allowedRoutes: {namespaces: ${namespaces}}
            #${' '.repeat(45 + from.length)}^ here
          ---
          {apiVersion: v1, kind: Namespace, metadata: {name: shop, labels: {team: blue}}}
        `),
        found,
      );
    });
  }

  it('of workloads next to a mesh matches entries by their own labels', async () => {
    const entry = (name: string, labels: string) =>
      `---\napiVersion: networking.istio.io/v1\nkind: WorkloadEntry\nmetadata: {name: ${name}, labels: {zone: a}}\nspec: {address: 192.0.2.1, labels: ${labels}}\n`;
    const asked = (selector: string) =>
      selected(
        `apiVersion: networking.istio.io/v1\nkind: ServiceEntry\nmetadata: {name: vm}\nspec: {workloadSelector: {labels: ${selector}}}\n#                                 ^ here\n${entry('one', '{app: vm}')}${entry('two', '{app: db}')}`,
      );
    assert.equal((await asked('{app: vm}')).split('\n')[1], '  manifest.yaml WorkloadEntry one via ');
    assert.match(
      await asked('{app: vm, zone: a}'),
      /^maybe:\n {2}manifest.yaml WorkloadEntry one via : `zone` may be set/,
    );
  });

  it('is ignored if an overlay disables it', async () => {
    const overlay = (type: string) => `
      ==> base/kustomization.yaml <==
      resources: [service.yaml, pod.yaml]
      ==> base/service.yaml <==
      apiVersion: v1
      kind: Service
      metadata: {name: web}
      spec:
        type: ${type}
        selector: {app: web}
        #  ^ here
      ==> base/pod.yaml <==
      {apiVersion: v1, kind: Pod, metadata: {name: web, labels: {app: web}}}
      ==> kustomization.yaml <==
      resources: [base]
      patches:
      - patch: '{apiVersion: v1, kind: Service, metadata: {name: web}, spec: {type: ExternalName}}'
    `;
    assert.equal(await selected(overlay('ClusterIP')), 'nothing');
    const back = overlay('ExternalName').replace('spec: {type: ExternalName}', 'spec: {type: NodePort}');
    assert.equal(await selected(back), 'matches:\n  base/pod.yaml Pod web');
  });

  it('of a NetworkPolicy that is empty selects every pod of its namespace', async () => {
    assert.equal(
      await selected(`
        apiVersion: networking.k8s.io/v1
        kind: NetworkPolicy
        metadata: {name: deny, namespace: shop}
        spec:
          podSelector: {}
          #  ^ here
        ---
        {apiVersion: v1, kind: Pod, metadata: {name: a, namespace: shop}}
        ---
        {apiVersion: v1, kind: Pod, metadata: {name: b, namespace: bank}}
      `),
      'matches:\n  manifest.yaml Pod shop/a',
    );
  });

  it('that cannot be parsed selects nothing and states the reason', async () => {
    assert.equal(
      await selected(`
        apiVersion: policy/v1
        kind: PodDisruptionBudget
        metadata: {name: web}
        spec:
          selector:
          #  ^ here
            matchExpressions:
            - {key: tier, operator: in, values: [a]}
        ---
        {apiVersion: v1, kind: Pod, metadata: {name: a, labels: {tier: a}}}
      `),
      "problem: `operator` must be one of 'In', 'NotIn', 'Exists', 'DoesNotExist': write 'In', not 'in'",
    );
  });
});

describe('an unknown value', () => {
  it('may match, with the reason', async () => {
    assert.equal(
      await selected(
        service('{app: web-eu}') +
          deployment('a', '{app: "web-{{ .Values.region }}"}') +
          deployment('b', '{app: "shop-{{ .Values.region }}"}') +
          deployment('c', '\n  {{- include "labels" . | nindent 4 }}'.replace('\n  ', '')),
      ),
      lines(`
        maybe:
          manifest.yaml Deployment a via spec.template: \`app\` is 'web-*', but the selector wants 'web-eu'
          manifest.yaml Deployment c via spec.template: \`app\` may be set, but the selector wants 'web-eu'
      `),
    );
  });

  it('equals the same expression', async () => {
    assert.equal(
      await selected(service("{app: '{{ .Values.app }}'}") + deployment('a', "{app: '{{ .Values.app }}'}")),
      'matches:\n  manifest.yaml Deployment a via spec.template',
    );
  });

  it('may depend on a condition', async () => {
    assert.equal(
      await selected(`
        apiVersion: v1
        kind: Service
        metadata: {name: web}
        spec:
          selector:
          #  ^ here
            app: web
            {{- if .Values.canary }}
            track: canary
            {{- end }}
        ---
        {apiVersion: v1, kind: Pod, metadata: {name: a, labels: {app: web}}}
      `),
      'maybe:\n  manifest.yaml Pod a: a template adds requirements to the selector',
    );
  });

  it('may be added by a controller, unless it is the name of the object', async () => {
    assert.equal(
      await selected(
        `${service('{job-name: sweep}')}---\n{apiVersion: batch/v1, kind: Job, metadata: {name: sweep}, spec: {template: {}}}\n` +
          deployment('a', '{app: web}'),
      ),
      'matches:\n  manifest.yaml Job sweep via spec.template',
    );
    assert.equal(
      (await selected(service('{app: web, pod-template-hash: abc}') + deployment('a', '{app: web}'))).split(': ')[0],
      'maybe:\n  manifest.yaml Deployment a via spec.template',
    );
  });

  for (const asked of ['""', '~']) {
    it(`null is the empty string: ${asked}`, async () =>
      assert.match(await selected(service(`{app: ${asked}}`) + deployment('a', '{app: null}')), /^matches:/));
  }
});

describe('namespaces', () => {
  const pod = (namespace?: string) =>
    deployment('a', '{app: web}', namespace === undefined ? '' : `, namespace: ${namespace}`);
  for (const [what, own, other, found] of [
    ['none and none are the same', undefined, undefined, 'matches:\n  manifest.yaml Deployment a via spec.template'],
    ['the empty one is none', undefined, '""', 'matches:\n  manifest.yaml Deployment a via spec.template'],
    ['null is none', 'null', undefined, 'matches:\n  manifest.yaml Deployment a via spec.template'],
    ['shop and shop are the same', 'shop', 'shop', 'matches:\n  manifest.yaml Deployment shop/a via spec.template'],
    [
      'none may be any that is named',
      undefined,
      'shop',
      'maybe:\n  manifest.yaml Deployment shop/a via spec.template: it is in `shop`, and the namespace of the selector is not set',
    ],
    [
      'a named one may be that of an object that names none',
      'shop',
      undefined,
      'maybe:\n  manifest.yaml Deployment a via spec.template: its namespace is not set, and the selector is in `shop`',
    ],
    [
      'two that differ never match',
      'shop',
      'bank',
      "nearMisses:\n  manifest.yaml Deployment bank/a via spec.template: it is in the namespace 'bank', not in 'shop'",
    ],
  ] as const) {
    it(what, async () => {
      const more = own === undefined ? '' : `, namespace: ${own}`;
      assert.equal(await selected(service('{app: web}', more) + pod(other)), found);
    });
  }

  const peers = (peer: string) => `
    apiVersion: networking.k8s.io/v1
    kind: NetworkPolicy
    metadata: {name: allow, namespace: shop}
    spec:
      podSelector: {}
      ingress:
      - from:
        - podSelector: {matchLabels: {app: web}}
          #  ^ here
          ${peer}
    ---
    {apiVersion: v1, kind: Pod, metadata: {name: own, namespace: shop, labels: {app: web}}}
    ---
    {apiVersion: v1, kind: Pod, metadata: {name: other, namespace: bank, labels: {app: web}}}
    ---
    {apiVersion: v1, kind: Pod, metadata: {name: third, namespace: unknown, labels: {app: web}}}
    ---
    {apiVersion: v1, kind: Namespace, metadata: {name: bank, labels: {team: blue}}}
    ---
    {apiVersion: v1, kind: Namespace, metadata: {name: shop, labels: {team: red}}}
  `;
  const own = 'manifest.yaml Pod shop/own';
  const other = 'manifest.yaml Pod bank/other';
  const third = 'manifest.yaml Pod unknown/third';
  for (const [what, peer, found] of [
    [
      'absent beside a pod selector are its own',
      '',
      `
      matches:
        ${own}
      nearMisses:
        ${other}: it is in the namespace 'bank', not in 'shop'
        ${third}: it is in the namespace 'unknown', not in 'shop'
    `,
    ],
    [
      'selected by {} are all',
      'namespaceSelector: {}',
      `
      matches:
        ${other}
        ${own}
        ${third}
    `,
    ],
    [
      'selected by a label are those that have it',
      'namespaceSelector: {matchLabels: {team: blue}}',
      `
      matches:
        ${other}
      maybe:
        ${third}: the labels of its namespace 'unknown' are unknown
      nearMisses:
        ${own}: its namespace 'shop' is not selected
    `,
    ],
    [
      'selected by name are certain without an object',
      'namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: unknown}}',
      `
      matches:
        ${third}
      nearMisses:
        ${other}: its namespace 'bank' is not selected
        ${own}: its namespace 'shop' is not selected
    `,
    ],
  ] as const) {
    it(what, async () => assert.equal(await selected(peers(peer)), lines(found)));
  }
});
