/** Tests the start and end of each document, and the objects in a file. */

import assert from 'node:assert/strict';
import { catalogue } from '../../server/src/engine/catalogue/index.ts';
import { readManifest } from '../../server/src/manifests/parse-manifest.ts';
import { lines } from '../harness/margin.ts';
import { outline } from './outline.ts';

function names(text: string): readonly string[] {
  return readManifest(text, catalogue).objects.map((object) => `${object.kind}/${object.name?.text ?? ''}`);
}

const pod = (name: string) => `apiVersion: v1\nkind: Pod\nmetadata:\n  name: ${name}\n`;
const json = (name: string) => `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"${name}"}}`;

describe('documents', () => {
  for (const [what, text, found] of [
    ['one', pod('a'), ['Pod/a']],
    ['several', `${pod('a')}---\n${pod('b')}---\n${pod('c')}`, ['Pod/a', 'Pod/b', 'Pod/c']],
    ['an empty one at both ends', `---\n${pod('a')}---\n`, ['Pod/a']],
    ['a comment alone', `# licence\n---\n${pod('a')}---\n# the end\n`, ['Pod/a']],
    ['a null document', `null\n---\n${pod('a')}`, ['Pod/a']],
    ['an end mark', `${pod('a')}...\n---\n${pod('b')}...\n`, ['Pod/a', 'Pod/b']],
    ['an end mark without a new start', `${pod('a')}...\n${pod('b')}`, ['Pod/a', 'Pod/b']],
    [
      'a comment and blanks on the line of a separator',
      `--- # first\n${pod('a')}---  \n${pod('b')}`,
      ['Pod/a', 'Pod/b'],
    ],
    ['a comment right behind a separator', `${pod('a')}---# next\n${pod('b')}`, ['Pod/a', 'Pod/b']],
    ['no separator of end marks', `${pod('a')}x: |\n...# y\n`, ['Pod/a']],
    ['a byte order mark where files were put together', `${pod('a')}---\n\ufeff${pod('b')}`, ['Pod/a', 'Pod/b']],
    ['a directive', `%YAML 1.1\n---\n${pod('a')}`, ['Pod/a']],
    ['CRLF', `${pod('a')}---\n${pod('b')}`.replaceAll('\n', '\r\n'), ['Pod/a', 'Pod/b']],
    ['no line end at the end', `${pod('a')}---\n${pod('b').trimEnd()}`, ['Pod/a', 'Pod/b']],
    ['dashes in a block scalar', `${pod('a')}data:\n  x: |\n    ---\n    y\n`, ['Pod/a']],
    ['dashes in a word', `${pod('a')}x: y\n----: z\n`, ['Pod/a']],
    ['one that is broken', `${pod('a')}---\n: : [\n---\n${pod('b')}`, ['Pod/a', 'Pod/b']],
    ['one that is a list', `- apiVersion: v1\n  kind: Pod\n---\n${pod('b')}`, ['Pod/b']],
    ['one without a kind', `apiVersion: v1\n---\n${pod('b')}`, ['Pod/b']],
    ['one whose kind is null', `apiVersion: v1\nkind:\n---\n${pod('b')}`, ['Pod/b']],
    ['JSON', json('a'), ['Pod/a']],
    ['JSON after JSON', `${json('a')}\n${json('b')}${json('c')}\n`, ['Pod/a', 'Pod/b', 'Pod/c']],
    ['JSON between separators', `---\n${json('a')}\n---\n${json('b')}\n`, ['Pod/a', 'Pod/b']],
    ['JSON with braces in strings', json('a}{').replace('a}{', 'a}{\\"') + json('b'), ['Pod/a}{"', 'Pod/b']],
    ['JSON behind a comment', `# x\n${json('a')}\n# y\n`, ['Pod/a']],
    [
      'JSON with tabs',
      `{\n\t"apiVersion": "v1",\n\t"kind": "Pod",\n\t"metadata": {\n\t\t"name": "a"\n\t}\n}`,
      ['Pod/a'],
    ],
    ['tabs in braces', 'apiVersion: v1\nkind: Pod\nmetadata: {\n\tname: a,\n\tlabels: {app: x}}\n', ['Pod/a']],
    ['nothing', '', []],
    ['no YAML', '#!/bin/sh\nset -e\nkubectl get pods --kind apiVersion\n', []],
    ['words of another file', 'the kind of thing: an apiVersion\n', []],
  ] as const) {
    it(what, () => assert.deepEqual(names(text), found));
  }

  it('have their own anchors', () => {
    const text = lines(`
      apiVersion: v1
      kind: Pod
      metadata:
        name: a
        labels: &l {app: one}
      ---
      apiVersion: v1
      kind: Pod
      metadata:
        name: b
        labels: &l {app: two}
      spec:
        nodeSelector: *l
      ---
      apiVersion: v1
      kind: Pod
      metadata:
        name: c
        labels: *l
    `);
    assert.equal(
      outline(text),
      lines(`
        Pod a
          metadata.labels: app=one
        Pod b
          metadata.labels: app=two
          ? spec.nodeSelector: app=two
        Pod c
          metadata.labels: -
      `),
    );
  });

  it('count syntax errors', () => {
    assert.equal(readManifest(`${pod('a')}---\n${pod('b')}`, catalogue).syntaxErrors, 0);
    const broken = readManifest(`${pod('a')}  x: [1\n---\n${pod('b')}`, catalogue);
    assert.ok(broken.syntaxErrors > 0);
    assert.equal(broken.documents, 2);
  });

  const errorsIn = (text: string) => readManifest(pod('a') + text, catalogue).syntaxErrors;
  for (const text of ['x: [\n\ty,\n\n\tz\n]\n', 'x: { # y\n\tz: 1 }\n', 'x: ["y", # z\r\n\t"z"]\r\n'])
    it(`accept the tab as indentation: ${JSON.stringify(text)}`, () => assert.equal(errorsIn(text), 0));
  for (const text of ['x:\n\ty: 1\n', 'x: |\n\t  y\n    z\n', 'x:\n  - y\n\t- z\n'])
    it(`count the tab as a syntax error: ${JSON.stringify(text)}`, () => assert.ok(errorsIn(text) > 0));
});

