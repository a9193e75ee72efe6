/** Finds objects that are selected through several matches of a selector, such as pods that a monitor finds through two Services. */

import { getOrAdd } from '../../engine/memoize.ts';
import type { Match } from '../../workspace/selection/model.ts';
import { selectionOf } from '../../workspace/selection/selection.ts';
import { objectKey } from '../locations.ts';
import type { View } from '../view.ts';
import { principalSite } from './principal-site.ts';

/** An object, and those matches of the original selector whose own selectors match this object. */
export interface SelectedTwice {
  readonly match: Match;
  readonly through: readonly Match[];
}

/** The maximum number of matches whose own selectors are evaluated. */
const maximumEvaluated = 30;

/** Returns the objects that at least two of the matches certainly select. A workload is only considered to select its own pods. */
export function selectedTwice(view: View, matches: readonly Match[]): readonly SelectedTwice[] {
  const found = new Map<string, { readonly match: Match; readonly through: Match[] }>();
  for (const each of matches.slice(0, maximumEvaluated)) {
    const site = each.object.templates.length > 0 ? undefined : principalSite(each.object);
    if (site === undefined || site.state === 'ignored') continue;
    const targets = selectionOf(view.workspace, view.catalogue, each, site).matches;
    for (const match of targets) {
      const key = `${objectKey(match)} ${match.labeledObject.via ?? ''}`;
      getOrAdd(found, key, () => ({ match, through: [] as Match[] })).through.push(each);
    }
  }
  return [...found.values()].filter(({ through }) => through.length > 1);
}
