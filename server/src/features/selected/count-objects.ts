/** Counts the objects that a selector would match in a given field, without evaluating the rest of the workspace. */

import { evaluate, type Selector } from '../../engine/index.ts';
import type { SelectorSite } from '../../manifests/model.ts';
import { versionOfSite } from '../../manifests/sites/site-at.ts';
import type { ObjectInFile } from '../../workspace/model.ts';
import { reachOf } from '../../workspace/selection/candidates.ts';
import { appliedLead } from '../presentation/applied-name.ts';
import type { View } from '../view.ts';

/** Returns the number of certain and possible matches that `selector` would have in the field `site`, as the scope of the perspective applies it. */
export function countHere(view: View, owner: ObjectInFile, site: SelectorSite, selector: Selector) {
  let certain = 0;
  let maybe = 0;
  const lead = appliedLead(view, owner);
  const applied = versionOfSite(lead.owner.object.selectorSites, site, owner.object.selectorSites) ?? site;
  for (const reached of reachOf(lead.workspace, view.catalogue, lead.owner, applied).labeledObjects) {
    const answer = evaluate(selector, reached.labelSet);
    if (answer === 'no' || (answer === 'maybe' && reached.labeledObject.guessed)) continue;
    if (answer === 'yes' && reached.answer === 'yes') certain++;
    else maybe++;
  }
  return { certain, maybe };
}
