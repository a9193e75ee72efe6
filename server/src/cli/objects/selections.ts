/** Evaluates the selectors of the objects of a command, within a limit. */

import { isRestricted } from '../../compare/match-changes.ts';
import type { SelectorSite } from '../../manifests/model.ts';
import type { Session } from '../../session.ts';
import { Comparisons } from '../../workspace/selection/comparison-budget.ts';
import type { Selection } from '../../workspace/selection/model.ts';
import { selectionOf } from '../../workspace/selection/selection.ts';
import type { AppliedObject } from './applied-objects.ts';

/** The maximum number of comparisons for all selectors of a command. This many comparisons take a few seconds, and real workspaces need fewer. */
export const maximumComparisons = 500_000;

/** Creates the limit on the comparisons of one command; equal selectors of one file are compared once. */
export function boundOfCommand(): Comparisons {
  return new Comparisons(maximumComparisons);
}

/** Lists the matches of each selector of an object whose matches are certain; undefined for a selector beyond the limit on comparisons. Objects of other scopes are excluded, because they may not be in the same cluster. */
export function* selectionsFrom(
  session: Session,
  owner: AppliedObject,
  comparisons: Comparisons,
): Iterable<{ readonly site: SelectorSite; readonly selection: Selection | undefined }> {
  const catalogue = session.workspace.catalogueOf(owner.file.uri);
  for (const site of owner.object.selectorSites) {
    if (isRestricted(site)) continue;
    const selection = comparisons.leaveOut()
      ? undefined
      : selectionOf(owner.workspace, catalogue, owner, site, comparisons);
    yield { site, selection };
  }
}
