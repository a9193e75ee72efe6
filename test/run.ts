/** Runs every stage of the tests, or those that are named, and ends with one line for the whole run. */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { builtVariable } from './harness/built.ts';
import { type Counts, countsVariable } from './host/counts.ts';
import { forStage, forTest } from './host/patience.ts';

interface Stage {
  readonly name: string;
  /** A module of node_modules or of this repository, and its parameters. */
  readonly command: readonly [string, ...string[]];
  /** Whether the stage writes counts; one that does not counts as one test. */
  readonly counts: boolean;
}

const root = fileURLToPath(new URL('..', import.meta.url));
const mocha = 'node_modules/mocha/bin/mocha.js';
const reporter = ['--reporter', './test/reporter.ts'];
const slow = ['--no-config', '--forbid-only', '--forbid-pending', '--timeout', `${forTest}`];
/** A busy window can lose a key or draw a row twice: a test in a window has a second attempt, which the output shows. */
const inWindow = [...slow, '--retries', '1'];
const parallel = [...slow, '--parallel', '--jobs', `${availableParallelism()}`];

const stages: readonly Stage[] = [
  { name: 'types', command: ['node_modules/typescript/bin/tsc', '-b'], counts: false },
  {
    name: 'lint',
    command: ['node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.'],
    counts: false,
  },
  { name: 'unused', command: ['node_modules/knip/bin/knip.js', '--no-progress'], counts: false },
  { name: 'build', command: ['esbuild.mjs', '--production', '--types'], counts: false },
  { name: 'fast', command: ['test/fast.ts', ...reporter], counts: true },
  { name: 'corpus', command: [mocha, ...parallel, ...reporter, 'test/corpus/**/*.test.ts'], counts: true },
  { name: 'campaigns', command: [mocha, ...parallel, ...reporter, 'test/campaigns/**/*.test.ts'], counts: true },
  { name: 'host', command: ['test/host/run.ts'], counts: true },
  { name: 'ui', command: [mocha, ...inWindow, ...reporter, 'test/host/ui/**/*.test.ts'], counts: true },
  { name: 'vsix', command: [mocha, ...slow, ...reporter, 'test/host/vsix/**/*.test.ts'], counts: true },
  { name: 'install', command: [mocha, ...slow, ...reporter, 'test/install/**/*.test.ts'], counts: true },
];

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !stages.some((stage) => stage.name === name));
if (unknown.length > 0) {
  console.error(`No such stage: ${unknown.join(', ')}. There are: ${stages.map(({ name }) => name).join(', ')}.`);
  process.exit(2);
}
const total = { passed: 0, failed: 0 };
for (const stage of stages) {
  if (wanted.length > 0 && !wanted.includes(stage.name)) continue;
  const { passed, failed } = await run(stage);
  total.passed += passed;
  total.failed += failed;
  if (stage.name === 'build' && failed === 0) process.env[builtVariable] = 'yes';
}
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed > 0 ? 1 : 0;

async function run(stage: Stage): Promise<Counts> {
  console.log(`\n== ${stage.name}`);
  const started = performance.now();
  const folder = mkdtempSync(join(tmpdir(), 'selector-lens-counts-'));
  const file = join(folder, 'counts.json');
  const [command, ...parameters] = stage.command;
  const code = await exitCode(command, parameters, file);
  const counts = readCounts(stage, file, code);
  rmSync(folder, { recursive: true });
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`-- ${stage.name}: ${counts.passed} passed, ${counts.failed} failed, ${seconds} s`);
  return counts;
}

/** A stage that failed without counts, or without naming a failed test, counts as one failure. */
function readCounts({ counts }: Stage, file: string, code: number): Counts {
  if (!counts) return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
  if (!existsSync(file)) return { passed: 0, failed: 1 };
  const { passed, failed }: Counts = JSON.parse(readFileSync(file, 'utf8'));
  const nothing = passed + failed === 0;
  return { passed, failed: failed === 0 && (code !== 0 || nothing) ? 1 : failed };
}

function exitCode(command: string, parameters: readonly string[], countsFile: string): Promise<number> {
  // The tools of the project come first, including its own Node.
  const path = [join(root, 'node_modules', '.bin'), process.env['PATH']].join(delimiter);
  const env = { ...process.env, PATH: path, [countsVariable]: countsFile };
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [command, ...parameters], { cwd: root, env, stdio: 'inherit' });
    const stuck = setTimeout(() => {
      console.error('The stage takes too long and is ended.');
      child.kill('SIGKILL');
    }, forStage);
    child.once('exit', (code) => {
      clearTimeout(stuck);
      resolve(code ?? 1);
    });
  });
}
