/** Finds the unique near miss of a selector that matches nothing: the only object for which the selector was certainly intended. */

import { evaluate, evaluateRequirement, type LabelSet, type Requirement, type Selector } from '../../engine/index.ts';
import { getOrAdd, once } from '../../engine/memoize.ts';
import { labeledObjectsOf } from '../../manifests/label-sets.ts';
import type { ManifestObject, SelectorSite } from '../../manifests/model.ts';
import type { Candidate, ObjectInFile } from '../../workspace/model.ts';
import { placeOf } from '../../workspace/scopes/scope-facts.ts';
import type { CandidateIndex } from '../../workspace/selection/candidate-index.ts';
import type { Among, CandidatesAround } from '../../workspace/selection/candidates-around.ts';
import { effectiveSelector } from '../../workspace/selection/effective-selector.ts';
import { matchesMaker, matchesMakers, maximumCorrected } from '../../workspace/selection/near-misses.ts';
import { selectingObjectsOf } from '../../workspace/selection/selecting-objects.ts';
import { requiresMore } from '../../workspace/selection/template-values.ts';
import { isPositive } from '../fixes/fit-selector.ts';
import type { RuleContext } from '../framework/rule.ts';
import { type Correction, correctionOf, type NearMiss, nearMissOf } from './near-miss.ts';

/** Returns the near miss of a selector that does not match anything in its scope or in other scopes, if there is exactly one near miss in its scope and namespace: either a single word in one requirement is misspelled and all other requirements match, or the labels are on a workload instead of its template. `around` contains the objects for which the selector may be intended. Objects of unknown kinds are not evidence against the near miss. `isClosed` determines whether all objects for which the selector may be intended are known; a slight difference in a short word is then sufficient. Undefined if the selector may be intended for a different object. */
export function uniqueNearMiss(
  context: Pick<RuleContext, 'workspace' | 'catalogue' | 'comparisons'>,
  where: ObjectInFile,
  site: SelectorSite,
  selector: Selector,
  around: CandidatesAround,
  isClosed: () => boolean,
): NearMiss | undefined {
  const { workspace } = context;
  const isOnMakers = once(() =>
    matchesMakers(workspace, workspace.scopes().filesAround(placeOf(where)), selector, around.makers),
  );
  // Many objects have equal labels, which the index stores once.
  const almost = new Map<LabelSet, boolean>();
  // Facts in the index exclude most candidates, so that their files need not be deserialized.
  const isNear = (candidate: Candidate, isOutside: boolean) =>
    (isOutside ? candidate.isMade : isOnMakers() && matchesMaker(workspace, selector, candidate)) ||
    getOrAdd(almost, candidate.labelSet, (labels) => isAlmost(selector, labels));
  const among: Among = (index) => (isOnMakers() ? undefined : almostIn(index, selector));
  const near = around.filter(isNear, among).flatMap(({ candidate, place }): readonly NearMiss[] => {
    if (place().answer === 'no' || requiresMore(site, candidate)) return [];
    const found = nearMissOf(selector, candidate, candidate.labelSet);
    return found.by === 'own labels' || (found.by === 'letters' && isOtherwiseEqual(selector, found)) ? [found] : [];
  });
  context.comparisons.add(near.length);
  const [first, ...others] = mostCertain(near);
  if (first === undefined || others.some((each) => meaningOf(each) !== meaningOf(first))) return undefined;
  if (first.by === 'own labels' && others.length > 0) return undefined;
  return isMeant(context, where, site, [first, ...others], isClosed) ? first : undefined;
}

/** Returns all objects for which `isAlmost` holds, possibly with others. They meet the requirement that the fewest objects meet, or that requirement is misspelled and they meet the others. */
function almostIn(index: CandidateIndex, selector: Selector): readonly Candidate[] {
  if (selector.kind !== 'all') return [];
  const met = selector.requirements.flatMap((requirement) => {
    const objects = index.meeting(requirement);
    return objects === undefined ? [] : [{ requirement, objects }];
  });
  const [rarest, next] = met.toSorted((a, b) => a.objects.length - b.objects.length);
  const misspelled = rarest === undefined ? selector.requirements : [rarest.requirement];
  const similar = misspelled.filter(isCorrected).flatMap((each) => index.resembling(each));
  const others = next !== undefined && next.objects.length < similar.length ? next.objects : similar;
  return rarest === undefined ? similar : [...rarest.objects, ...others];
}

function isCorrected({ operator, values }: Requirement): boolean {
  return operator === 'exists' || (isPositive(operator) && values.length <= maximumCorrected);
}

