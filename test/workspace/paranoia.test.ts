/** Tests that a snapshot after many changes returns the results of one that is created from scratch. */

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { catalogue } from '../../server/src/engine/catalogue/index.ts';
import type { Workspace, WorkspaceFile } from '../../server/src/workspace/model.ts';
import { readFile, withFiles, workspaceIn } from '../../server/src/workspace/snapshot.ts';
import { answersOf } from './answers.ts';

const folder = 'file:///work';

const names = [
  ...['a.yaml', 'base/kustomization.yaml', 'base/b.yaml', 'base/patch.yaml', 'prod/kustomization.yaml', 'prod/c.yaml'],
  ...[
    'staging/kustomization.yaml',
    'staging/c.yaml',
    'chart/Chart.yaml',
    'chart/templates/d.yaml',
    'chart/values.yaml',
  ],
];

const service = (selector: string, namespace = '') =>
  `apiVersion: v1\nkind: Service\nmetadata: {name: web${namespace}}\nspec: {selector: ${selector}}\n`;
const deployment = (name: string, labels: string, namespace = '') =>
  `apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: ${name}${namespace}}\nspec: {selector: {matchLabels: ${labels}}, template: {metadata: {labels: ${labels}}}}\n`;

const texts = [
  '',
  'half: [typed',
  service('{app: web}'),
  service('{app: webb}'),
  service('{app: web, tier: a}', ', namespace: shop'),
  service('{}'),
  service("{app: '{{ .Values.app }}'}"),
  `# a comment\n\n${service('{app: web}')}`,
  deployment('web', '{app: web}'),
  deployment('web', '{app: web, tier: a}', ', namespace: shop'),
  deployment('other', '{app: "web-@X@"}'),
  deployment('web', "{app: '{{ .Values.app }}'}"),
  `${service('{app: web}')}---\n${deployment('web', '{app: web}')}---\n{apiVersion: v1, kind: Pod, metadata: {name: p, labels: {app: web}}}\n`,
  '{apiVersion: networking.k8s.io/v1, kind: NetworkPolicy, metadata: {name: n}, spec: {podSelector: {}, ingress: [{from: [{namespaceSelector: {matchLabels: {team: blue}}}]}]}}\n',
  '{apiVersion: v1, kind: Namespace, metadata: {name: shop, labels: {team: blue}}}\n',
  '{apiVersion: v1, kind: Namespace, metadata: {name: shop, labels: {team: red}}}\n',
  'resources: [b.yaml, c.yaml]\n',
  'resources: [../base, c.yaml]\nnamespace: shop\n',
  'resources: [../base/]\npatches: [{path: ../base/patch.yaml}]\n',
  'kind: Component\nresources: [b.yaml]\n',
  'apiVersion: v2\nname: shop\n',
];

interface Change {
  readonly name: string;
  /** Undefined if the file is deleted. */
  readonly text: string | undefined;
  /** Whether the snapshot is used before the next change. */
  readonly asked: boolean;
}

const change: fc.Arbitrary<Change> = fc.record({
  name: fc.constantFrom(...names),
  text: fc.option(fc.constantFrom(...texts), { nil: undefined, freq: 5 }),
  asked: fc.boolean(),
});

function fileOf({ name, text }: Change): readonly [string, WorkspaceFile | undefined] {
  const uri = `${folder}/${name}`;
  return [uri, text === undefined ? undefined : readFile(uri, text, catalogue)];
}

describe('a snapshot after changes', () => {
  it('equals a new one', () => {
    fc.assert(
      fc.property(fc.array(fc.array(change, { minLength: 1, maxLength: 3 }), { maxLength: 8 }), (steps) => {
        const files = new Map<string, WorkspaceFile>();
        let workspace: Workspace = workspaceIn([folder], []);
        for (const step of steps) {
          const changes = step.map(fileOf);
          workspace = withFiles(workspace, changes);
          for (const [uri, file] of changes) {
            if (file === undefined) files.delete(uri);
            else files.set(uri, file);
          }
          if (step.some((each) => each.asked)) answersOf(workspace);
        }
        assert.deepEqual(answersOf(workspace), answersOf(workspaceIn([folder], files)));
      }),
      { numRuns: 150 },
    );
  });

  it('does not change its predecessor', () => {
    const uri = `${folder}/a.yaml`;
    const read = (text: string) => readFile(uri, text, catalogue);
    const first = workspaceIn(
      [folder],
      [[uri, read(`${service('{app: web}')}---\n${deployment('web', '{app: web}')}`)]],
    );
    const before = answersOf(first);
    const second = withFiles(first, [[uri, read(service('{app: web}'))]]);
    assert.equal(
      before.some((line) => line.includes(' matches ')),
      true,
    );
    assert.equal(
      answersOf(second).some((line) => line.includes(' matches ')),
      false,
    );
    assert.deepEqual(answersOf(first), before);
    assert.deepEqual(
      answersOf(withFiles(second, [[uri, read(`${service('{app: web}')}---\n${deployment('web', '{app: web}')}`)]])),
      before,
    );
  });
});
