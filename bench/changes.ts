/**
 * Measures what the comparison with HEAD costs in a workspace of 10,000 files: `npm run bench:changes`. The snapshot at
 * HEAD is measured in this process, typing in a server with and without the comparison, in turns.
 */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { updatesSince } from '../server/src/compare/updates.ts';
import { catalogue } from '../server/src/engine/catalogue/index.ts';
import { changesSince } from '../server/src/features/pages/changes.ts';
import { previewText } from '../server/src/features/pages/preview.ts';
import { diskFiles } from '../server/src/node/disk-files.ts';
import { Session } from '../server/src/session.ts';
import type { Side } from '../server/src/workspace/base.ts';
import { generateFiles, writeWorkspace } from './generate-workspace.ts';
import { LanguageServer, type RequestCost } from './language-server.ts';

const files = Number(process.argv[2] ?? 10_000);
/** The changed files: workloads of bases, with another label in selectors and templates. */
const changedFiles = 40;
const rounds = 5;
const keystrokes = 60;

function report(what: string, figure: string, target = ''): void {
  console.log(`${what.padEnd(72)} ${figure.padStart(20)}   ${target}`.trimEnd());
}

const ms = (time: number) => `${time.toFixed(time < 100 ? 1 : 0)} ms`;

/** The 95th percentile. */
function p95(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length * 0.95)] ?? Number.NaN;
}

interface Cost {
  /** What the processors did, in milliseconds. */
  readonly work: number;
  /** What remains in memory, in megabytes. */
  readonly memory: number;
}

function heap(): number {
  globalThis.gc?.();
  globalThis.gc?.();
  return process.memoryUsage().heapUsed / 1e6;
}

async function costOf(act: () => unknown): Promise<Cost> {
  const before = heap();
  const started = process.cpuUsage();
  await act();
  const { user, system } = process.cpuUsage(started);
  return { work: (user + system) / 1000, memory: heap() - before };
}

const edited = (text: string) => text.replaceAll(/^( +)tier: .*$/gm, '$1tier: other');

async function snapshotAtHead(folder: string): Promise<void> {
  if (globalThis.gc === undefined) throw new Error('Memory is measured with --expose-gc.');
  const uriOf = (path: string) => pathToFileURL(join(folder, path)).href;
  const all = generateFiles(files);
  const texts = new Map<string, string>(all.map(({ path, text }) => [uriOf(path), text]));
  const changed = all.filter(({ path }) => path.endsWith('base/workload.yaml')).slice(0, changedFiles);
  const old = new Map([...texts, ...changed.map(({ path, text }) => [uriOf(path), edited(text)] as const)]);
  const session = new Session({ catalogue, log: { info() {}, warn() {}, bug: console.error } });
  const index = await costOf(async () => {
    const noProgress = () => {};
    const { workspace } = session;
    await workspace.load(diskFiles(), [pathToFileURL(folder).href], noProgress, () => false);
    previewText(session.view(), 'app.kubernetes.io/name=nobody');
  });
  const sideOf = ({ workspace }: Pick<Session, 'workspace'>, files: ReadonlyMap<string, string>): Side => ({
    workspace: workspace.snapshot(),
    catalogueOf: (uri) => workspace.catalogueOf(uri),
    textOf: (uri) => files.get(uri),
  });
  const now = sideOf(session, texts);
  for (const { path, text } of changed) writeFileSync(join(folder, path), edited(text));
  const fork = { workspace: session.workspace.clone() };
  const snapshot = await costOf(async () => {
    const changes = changed.map(({ path }) => ({ uri: uriOf(path), gone: false }));
    await fork.workspace.refresh(diskFiles(), changes);
  });
  const base = {
    name: 'HEAD',
    side: sideOf(fork, old),
    textNow: (uri: string) => texts.get(uri),
    changed: new Set(changed.map(({ path }) => uriOf(path))),
  };
  const first = await costOf(() => updatesSince(base, now));
  const view = await costOf(() => changesSince({ base, now }));
  // Plain folders and charts need the index of the earlier state, kustomizations do not.
  const indexed = await costOf(() =>
    previewText({ workspace: base.side.workspace, catalogue, complete: true, perspective: { selected: [] } }, 'a=b'),
  );
  const costs = [snapshot, first, view, indexed];
  const work = costs.reduce((sum, each) => sum + each.work, 0);
  const memory = costs.reduce((sum, each) => sum + each.memory, 0);
  report(`first index of ${texts.size} files`, `${ms(index.work)} of work`);
  report(`snapshot at HEAD, ${changed.length} changed files`, `${ms(snapshot.work)}, ${snapshot.memory.toFixed(1)} MB`);
  report('rejected updates, the first time', `${ms(first.work)}, ${first.memory.toFixed(1)} MB`);
  report('lost and gained matches, the first time', `${ms(view.work)}, ${view.memory.toFixed(1)} MB`);
  report('index of the snapshot at HEAD', `${ms(indexed.work)}, ${indexed.memory.toFixed(1)} MB`);
  report('all of it / first index', (work / index.work).toFixed(2), 'under 1');
  report('all of it, memory', `${memory.toFixed(1)} MB`, 'under 60 MB');
}

