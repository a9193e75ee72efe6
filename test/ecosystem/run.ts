/**
 * Checks clones of public repositories, and compares the findings with the reviewed ones: `npm run ecosystem -- FOLDER
 * [WORD...]`. Each clone is in a folder `OWNER+NAME` of FOLDER; words choose those whose names contain one of them.
 * `--approve` writes the current findings into `reviewed.txt`, with `?` for those that a person has to read.
 */

import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { built } from '../harness/built.ts';
import { type Checked, compare, formatReview, parseReview, reportLines, updateReview } from './reviewed-findings.ts';

/** The part of the JSON of `check` that is compared. */
interface Report {
  readonly diagnostics: readonly {
    readonly rule: string;
    readonly severity: 'error' | 'warning';
    readonly file: string;
    readonly range: { readonly start: { readonly line: number; readonly column: number } };
  }[];
  readonly summary: { readonly objects: number };
}

const reviewFile = new URL('reviewed.txt', import.meta.url);
const cli = built('cli.js');

const approve = process.argv.includes('--approve');
const [folder, ...words] = process.argv.slice(2).filter((argument) => argument !== '--approve');
if (folder === undefined) {
  console.error('Usage: npm run ecosystem -- FOLDER [WORD...] [--approve]');
  process.exitCode = 2;
} else {
  const review = parseReview(readFileSync(reviewFile, 'utf8'));
  const clones = readdirSync(folder).filter((name) => name.includes('+'));
  const chosen = clones.filter((name) => words.length === 0 || words.some((word) => name.includes(word)));
  const compared = chosen.map((name) => {
    console.error(name);
    return compare(review, check(name.replace('+', '/'), join(folder, name)));
  });
  for (const line of reportLines(compared)) console.log(line);
  if (approve) writeFileSync(reviewFile, formatReview(updateReview(review, compared)));
  else if (compared.some(({ added }) => added.length > 0)) process.exitCode = 1;
}

/** The report of a repository without objects, for which the command prints no report. */
const nothing = '{"diagnostics": [], "summary": {"objects": 0}}';

/** Checks one clone in a process of its own, as users do. */
function check(name: string, clone: string): Checked {
  const started = performance.now();
  const parameters = ['check', '--format', 'json', '--severity', 'warning', '--exit-zero', '--no-cache', '.'];
  const report: Report = JSON.parse(output(process.execPath, [cli, ...parameters], clone) || nothing);
  return {
    name,
    commit: output('git', ['rev-parse', 'HEAD'], clone).trim(),
    objects: report.summary.objects,
    seconds: (performance.now() - started) / 1000,
    findings: report.diagnostics.map(({ rule, severity, file, range: { start } }) => ({
      rule,
      severity,
      place: `${file}:${start.line}:${start.column}`,
    })),
  };
}

function output(command: string, parameters: readonly string[], cwd: string): string {
  const ran = spawnSync(command, parameters, { cwd, encoding: 'utf8', maxBuffer: 2 ** 30 });
  if (ran.status !== 0 && !/No Kubernetes objects/.test(ran.stderr))
    throw new Error(`${command} failed in ${cwd}: ${ran.error ?? ran.stderr}`);
  return ran.stdout;
}
