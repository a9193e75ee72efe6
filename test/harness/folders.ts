/** Lists the stories: every folder below `test/rules` is a workspace, for the test and for a window. */

import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { allRules } from '../../server/src/rules/all.ts';
import type { BenchOptions } from './bench.ts';
import { type LineEnd, type MarkedFile, readMargin } from './margin.ts';

const storiesFolder = fileURLToPath(new URL('../rules', import.meta.url));

export interface StoryFolder {
  /** The name of a rule. */
  readonly name: string;
  readonly path: string;
  readonly files: readonly MarkedFile[];
}

/** Reads all stories, with the given line end. */
export function readStories(lineEnd: LineEnd = '\n'): readonly StoryFolder[] {
  const folders = readdirSync(storiesFolder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return folders.map(({ name }) => {
    const path = join(storiesFolder, name);
    return { name, path, files: readFolder(path, lineEnd) };
  });
}

/** An opinionated rule is enabled in its own stories only. */
export function optionsFor(rule: string): BenchOptions {
  const isOpinion = allRules.some(({ id, severity }) => id === rule && severity === 'off');
  return isOpinion ? { settings: { rules: { [rule]: 'information' } } } : {};
}

function readFolder(path: string, lineEnd: LineEnd): readonly MarkedFile[] {
  return readdirSync(path, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const file = join(entry.parentPath, entry.name);
      return readMargin(relative(path, file).split(sep).join('/'), readFileSync(file, 'utf8').split('\n'), lineEnd);
    })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}
