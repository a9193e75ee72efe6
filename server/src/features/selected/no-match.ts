/** States that a selector matches nothing, as far as the known objects permit the statement. */

import { satisfiable } from '../../engine/index.ts';
import type { SelectorSite } from '../../manifests/model.ts';
import { localize } from '../../text/localize.ts';
import { alternativesOf } from '../../workspace/selection/effective-selector.ts';
import type { Selection } from '../../workspace/selection/model.ts';
import { selectsNodes } from '../../workspace/selection/node-fits.ts';
import type { Line } from '../presentation/rich-text.ts';
import { type View, whereIn } from '../view.ts';

/** Returns why it is unknown whether a selector matches an object of its scope that is in no list of its selection; undefined if it matches none. */
export function unknownHere(
  site: SelectorSite,
  selection: Pick<Selection, 'hasCompany' | 'uncertainHere'>,
): 'no nodes' | 'further labels' | undefined {
  // Cloud providers create Nodes, so that manifests rarely contain them.
  if (!alternativesOf(site).some(satisfiable)) return undefined;
  if (selectsNodes(site) && !selection.hasCompany) return 'no nodes';
  return selection.uncertainHere ? 'further labels' : undefined;
}

/** Returns a sentence for a selector without known matches. */
export function noMatchLine(
  view: View,
  site: SelectorSite,
  selection: Selection,
  nothing = localize`Matches nothing`,
): Line {
  const unknown = unknownHere(site, selection);
  const verdict = (text: string): Line[number] => ({ kind: 'strong', text });
  if (unknown === 'no nodes')
    return [verdict(localize`Matches unknown`), localize`: no Node is applied together with it.`];
  if (unknown === 'further labels')
    return [verdict(localize`Matches unknown`), localize`: controllers or templates may add labels.`];
  const where = selection.mayMatchOthers ? localize`that is applied together with it` : whereIn(view);
  return [verdict(nothing), ` ${where}.`];
}
