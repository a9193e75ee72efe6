/** Finds the objects that a selector matches among the objects that other GitOps objects certainly apply to its cluster. */

import type { Catalogue } from '../../engine/catalogue/types.ts';
import type { SelectorSite } from '../../manifests/model.ts';
import { kindKey } from '../index/file-outline.ts';
import { labeledObjectWith } from '../index/index-entries.ts';
import { mayMatchSelector } from '../kustomize/rendering-terms.ts';
import { type AppliedScope, appliedBeside } from '../kustomize/view.ts';
import { Candidate, type LabeledObjectInFile, type ObjectInFile, type Workspace } from '../model.ts';
import { areStoredAsOne } from '../same-object.ts';
import type { Scope } from '../scopes/model.ts';
import { alternativesOf } from './effective-selector.ts';
import { endpointAnswers } from './endpoint-answers.ts';
import type { Match } from './model.ts';
import { hasNoNamespace, reachFrom } from './namespaces.ts';
import { weaker } from './node-terms.ts';
import { homeOf } from './own-namespace.ts';
import { ofNames } from './selecting-objects.ts';
import { hasEvidence, labelSet } from './selection.ts';
import { requiresMore } from './template-values.ts';
import { reasonFor } from './uncertainty.ts';

/** An object that another GitOps object applies to the cluster of a selector, and whether the match is certain. */
export interface MatchInCluster extends LabeledObjectInFile {
  readonly certain: boolean;
  readonly builtBy: Scope;
  /** The match as selections contain it, with the reasons why it is uncertain. */
  readonly match: Match;
}

/**
 * Returns the objects that a selector of a GitOps object matches, among those that other GitOps objects certainly apply to
 * its cluster. `owner` is the object as `view` contains it, the view of the GitOps object; `workspace` is the snapshot. With
 * `among`, only objects of this GitOps object are returned.
 */
export function matchesInCluster(
  workspace: Workspace,
  catalogue: Catalogue,
  { scope, view }: { readonly scope: Scope; readonly view: Workspace },
  owner: ObjectInFile,
  site: SelectorSite,
  among?: Scope,
): readonly MatchInCluster[] {
  const found = new Map<string, MatchInCluster>();
  const namespace = homeOf(owner, site);
  const isWanted = (terms: ReadonlySet<string>) =>
    alternativesOf(site).some((selector) => mayMatchSelector(terms, selector, namespace));
  for (const applied of appliedBeside(workspace, catalogue, [scope], isWanted, among))
    for (const [key, each] of matchesIn(applied, catalogue, view, owner, site))
      if (found.get(key)?.certain !== true) found.set(key, each);
  return [...found.values()];
}

/** Whether a selector may match an object that a GitOps object applies, if both are applied to one cluster. */
export function mayMatchIn(
  applied: AppliedScope,
  catalogue: Catalogue,
  view: Workspace,
  owner: ObjectInFile,
  site: SelectorSite,
): boolean {
  for (const _ of matchesIn(applied, catalogue, view, owner, site)) return true;
  return false;
}

/** Yields the objects of a GitOps object that a selector of another one matches, each with a key for its labels. */
function* matchesIn(
  { scope: builtBy, workspace: other, rendering }: AppliedScope,
  catalogue: Catalogue,
  view: Workspace,
  owner: ObjectInFile,
  site: SelectorSite,
): Iterable<readonly [key: string, match: MatchInCluster]> {
  const reaches = reachFrom(view, catalogue, owner, site);
  const others = endpointAnswers(view, catalogue, owner, site);
  const isPlaced = (each: ObjectInFile) => each.object.namespace !== undefined || hasNoNamespace(catalogue, each);
  const targets = site.fact.targets.some(({ kind }) => kind === '*')
    ? [...rendering.index().targets()]
    : site.fact.targets.map(kindKey);
  for (const selector of alternativesOf(site)) {
    for (const each of targets.flatMap((target) => rendering.index().labeledObjects(target, selector))) {
      const { id, answer } = each;
      const to = labeledObjectWith(other, id);
      // Another GitOps object applies the same object: the selector does not select another one.
      if (to === undefined || areStoredAsOne(owner.object, to.object)) continue;
      const place = weaker(weaker(reaches(to), ofNames(site, to)), others?.(to) ?? { answer: 'yes' });
      if (place.answer === 'no' || (answer === 'maybe' && !hasEvidence(selector, to))) continue;
      const [isOwnerPlaced, isTargetPlaced] = [isPlaced(owner), isPlaced(to)];
      const isKnown = answer === 'yes' && place.answer === 'yes' && isOwnerPlaced && isTargetPlaced;
      const certain = isKnown && !requiresMore(site, to);
      const decisive = { selector, site, labels: answer, others: [place], isOwnerPlaced, isTargetPlaced };
      const key = `${builtBy.path}\n${id.uri}\n${id.object}\n${id.labeledObject}`;
      const reasons = certain ? [] : [reasonFor(decisive, to, labelSet(to))];
      yield [key, { ...to, certain, builtBy, match: new Candidate(to.file, each, reasons) }];
    }
  }
}
