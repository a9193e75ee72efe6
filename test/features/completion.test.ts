/** Tests the completions, and the line after each was accepted (requirements A37, R1, R2). */

import assert from 'node:assert/strict';
import { bench } from '../harness/bench.ts';

async function completed(fixture: string, place = 'here'): Promise<readonly string[]> {
  const b = await bench(fixture);
  return b.completion(place);
}

const deployment = (labels: string, template = 'app: basket') => `
==> apps/shop/basket.yaml <==
apiVersion: apps/v1
kind: Deployment
metadata:
  name: basket
  labels:
${labels}
spec:
  template:
    metadata:
      labels:
        ${template}
    spec:
      containers:
      - name: basket
        image: registry.example.com:5000/shop/basket:1.10@sha256:0123
`;

const recommended = [
  'app.kubernetes.io/name: basket',
  'app.kubernetes.io/instance: basket',
  'app.kubernetes.io/version: "1.10"',
  'app.kubernetes.io/component:',
  'app.kubernetes.io/part-of: shop',
  'app.kubernetes.io/managed-by: kubectl',
];

describe('completion of a label key', () => {
  it('offers the recommended labels with suitable values, then those of the workspace', async () => {
    assert.deepEqual(await completed(deployment('\n   #^ here')), [...recommended, 'app:']);
  });

  it('offers the role of the program in a well-known image', async () => {
    const roleOf = async (image: string) => {
      const text = deployment('    app.kubernetes.io/comp\n    #      ^ here').replace(/image: .*/, `image: ${image}`);
      return (await completed(text)).find((line) => line.includes('component'));
    };
    assert.equal(await roleOf('postgres:16.1'), 'app.kubernetes.io/component: database');
    assert.equal(await roleOf('docker.io/bitnami/redis'), 'app.kubernetes.io/component: cache');
    assert.equal(await roleOf('registry.example.com:5000/nginx@sha256:0123'), 'app.kubernetes.io/component: server');
    assert.equal(await roleOf('shop/postgres-exporter'), 'app.kubernetes.io/component:');
  });

  it('offers the tool that applies the objects', async () => {
    const managed = async (files: string, key = 'managed-by') => {
      const text = deployment(`    app.kubernetes.io/${key.slice(0, 4)}\n    #      ^ here`);
      return (await completed(`${text}${files}`)).find((line) => line.includes(key));
    };
    assert.equal(
      await managed('==> apps/shop/kustomization.yaml <==\nresources: [basket.yaml]\n'),
      'app.kubernetes.io/managed-by: kustomize',
    );
    const application = `==> argo.yaml <==
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: shop, namespace: argocd}
spec:
  source: {repoURL: https://example.com/shop.git, path: apps/shop}
  destination: {server: https://kubernetes.default.svc, namespace: shop}
`;
    assert.equal(await managed(application), 'app.kubernetes.io/managed-by: argocd');
    // The file of a GitOps object does not name the application.
    assert.equal(await managed(application, 'part-of'), 'app.kubernetes.io/part-of:');
  });

  it('replaces an incomplete word', async () => {
    const offered = await completed(deployment('    app.kub\n    #      ^ here'));
    assert.deepEqual(offered.slice(0, 6), recommended);
  });

  it('replaces the whole word around the cursor', async () => {
    const offered = await completed(deployment('    app.kubernetes.io/na\n    #    ^ here'));
    assert.equal(offered[0], 'app.kubernetes.io/name: basket');
  });

  it('leaves out existing labels', async () => {
    const offered = await completed(deployment('    app.kubernetes.io/name: x\n    app: y\n\n   #^ here'));
    assert.deepEqual(offered, recommended.slice(1));
  });

  it('preserves the value if the key is changed', async () => {
    const offered = await completed(deployment('    app: y\n   #^ here'));
    assert.deepEqual(offered.slice(0, 2), ['app.kubernetes.io/name: y', 'app.kubernetes.io/instance: y']);
  });

  it('works inside a pod template', async () => {
    const offered = await completed(deployment('    app: y', 'app: basket\n\n       #^ here'));
    assert.deepEqual(offered, [...recommended, 'kubernetes.io/os:']);
  });

  it('works in braces', async () => {
    const offered = await completed(
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web, labels: {app: web, }}\n#                                        ^ here\n',
    );
    assert.deepEqual(offered.slice(0, 2), [
      'metadata: {name: web, labels: {app: web, app.kubernetes.io/name: web}}',
      'metadata: {name: web, labels: {app: web, app.kubernetes.io/instance: web}}',
    ]);
  });

  it('works in JSON, inside the quotes', async () => {
    const offered = await completed(
      '{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "web", "labels": {\n  ""\n#  ^ here\n}}}\n',
    );
    assert.equal(offered[0], '"app.kubernetes.io/name": "web"');
  });

  it('works in JSON, outside of quotes', async () => {
    const json = (line: string, mark: string) =>
      `{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "web", "labels": {\n  ${line}\n# ${mark} here\n}}}\n`;
    const keys = await completed(json('', '^'));
    assert.deepEqual([keys[0], keys[3]], ['"app.kubernetes.io/name": "web"', '"app.kubernetes.io/component": ""']);
    const values = await completed(json('"app.kubernetes.io/name": ', '                          ^'));
    assert.deepEqual(values, ['"app.kubernetes.io/name": "web"']);
  });

  it('offers no keys of templates', async () => {
    const offered = await completed(`
      apiVersion: v1
      kind: Pod
      metadata:
        name: "{{ .Release.Name }}"
        labels:

         #^ here
      ---
      {apiVersion: v1, kind: Pod, metadata: {name: b, labels: {"{{ .Values.key }}": x}}}
    `);
    assert.deepEqual(
      offered.filter((line) => line.includes('{')),
      [],
    );
    assert.equal(offered[0], 'app.kubernetes.io/name:');
  });

  it('continues with the key of a requirement', async () => {
    const b = await bench(`
      apiVersion: policy/v1
      kind: PodDisruptionBudget
      spec:
        selector:
          matchExpressions:
            -
            # ^ here
    `);
    const [whole] = b.completions('here').items;
    assert.deepEqual([whole?.label, whole?.goesOn], ['key, operator, values', true]);
  });

  it('explains the offered items', async () => {
    const b = await bench(deployment('\n   #^ here'));
    const [name, , version, component] = b.completions('here').items;
    assert.deepEqual([name?.detail, version?.detail, component?.detail], [': basket', ': 1.10', undefined]);
    assert.deepEqual([name?.description, component?.goesOn], ['recommended', true]);
    assert.match(name?.documentation?.() ?? '', /^[A-Z].*\.\n\nFor example `\w+`\.$/);
  });

  it('is silent in annotations, comments, block scalars and elsewhere', async () => {
    const b = await bench(`
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: web
        # ^ name
        annotations:
          te
          # ^ annotation
        labels:
          app: web # te
          #          ^ comment
      data:
        script: |
          labels:
            te
            # ^ block
    `);
    for (const place of ['name', 'annotation', 'comment', 'block']) assert.deepEqual(b.completion(place), [], place);
  });
});

