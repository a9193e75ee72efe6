/** Tests the graphs that `graph` draws, with names of any kind. */
import assert from 'node:assert/strict';
import { service, web } from './manifests.ts';
import { runInMemory } from './memory-world.ts';

const files = { 'web.yaml': web, 'service.yaml': service };

describe('graph', () => {
  it('is a Mermaid diagram', async () => {
    const { out } = await runInMemory(['graph'], { files });
    assert.deepEqual(out, [
      'flowchart LR',
      '  n1["Service/web (shop)"]',
      '  n2["Deployment/web (shop)"]',
      '  n1 -->|"spec.selector"| n2',
    ]);
  });

  it('is a graph for Graphviz', async () => {
    const { out } = await runInMemory(['graph', '--format', 'dot'], { files });
    assert.equal(out[0], 'digraph selectors {');
    assert.equal(out.at(-2), '  n1 -> n2 [label="spec.selector"];');
    assert.equal(out.at(-1), '}');
  });

  it('is JSON', async () => {
    const { json } = await runInMemory(['graph', '--format', 'json'], { files });
    assert.deepEqual(json, {
      nodes: [
        { id: 'n1', kind: 'Service', namespace: 'shop', name: 'web', file: 'service.yaml', line: 2 },
        { id: 'n2', kind: 'Deployment', namespace: 'shop', name: 'web', file: 'web.yaml', line: 2 },
      ],
      edges: [
        { from: 'n1', to: 'n2', relation: 'selects', path: 'spec.selector', via: 'spec.template', certain: true },
      ],
    });
  });

  it('draws a NetworkPolicy with an empty pod selector', async () => {
    const policy = (spec: string) =>
      `apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nmetadata: {name: deny, namespace: shop}\nspec: ${spec}\n`;
    const drawn = async (spec: string) =>
      (await runInMemory(['graph'], { files: { 'web.yaml': web, 'policy.yaml': policy(spec) } })).out;
    const all = await drawn('{policyTypes: [Ingress]}');
    assert.equal(all.at(-1), '  n1 -->|"spec.podSelector"| n2');
    assert.deepEqual(all, await drawn('{podSelector: {}, policyTypes: [Ingress]}'));
    assert.deepEqual(await drawn('{podSelector: {matchLabels: {app: x}}}'), ['flowchart LR']);
  });

  it('draws objects as kustomizations build them, with the selectors that these write', async () => {
    const bare = (text: string) => text.replace(/ {2}selector:[\s\S]*$/, '  ports: []\n');
    const built = {
      'base/kustomization.yaml': 'resources: [web.yaml, service.yaml]\n',
      'base/web.yaml': web,
      'base/service.yaml': bare(service),
      'dev/kustomization.yaml': 'resources: [../base]\nnamePrefix: dev-\ncommonLabels: {env: dev}\n',
      'prod/kustomization.yaml': 'resources: [../base]\nnamespace: prod\ncommonLabels: {env: prod}\n',
    };
    const { out } = await runInMemory(['graph'], { files: built });
    assert.deepEqual(out, [
      'flowchart LR',
      '  n1["Service/dev-web (shop)"]',
      '  n2["Deployment/dev-web (shop)"]',
      '  n3["Service/web (prod)"]',
      '  n4["Deployment/web (prod)"]',
      '  n1 -->|"spec.selector"| n2',
      '  n3 -->|"spec.selector"| n4',
    ]);
  });

  it('draws equal objects of several overlays once', async () => {
    const built = {
      'base/kustomization.yaml': 'resources: [web.yaml, service.yaml]\n',
      'base/web.yaml': web,
      'base/service.yaml': service,
      'dev/kustomization.yaml': 'resources: [../base]\n',
      'prod/kustomization.yaml': 'resources: [../base]\n',
    };
    assert.equal((await runInMemory(['graph'], { files: built })).out.length, 4);
  });

  it('draws uncertain matches with dotted lines', async () => {
    const unknown = {
      ...files,
      'web.yaml': web.replaceAll('app: web\n', "app: '{{ .app }}'\n"),
    };
    assert.equal((await runInMemory(['graph'], { files: unknown })).out.at(-1), '  n1 -.->|"spec.selector"| n2');
    assert.match(
      (await runInMemory(['graph', '--format', 'dot'], { files: unknown })).out.at(-2) ?? '',
      /style=dotted/,
    );
  });

  it('shows edges that begin or end in the named files', async () => {
    for (const path of ['web.yaml', 'service.yaml'])
      assert.equal((await runInMemory(['graph', path], { files })).out.length, 4);
  });

  it('never interprets a name as a command', async () => {
    const nasty = {
      'all.yaml': `${web}---\n${service}`.replaceAll('name: web', `name: 'a"]; click x "javascript:y" <b>&\\'`),
    };
    const mermaid = (await runInMemory(['graph'], { files: nasty })).out;
    for (const line of mermaid.slice(1))
      assert.match(line, /^ {2}n\d(?:\["[^"<>&;]*(?:#\d+;[^"<>&;]*)*"\]| -->\|"spec\.selector"\| n\d)$/);
    const dot = (await runInMemory(['graph', '--format', 'dot'], { files: nasty })).out;
    for (const line of dot.slice(3, -2)) assert.match(line, /^ {2}n\d \[label="(?:[^"\\]|\\.)*"\];$/);
  });
});

describe('a graph of a very large file', () => {
  it('has a limited number of edges, and states that', async () => {
    const documents = Array.from({ length: 150 }, (_, n) => [
      `apiVersion: v1\nkind: Service\nmetadata: {name: s${n}}\nspec: {selector: {app: x}}\n`,
      `apiVersion: v1\nkind: Pod\nmetadata: {name: p${n}, labels: {app: x}}\n`,
    ]);
    const { json, err } = await runInMemory(['graph', '--format', 'json'], {
      files: { 'a.yaml': documents.flat().join('---\n') },
    });
    assert.equal((json as { edges: readonly unknown[] }).edges.length, 20_000);
    assert.deepEqual(err, ['selector-lens: The graph is too large: only 20000 edges are drawn. Name fewer paths.']);
  });
});
