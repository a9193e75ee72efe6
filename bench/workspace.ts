/**
 * Measures a large workspace. Prints medians and ratios: `npm run bench:workspace`, or of `start`, `indexing`,
 * `editing` and `reading` only those that are named.
 */

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { generateFiles, writeWorkspace } from './generate-workspace.ts';
import { LanguageServer, type RequestCost } from './language-server.ts';
import type { Run } from './workspace-runs.ts';

const rounds = 5;
const runs = fileURLToPath(new URL('workspace-runs.ts', import.meta.url));

function report(what: string, figure: string, target = ''): void {
  console.log(`${what.padEnd(72)} ${figure.padStart(14)}   ${target}`.trimEnd());
}

function middle(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? Number.NaN;
}

/** The 95th percentile. */
function p95(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length * 0.95)] ?? Number.NaN;
}

function ofCosts(figure: (numbers: readonly number[]) => number, all: readonly RequestCost[]): RequestCost {
  return { time: figure(all.map(({ time }) => time)), work: figure(all.map(({ work }) => work)) };
}

const ms = (time: number) => `${time.toFixed(time < 100 ? 1 : 0)} ms`;
const taken = ({ time, work }: RequestCost) => `${ms(time)} (${ms(work)})`;
const mb = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`;

interface Medians {
  readonly time: number;
  readonly work: number;
  readonly memory: number;
}

/** Measures the kinds of runs in turn, so that other load on the machine affects all of them alike. */
function measureInTurn(kinds: Readonly<Record<string, readonly [what: string, folder: string]>>, cacheFolder: string) {
  const results = new Map<string, Run[]>();
  for (let round = 0; round < rounds; round++) {
    rmSync(cacheFolder, { recursive: true, force: true });
    for (const [kind, [what, folder]] of Object.entries(kinds)) {
      const words = [runs, what, folder, cacheFolder];
      const run: Run = JSON.parse(execFileSync(process.execPath, words, { encoding: 'utf8' }));
      results.set(kind, [...(results.get(kind) ?? []), run]);
    }
  }
  return (kind: string): Medians => {
    const all = results.get(kind) ?? [];
    return {
      time: middle(all.map((run) => run.time)),
      work: middle(all.map((run) => run.work)),
      memory: middle(all.map((run) => run.memory)),
    };
  };
}

function benchIndexing(small: string, large: string, cacheFolder: string): void {
  const measured = measureInTurn(
    {
      floor: ['floor', large],
      small: ['cold', small],
      large: ['cold', large],
      tolerant: ['tolerant', large],
      unknown: ['cache', large],
      known: ['cache', large],
    },
    cacheFolder,
  );
  const [floor, cold, few, tolerant] = [measured('floor'), measured('large'), measured('small'), measured('tolerant')];
  const row = (what: string, { time, work }: Medians) => report(`${what} (work)`, `${ms(time)} (${ms(work)})`);
  row('walk and read 10,000 files', floor);
  row('cold index of 1,000 files', few);
  row('cold index of 10,000 files', cold);
  row('the same with the tolerant reader only', tolerant);
  const ratio = (a: Medians, b: Medians) => `${(a.time / b.time).toFixed(2)} (${(a.work / b.work).toFixed(2)})`;
  report('cold index / walk and read', ratio(cold, floor));
  report('cold index / with the tolerant reader only', ratio(cold, tolerant), 'at most 0.25');
  report('cold index of 10,000 files / of 1,000', ratio(cold, few), 'at most 12');
  const [unknown, known] = [measured('unknown'), measured('known')];
  row('index of 10,000 files that writes a cache', unknown);
  row('warm start: the same from that cache, nothing changed', known);
  report('warm start / cold index', ratio(known, cold), 'at most 0.35');
  report('peak memory of the process that indexes 10,000 files', mb(cold.memory));
}

async function benchStart(folder: string): Promise<void> {
  const times: number[] = [];
  for (let round = 0; round < 9; round++) {
    const start = performance.now();
    const server = new LanguageServer();
    await server.initialize(folder);
    times.push(performance.now() - start);
    await server.stop();
  }
  report('initialize is answered, from the start of the process', ms(middle(times)), 'at most 200 ms');
}

/** A Deployment whose label 100 Services select, in separate files. */
function writeWidelySelected(folder: string): string {
  const file = join(folder, 'apps', 'wide.yaml');
  const labels = 'app: wide';
  writeFileSync(
    file,
    `apiVersion: apps/v1
kind: Deployment
metadata: { name: wide }
spec:
  selector: { matchLabels: { ${labels} } }
  template:
    metadata:
      labels:
        ${labels}
    spec: { containers: [{ name: wide, image: "wide:1" }] }
