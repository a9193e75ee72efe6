/** Tests that the answers for an editor do not depend on the order in which the files were added. */

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { operations, type Subject, subjectOf } from '../../bench/growth-operations.ts';
import { manyNames } from '../cli/many-names.ts';
import { manyScopes } from '../cli/many-scopes.ts';
import { related } from '../cli/random-changes.ts';

type Files = readonly (readonly [path: string, text: string])[];

function filesIn(folder: string): Files {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return [path.slice(folder.length + 1), readFileSync(path, 'utf8')] as const;
    });
}

const app = (name: string, path: string) => `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: ${name}, namespace: argocd}
spec:
  project: all
  source: {repoURL: https://git.example.com/all.git, path: ${path}}
  destination: {server: 'https://kubernetes.default.svc', namespace: shop}
`;

const user = (name: string) => `apiVersion: v1
kind: Pod
metadata: {name: ${name}, namespace: shop, labels: {app: ${name}, tier: front}}
spec:
  serviceAccountName: shop
  containers: [{name: web, image: web, envFrom: [{configMapRef: {name: settings}}]}]
---
apiVersion: v1
kind: Service
metadata: {name: ${name}, namespace: shop}
spec: {selector: {tier: front}, ports: [{port: 80}]}
`;

const settings = `apiVersion: v1
kind: ConfigMap
metadata: {name: settings, namespace: shop}
data: {color: red}
`;

/** Objects that several files name and select, and copies of an object, applied by several Applications. */
const applications: Files = [
  ['argocd/a.yaml', app('argocd', 'argocd')],
  ['argocd/b.yaml', app('front', 'front')],
  ['argocd/c.yaml', app('back', 'back')],
  ['back/a.yaml', user('back-a')],
  ['back/b.yaml', user('back-b')],
  ['front/a.yaml', user('front-a')],
  ['front/b.yaml', settings],
  ['front/c.yaml', user('front-c')],
  ['loose/a.yaml', settings],
  ['loose/b.yaml', user('loose-b')],
  ['loose/c.yaml', user('loose-c')],
];

const examples = new URL('../../examples', import.meta.url).pathname;

const workspaces: readonly (readonly [string, Files])[] = [
  ['the examples', filesIn(examples)],
  ['related files', Object.entries(related)],
  ['many scopes', Object.entries(manyScopes)],
  ['many names', Object.entries(manyNames)],
  ['Applications', applications],
];

/** Prints an answer; a file is printed as its URI. */
function printed(answer: unknown): string {
  const seen = new Set<unknown>();
  const print = (value: unknown, depth: number): unknown => {
    if (typeof value === 'function') return undefined;
    if (typeof value !== 'object' || value === null) return value;
    if ('uri' in value && ('manifest' in value || 'lines' in value)) return value.uri;
    if ('kindSpan' in value) return `${Reflect.get(value, 'kind')} ${Reflect.get(value.kindSpan as object, 'start')}`;
    if (depth > 12 || seen.has(value)) return '…';
    seen.add(value);
    const result =
      value instanceof Map || value instanceof Set
        ? [...value].map((each) => print(each, depth + 1))
        : Array.isArray(value)
          ? value.map((each) => print(each, depth + 1))
          : Object.fromEntries(Object.entries(value).map(([key, each]) => [key, print(each, depth + 1)]));
    seen.delete(value);
    return result;
  };
  return JSON.stringify(print(answer, 0), undefined, 1) ?? 'undefined';
}

function answers(subject: Subject): ReadonlyMap<string, string> {
  const asked = operations.filter(([name]) => name !== 'check' && name !== 'edit');
  return new Map(asked.map(([name, run]) => [name, printed(run(subject))]));
}

describe('the answers for an editor do not depend on the order in which the files were added:', () => {
  for (const [name, files] of workspaces) {
    it(name, async () => {
      const sorted = files.toSorted(([a], [b]) => (a < b ? -1 : 1));
      const rest = sorted.filter((_, index) => index % 2 === 0);
      for (const first of files) {
        const others = (all: Files) => [first, ...all.filter(([path]) => path !== first[0])];
        const inOrder = await subjectOf(sorted, first[0]);
        const added = await subjectOf(others(sorted.toReversed().filter((each) => !rest.includes(each))), first[0]);
        await added.add(rest.toReversed());
        const [wanted, found] = [answers(inOrder), answers(added)];
        for (const [operation, text] of wanted) assert.equal(found.get(operation), text, `${operation} in ${first[0]}`);
      }
    });
  }
});