describe('completion of a label value', () => {
  it('offers the values of a conventional key after those of the workspace', async () => {
    assert.deepEqual(
      await completed(`
        apiVersion: v1
        kind: Pod
        metadata:
          name: web
          labels:
            tier: 
            #     ^ here
        ---
        {apiVersion: v1, kind: Pod, metadata: {name: b, labels: {tier: front}}}
      `),
      ['tier: front', 'tier: frontend', 'tier: backend', 'tier: cache'],
    );
  });

  it('offers values that fit the object, then those of the workspace', async () => {
    assert.deepEqual(
      await completed(`
        apiVersion: v1
        kind: Pod
        metadata:
          name: web
          labels:
            app.kubernetes.io/name: 
            #                       ^ here
        ---
        {apiVersion: v1, kind: Pod, metadata: {name: b, labels: {app.kubernetes.io/name: shop}}}
      `),
      ['app.kubernetes.io/name: web', 'app.kubernetes.io/name: shop'],
    );
  });

  it('quotes values that YAML would not parse as a string', async () => {
    assert.deepEqual(
      await completed(`
        apiVersion: v1
        kind: Pod
        metadata:
          labels:
            version: 1
            #         ^ here
        ---
        {apiVersion: v1, kind: Pod, metadata: {name: b, labels: {version: "1.10"}}}
        ---
        {apiVersion: v1, kind: Pod, metadata: {name: c, labels: {version: 'on'}}}
      `).then((offered) => offered.filter((line) => line.includes('"'))),
      ['version: "1"', 'version: "1.10"', 'version: "on"'],
    );
  });
});

