/** Finds the selectors that match a labeled object: the reverse direction of a selection. */

import type { Catalogue } from '../../engine/catalogue/types.ts';
import { evaluate, everything, type LabelSet, type Selector } from '../../engine/index.ts';
import { getOrAdd } from '../../engine/memoize.ts';
import { labeledObjectsOf } from '../../manifests/label-sets.ts';
import type { SelectorSite } from '../../manifests/model.ts';
import { isTooLarge } from '../../manifests/sites/sites.ts';
import { localize } from '../../text/localize.ts';
import { compareText, inOrder } from '../../text/order.ts';
import { kindKey } from '../index/file-outline.ts';
import { inOrderOf } from '../index/folder-index.ts';
import { selectorWith } from '../index/index-entries.ts';
import { maySelectLabels } from '../kustomize/rendering-terms.ts';
import { type AppliedScope, appliedBeside, appliedVersions, versionsOf } from '../kustomize/view.ts';
import type {
  FoundSelector,
  LabeledObjectInFile,
  ObjectInFile,
  SelectorInFile,
  SiteInFile,
  Workspace,
  WorkspaceFile,
} from '../model.ts';
import { labelSetIn } from '../mutations.ts';
import { areStoredAsOne, areVersions, isVersionOfAny } from '../same-object.ts';
import type { Relation, Scope } from '../scopes/model.ts';
import { placeOf } from '../scopes/scope-facts.ts';
import {
  alternativesOf,
  effectiveSelector,
  hasUnevaluatedForm,
  isUnevaluated,
  selectorOfTerm,
  termsOf,
} from './effective-selector.ts';
import { ofEndpoint } from './endpoint-answers.ts';
import { excludeEachOther } from './excluding-conditions.ts';
import { type Answer, effectiveNamespace, hasNoNamespace, reaches, selectsInOtherNamespace } from './namespaces.ts';
import { rankFrom } from './nearness.ts';
import { nameAnswer, weaker } from './node-terms.ts';
import { hasEvidence, labelSet } from './selection.ts';
import { requiresMore } from './template-values.ts';
import { reasonFor } from './uncertainty.ts';

/** A selector that matches an object, and whether the match is certain. */
export interface SelectingObject extends SelectorInFile {
  readonly certain: boolean;
  /** Returns the reason why the match is uncertain, without a period; absent for a certain match. */
  readonly reason?: () => string;
  readonly relation: 'here' | 'elsewhere';
}

/** Returns the selectors that match a labeled object, in the scopes that apply it, if they fulfill `isRequested`. */
export function selectingObjectsOf(
  workspace: Workspace,
  catalogue: Catalogue,
  candidate: LabeledObjectInFile,
  isRequested?: (selecting: SiteInFile) => boolean,
): readonly SelectingObject[] {
  return selectingObjects(workspace, catalogue, candidate, false, { isRequested });
}

/** Like `selectingObjectsOf`, but also returns the selectors that may match and are not evaluated. Deserializes all files of the scopes. */
export function possiblySelectingObjectsOf(
  workspace: Workspace,
  catalogue: Catalogue,
  candidate: LabeledObjectInFile,
): readonly SelectingObject[] {
  return selectingObjects(workspace, catalogue, candidate, false, { withUnevaluated: true });
}

/** Like `selectingObjectsOf`, but also returns at most `maximumElsewhere` selectors of other scopes that may share the cluster, nearest first, except selectors there that match everything. Files are deserialized only for selectors that fulfill `isMeant`. The result is incomplete if one in the scope fulfills `isEnough`. */
export function selectingObjectsAround(
  workspace: Workspace,
  catalogue: Catalogue,
  candidate: LabeledObjectInFile,
  isMeant?: (selector: Selector) => boolean,
  isEnough?: (selecting: SelectingObject) => boolean,
): readonly SelectingObject[] {
  const wanted = {
    isMeant,
    isEnough: isEnough && ((each) => isNewHere(each, candidate) && isEnough(each)),
  } satisfies Wanted;
  const found = selectingObjects(workspace, catalogue, candidate, true, wanted).filter(
    (each) => each.relation === 'elsewhere' || isNewHere(each, candidate),
  );
  const here = found.filter(({ relation, certain }) => relation === 'here' && certain);
  return found
    .filter((each) => each.relation === 'here' || !isVersionOfAny(each, here))
    .toSorted(nearestFirst(candidate.file.uri));
}