/** Whether exactly one requirement of a selector fails, because of a single misspelled word. */
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

/** Returns the near misses that differ only in case or in the order of two letters, because they are certain; if there are none, all near misses. */
function mostCertain(near: readonly NearMiss[]): readonly NearMiss[] {
  const evident = near.filter(({ correction }) => correction?.likeness === 'evident');
  return evident.length > 0 ? evident : near;
}

function meaningOf({ by, correction }: NearMiss): string {
  return correction === undefined ? by : `${correction.of} ${correction.wanted} ${correction.actual}`;
}

/** The maximum number of near misses for which other selectors are searched: all have the same misspelled label. */
const maximumExamined = 50;

/** Whether the selector was certainly intended for the near miss, judging by evidence for and against this. */
function isMeant(
  context: Pick<RuleContext, 'workspace' | 'catalogue'>,
  where: ObjectInFile,
  site: SelectorSite,
  near: readonly [NearMiss, ...NearMiss[]],
  isClosed: () => boolean,
): boolean {
  const isSelected = once(() =>
    near.slice(0, maximumExamined).some((each) => isSelectedAlike(context, where, site, each)),
  );
  const [{ correction }] = near;
  if (correction === undefined) return !isSelected();
  if (correction.likeness === 'evident') return true;
  const { object } = where;
  // The name of an object says nothing about the other objects that it lists, such as the peers of a policy.
  const isNamed = !site.fact.path.includes('[]') && namesActual(object, correction);
  if (correction.likeness === 'variant') return isNamed && !isSelected();
  if (isNamed || confirms(object, site, correction)) return true;
  if (near.some(({ miss }) => isMisnamed(miss.object, correction))) return true;
  // If the name or other labels of the selector's own object contain the word that the selector requires, the two
  // objects probably belong to different applications.
  const isOwnWord = mentionsWord(object, correction.wanted, site);
  const isExcluded =
    correction.likeness === 'possible'
      ? isOwnWord || !isClosed()
      : isOwnWord && Math.abs(correction.wanted.length - correction.actual.length) > 1;
  return !isExcluded && !isSelected();
}

/** Whether the name of the object with the selector contains the corrected word, but not the word that the selector requires. */
function namesActual({ name }: ManifestObject, { wanted, actual }: Correction): boolean {
  return name !== undefined && isPart(name.text, actual) && !isPart(name.text, wanted);
}

/** Whether the name or labels of the object with the selector contain the corrected word, but not the misspelled word. */
function confirms(object: ManifestObject, site: SelectorSite, { of, wanted, actual }: Correction): boolean {
  if (of === 'key') return true;
  const texts = textsOf(object, site);
  return mentions(texts, actual) && !mentions(texts, wanted);
}

/** Whether an object has a name or label with a word, so that the word may be the name of a different application. */
export function mentionsWord(object: ManifestObject, word: string, site?: SelectorSite): boolean {
  return mentions(textsOf(object, site), word);
}

/** Whether the name of the missed object contains the word that the selector requires; its label is then probably misspelled. */
export function isMisnamed(object: ManifestObject, { of, wanted, actual }: Omit<Correction, 'likeness'>): boolean {
  const name = object.name?.text ?? '';
  return of === 'value' && isPart(name, wanted) && !isPart(name, actual);
}

/** Returns the name and the values of the labels of an object, without the labels that repeat the requirements of its selector, because they may repeat a misspelling. */
function textsOf(object: ManifestObject, site?: SelectorSite): readonly string[] {
  const copied = new Map(site?.entries.map(({ key, value }) => [key.text, value.text]));
  const labels = labeledObjectsOf(object).flatMap((labeledObject) => Object.entries(labeledObject.labels));
  const values = labels.flatMap(([key, value]) =>
    typeof value === 'string' && copied.get(key) !== value ? [value] : [],
  );
  return [object.name?.text ?? '', ...values];
}

function mentions(texts: readonly string[], word: string): boolean {
  return texts.some((text) => isPart(text, word));
}

/** Whether a word is one of the parts of a name, as `shop-cart` is part of `allow-shop-cart`. */
function isPart(text: string, word: string): boolean {
  return `-${text.replace(/[_./]/g, '-')}-`.includes(`-${word.replace(/[_./]/g, '-')}-`);
}

/** Whether a different object of the same kind already selects the near miss through the same field. Fields in lists, such as peers, are not considered, because several of them often select the same object. */
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
    // A more specific selector, for example for a single version, does not mean that the general selector was not
    // intended for the object.
    return correction === undefined || selector?.kind !== 'all' || selector.requirements.length <= size;
  });
}
