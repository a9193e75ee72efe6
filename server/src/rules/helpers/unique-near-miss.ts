/**
 * Finds the unique near miss of a selector that matches nothing: the only object that it was certainly intended for.
 */

import { evaluate, evaluateRequirement, type LabelSet, type Requirement, type Selector } from '../../engine/index.ts';
import { once } from '../../engine/memoize.ts';
import { labeledObjectsOf } from '../../manifests/label-sets.ts';
import type { ManifestObject, SelectorSite } from '../../manifests/model.ts';
import { kindKey } from '../../workspace/index/file-outline.ts';
import type { ObjectInFile, Workspace } from '../../workspace/model.ts';
import { placeOf } from '../../workspace/scopes/scope-facts.ts';
import { effectiveSelector } from '../../workspace/selection/effective-selector.ts';
import { matchesMaker } from '../../workspace/selection/near-misses.ts';
import { selectingObjectsOf } from '../../workspace/selection/selecting-objects.ts';
import type { RankedCandidate } from '../../workspace/selection/selection.ts';
import { requiresMore } from '../../workspace/selection/template-values.ts';
import type { RuleContext } from '../framework/rule.ts';
import { type Correction, correctionOf, type NearMiss, nearMissOf } from './near-miss.ts';

/** Returns the near miss of a selector that matches nothing here or elsewhere, if there is exactly one in its scope and namespace: one word of one requirement is misspelled and everything else is equal, or the labels are on a workload and not on its template. `around` contains the objects that the selector may be intended for. Unknown kinds are no evidence against it. Undefined if another object may be intended. */
export function uniqueNearMiss(
  context: Pick<RuleContext, 'workspace' | 'catalogue'>,
  where: ObjectInFile,
  site: SelectorSite,
  selector: Selector,
  around: readonly RankedCandidate[],
): NearMiss | undefined {
  const { workspace } = context;
  const isOnMakers = once(() => matchesMakers(workspace, where, selector, around));
  const near = around.flatMap(({ candidate, place }): readonly NearMiss[] => {
    // Most candidates are excluded by facts in the index, without deserializing their files.
    const isOwn = isOnMakers() && matchesMaker(workspace, selector, candidate);
    if (!isOwn && !isAlmost(selector, candidate.labelSet)) return [];
    if (place().answer === 'no' || requiresMore(site, candidate)) return [];
    const found = nearMissOf(selector, candidate);
    return found.by === 'own labels' || (found.by === 'letters' && isOtherwiseEqual(selector, found)) ? [found] : [];
  });
  const [first, ...others] = mostCertain(near);
  if (first === undefined || others.some((each) => meaningOf(each) !== meaningOf(first))) return undefined;
  if (first.by === 'own labels' && others.length > 0) return undefined;
  return isMeant(context, where, site, [first, ...others]) ? first : undefined;
}

/** Whether any workload of the scope has the labels itself: the index contains this. */
function matchesMakers(
  workspace: Workspace,
  where: ObjectInFile,
  selector: Selector,
  around: readonly RankedCandidate[],
): boolean {
  const kinds = new Set(around.flatMap(({ candidate: { isMade, id } }) => (isMade ? [kindKey(id.location)] : [])));
  const files = workspace.scopes().filesAround(placeOf(where));
  return [...kinds].some((kind) => {
    for (const { answer } of workspace.find(kind, selector, undefined, files)) if (answer === 'yes') return true;
    return false;
  });
}

/** Whether exactly one requirement fails, by one misspelled word. */
function isAlmost(selector: Selector, labels: LabelSet): boolean {
  if (selector.kind !== 'all') return false;
  let failed: Requirement | undefined;
  for (const requirement of selector.requirements) {
    if (evaluateRequirement(requirement, labels) !== 'no') continue;
    if (failed !== undefined) return false;
    failed = requirement;
  }
  return failed !== undefined && correctionOf(failed, labels) !== undefined;
}