/** A selector that another GitOps object applies to the cluster of an object. */
export type SelectingInCluster = SelectingObject & { readonly builtBy: Scope };

/**
 * Returns the selectors that match an object of a GitOps object, among those that the compared other GitOps objects
 * certainly apply to its cluster. `workspace` is the snapshot, not a view.
 */
export function selectingObjectsInCluster(
  workspace: Workspace,
  catalogue: Catalogue,
  scope: Scope,
  candidate: LabeledObjectInFile,
  withUnevaluated = false,
): readonly SelectingInCluster[] {
  const found = new Map<string, SelectingInCluster>();
  const { value } = candidate.object.namespace ?? {};
  const namespace = typeof value === 'string' ? value : undefined;
  const target = kindKey(candidate.labeledObject.target);
  const labels = labelSetIn(workspace, candidate, candidate.labeledObject);
  const isWanted = (terms: ReadonlySet<string>) => maySelectLabels(terms, labels, target, namespace);
  for (const applied of appliedBeside(workspace, catalogue, [scope], isWanted)) {
    for (const [key, each] of selectingIn(applied, catalogue, candidate, labels))
      if (isNewHere(each, candidate) && found.get(key)?.certain !== true) found.set(key, each);
    for (const [key, each] of withUnevaluated ? unevaluatedOf(applied, catalogue, candidate) : [])
      if (!found.has(key)) found.set(key, each);
  }
  return [...found.values()];
}

/** Whether a GitOps object applies a selector that may match an object, if both are applied to one cluster. */
export function maySelect(applied: AppliedScope, catalogue: Catalogue, candidate: LabeledObjectInFile): boolean {
  for (const [, each] of selectingIn(applied, catalogue, candidate)) if (isNewHere(each, candidate)) return true;
  return false;
}

/** Yields the selectors of a GitOps object that match an object of another one, each with a key for its site. */
function* selectingIn(
  { scope: builtBy, workspace: view, rendering }: AppliedScope,
  catalogue: Catalogue,
  candidate: LabeledObjectInFile,
  labels: LabelSet = labelSet(candidate),
): Iterable<readonly [key: string, selecting: SelectingInCluster]> {
  const target = kindKey(candidate.labeledObject.target);
  const isPlaced = (each: ObjectInFile) => each.object.namespace !== undefined || hasNoNamespace(catalogue, each);
  for (const { id, answer, selector } of rendering.index().selectors(target, labels)) {
    const selecting = selectorWith(view, id);
    if (selecting === undefined || areStoredAsOne(selecting.object, candidate.object)) continue;
    const { site } = selecting;
    const place = placeAnswer(view, catalogue, selecting, candidate);
    if (place.answer === 'no') continue;
    const [isOwnerPlaced, isTargetPlaced] = [isPlaced(selecting), isPlaced(candidate)];
    const isKnown = answer === 'yes' && place.answer === 'yes' && isOwnerPlaced && isTargetPlaced;
    const certain = isKnown && !isUnevaluated(site) && !requiresMore(site, candidate);
    const decisive = { selector, site, labels: answer, others: [place], isOwnerPlaced, isTargetPlaced };
    const why = certain ? {} : { reason: () => whyUncertain(decisive, candidate, labels) };
    const key = `${builtBy.path}\n${id.uri}\n${id.object}\n${id.site}`;
    yield [key, { ...selecting, answer, certain, ...why, relation: 'elsewhere', builtBy }];
  }
}

