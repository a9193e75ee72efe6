/** Finds test files by words: a part of a path, a path, or the name of a rule. */

import { readdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { editDistance } from '../../server/src/text/edit-distance.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Folders of `test/` whose tests need software that not every machine has, or much time. Each is a stage of `npm test`.
 */
const slowFolders: readonly string[] = ['campaigns', 'corpus', 'host', 'install'];

/** The fast tests, as sorted paths from the root with slashes. */
export function fastTests(): readonly string[] {
  const folders = readdirSync(join(root, 'test'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !slowFolders.includes(entry.name))
    .map(({ name }) => name);
  return folders.flatMap(testsIn).sort();
}

/** The tests that words can select: the fast tests and the campaigns, which then run in their small size. */
export function namedTests(): readonly string[] {
  return [...fastTests(), ...testsIn('campaigns')].sort();
}

function testsIn(folder: string): readonly string[] {
  return readdirSync(join(root, 'test', folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.test.ts'))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'));
}

/** An environment variable with comma-separated names of rules: only their stories run. */
export const storiesVariable = 'SELECTOR_LENS_STORIES';

export type Choice =
  | { readonly ok: true; readonly files: readonly string[]; readonly stories: readonly string[] }
  | { readonly ok: false; readonly problem: string };

const storyTests = 'test/rules/stories.test.ts';

/**
 * The tests that words select: files whose path contains a word, and stories of the rules that a word names. All files
 * if there are no words. A word that selects nothing is a problem, reported with the nearest names.
 */
export function chooseTests(words: readonly string[], files: readonly string[], rules: readonly string[]): Choice {
  if (words.length === 0) return { ok: true, files, stories: [] };
  const chosen = new Set<string>();
  const stories: string[] = [];
  for (const word of words) {
    const path = word.replaceAll('\\', '/').replace(/^\.\//, '');
    const rule = path.replace(/^test\/rules\//, '').split('/')[0] ?? '';
    const found = files.filter((file) => file.includes(path));
    if (rules.includes(rule)) stories.push(rule);
    else if (found.length === 0) return { ok: false, problem: unknownWord(word, [...files.map(fileNameOf), ...rules]) };
    for (const file of found) chosen.add(file);
  }
  if (chosen.has(storyTests)) return { ok: true, files: [...chosen].sort(), stories: [] };
  return { ok: true, files: [...chosen, ...(stories.length > 0 ? [storyTests] : [])].sort(), stories };
}

function unknownWord(word: string, names: readonly string[]): string {
  const unique = [...new Set(names)];
  const typed = fileNameOf(word);
  const near = unique
    .map((name) => ({ name, distance: distanceTo(typed, name) }))
    .filter(({ distance }) => distance <= Math.max(1, Math.floor(typed.length / 3)))
    .toSorted((a, b) => a.distance - b.distance || a.name.localeCompare(b.name))
    .slice(0, 5);
  const hint = near.length === 0 ? '' : ` Near names: ${near.map(({ name }) => name).join(', ')}.`;
  return `No fast test file contains '${word}' in its path, and no rule is called so.${hint}`;
}

/** The smallest edit distance between a word and a name or one of the parts of the name. */
function distanceTo(word: string, name: string): number {
  return Math.min(...[name, ...name.split('-')].map((each) => editDistance(word, each, word.length)));
}

/** `hover` of `test/features/hover.test.ts`. */
function fileNameOf(path: string): string {
  return (path.split('/').at(-1) ?? path).replace(/(?:\.test)?\.ts$/, '');
}
