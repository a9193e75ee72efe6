/** Finds the selectors of other objects that match the same objects as a selector. */

import { getOrAdd } from '../../engine/memoize.ts';
import type { SelectorSite } from '../../manifests/model.ts';
import { seenBy } from '../../workspace/kustomize/view.ts';
import type { ObjectInFile, SiteInFile, Workspace } from '../../workspace/model.ts';
import { isSameObject } from '../../workspace/same-object.ts';
import { placeOf } from '../../workspace/scopes/scope-facts.ts';
import type { Match } from '../../workspace/selection/model.ts';
import { nearestFirst, type SelectingObject, selectingObjectsOf } from '../../workspace/selection/selecting-objects.ts';
import type { Environment } from '../environments.ts';
import { objectKey } from '../locations.ts';
import { patchedObject } from '../presentation/applied-name.ts';
import type { View } from '../view.ts';

/** Another selector, and the number of objects that both selectors certainly match. */
export interface OtherSelector extends SelectingObject {
  readonly shared: number;
}

export interface OtherSelectors {
  readonly selectors: readonly OtherSelector[];
  /** The number of matched objects for which other selectors were searched. */
  readonly examined: number;
}

/** The listed matches of a selector, and the overlay to which they belong if there are several. */
interface Listed {
  readonly matches: readonly Match[];
  readonly lead: Pick<Environment, 'name' | 'scopes'>;
}

/** The maximum number of matched objects for which other selectors are searched. */
const maximumExamined = 20;

/** The last results for each snapshot and selector: an editor requests a hover again whenever the pointer moves. */
const lastResults = new WeakMap<
  Workspace,
  WeakMap<SelectorSite, { readonly matches: readonly Match[]; readonly others: OtherSelectors }>
>();

/** Returns the other selectors that match the same objects as the selector at `site` of `owner`, nearest first, in the overlay whose matches are listed. Peers and affinity terms are omitted, and so are the selectors that workloads use to find their own pods; `overlappingSelectors` finds overlaps of the latter. */
export function otherSelectors(
  view: View,
  owner: ObjectInFile,
  site: SelectorSite,
  { matches, lead }: Listed,
): OtherSelectors {
  if (!isPrincipal({ site }) || owner.object.inline || owner.object.inValues) return { selectors: [], examined: 0 };
  const results = getOrAdd(lastResults, view.workspace, () => new WeakMap());
  const last = results.get(site);
  if (last?.matches === matches) return last.others;
  const [scope] = lead.name === '' ? [] : lead.scopes;
  const workspace = scope && seenBy(view.workspace, view.catalogue, scope);
  const others = findOthers(workspace === undefined ? view : { ...view, workspace }, owner, site, matches);
  results.set(site, { matches, others });
  return others;
}

function findOthers(view: View, owner: ObjectInFile, site: SelectorSite, matches: readonly Match[]): OtherSelectors {
  const own = patchedObject(view, owner);
  const from = placeOf(own);
  const scopes = view.workspace.scopes();
  const examined = matches.slice(0, maximumExamined);
  const found = new Map<string, { readonly selectingObject: SelectingObject; shared: number }>();
  for (const match of examined) {
    for (const selectingObject of selectingObjectsOf(view.workspace, view.catalogue, match, isPrincipal)) {
      const isController = selectingObject.site.fact.mustMatchTemplate;
      const isOwn = isSameObject(selectingObject, own) || (isController && isSameObject(selectingObject, match));
      if (isOwn || (isController && site.fact.mustMatchTemplate) || !selectingObject.certain) continue;
      // A copy of a selector for a different environment can match the same shared objects, but the two copies are
      // never applied together.
      if (scopes.relation(from, placeOf(selectingObject), selectingObject) !== 'here') continue;
      getOrAdd(found, `${objectKey(selectingObject)} ${selectingObject.site.path}`, () => ({
        selectingObject,
        shared: 0,
      })).shared++;
    }
  }
  const order = nearestFirst(owner.file.uri);
  const selectors = [...found.values()].map(({ selectingObject, shared }) => ({ ...selectingObject, shared }));
  return { selectors: selectors.toSorted((a, b) => order(a, b)), examined: examined.length };
}

/** Whether a selector is the main selector of its object for namespaced objects, and not a peer or an affinity term. */
function isPrincipal({ site: { fact, path } }: Pick<SiteInFile, 'site'>): boolean {
  return fact.role === undefined && fact.reach !== 'cluster' && !path.includes('[');
}
