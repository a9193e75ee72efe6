/** Counts the objects that a selector would match in a given field, without evaluating the rest of the workspace. */

import { evaluate, type Selector } from '../../engine/index.ts';
import type { SelectorSite } from '../../manifests/model.ts';
import type { ObjectInFile } from '../../workspace/model.ts';
import { reachOf } from '../../workspace/selection/candidates.ts';
import type { View } from '../view.ts';

/** Returns the number of certain and possible matches that `selector` would have in the field `site`. */
export function countHere(view: View, owner: ObjectInFile, site: SelectorSite, selector: Selector) {
  let certain = 0;
  let maybe = 0;
  for (const reached of reachOf(view.workspace, view.catalogue, owner, site).labeledObjects) {
    const answer = evaluate(selector, reached.labelSet);
    if (answer === 'no' || (answer === 'maybe' && reached.labeledObject.guessed)) continue;
    if (answer === 'yes' && reached.answer === 'yes') certain++;
    else maybe++;
  }
  return { certain, maybe };
}