/** Yields the selectors of a GitOps object that may match an object of another one, and are not evaluated. */
function* unevaluatedOf(
  { scope: builtBy, workspace: view, rendering }: AppliedScope,
  catalogue: Catalogue,
  candidate: LabeledObjectInFile,
): Iterable<readonly [key: string, selecting: SelectingInCluster]> {
  for (const [uri, file] of rendering.files) {
    for (const { number, index, ...selecting } of unevaluatedIn(file, candidate)) {
      const { site } = selecting;
      if (reaches(view, catalogue, selecting, site, candidate).answer === 'no') continue;
      const reason = () => unevaluatedReason(site);
      const key = `${builtBy.path}\n${uri}\n${number}\n${index}`;
      yield [key, { ...selecting, answer: 'maybe', certain: false, reason, relation: 'elsewhere', builtBy }];
    }
  }
}

function whyUncertain(
  match: Parameters<typeof reasonFor>[0] & SiteOf,
  candidate: LabeledObjectInFile,
  labels: LabelSet,
): string {
  return isUnevaluated(match.site) ? unevaluatedReason(match.site) : reasonFor(match, candidate, labels);
}

type SiteOf = Pick<SiteInFile, 'site'>;

/** The conditions for the selectors to find. */
interface Wanted {
  /** Called for each selector, and for each term of a node selector. */
  readonly isMeant?: ((selector: Selector) => boolean) | undefined;
  readonly isRequested?: ((selecting: SiteInFile) => boolean) | undefined;
  /** Whether selectors that are not evaluated are included. */
  readonly withUnevaluated?: boolean;
  /** Whether no further selector is necessary after one in the scope: thousands may match. */
  readonly isEnough?: ((selecting: SelectingObject) => boolean) | undefined;
}

/** Returns a function that compares selectors by distance from a file, with selectors that match everything last. */
export function nearestFirst(uri: string): (a: SelectingObject, b: SelectingObject) => number {
  const far = rankFrom(uri);
  const rankOf = (selectingObject: SelectingObject) =>
    (matchesAll(selectingObject) ? farthest : 0) + far(selectingObject.file.uri);
  return (a, b) => rankOf(a) - rankOf(b) || byPosition(a, b);
}

/** A distance that is larger than the distance between any two files. */
const farthest = 10_000;

/** Selectors of other scopes are included only if they certainly require these labels. */
function isNewElsewhere({ answer, selector }: FoundSelector): boolean {
  return answer === 'yes' && selector.kind !== 'everything';
}

/** A match in the same scope is omitted if only unknown labels, which a controller adds, determine it. */
function isNewHere(selectingObject: SelectingObject, candidate: LabeledObjectInFile): boolean {
  return (
    selectingObject.answer === 'yes' ||
    alternativesOf(selectingObject.site).some((selector) => hasEvidence(selector, candidate))
  );
}

function matchesAll({ site }: SelectingObject): boolean {
  return effectiveSelector(site)?.kind === 'everything';
}

function byPosition(a: SelectingObject, b: SelectingObject): number {
  if (a.file.uri !== b.file.uri) return a.file.uri < b.file.uri ? -1 : 1;
  return a.site.keySpan.start - b.site.keySpan.start;
}

/** The maximum number of selectors from other scopes; the nearest ones are returned. Thousands of selectors, as for a common label, would not be useful. */
export const maximumElsewhere = 50;

/** The maximum number of selectors of other scopes that are examined. For some of them, the namespaces to which they apply are known only after their file is deserialized. */
const maximumLooks = 4 * maximumElsewhere;

