/** Refactorings that make a selector match a near miss, with the smallest change. */

import { evaluateRequirement } from '../../engine/index.ts';
import { fitToLabels } from '../../rules/fixes/fit-selector.ts';
import { removeRequirement } from '../../rules/fixes/fix-selector.ts';
import { requirementSites } from '../../rules/helpers/requirement-ranges.ts';
import type { Edit } from '../../text/edit.ts';
import { localize } from '../../text/localize.ts';
import { meets } from '../../text/span.ts';
import type { Match } from '../../workspace/selection/model.ts';
import { selectionOf } from '../../workspace/selection/selection.ts';
import { objectName } from '../presentation/object-names.ts';
import type { RefactorContext, Refactoring, RequestedSelector } from './model.ts';

/** The maximum number of near misses: more would hide the other actions of the menu. */
const maximum = 3;

/** Returns one refactoring for each near miss of a selector. The refactoring changes the selector so that it matches the near miss. */
export function addNearMisses(context: RefactorContext, { object, site }: RequestedSelector): readonly Refactoring[] {
  const { workspace, catalogue, file } = context;
  if (site.open) return [];
  const { nearMisses } = selectionOf(workspace, catalogue, { file, object }, site);
  const found = nearMisses.flatMap((miss): readonly Refactoring[] => {
    const name = objectName(miss.object);
    const edits = () => changes(context, { object, site }, miss);
    if (edits() === undefined) return [];
    const id = `take ${miss.file.uri} ${miss.object.span.start} ${miss.labeledObject.via ?? ''}`;
    return [{ id, title: localize`Make the selector match ${name}`, kind: 'refactor.rewrite', edits }];
  });
  return found.slice(0, maximum);
}

/** Changes each unmet requirement to fit the labels, or removes it. */
function changes(
  { text }: RefactorContext,
  { site }: RequestedSelector,
  { labeledObject }: Match,
): readonly Edit[] | undefined {
  const edits: Edit[] = [];
  for (const place of requirementSites(site)) {
    if (evaluateRequirement(place.requirement, labeledObject) !== 'no') continue;
    const [fix] = fitToLabels(place, labeledObject.site?.entries ?? []);
    const removed = fix === undefined ? removeRequirement(text, site, place) : undefined;
    const each = fix?.edits ?? (removed && [removed]);
    if (each === undefined || each.some(({ span }) => edits.some((other) => meets(span, other.span)))) return undefined;
    edits.push(...each);
  }
  return edits.length === 0 ? undefined : edits;
}