describe('objects of a document', () => {
  it('are the items of a List', () => {
    const text = lines(`
      apiVersion: v1
      kind: List
      metadata:
        labels: {ignored: "yes"}
      items:
        - apiVersion: v1
          kind: Service
          metadata: {name: a}
          spec: {selector: {app: a}}
        - apiVersion: apps/v1
          kind: Deployment
          metadata: {name: b, namespace: shop}
    `);
    assert.equal(outline(text), 'Service a\n  ? spec.selector: app=a\nDeployment of apps b in shop');
  });

  it('are the items of a typed list, which may omit their kinds', () => {
    const text = lines(`
      apiVersion: v1
      kind: ConfigMapList
      items:
        - metadata: {name: a, labels: {app: a}}
        - {apiVersion: v1, kind: Secret, metadata: {name: b}}
    `);
    assert.equal(outline(text), 'ConfigMap a\n  metadata.labels: app=a\nSecret b');
  });

  it('are none of an empty list', () => {
    assert.deepEqual(names('apiVersion: v1\nkind: List\nitems: []\n'), []);
  });

  it('are the items of any list, whatever its kind is', () => {
    assert.deepEqual(
      names(
        'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\nitems:\n- {apiVersion: v1, kind: Pod, metadata: {name: a}}\n',
      ),
      ['Pod/a'],
    );
  });

  it('are a Template and its objects, with the labels that it adds', () => {
    const text = lines(`
      apiVersion: template.openshift.io/v1
      kind: Template
      metadata: {name: shop}
      labels: {team: blue}
      objects:
        - apiVersion: v1
          kind: Service
          metadata: {name: "\${NAME}"}
          spec: {selector: {app: "\${NAME}"}}
    `);
    assert.equal(
      outline(text).split('\n').slice(-3).join('\n'),
      'Service {*}\n  inherits: team=blue\n  ? spec.selector: app={*}',
    );
  });

  it('are configuration of a tool, and not for the cluster', () => {
    const forCluster = (apiVersion: string, kind: string, more = '') =>
      readManifest(`apiVersion: ${apiVersion}\nkind: ${kind}\n${more}`, catalogue).objects.map(
        (object) => object.forCluster,
      );
    assert.deepEqual(forCluster('v1', 'Config', 'clusters: []'), [false]);
    assert.deepEqual(forCluster('kind.x-k8s.io/v1alpha4', 'Cluster'), [false]);
    assert.deepEqual(forCluster('kubeadm.k8s.io/v1beta4', 'ClusterConfiguration'), [false]);
    assert.deepEqual(forCluster('kustomize.config.k8s.io/v1alpha1', 'Component'), [false]);
    assert.deepEqual(forCluster('skaffold/v4beta11', 'Config'), [false]);
    assert.deepEqual(forCluster('chainsaw.kyverno.io/v1alpha1', 'Test'), [false]);
    assert.deepEqual(forCluster('backstage.io/v1alpha1', 'Component'), [false]);
    assert.deepEqual(forCluster('meta.pkg.crossplane.io/v1', 'Provider'), [false]);
    assert.deepEqual(forCluster('pkg.crossplane.io/v1', 'Provider'), [true]);
    assert.deepEqual(forCluster('kustomize.toolkit.fluxcd.io/v1', 'Kustomization'), [true]);
    assert.deepEqual(forCluster('cluster.x-k8s.io/v1beta1', 'Cluster'), [true]);
    assert.deepEqual(forCluster('dapr.io/v1alpha1', 'Component'), [true]);
    assert.deepEqual(forCluster('config.openshift.io/v1', 'Build'), [true]);
  });
});