function isOtherwiseEqual(selector: Selector, { miss, failed }: NearMiss): boolean {
  if (selector.kind !== 'all') return false;
  const requirements = selector.requirements.filter((each) => !failed.includes(each));
  return evaluate({ kind: 'all', requirements }, miss.labeledObject) === 'yes';
}

/** Returns the near misses that differ only in case or in the order of two letters, if there are any: these are certain. */
function mostCertain(near: readonly NearMiss[]): readonly NearMiss[] {
  const evident = near.filter(({ correction }) => correction?.likeness === 'evident');
  return evident.length > 0 ? evident : near;
}

function meaningOf({ by, correction }: NearMiss): string {
  return correction === undefined ? by : `${correction.of} ${correction.wanted} ${correction.actual}`;
}

/** Whether the object is the one that the author of the selector intended, by evidence for and against it. */
function isMeant(
  context: Pick<RuleContext, 'workspace' | 'catalogue'>,
  where: ObjectInFile,
  site: SelectorSite,
  near: readonly [NearMiss, ...NearMiss[]],
): boolean {
  const isSelected = near.some((each) => isSelectedAlike(context, where, site, each));
  const [{ correction }] = near;
  if (correction === undefined) return !isSelected;
  if (correction.likeness === 'evident') return true;
  const { object } = where;
  const isConfirmed = near.some(({ miss }) => confirms(object, correction) || isMisnamed(miss.object, correction));
  if (isConfirmed) return true;
  if (correction.likeness === 'possible' || isSelected) return false;
  // Two different applications, each with a name that fits its labels.
  const areTwoThings = mentions(textsOf(object), correction.wanted);
  return !areTwoThings || Math.abs(correction.wanted.length - correction.actual.length) < 2;
}

/** Whether the object of the selector has a name or label with the corrected word. */
function confirms(object: ManifestObject, { of, wanted, actual }: Correction): boolean {
  if (of === 'key') return true;
  const texts = textsOf(object);
  return mentions(texts, actual) && !mentions(texts, wanted);
}

/** Whether the missed object has the wanted word in its name: then its label is misspelled. */
function isMisnamed(object: ManifestObject, { of, wanted, actual }: Correction): boolean {
  const name = object.name?.text ?? '';
  return of === 'value' && isPart(name, wanted) && !isPart(name, actual);
}

function textsOf(object: ManifestObject): readonly string[] {
  const labels = labeledObjectsOf(object).flatMap((labeledObject) => Object.values(labeledObject.labels));
  return [object.name?.text ?? '', ...labels.filter((value) => typeof value === 'string')];
}

function mentions(texts: readonly string[], word: string): boolean {
  return texts.some((text) => isPart(text, word));
}

/** Whether a name has a word as one of its parts: `shop-cart` is in `allow-shop-cart`. */
function isPart(text: string, word: string): boolean {
  return `-${text.replace(/[_./]/g, '-')}-`.includes(`-${word.replace(/[_./]/g, '-')}-`);
}

/**
 * Whether another object of the kind selects the near miss with the corrected word. One of several peers is one of
 * many.
 */
function isSelectedAlike(
  { workspace, catalogue }: Pick<RuleContext, 'workspace' | 'catalogue'>,
  { object }: ObjectInFile,
  site: SelectorSite,
  { miss, correction }: NearMiss,
): boolean {
  if (site.fact.path.includes('[]')) return false;
  return selectingObjectsOf(workspace, catalogue, miss).some((selectingObject) => {
    if (selectingObject.object.kind !== object.kind || selectingObject.object.group !== object.group) return false;
    if (selectingObject.site.fact.path !== site.fact.path) return false;
    const selector = effectiveSelector(selectingObject.site);
    const size = site.entries.length + site.expressions.length;
    // A more specific selector, for example of one version, does not exclude a general one.
    return correction === undefined || selector?.kind !== 'all' || selector.requirements.length <= size;
  });
}
