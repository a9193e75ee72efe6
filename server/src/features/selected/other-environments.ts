/** Summarizes the matches of a selector in the environments other than the first. */

import { getOrAdd } from '../../engine/memoize.ts';
import type { SelectorSite } from '../../manifests/model.ts';
import { localize } from '../../text/localize.ts';
import type { ObjectInFile } from '../../workspace/model.ts';
import { listedNames } from '../../workspace/scopes/scope-names.ts';
import type { EnvironmentInCluster } from '../environments.ts';
import type { Line } from '../presentation/rich-text.ts';
import type { View } from '../view.ts';
import { type FoundBySelector, unknownIn } from './found-by.ts';

/** Returns one line for all environments with the same numbers of matches, such as `In a and b: 1 match.`; nothing if the verdict already states that nothing matches in any of them. */
export function countedTogether(
  view: View,
  owner: ObjectInFile,
  site: SelectorSite,
  { others, verdict, namespaces }: FoundBySelector,
): readonly Line[] {
  const namesByCount = new Map<string, string[]>();
  for (const each of others) {
    getOrAdd(namesByCount, counted(countsIn(view, owner, site, each)), () => []).push(each.name);
  }
  if (verdict?.isUnknown === false && [...namesByCount.keys()].every((count) => count === nothing())) return [];
  // The namespaces that no file declares may exist for the others, too.
  if (namespaces.length > 0) namesByCount.delete(nothing());
  return [...namesByCount].map(
    ([count, names]): Line => [{ kind: 'strong', text: localize`In ${listedNames(names)}` }, `: ${count}`],
  );
}

/** The numbers of matches in an environment. */
interface Counts {
  readonly matches: number;
  readonly maybe: number;
  /** Whether objects that are in no list may match, although none is known to match. */
  readonly isUnknown: boolean;
}

/** Counts the matches of a selector in one of the environments of its object, and those in the cluster of this environment. */
export function countsIn(
  view: View,
  owner: ObjectInFile,
  site: SelectorSite,
  { selection, beside, scopes }: EnvironmentInCluster,
): Counts {
  const matches = selection.matches.length + (beside?.matches.length ?? 0);
  const maybe = selection.maybe.length + (beside?.maybe.length ?? 0);
  const isUnknown = matches + maybe === 0 && unknownIn(view, owner, site, scopes) !== undefined;
  return { matches, maybe, isUnknown };
}

function counted({ matches, maybe, isUnknown }: Counts): string {
  if (matches + maybe === 0) return isUnknown ? localize`matches unknown.` : nothing();
  const certain = matches === 0 ? localize`nothing matches` : matches === 1 ? '1 match' : localize`${matches} matches`;
  return maybe === 0 ? `${certain}.` : localize`${certain}, ${maybe} may match.`;
}

function nothing(): string {
  return localize`nothing matches.`;
}
