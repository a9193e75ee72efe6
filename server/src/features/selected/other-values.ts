/** Separates the matches that only other values of a chart could cause: they are counted, not listed. */

import type { Catalogue } from '../../engine/catalogue/types.ts';
import type { SelectorSite } from '../../manifests/model.ts';
import { localize } from '../../text/localize.ts';
import type { ObjectInFile, Workspace } from '../../workspace/model.ts';
import { hasDefaultValues } from '../../workspace/scopes/model.ts';
import { effectiveSelector } from '../../workspace/selection/effective-selector.ts';
import type { Match, Selection } from '../../workspace/selection/model.ts';
import { selectionOf } from '../../workspace/selection/selection.ts';
import { isByChance, isUnusual } from '../../workspace/selection/template-values.ts';
import { withoutDefaults } from '../../workspace/snapshot.ts';

export interface PossibleMatches {
  /** The matches that are possible with the present values. */
  readonly maybe: readonly Match[];
  /** The matches that are excluded by the present values of a chart. */
  readonly otherValues: readonly Match[];
}

/** Divides the possible matches of a selector. */
export function possibleMatches(site: SelectorSite, maybe: readonly Match[]): PossibleMatches {
  const selector = maybe.length === 0 ? undefined : effectiveSelector(site);
  if (selector === undefined) return { maybe, otherValues: [] };
  const otherValues = maybe.filter((match) => isUnusual(selector, match));
  return otherValues.length === 0
    ? { maybe, otherValues }
    : { maybe: maybe.filter((match) => !otherValues.includes(match)), otherValues };
}

/** Returns the matches that the execution of a chart with its default values excludes, but that other values may cause. */
export function matchesOfOtherValues(
  workspace: Workspace,
  catalogue: Catalogue,
  owner: ObjectInFile,
  site: SelectorSite,
  { matches, maybe }: Pick<Selection, 'matches' | 'maybe'>,
): readonly Match[] {
  if (!workspace.scopes().ofFile(owner.file.uri).some(hasDefaultValues)) return [];
  const keyOf = ({ file, object, id }: Match) => `${file.uri} ${object.kindSpan.start} ${id.labeledObject}`;
  const known = new Set([...matches, ...maybe].map(keyOf));
  const written = selectionOf(withoutDefaults(workspace), catalogue, owner, site);
  return [...written.matches, ...written.maybe].filter((match) => !known.has(keyOf(match)));
}

/** Returns the matches without those for which two values must be the same by chance. */
export function withoutChance(site: SelectorSite, matches: readonly Match[]): readonly Match[] {
  const selector = matches.length === 0 ? undefined : effectiveSelector(site);
  return selector === undefined ? matches : matches.filter((match) => !isByChance(selector, match));
}

/** States how many objects match with other values: `12 other objects match with other chart values`. */
export function otherValuesText({ length }: readonly Match[]): string {
  return length === 1
    ? localize`1 other object matches with other chart values`
    : localize`${length} other objects match with other chart values`;
}
