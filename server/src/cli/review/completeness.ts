/** States which parts of a change a review does not cover. */

import { getOrAdd } from '../../engine/memoize.ts';
import { isRendered, type Scope } from '../../workspace/scopes/model.ts';
import { missingFiles } from '../objects/missing-files.ts';
import { counted } from '../output/counts.ts';
import type { Tree } from '../trees/tree.ts';
import type { Pair } from './pairs-of-trees.ts';

/** Returns the reasons why a review is incomplete, as sentences. Equal reasons of several files are one sentence. */
export function reasonsOf(trees: readonly [Tree, Tree], problems: readonly string[]): readonly string[] {
  const unread = trees.flatMap(({ skipped }) => skipped);
  const reasons = new Set([
    ...problems,
    ...trees.flatMap(({ missing = [] }) => missing),
    ...unread.map((path) => `'${path}' was not read completely.`),
  ]);
  return reasons.size === 0 ? ['A configuration file has an error.'] : joined(reasons);
}

/** Joins sentences that differ only in the file at their beginning. */
function joined(sentences: Iterable<string>): readonly string[] {
  const groups = new Map<string, string[]>();
  for (const each of sentences) {
    const space = each.indexOf(' ');
    const word = each.slice(0, space);
    const isFile = word.includes('.') && !word.includes("'");
    getOrAdd(groups, isFile ? each.slice(space) : each, () => []).push(isFile ? word : '');
  }
  return [...groups].map(([rest, files]) => {
    const [first = ''] = files;
    const others = files.length - 1;
    return others === 0 ? `${first}${rest}` : `${first} (and ${others} more)${rest}`;
  });
}

const nouns: readonly (readonly [noun: string, isKind: (scope: Scope) => boolean])[] = [
  ['applications', ({ gitops }) => gitops !== undefined],
  ['overlays', ({ kind }) => kind === 'kustomization'],
  ['charts', ({ kind }) => kind === 'chart'],
  ['overlays, charts and applications', () => true],
];

/** Returns the noun for some scopes. */
export function nounOf(scopes: readonly Scope[]): string {
  return nouns.find(([, isKind]) => scopes.every(isKind))?.[0] ?? '';
}

/** Returns what was evaluated, such as `80 objects in 40 overlays`. */
export function evaluatedIn({ session, selection }: Tree, pairs: readonly Pair[]): string {
  const objects = counted(pairs.filter(({ after }) => after !== undefined).length, 'object');
  const all = session
    .snapshot()
    .scopes()
    .all()
    .filter((scope) => isRendered(scope) && selection.concerns(scope));
  return all.length < 2 ? objects : `${objects} in ${all.length} ${nounOf(all)}`;
}

/** Returns a sentence such as `Complete for 14 of 16 applications.`; undefined if no part is complete, or if it is unknown which are not. */
export function coverageOf({ session, selection }: Tree): string | undefined {
  const scopes = session.snapshot().scopes();
  const all = scopes.all().filter((scope) => isRendered(scope) && selection.concerns(scope));
  const incomplete = new Set(missingFiles(scopes, (scope) => selection.concerns(scope)).map(({ scope }) => scope));
  if (incomplete.size === 0 || incomplete.size >= all.length) return undefined;
  return `Complete for ${all.length - incomplete.size} of ${all.length} ${nounOf(all)}.`;
}
