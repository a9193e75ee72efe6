/** The edges from selectors to what they match: one for each selector of an object and each match. */

import type { SelectorSite } from '../../manifests/model.ts';
import type { Session } from '../../session.ts';
import { Comparisons } from '../../workspace/selection/comparison-budget.ts';
import type { Match, Selection } from '../../workspace/selection/model.ts';
import { selectionOf } from '../../workspace/selection/selection.ts';
import type { AppliedObject } from './applied-objects.ts';

export interface Edge {
  readonly site: SelectorSite;
  readonly match: Match;
  readonly certain: boolean;
}

/** Maximum number of comparisons for all selectors of a command: some seconds, and more than real workspaces need. */
const maximumComparisons = 500_000;

/** The bound on the comparisons of one command; equal selectors of one file are compared once. */
export function boundOfCommand(): Comparisons {
  return new Comparisons(maximumComparisons);
}

/**
 * What each selector of an object matches; undefined for a selector that is left out because too much was compared before
 * it. What is elsewhere, and may share the cluster or not, takes no part.
 */
export function* selectionsFrom(
  session: Session,
  owner: AppliedObject,
  comparisons: Comparisons,
): Iterable<{ readonly site: SelectorSite; readonly selection: Selection | undefined }> {
  const catalogue = session.workspace.catalogueOf(owner.file.uri);
  for (const site of owner.object.selectorSites) {
    const selection = comparisons.leaveOut()
      ? undefined
      : selectionOf(owner.workspace, catalogue, owner, site, comparisons);
    yield { site, selection };
  }
}

/** The edges that begin in an object, as far as comparisons are left. */
export function* edgesFrom(session: Session, owner: AppliedObject, comparisons: Comparisons): Iterable<Edge> {
  for (const { site, selection } of selectionsFrom(session, owner, comparisons)) {
    for (const match of selection?.matches ?? []) yield { site, match, certain: true };
    for (const match of selection?.maybe ?? []) yield { site, match, certain: false };
  }
}