describe('completion of required labels', () => {
  it('begins with the requirements of the own selector', async () => {
    const b = await bench(`
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: basket}
      spec:
        selector: {matchLabels: {app: basket, version: "1.10"}}
        template:
          metadata:
            labels:
              app: basket

             #^ here
    `);
    assert.equal(b.completion('here', 'told')[0], 'version: "1.10"   required by its selector');
  });

  it('offers the value that the own selector requires', async () => {
    const offered = await completed(`
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: basket}
      spec:
        selector: {matchLabels: {app: fruit}}
        template: {metadata: {labels: {app: }}}
        #                                   ^ here
    `);
    assert.deepEqual(offered, [
      'template: {metadata: {labels: {app: fruit}}}',
      'template: {metadata: {labels: {app: basket}}}',
    ]);
  });

  it('follows the policy of the team', async () => {
    const policy = (line: string) => `
      ==> .selector-lens.yaml <==
      labelPolicy:
        - { key: team, required: true, values: [blue, red] }
        - { key: example.com/old, forbidden: true }
        - { key: stage, kinds: [Pod], required: true, values: [test] }
      ==> pod.yaml <==
      {apiVersion: v1, kind: ConfigMap, metadata: {name: b, labels: {example.com/old: x, shelf: y}}}
      ---
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: a
        labels:
${line}
    `;
    const b = await bench(policy('\n         #^ here'));
    const keys = b.completion('here', 'told');
    assert.equal(keys[0], 'team:   required by the label policy');
    assert.equal(keys.at(-1), 'shelf:   on other ConfigMap objects');
    const values = await completed(policy('          team: \n          #     ^ here'));
    assert.deepEqual(values, ['team: blue', 'team: red']);
  });

  it('prefers labels of the same kind of object, the frequent ones first', async () => {
    const b = await bench(`
      {apiVersion: v1, kind: Pod, metadata: {name: a, labels: {rare: x, often: x}}}
      ---
      {apiVersion: v1, kind: Pod, metadata: {name: b, labels: {often: y}}}
      ---
      {apiVersion: v1, kind: Service, metadata: {name: c, labels: {other: y}}}
      ---
      apiVersion: v1
      kind: Pod
      metadata:
        name: d
        labels:
          o
          #^ here
    `);
    const others = b.completion('here', 'told').slice(6);
    assert.deepEqual(others, [
      'often:   on other Pod objects',
      'rare:   on other Pod objects',
      'kubernetes.io/os:   well-known',
      'other:   in this workspace',
    ]);
  });

  it('offers the values of well-known labels', async () => {
    const offered = await completed(`
      apiVersion: v1
      kind: Namespace
      metadata:
        name: shop
        labels:
          pod-security.kubernetes.io/enforce: b
          #                                   ^ here
    `);
    const key = 'pod-security.kubernetes.io/enforce';
    assert.deepEqual(offered, [`${key}: privileged`, `${key}: baseline`, `${key}: restricted`]);
  });

  it('does not replace a key whose value is on the lines below', async () => {
    const offered = await completed(`
      apiVersion: v1
      kind: Pod
      metadata:
        name: a
        labels:
        -
        # ^ here
          - app: web
    `);
    assert.deepEqual(offered, []);
  });
});

describe('a long list of completions', () => {
  const values = Array.from({ length: 300 }, (_, number) => `v${number}`);
  const many = (typed: string) => `
      ${values.map((value) => `{apiVersion: v1, kind: Pod, metadata: {name: ${value}, labels: {app: ${value}}}}`).join('\n      ---\n      ')}
      ---
      apiVersion: v1
      kind: Service
      metadata: {name: web}
      spec:
        selector:
          app: ${typed}
          #    ${' '.repeat(typed.length)}^ here
  `;

  it('is truncated, and marked as incomplete', async () => {
    const { items, incomplete } = (await bench(many(''))).completions('here');
    assert.deepEqual([items.length, incomplete], [200, true]);
  });

  it('contains items that fit the typed letters', async () => {
    const { items, incomplete } = (await bench(many('29'))).completions('here');
    assert.equal(incomplete, true);
    assert.deepEqual(
      items.slice(0, 2).map(({ label }) => label),
      ['v129', 'v209'],
    );
    assert.equal(items.length, 21);
  });
});