async function typing(folder: string): Promise<void> {
  const server = new LanguageServer();
  await server.initialize(folder);
  await server.whenReady();
  const changed = generateFiles(files)
    .filter(({ path }) => path.endsWith('base/workload.yaml'))
    .slice(0, changedFiles)
    .map(({ path, text }) => ({ uri: pathToFileURL(join(folder, path)).href, now: text }));
  const [first] = changed;
  if (first === undefined) throw new Error('The workspace has no workload.');
  const { uri, now } = first;
  const lines = now.split('\n');
  const line = lines.findIndex((each) => /^ {8}tier: /.test(each));
  const character = lines[line]?.length ?? 0;
  await server.open(uri, now);
  const on = changed.map((each) => ({ uri: each.uri, text: edited(each.now) }));
  const compareWith = async (name: string | null) => {
    await server.compare(name === null ? { name } : { name, version: '1', files: on });
    for (;;) {
      const { answer } = await server.changes();
      if (answer.base === name && answer.complete) return;
      await wait(50);
    }
  };
  const taken = { off: [] as RequestCost[], on: [] as RequestCost[] };
  const rest = { off: [] as RequestCost[], on: [] as RequestCost[] };
  const shown: RequestCost[] = [];
  for (let round = 0; round < rounds; round++) {
    for (const mode of ['off', 'on'] as const) {
      await compareWith(mode === 'on' ? 'HEAD' : null);
      for (let key = 0; key < keystrokes; key++) {
        const start = { line, character };
        const end = { line, character: character + (key % 2) };
        taken[mode].push(await server.type(uri, { start, end }, key % 2 === 0 ? 'x' : ''));
      }
      // Rules across files run after a second without an edit.
      await wait(1500);
      rest[mode].push(await server.diagnose(uri));
      if (mode === 'on') shown.push(await server.changes());
    }
  }
  const worked = (all: readonly RequestCost[]) => p95(all.map(({ work }) => work));
  const timed = (all: readonly RequestCost[]) => p95(all.map(({ time }) => time));
  const both = (all: readonly RequestCost[]) => `${ms(worked(all))} (${ms(timed(all))})`;
  report('keystroke to diagnostics, p95 of work (time): not compared', both(taken.off));
  report('keystroke to diagnostics: compared', both(taken.on));
  report('ratio of the work', (worked(taken.on) / worked(taken.off)).toFixed(2), 'at most 1.25');
  report('diagnostics after a rest, largest work: not compared', both(rest.off));
  report('diagnostics after a rest: compared', both(rest.on));
  report('changes for the view after that', both(shown));
  await server.stop();
}

const folder = mkdtempSync(join(tmpdir(), 'selector-lens-bench-'));
try {
  writeWorkspace(folder, files);
  await snapshotAtHead(folder);
  writeWorkspace(folder, files);
  if (process.argv[3] !== 'snapshot') await typing(folder);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