/** Returns the selectors that match an object. If several kustomizations apply the object, a match is certain if it is certain in each of them. */
function selectingObjects(
  workspace: Workspace,
  catalogue: Catalogue,
  candidate: LabeledObjectInFile,
  withOthers: boolean,
  wanted: Wanted,
): readonly SelectingObject[] {
  const versions = appliedVersions(workspace, catalogue, candidate.file.uri).flatMap((version) =>
    versionsOf(version, candidate.object).flatMap((each) => {
      const labeledObject = labeledObjectsOf(each.object).find(({ via }) => via === candidate.labeledObject.via);
      return labeledObject === undefined
        ? []
        : [{ workspace: version.workspace, candidate: { ...each, labeledObject } }];
    }),
  );
  if (versions.length === 0) return selectingObjectsIn(workspace, catalogue, candidate, withOthers, wanted);
  const found = new Map<string, { readonly selectingObject: SelectingObject; readonly certainIn: Set<unknown> }>();
  for (const version of versions) {
    for (const selectingObject of selectingObjectsIn(
      version.workspace,
      catalogue,
      version.candidate,
      withOthers,
      wanted,
    )) {
      const key = `${selectingObject.file.uri}\n${selectingObject.object.kindSpan.start}\n${selectingObject.site.path}`;
      const known = getOrAdd(found, key, () => ({ selectingObject, certainIn: new Set() }));
      // An object that is applied several times can match several times.
      if (selectingObject.certain) known.certainIn.add(version);
    }
  }
  return [...found.values()].map(({ selectingObject, certainIn }) => ({
    ...selectingObject,
    certain: certainIn.size === versions.length,
  }));
}

function selectingObjectsIn(
  workspace: Workspace,
  catalogue: Catalogue,
  candidate: LabeledObjectInFile,
  withOthers: boolean,
  { isMeant = () => true, isRequested = () => true, withUnevaluated = false, isEnough }: Wanted,
): readonly SelectingObject[] {
  workspace.questions?.note({ about: 'selecting' });
  const to = placeOf(candidate);
  const scopes = workspace.scopes();
  const target = kindKey(candidate.labeledObject.target);
  const labels = labelSetIn(workspace, candidate, candidate.labeledObject);
  const found = new Map<string, SelectingObject>();
  const take = (
    { id, answer, selector }: FoundSelector,
    relation: SelectingObject['relation'],
  ): SelectingObject | undefined => {
    const selecting = selectorWith(workspace, id);
    if (selecting === undefined || !isRequested(selecting) || excludeEachOther(selecting, candidate)) return undefined;
    if (relation === 'elsewhere' && areVersions(selecting.object, candidate.object)) return undefined;
    const { site } = selecting;
    const place = placeAnswer(workspace, catalogue, selecting, candidate);
    if (place.answer === 'no' || (relation === 'elsewhere' && requiresMore(site, candidate))) return undefined;
    const isKnown = answer === 'yes' && place.answer === 'yes' && !isUnevaluated(site);
    const certain = isKnown && !requiresMore(site, candidate);
    // A node selector is found once for each matching term, and versions of an applied object share its sites.
    const key = `${id.uri}\n${id.object}\n${id.site}`;
    const known = found.get(key);
    if (known?.certain === true) return known;
    const decisive = { selector, site, labels: answer, others: [place], isOwnerPlaced: true, isTargetPlaced: true };
    const why = certain ? {} : { reason: () => whyUncertain(decisive, candidate, labels) };
    const taken = { ...selecting, answer, certain, ...why, relation };
    found.set(key, taken);
    return taken;
  };
  // Files are deserialized only for requested selectors. If a file contains several Templates, only the object
  // determines the position.
  const relationOf = ({ id }: Pick<FoundSelector, 'id'>): Relation => {
    const isSplit = scopes.ofFile(id.uri) !== scopes.of(id.uri);
    const selecting = isSplit ? selectorWith(workspace, id) : undefined;
    return scopes.relation(selecting === undefined ? id.uri : placeOf(selecting), to, candidate);
  };
  const namespace = effectiveNamespace(workspace, catalogue, candidate);
  const isOutOfReach = ({ id }: FoundSelector) =>
    typeof namespace?.value === 'string' && selectsInOtherNamespace(workspace, id, namespace.text);
  const around = scopes.filesAround(to);
  const others: FoundSelector[] = [];
  const ids = workspace.selectingIds(target, labels, withOthers ? undefined : around);
  // If the evaluation may end early, the others are not even listed.
  for (const each of isEnough === undefined ? inOrder([...ids], byId) : ids) {
    if (!isMeant(each.selector)) continue;
    if (around.has(each.id.uri) && relationOf(each) === 'here') {
      const taken = take(each, 'here');
      if (taken !== undefined && isEnough?.(taken)) return [...found.values()];
    } else if (withOthers && isNewElsewhere(each) && !isOutOfReach(each)) others.push(each);
  }
  for (const uri of withUnevaluated ? around : []) {
    for (const each of scopes.isPatch(uri) ? [] : unevaluatedIn(workspace.files.get(uri), candidate)) {
      const id = { uri, object: each.number, site: each.index, target };
      if (relationOf({ id }) === 'here') take({ id, answer: 'maybe', selector: everything }, 'here');
    }
  }
  takeNearest(others, candidate.file.uri, (each) => relationOf(each) === 'elsewhere' && take(each, 'elsewhere'));
  return [...found.values()];
}

