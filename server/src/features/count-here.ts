/** How many things here would a selector take? Counted without a look at the rest of the workspace. */

import { evaluate, type Selector } from '../engine/index.ts';
import type { SelectorSite } from '../manifests/manifest.ts';
import { reachOf } from '../workspace/reach.ts';
import { labelSet } from '../workspace/selection.ts';
import type { ObjectInFile } from '../workspace/workspace.ts';
import type { View } from './view.ts';

/** How many for certain, and how many perhaps, if `selector` stood at `site`. */
export function countHere(view: View, owner: ObjectInFile, site: SelectorSite, selector: Selector) {
  let certain = 0;
  let maybe = 0;
  for (const carrier of reachOf(view.workspace, view.catalogue, owner, site).carriers) {
    const answer = evaluate(selector, labelSet(carrier));
    if (answer === 'no' || (answer === 'maybe' && carrier.carrier.guessed)) continue;
    if (answer === 'yes' && carrier.answer === 'yes') certain++;
    else maybe++;
  }
  return { certain, maybe };
}
