/** What can be typed, and what does the line look like once it was accepted? */

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
  it('offers the recommended labels with values that fit, then those of the workspace', async () => {
    assert.deepEqual(await completed(deployment('\n   #^ here')), [...recommended, 'app:']);
  });

  it('replaces what is half typed', async () => {
    const offered = await completed(deployment('    app.kub\n    #      ^ here'));
    assert.deepEqual(offered.slice(0, 6), recommended);
  });

  it('replaces the whole word around the cursor', async () => {
    const offered = await completed(deployment('    app.kubernetes.io/na\n    #    ^ here'));
    assert.equal(offered[0], 'app.kubernetes.io/name: basket');
  });

  it('leaves out what is there', async () => {
    const offered = await completed(deployment('    app.kubernetes.io/name: x\n    app: y\n\n   #^ here'));
    assert.deepEqual(offered, recommended.slice(1));
  });

  it('keeps the value where the key is changed', async () => {
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

  it('offers keys that are templates to nobody', async () => {
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

  it('explains what it offers', async () => {
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
  it('offers what fits the object, then what the workspace has', async () => {
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

  it('quotes what YAML would not read as a string', async () => {
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
