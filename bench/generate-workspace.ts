/** Generates a large workspace with a given number of files: `node bench/generate-workspace.ts FOLDER FILES`. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chartFiles } from './generate-chart.ts';
import * as make from './generate-objects.ts';

/** Whole numbers from 0 to below a bound; equal in every run, so that runs can be compared. */
export type Random = (below: number) => number;

/** Returns a generator with a seed. */
export function randomNumbers(seed: number): Random {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

export interface GeneratedFile {
  readonly path: string;
  readonly text: string;
}

/** Exactly `count` files: applications with bases and overlays, some charts, a few percent of them broken. */
export function generateFiles(count: number): readonly GeneratedFile[] {
  const random = randomNumbers(20260723);
  const files: GeneratedFile[] = [];
  for (let number = 0; files.length < count; number++) {
    const app = make.appOf(number, random);
    const made = number % 12 === 11 ? chartFiles(app) : kustomizeFiles(app);
    for (const file of made) if (files.length < count) files.push(maybeBroken(file, random));
  }
  return files;
}

/** Exactly `count` files without kustomizations and charts: one object in each, in a folder for each environment of an application. */
export function generatePlainFiles(count: number): readonly GeneratedFile[] {
  const random = randomNumbers(20261128);
  const files: GeneratedFile[] = [];
  for (let number = 0; files.length < count; number++) {
    const app = make.appOf(number, random);
    const objects = {
      ...{ workload: make.workload(app), service: make.service(app), budget: make.disruptionBudget(app) },
      ...{ policy: make.networkPolicy(app), config: make.configMap(app), monitor: make.serviceMonitor(app) },
    };
    for (const environment of ['development', 'staging', 'production'])
      for (const [name, text] of Object.entries(objects))
        files.push({ path: `${app.team}/${environment}/${app.name}/${name}.yaml`, text });
  }
  return files.slice(0, count);
}

/** Writes a workspace with `count` files to a folder. */
export function writeWorkspace(folder: string, count: number, generate = generateFiles): void {
  const folders = new Set<string>();
  for (const { path, text } of generate(count)) {
    const file = join(folder, path);
    if (!folders.has(dirname(file))) mkdirSync(dirname(file), { recursive: true });
    folders.add(dirname(file));
    writeFileSync(file, text);
  }
}

function kustomizeFiles(app: make.App): readonly GeneratedFile[] {
  const folder = `apps/${app.team}/${app.name}`;
  const cache = { ...app, name: `${app.name}-cache`, tier: 'cache' };
  const report = { ...app, name: `${app.name}-report`, tier: 'batch' };
  const base = {
    'workload.yaml': [make.workload(app), make.disruptionBudget(app), make.serviceAccount(app)],
    'service.yaml': [make.service(app), make.ingress(app), make.autoscaler(app)],
    'policies.yaml': [make.networkPolicy(app), make.denyAll(app), make.networkPolicy(report)],
    'config.yaml': [make.configMap(app), make.secret(app), make.configMap(report)],
    'access.yaml': [make.role(app), make.roleBinding(app), make.serviceAccount(report)],
    'jobs.yaml': [make.cronJob(report), make.secret(report)],
    'monitoring.yaml': [make.serviceMonitor(app), make.rules(app)],
    'cache.yaml': [make.statefulSet(cache), make.service(cache), make.disruptionBudget(cache)],
  };
  const files = Object.entries(base).map(([name, documents]) => ({ name, text: documents.join('---\n') }));
  const overlays = ['staging', 'production'].flatMap((overlay): GeneratedFile[] => {
    const extra = { ...app, name: `${app.name}-${overlay}` };
    return [
      { path: `${folder}/overlays/${overlay}/kustomization.yaml`, text: make.overlayKustomization(app, overlay) },
      { path: `${folder}/overlays/${overlay}/replicas.yaml`, text: make.patch(app, overlay) },
      {
        path: `${folder}/overlays/${overlay}/extra.yaml`,
        text: [make.workload(extra), make.service(extra), make.configMap(extra)].join('---\n'),
      },
    ];
  });
  return [
    { path: `${folder}/base/kustomization.yaml`, text: make.baseKustomization(Object.keys(base)) },
    ...files.map(({ name, text }) => ({ path: `${folder}/base/${name}`, text })),
    ...overlays,
  ];
}

/** Truncates the file, indents with a tab, or opens a quote: typical states of incomplete text. */
function maybeBroken(file: GeneratedFile, random: Random): GeneratedFile {
  if (random(100) >= 3 || /(kustomization|Chart)\.yaml$/.test(file.path)) return file;
  const at = file.text.indexOf('\n', random(file.text.length));
  const broken = [
    () => file.text.slice(0, random(file.text.length)),
    () => `${file.text.slice(0, at)}\n\t  tabbed: true${file.text.slice(at)}`,
    () => `${file.text.slice(0, at)}\n  note: "never closed${file.text.slice(at)}`,
  ];
  return { ...file, text: broken[random(broken.length)]?.() ?? file.text };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [folder, count] = process.argv.slice(2);
  if (folder === undefined) throw new Error('Which folder?');
  writeWorkspace(folder, Number(count ?? 1000));
}
