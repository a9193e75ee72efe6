/**
 * Measures the command line as whole processes, with medians next to those of kubectl: `npm run bench:cli -- ROUNDS`
 * (default 5).
 */

import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { generateFiles, writeWorkspace } from './generate-workspace.ts';

const rounds = Number(process.argv[2] ?? 5);
const command = fileURLToPath(new URL('../dist/cli.js', import.meta.url));
/** Reports the CPU time and the peak memory of a process. */
const timer = '/usr/bin/time';

interface Run {
  /** In milliseconds. */
  readonly time: number;
  /** The CPU time in milliseconds; on a busy machine this is more reliable. */
  readonly work: number;
  /** The peak memory of the process, in bytes. */
  readonly memory: number;
}

/** Runs one process; kubectl and the check exit with 0 or 1. */
function run(words: readonly string[], cacheFolder: string): Run {
  const env = { ...process.env, XDG_CACHE_HOME: cacheFolder };
  const start = performance.now();
  const { status, stderr } = spawnSync(timer, ['-f', 'measured %U %S %M', ...words], {
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'ignore', 'pipe'],
    maxBuffer: 1e9,
  });
  const time = performance.now() - start;
  const [, user, system, memory] = /measured (\S+) (\S+) (\S+)/.exec(stderr) ?? [];
  if (memory === undefined || (status !== 0 && status !== 1)) throw new Error(`${words.join(' ')}: ${stderr}`);
  return { time, work: 1000 * (Number(user) + Number(system)), memory: 1024 * Number(memory) };
}

function middle(runs: readonly Run[], of: keyof Run): number {
  const numbers = runs.map((each) => each[of]);
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? Number.NaN;
}

function report(what: string, runs: readonly Run[]): void {
  const time = `${middle(runs, 'time').toFixed(0)} ms (${middle(runs, 'work').toFixed(0)} ms)`;
  console.log(
    `${what.padEnd(52)} ${time.padStart(20)} ${`${(middle(runs, 'memory') / 1e6).toFixed(0)} MB`.padStart(8)}`,
  );
}

function ratio(what: string, a: readonly Run[], b: readonly Run[], of: keyof Run, target: string): void {
  console.log(`${what.padEnd(52)} ${(middle(a, of) / middle(b, of)).toFixed(2).padStart(20)}   ${target}`);
}

/** Changes the text of one file, differently in each round. */
function change(workspace: string, path: string, edit: (text: string) => string): void {
  const file = join(workspace, path);
  writeFileSync(file, edit(readFileSync(file, 'utf8')));
}

/** Sets a label in each map of labels of a text, to another value in each round. */
function withLabel(text: string, map: string, round: number): string {
  const before = text.replace(/^ +round: r\d+\n/gm, '');
  return before.replace(new RegExp(`(?<=${map}:\\n)( +)`, 'g'), `$1round: r${round}\n$1`);
}

/** Measures the kinds of runs in turn, so that other load on the machine affects all of them alike. */
function benchWorkspace(files: number, target: number, folder: string): void {
  const workspace = join(folder, `of-${files}`);
  const cacheFolder = join(folder, `cache-of-${files}`);
  writeWorkspace(workspace, files);
  const check = [process.execPath, command, 'check'];
  const kubectl = ['kubectl', 'label', '--local', '--dry-run=client', '-R', '-f', workspace, 'x=y', '-o', 'name'];
  const hasKubectl = spawnSync('kubectl', ['version', '--client']).error === undefined;
  const kinds = {
    cold: [] as Run[],
    warm: [] as Run[],
    comment: [] as Run[],
    label: [] as Run[],
    kustomization: [] as Run[],
    kubectl: [] as Run[],
  };
  const generated = generateFiles(100);
  const pathEndingWith = (end: string) => generated.find(({ path }) => path.endsWith(end))?.path ?? '';
  const changed = pathEndingWith('/base/workload.yaml');
  const overlay = pathEndingWith('/overlays/staging/kustomization.yaml');
  // The cache of files is written by a run whose files are old enough, and used by the next ones.
  spawnSync('sleep', ['2.5']);
  run([...check, workspace], cacheFolder);
  for (let round = 0; round < rounds; round++) {
    kinds.cold.push(run([...check, '--no-cache', workspace], cacheFolder));
    if (hasKubectl) kinds.kubectl.push(run(kubectl, cacheFolder));
    kinds.warm.push(run([...check, workspace], cacheFolder));
    change(workspace, changed, (text) => `# Round ${round}.\n${text}`);
    kinds.comment.push(run([...check, workspace], cacheFolder));
    change(workspace, changed, (text) => withLabel(text, 'labels', round));
    kinds.label.push(run([...check, workspace], cacheFolder));
    change(workspace, overlay, (text) => withLabel(text, 'pairs', round));
    kinds.kustomization.push(run([...check, workspace], cacheFolder));
  }
  report(`check ${files} files, no cache (work)`, kinds.cold);
  report(`check ${files} files, warm cache, nothing changed`, kinds.warm);
  report(`check ${files} files, warm cache, a comment changed`, kinds.comment);
  report(`check ${files} files, warm cache, a label changed`, kinds.label);
  report(`check ${files} files, warm cache, a kustomization changed`, kinds.kustomization);
  for (const kind of ['warm', 'comment', 'label', 'kustomization'] as const)
    ratio(`work: ${kind} / no cache`, kinds[kind], kinds.cold, 'work', '');
  if (!hasKubectl) {
    console.log('kubectl is not installed: there is nothing to compare with.');
    return;
  }
  report(`kubectl label --local of ${files} files`, kinds.kubectl);
  for (const what of ['time', 'work'] as const) {
    ratio(`${what}: check, no cache / kubectl`, kinds.cold, kinds.kubectl, what, `at most ${target}`);
    ratio(`${what}: check, warm cache / kubectl`, kinds.warm, kinds.kubectl, what, `at most ${target / 2}`);
  }
  ratio('peak memory: check, no cache / kubectl', kinds.cold, kinds.kubectl, 'memory', 'at most 0.75 at 10,000 files');
}

if (!existsSync(timer)) throw new Error(`${timer} is not there: it measures work and memory.`);
const folder = mkdtempSync(join(tmpdir(), 'selector-lens-bench-'));
try {
  const versions = Array.from({ length: 9 }, () => run([process.execPath, command, '--version'], folder));
  report('--version (at most 60 ms)', versions);
  benchWorkspace(1000, 0.7, folder);
  benchWorkspace(10_000, 0.6, folder);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