/** Whether everything except the labels of a candidate matches a selector. */
function placeAnswer(
  workspace: Workspace,
  catalogue: Catalogue,
  selecting: SiteInFile,
  candidate: LabeledObjectInFile,
): Answer {
  const { site } = selecting;
  return weaker(
    weaker(reaches(workspace, catalogue, selecting, site, candidate), ofNames(site, candidate)),
    ofEndpoint(workspace, catalogue, selecting, site, candidate),
  );
}

/** Calls a function for the nearest selectors of other scopes until it takes enough of them. */
function takeNearest(
  others: readonly FoundSelector[],
  uri: string,
  take: (each: FoundSelector) => SelectingObject | false | undefined,
): void {
  let left = maximumElsewhere;
  let looks = maximumLooks;
  const far = rankFrom(uri);
  for (const each of inOrderOf(inOrder(others, byId), ({ id }) => far(id.uri))) {
    if (left === 0 || looks-- === 0) break;
    if (take(each)) left--;
  }
}

function byId({ id: a }: FoundSelector, { id: b }: FoundSelector): number {
  return compareText(a.uri, b.uri) || a.object - b.object || a.site - b.site;
}

/** Whether a term that matches the labels of a node also matches its name. */
export function ofNames(site: SelectorSite, candidate: LabeledObjectInFile): Answer {
  const terms = termsOf(site);
  if (terms.every(({ fields }) => fields.length === 0)) return { answer: 'yes' };
  const answers = terms
    .filter((term) => evaluate(selectorOfTerm(term), labelSet(candidate)) !== 'no')
    .map((term) => nameAnswer(term, candidate));
  return (
    answers.find(({ answer }) => answer === 'yes') ??
    answers.find(({ answer }) => answer === 'maybe') ?? { answer: 'no' }
  );
}

/** Yields the selectors in a file that may match a labeled object, and are not evaluated. */
function* unevaluatedIn(
  file: WorkspaceFile | undefined,
  candidate: LabeledObjectInFile,
): Iterable<SiteInFile & { readonly number: number; readonly index: number }> {
  if (file === undefined) return;
  for (const [number, object] of file.manifest.objects.entries()) {
    if (!object.forCluster) continue;
    for (const [index, site] of object.selectorSites.entries())
      if (isUnevaluated(site) && mayMatch(site, candidate)) yield { file, object, site, number, index };
  }
}

/** Returns the reason why the matches of an unevaluated selector are unknown, without a period. */
function unevaluatedReason(site: SelectorSite): string {
  if (isTooLarge(site)) return localize`the selector has too many keys and values to be evaluated`;
  return hasUnevaluatedForm(site)
    ? localize`this form of selector is not evaluated`
    : localize`the kind of the objects that it selects is unknown`;
}

function mayMatch(site: SelectorSite, candidate: LabeledObjectInFile): boolean {
  const { targets } = site.fact;
  const target = kindKey(candidate.labeledObject.target);
  if (targets.length > 0 && !targets.some((each) => each.kind === '*' || kindKey(each) === target)) return false;
  if (hasUnevaluatedForm(site)) return true;
  return alternativesOf(site).some((selector) => evaluate(selector, labelSet(candidate)) !== 'no');
}
