/**
 * Writes the actual results into the tests and documents that contain exact expected texts, to be reviewed as a diff.
 * `npm run approve -- WORDS` limits it to rules, terminal stories and test files whose names contain a word.
 */

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readStories as readTerminalStories, terminalStories } from '../cli/stories.ts';
import {
  generatedFiles,
  generatedPictures,
  generatedRulePages,
  readGenerated,
  writeGenerated,
} from '../project/generate.ts';
import { benchOver } from './bench.ts';
import { namedTests } from './choose-tests.ts';
import { rewriteExpected } from './expected-texts.ts';
import { type Failures, failuresVariable } from './failures-reporter.ts';
import { optionsFor, readStories } from './folders.ts';
import { trueMargin, writeMargin } from './stories.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Lists that take minutes: written only if they are named. */
const slowLists: Readonly<Record<string, readonly (readonly string[])[]>> = {
  corpus: [['test/corpus/report.ts', '--write'], ['test/corpus/write-commands.ts']],
  faults: [['test/campaigns/planted/write-outcomes.ts']],
};

/** The tests over files that are approved anyway: their failures show in those files. */
const coveredTests = /\/stories\.test\.ts$|\/generated\.test\.ts$/;

async function approveMargins(matches: (name: string) => boolean): Promise<readonly string[]> {
  const changed: string[] = [];
  for (const folder of readStories().filter(({ name }) => matches(name))) {
    const bench = await benchOver(folder.files, optionsFor(folder.name));
    for (const file of bench.files) {
      const approved = trueMargin(bench, file);
      if (approved === writeMargin(file, file.findings, file.looked)) continue;
      writeFileSync(join(folder.path, file.name), approved);
      changed.push(`test/rules/${folder.name}/${file.name}`);
    }
  }
  return changed;
}

async function approveTerminal(matches: (name: string) => boolean): Promise<readonly string[]> {
  const changed: string[] = [];
  for (const { name, text, now } of readTerminalStories().filter((story) => matches(story.name))) {
    const approved = await now();
    if (approved === text) continue;
    writeFileSync(new URL(name, terminalStories), approved);
    changed.push(`test/cli/stories/${name}`);
  }
  return changed;
}

async function approveDocuments(): Promise<readonly string[]> {
  const all = [...generatedFiles(), ...(await generatedRulePages()), ...(await generatedPictures())];
  const stale = all.filter(([path, text]) => readGenerated(path) !== text).map(([path]) => path);
  await writeGenerated();
  return stale;
}

/** Rewrites the literals of failed assertions. A test stops at its first failure, so it may take several rounds. */
function approveTexts(files: readonly string[]): readonly string[] {
  const changed = new Set<string>();
  for (let round = 0; round < 10; round++) {
    const rewritten = Object.entries(failuresOf(files)).filter(([url, failed]) => {
      const path = fileURLToPath(url);
      const { text, count } = rewriteExpected(readFileSync(path, 'utf8'), failed);
      if (count > 0) writeFileSync(path, text);
      return count > 0;
    });
    for (const [url] of rewritten) changed.add(fileURLToPath(url).slice(root.length).replaceAll('\\', '/'));
    if (rewritten.length === 0) break;
  }
  if (changed.size > 0)
    run(['node_modules/@biomejs/biome/bin/biome', 'format', '--write', '--log-level=error', ...changed]);
  return [...changed];
}

function failuresOf(files: readonly string[]): Failures {
  const folder = mkdtempSync(join(tmpdir(), 'selector-lens-approve-'));
  const file = join(folder, 'failures.json');
  try {
    run(['node_modules/mocha/bin/mocha.js', '--reporter', './test/harness/failures-reporter.ts', ...files], {
      [failuresVariable]: file,
    });
    return JSON.parse(readFileSync(file, 'utf8'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function run(words: readonly string[], env: Readonly<Record<string, string>> = {}): void {
  spawnSync(process.execPath, words, { cwd: root, env: { ...process.env, ...env }, stdio: 'inherit' });
}

const words = process.argv.slice(2);
const matchesWord = (word: string) => (name: string) => name.includes(word);
const matches = (name: string) => words.length === 0 || words.some((word) => name.includes(word));
const testFiles = namedTests().filter((path) => !coveredTests.test(path));
const names = [
  ...readStories().map(({ name }) => name),
  ...readTerminalStories().map(({ name }) => name),
  ...testFiles,
  ...Object.keys(slowLists),
];
const unknown = words.filter((word) => !names.some(matchesWord(word)));
if (unknown.length > 0) {
  console.error(`No rule, terminal story or fast test is called ${unknown.join(', ')}.`);
  process.exitCode = 2;
} else {
  const tests = words.length === 0 ? [] : testFiles.filter(matches);
  const changed = [
    ...(await approveMargins(matches)),
    ...(await approveTerminal(matches)),
    ...(tests.length === 0 ? [] : approveTexts(tests)),
  ];
  const slow = Object.entries(slowLists).filter(([name]) => words.includes(name));
  for (const [, scripts] of slow) for (const script of scripts) run(script);
  // These documents contain texts of the others.
  changed.push(...(await approveDocuments()));
  for (const path of changed) console.log(path);
  console.log(`${changed.length} ${changed.length === 1 ? 'file' : 'files'} rewritten`);
  if (words.length === 0)
    console.log(
      `Only if they are named: texts in tests (npm run approve -- hover), ${Object.keys(slowLists).join(', ')}`,
    );
}
