/** Measures the edit of a base with fifty overlays: `node bench/kustomize.ts [FILES]` prints milliseconds. */

import { catalogue } from '../server/src/engine/catalogue/index.ts';
import type { Workspace } from '../server/src/workspace/model.ts';
import { readFile, withFiles, workspaceIn } from '../server/src/workspace/snapshot.ts';
import { generateFiles } from './generate-workspace.ts';

const root = 'file:///work';
const overlays = 50;
const files = Number(process.argv[2] ?? 10_000);

const base = `${root}/shared/base`;
const texts = new Map(generateFiles(files - overlays - 3).map(({ path, text }) => [`${root}/${path}`, text]));
const deployment = (image: string) => `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  selector:
    matchLabels: {app: web}
  template:
    metadata:
      labels: {app: web}
    spec:
      containers:
        - {name: web, image: "${image}"}
`;
texts.set(`${base}/kustomization.yaml`, 'resources: [web.yaml, service.yaml]\ncommonLabels: {team: shop}\n');
texts.set(`${base}/web.yaml`, deployment('web:1'));
texts.set(
  `${base}/service.yaml`,
  'apiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec: {selector: {app: web}}\n',
);
for (let number = 0; number < overlays; number++) {
  const name = `overlay-${number}`;
  texts.set(
    `${root}/shared/${name}/kustomization.yaml`,
    `resources: [../base]\nnamespace: ${name}\nnamePrefix: ${name}-\nlabels: [{pairs: {env: ${name}}, includeSelectors: true}]\n`,
  );
}

const read = [...texts].map(([uri, text]) => [uri, readFile(uri, text, catalogue)] as const);
let workspace = workspaceIn([root], read);
const folders = Array.from({ length: overlays }, (_, number) => `${root}/shared/overlay-${number}`);
const render = (of: Workspace) => {
  for (const folder of folders) of.rendering(folder, catalogue)?.index();
};
workspace.scopes();
render(workspace);

const times: number[] = [];
const before = workspace.renderingCount();
for (let edit = 2; edit < 22; edit++) {
  const uri = `${base}/web.yaml`;
  const text = deployment(`web:${edit}`);
  const start = performance.now();
  workspace = withFiles(workspace, [[uri, readFile(uri, text, catalogue)]]);
  render(workspace);
  times.push(performance.now() - start);
}
times.sort((a, b) => a - b);
const rendered = (workspace.renderingCount() - before) / times.length;
const [median = 0, slowest = 0] = [times[10], times[18]];
console.log(
  `${texts.size} files, ${overlays} overlays: ${rendered} rendered for each edit, median ${median.toFixed(1)} ms, 95 % below ${slowest.toFixed(1)} ms`,
);
