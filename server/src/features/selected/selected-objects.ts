/** Collects all objects that any selector of an object matches, for views that show the object rather than one selector. */

import type { SelectorSite } from '../../manifests/model.ts';
import { keyOf } from '../../workspace/index/index-entries.ts';
import type { ObjectInFile } from '../../workspace/model.ts';
import { isSameObject } from '../../workspace/same-object.ts';
import { alternativesOf } from '../../workspace/selection/effective-selector.ts';
import type { Match } from '../../workspace/selection/model.ts';
import { selectionOf } from '../../workspace/selection/selection.ts';
import type { View } from '../view.ts';

export interface SelectedObjects {
  /** The selectors that were evaluated, without those in list items, such as peers and affinity terms. */
  readonly sites: readonly SelectorSite[];
  readonly matches: readonly Match[];
  readonly maybe: readonly Match[];
  readonly elsewhere: readonly Match[];
}

/** Returns the matches of all selectors of `owner`, except `owner` itself. Each object occurs once, with its most certain match. */
export function selectedObjects(view: View, owner: ObjectInFile): SelectedObjects {
  const sites = owner.object.selectorSites.filter(({ path }) => !path.includes('['));
  const valid = sites.filter(
    (site) => site.state !== 'ignored' && site.fact.targets.length > 0 && alternativesOf(site).length > 0,
  );
  const selections = valid.map((site) => selectionOf(view.workspace, view.catalogue, owner, site));
  const seen = new Set<string>();
  const others = (matches: readonly Match[]) =>
    matches.filter((match) => {
      const key = keyOf(match);
      if (seen.has(key) || isSameObject(match, owner)) return false;
      seen.add(key);
      return true;
    });
  return {
    sites: valid,
    matches: others(selections.flatMap(({ matches }) => matches)),
    maybe: others(selections.flatMap(({ maybe }) => maybe)),
    elsewhere: others(selections.flatMap(({ elsewhere }) => elsewhere)),
  };
}
