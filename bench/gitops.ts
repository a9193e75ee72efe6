/**
 * Measures edits in a repository of 200 Flux Kustomizations with 5,000 objects: `node bench/gitops.ts` prints
 * milliseconds. Every Kustomization is rendered again if the edit affects it.
 */

import { catalogue } from '../server/src/engine/catalogue/index.ts';
import { Renderings } from '../server/src/workspace/kustomize/renderings.ts';
import type { Workspace } from '../server/src/workspace/model.ts';
import { readFile, withFiles, workspaceIn } from '../server/src/workspace/snapshot.ts';

const root = 'file:///work';
const kustomizations = 200;
const objectsInEach = 25;
/** The number of Kustomizations with a common base, and with a common ConfigMap of variables. */
const sharing = 5;

const texts = new Map<string, string>();
const kustomization = (
  number: number,
  value: string,
  path = `./apps/app-${number}`,
) => `apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: app-${number}, namespace: flux-system}
spec:
  path: ${path}
  targetNamespace: app-${number}
  sourceRef: {kind: GitRepository, name: flux-system}
  postBuild:
    substitute: {TEAM: ${value}}
    substituteFrom: [{kind: ConfigMap, name: settings-${Math.floor(number / sharing)}}, {kind: ConfigMap, name: cluster}]
`;
const settings = (name: string, value: string) => `apiVersion: v1
kind: ConfigMap
metadata: {name: ${name}, namespace: flux-system}
data: {${name === 'cluster' ? 'CLUSTER' : 'STAGE'}: ${value}}
`;
const object = (name: string) => `apiVersion: v1
kind: Service
metadata: {name: ${name}, labels: {team: "\${TEAM}", stage: "\${STAGE}", cluster: "\${CLUSTER}"}}
spec: {selector: {app: ${name}, team: "\${TEAM}"}}
---
`;
const shared = (name: string) => `${root}/settings/${name}.yaml`;
const base = (number: number) => `${root}/apps/base-${number}/base.yaml`;
for (let number = 0; number < kustomizations; number++) {
  texts.set(`${root}/cluster/app-${number}.yaml`, kustomization(number, 'blue'));
  const folder = `${root}/apps/app-${number}`;
  const own = Math.floor(number / sharing);
  texts.set(`${folder}/kustomization.yaml`, `resources: [web.yaml, ../base-${own}]\n`);
  const names = Array.from({ length: objectsInEach - 1 }, (_, index) => object(`web-${index}`));
  texts.set(`${folder}/web.yaml`, names.join(''));
  if (number % sharing > 0) continue;
  texts.set(shared(`settings-${own}`), settings(`settings-${own}`, 'prod'));
  texts.set(`${root}/apps/base-${own}/kustomization.yaml`, 'resources: [base.yaml]\n');
  texts.set(base(own), object('base'));
}

texts.set(shared('cluster'), settings('cluster', 'main'));

const read = [...texts].map(([uri, text]) => [uri, readFile(uri, text, catalogue)] as const);
let workspace = workspaceIn([root], read, { rendered: new Renderings(2 * kustomizations * objectsInEach) });
const paths = Array.from({ length: kustomizations }, (_, number) => `${root}/cluster/app-${number}.yaml`);
const render = (of: Workspace) => paths.map((path) => of.rendering(path, catalogue)?.objects.length ?? 0);

const start = performance.now();
const objects = render(workspace).reduce((sum, count) => sum + count, 0);
const first = performance.now() - start;
console.log(`${texts.size} files: ${objects} objects of ${kustomizations} Kustomizations in ${first.toFixed(0)} ms`);

function measure(title: string, uri: string, textOf: (edit: number) => string): void {
  const times: number[] = [];
  const before = workspace.renderingCount();
  for (let edit = 0; edit < 20; edit++) {
    const text = textOf(edit);
    const begin = performance.now();
    workspace = withFiles(workspace, [[uri, readFile(uri, text, catalogue)]]);
    render(workspace);
    times.push(performance.now() - begin);
  }
  times.sort((a, b) => a - b);
  const rendered = (workspace.renderingCount() - before) / times.length;
  const [median = 0, slowest = 0] = [times[10], times[18]];
  console.log(
    `${title}: ${rendered} rendered for each edit, median ${median.toFixed(1)} ms, 95 % below ${slowest.toFixed(1)} ms`,
  );
}

measure('a variable', `${root}/cluster/app-7.yaml`, (edit) => kustomization(7, `team-${edit}`));
measure(`a variable of ${sharing}`, shared('settings-3'), (edit) => settings('settings-3', `stage-${edit}`));
measure('a variable of all', shared('cluster'), (edit) => settings('cluster', `cluster-${edit}`));
measure('a path', `${root}/cluster/app-7.yaml`, (edit) => kustomization(7, 'blue', `./apps/app-${7 + (edit % 2)}`));
measure('the name of an object of a base', base(3), (edit) => object(`base-${edit}`));
measure('a base', base(3), (edit) =>
  object(`base-${edit % 2}`)
    .replace('{name: base', `{annotations: {a: "${edit}"}, name: base`)
    .replace(/base-\d/g, 'base'),
);
