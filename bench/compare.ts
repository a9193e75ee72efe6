/**
 * Compares the processor time and the peak memory of `check` in two builds, in alternating runs:
 * `node bench/compare.ts BASE [WORKSPACE...]`. BASE is the folder of another checkout with a production build. The
 * workspaces are two generated ones, and the given ones.
 */

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { generatePlainFiles, writeWorkspace } from './generate-workspace.ts';

const [base = '', ...given] = process.argv.slice(2);
const pairs = 5;
const files = 1_000;

interface Run {
  /** In seconds, of all threads. */
  readonly work: number;
  /** In megabytes. */
  readonly memory: number;
}

function check(checkout: string, workspace: string): Run {
  const words = [process.execPath, join(checkout, 'dist/cli.js'), 'check', '--no-cache', workspace];
  const { status, stderr } = spawnSync('/usr/bin/time', ['-f', 'measured %U %S %M', ...words], {
    encoding: 'utf8',
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const [, user, system, kilobytes] = /measured (\S+) (\S+) (\S+)/.exec(stderr) ?? [];
  if (kilobytes === undefined || (status !== 0 && status !== 1)) throw new Error(stderr);
  return { work: Number(user) + Number(system), memory: Number(kilobytes) / 1000 };
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? Number.NaN;
}

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'selector-lens-compare-'));
const [kustomized, plain] = [join(folder, 'kustomized'), join(folder, 'plain')];
writeWorkspace(kustomized, files);
writeWorkspace(plain, files, generatePlainFiles);
console.log(
  '| Workspace | Work, base | Work, now | Ratio | Memory, base | Memory, now |\n| --- | --- | --- | --- | --- | --- |',
);
for (const workspace of [kustomized, plain, ...given]) {
  const runs = Array.from({ length: pairs }, () => [check(resolve(base), workspace), check(root, workspace)] as const);
  const [before, now] = [runs.map(([first]) => first), runs.map(([, second]) => second)];
  const ratio = median(runs.map(([first, second]) => second.work / first.work));
  const [works, memories] = [
    [before, now].map((each) => median(each.map(({ work }) => work))),
    [before, now].map((each) => median(each.map(({ memory }) => memory))),
  ];
  const columns = [
    ...works.map((work) => `${work.toFixed(2)} s`),
    ratio.toFixed(2),
    ...memories.map((memory) => `${memory.toFixed(0)} MB`),
  ];
  console.log(`| ${[basename(workspace), ...columns].join(' | ')} |`);
}
rmSync(folder, { recursive: true });