`,
  );
  for (let number = 0; number < 100; number++) {
    const service = `apiVersion: v1\nkind: Service\nmetadata: { name: wide-${number} }\nspec: { selector: { ${labels} } }\n`;
    writeFileSync(join(folder, 'apps', `wide-${number}.yaml`), service);
  }
  return file;
}

async function benchEditing(folder: string): Promise<void> {
  const wide = writeWidelySelected(folder);
  const workload = generateFiles(40).find(({ path }) => path.endsWith('base/workload.yaml'))?.path ?? '';
  const service = generateFiles(40).find(({ path }) => path.endsWith('base/service.yaml'))?.path ?? '';
  const server = new LanguageServer();
  await server.initialize(folder);
  await server.whenReady();
  const usual = await typeAndErase(server, join(folder, workload), /^ {8}app: ./m);
  report('keystroke to diagnostics, p95 (work)', taken(usual), 'under 12 ms');
  const widely = await typeAndErase(server, wide, /^ {8}app: ./m);
  report('the same for a label that 100 files select, p95 (work)', taken(widely));
  report('ratio', `${(widely.time / usual.time).toFixed(2)} (${(widely.work / usual.work).toFixed(2)})`, 'at most 3');
  report('an answer that says nothing, p95 (work)', taken(await nothings(server, join(folder, service))));
  report('hover with matches, p95 (work)', taken(await hovers(server, join(folder, service))), 'under 5 ms');
  const renamed = await renames(server, join(folder, workload));
  report('rename of a label of a workload, p95 (work)', taken(renamed), 'under 50 ms');
  report('the same for a label that 100 files select, p95 (work)', taken(await renames(server, wide)));
  for (const [what, name, place] of [
    ['a label value', workload, /^ {4}(?:app|app.kubernetes.io\/name): /m],
    ['a selector key', service, /^ {2}selector:\n {4}/m],
    ['a selector value', service, /^ {2}selector:\n {4}\S+: /m],
  ] as const) {
    const completed = await completions(server, join(folder, name), place);
    report(`completion of ${what} after a keystroke, p95 (work)`, taken(completed), 'under 6 ms');
  }
  const worked = server.workedFor();
  await wait(3000);
  const idle = (server.workedFor() ?? Number.NaN) - (worked ?? Number.NaN);
  report('work of an idle server in 3 seconds', ms(idle), '0 ms');
  report('peak memory of the server', mb(server.peakMemory() ?? Number.NaN), 'under 180 MB');
  await server.stop();
}

/** Types and deletes a character in the value of a label, until the measurement is precise. */
async function typeAndErase(server: LanguageServer, file: string, place: RegExp): Promise<RequestCost> {
  const text = readFileSync(file, 'utf8');
  const uri = pathToFileURL(file).href;
  await server.open(uri, text);
  const found = place.exec(text);
  if (found === null) throw new Error(`${file} has no ${place}`);
  const before = text.slice(0, found.index + found[0].length).split('\n');
  const start = { line: before.length - 1, character: before.at(-1)?.length ?? 0 };
  const end = { ...start, character: start.character + 1 };
  const times: RequestCost[] = [];
  for (let round = 0; round < 150; round++) {
    times.push(await server.type(uri, { start, end: start }, 'x'), await server.type(uri, { start, end }, ''));
  }
  return ofCosts(p95, times.slice(20));
}

/** The read-only requests, at every fifth selector, label and kind of file in the whole workspace. */
const readings: Readonly<Record<string, readonly [target: string, more?: object]>> = {
  'textDocument/hover': ['under 5 ms'],
  'textDocument/definition': [''],
  'textDocument/references': ['under 15 ms', { context: { includeDeclaration: true } }],
  'textDocument/implementation': [''],
  'textDocument/documentHighlight': [''],
};

async function benchReading(folder: string): Promise<void> {
  const server = new LanguageServer();
  await server.initialize(folder);
  await server.whenReady();
  const times = new Map<string, RequestCost[]>(Object.keys(readings).map((method) => [method, []]));
  const opened: RequestCost[] = [];
  const files = generateFiles(10_000).filter(({ path }, number) => number % 61 === 0 && /\.ya?ml$/.test(path));
  for (const { path } of files) {
    const file = join(folder, path);
    const text = readFileSync(file, 'utf8');
    const uri = pathToFileURL(file).href;
    await server.open(uri, text);
    // Every editor requests diagnostics before any other request.
    opened.push(await server.diagnose(uri));
    for (const position of readingPlaces(text)) {
      for (const [method, [, more]] of Object.entries(readings)) {
        times.get(method)?.push(await server.ask(method, uri, position, more));
      }
    }
    await server.close(uri);
  }
  report(`what is wrong with a file, once it is open: p95 of ${opened.length} (work)`, taken(ofCosts(p95, opened)));
  for (const [method, [target]] of Object.entries(readings)) {
    const all = times.get(method) ?? [];
    report(`${method} at ${all.length} places, median (work)`, taken(ofCosts(middle, all)));
    report('p95 (work)', taken(ofCosts(p95, all)), target);
  }
  await server.stop();
}

function readingPlaces(text: string): readonly { readonly line: number; readonly character: number }[] {
  const isWorth = /^\s*(?:- )?(?:selector|matchLabels|podSelector|kind|labels|[\w./-]+): ?(?=[\w"]|$)/;
  return text.split('\n').flatMap((line, number) => {
    const found = number % 5 === 0 ? isWorth.exec(line) : null;
    return found === null ? [] : [{ line: number, character: Math.min(found[0].length, line.length) }];
  });
}

/** The minimum time of any response: a request at the first line of a file has no result. */
async function nothings(server: LanguageServer, file: string): Promise<RequestCost> {
  const uri = pathToFileURL(file).href;
  await server.open(uri, readFileSync(file, 'utf8'));
  const times: RequestCost[] = [];
  for (let round = 0; round < 200; round++) {
    times.push(await server.ask('textDocument/hover', uri, { line: 0, character: 0 }));
  }
  return ofCosts(p95, times.slice(20));
}

async function hovers(server: LanguageServer, file: string): Promise<RequestCost> {
  const text = readFileSync(file, 'utf8');
  const uri = pathToFileURL(file).href;
  await server.open(uri, text);
  const line = text.slice(0, text.indexOf('\n  selector:') + 1).split('\n').length - 1;
  const times: RequestCost[] = [];
  for (let round = 0; round < 200; round++) {
    const { text: shown, ...took } = await server.hover(uri, { line, character: 4 });
    if (!shown.includes('Matches')) throw new Error(`The hover shows no matches: ${shown}`);
    times.push(took);
  }
  return ofCosts(p95, times.slice(20));
}

/** Renames a label of a pod template, until the measurement is precise, without applying the edits. */
async function renames(server: LanguageServer, file: string): Promise<RequestCost> {
  const text = readFileSync(file, 'utf8');
  const uri = pathToFileURL(file).href;
  const found = /^ {8}app: ./m.exec(text);
  const before = text.slice(0, (found?.index ?? 0) + (found?.[0].length ?? 0)).split('\n');
  const position = { line: before.length - 1, character: (before.at(-1)?.length ?? 1) - 1 };
  const times: RequestCost[] = [];
  for (let round = 0; round < 60; round++) {
    const { edits, ...took } = await server.rename(uri, position, 'renamed');
    if (edits < 3) throw new Error(`A rename in ${file} has ${edits} edits.`);
    times.push(took);
  }
  return ofCosts(p95, times.slice(10));
}

/** Completions at a position while the user types: after each change of the document. */
async function completions(server: LanguageServer, file: string, place: RegExp): Promise<RequestCost> {
  const text = readFileSync(file, 'utf8');
  const uri = pathToFileURL(file).href;
  await server.open(uri, text);
  const found = place.exec(text);
  if (found === null) throw new Error(`${file} has no ${place}`);
  const before = text.slice(0, found.index + found[0].length).split('\n');
  const position = { line: before.length - 1, character: before.at(-1)?.length ?? 0 };
  const start = { line: text.split('\n').length - 1, character: 0 };
  const times: RequestCost[] = [];
  for (let round = 0; round < 200; round++) {
    const isThere = round % 2 === 1;
    await server.type(uri, { start, end: { ...start, character: isThere ? 1 : 0 } }, isThere ? '' : '#');
    const { items, ...took } = await server.complete(uri, position);
    if (items === 0) throw new Error(`Nothing completes in ${file} at ${place}.`);
    times.push(took);
  }
  return ofCosts(p95, times.slice(20));
}

const folder = mkdtempSync(join(tmpdir(), 'selector-lens-bench-'));
try {
  const [small, large] = [join(folder, 'small'), join(folder, 'large')];
  writeWorkspace(small, 1000);
  writeWorkspace(large, 10_000);
  const named = process.argv.slice(2);
  const isWanted = (what: string) => named.length === 0 || named.includes(what);
  if (isWanted('start')) await benchStart(large);
  if (isWanted('indexing')) benchIndexing(small, large, join(folder, 'cache'));
  if (isWanted('editing')) await benchEditing(large);
  if (isWanted('reading')) await benchReading(large);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
