/** Tests invalid paths: a reference in one file never makes requests about another file fail. */

import assert from 'node:assert/strict';
import { bench } from '../harness/bench.ts';

const service = `==> web/service.yaml <==
apiVersion: v1
kind: Service
metadata: {name: web, labels: {"bad key": x}}
spec: {selector: {app: web}}
#                      ^^^ here
==> web/pod.yaml <==
apiVersion: v1
kind: Pod
metadata: {name: web, labels: {app: web}}
`;

/** Text in YAML escapes: lone surrogates, controls, and characters with a meaning in URIs. */
const paths = [
  '\\uD800.yaml',
  'a/\\uDFFF',
  '\\0',
  '%',
  '%2F..%2F',
  '#',
  '?',
  '\\n',
  '../'.repeat(40),
  '//host/x',
  'C:\\\\x',
];

/** Files that refer to a path. */
const references: Readonly<Record<string, (path: string) => string>> = {
  'kustomization.yaml': (path) =>
    [...['resources', 'components', 'transformers', 'generators', 'configurations', 'crds', 'patchesStrategicMerge']]
      .map((field) => `${field}: ["${path}"]\n`)
      .join('') +
    `patches: [{path: "${path}"}]\nconfigMapGenerator: [{name: a, files: ["${path}"], envs: ["${path}"]}]\n`,
  'kyverno-test.yaml': (path) =>
    `apiVersion: cli.kyverno.io/v1alpha1\nkind: Test\nmetadata: {name: t}\npolicies: ["${path}"]\nresources: ["${path}"]\nresults: [{policy: "${path}", resource: "${path}"}]\n`,
  'chart/Chart.yaml': (path) =>
    `apiVersion: v2\nname: "${path}"\nversion: 1.0.0\ndependencies: [{name: "${path}", repository: "file://${path}"}]\n`,
  '.selector-lens.yaml': (path) => `scopes: [{name: "${path}", files: ["${path}"]}]\ngenerated: ["${path}"]\n`,
};

describe('a path to a nonexistent file', () => {
  for (const [name, textWith] of Object.entries(references)) {
    for (const path of paths) {
      it(`causes no failure: ${path.slice(0, 12)} in ${name}`, async () => {
        const all = await bench(`${service}==> ${name} <==\n${textWith(path)}`);
        assert.deepEqual(
          all.findings('web/service.yaml').map(({ rule }) => rule),
          ['label-key-syntax'],
        );
        assert.ok(all.hover('here').startsWith('web'), all.hover('here'));
        assert.ok(all.workspaceSymbols('Service/web').includes('object Service/web'));
        all.findings(name);
      });
    }
  }
});
