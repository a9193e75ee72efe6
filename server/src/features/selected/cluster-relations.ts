/** Finds what an object selects, and the selectors that match it, among the objects that other GitOps objects certainly apply to its cluster. */

import type { Selector } from '../../engine/index.ts';
import { labeledObjectsOf } from '../../manifests/label-sets.ts';
import type { SelectorSite } from '../../manifests/model.ts';
import { versionOfSite } from '../../manifests/sites/site-at.ts';
import { appliedVersions, versionsOf } from '../../workspace/kustomize/view.ts';
import type { LabeledObjectInFile, ObjectInFile, Workspace } from '../../workspace/model.ts';
import { isSameObject } from '../../workspace/same-object.ts';
import type { Scope } from '../../workspace/scopes/model.ts';
import { leadFirst } from '../../workspace/scopes/perspective.ts';
import { placeOf } from '../../workspace/scopes/scope-facts.ts';
import { type MatchInCluster, matchesInCluster } from '../../workspace/selection/cluster-matches.ts';
import { alternativesOf, effectiveSelector } from '../../workspace/selection/effective-selector.ts';
import type { Match } from '../../workspace/selection/model.ts';
import {
  nearestFirst,
  possiblySelectingObjectsOf,
  type SelectingInCluster,
  type SelectingObject,
  selectingObjectsAround,
  selectingObjectsInCluster,
  selectingObjectsOf,
} from '../../workspace/selection/selecting-objects.ts';
import { isUnusual } from '../../workspace/selection/template-values.ts';
import { ofUnknownClusters } from '../../workspace/selection/uncompared.ts';
import { objectKey } from '../locations.ts';
import type { View } from '../view.ts';
import { withoutGoldenCopies } from './golden-copies.ts';

/** The matches of a selector in other GitOps objects of its cluster. */
export interface ClusterMatches {
  readonly matches: readonly Match[];
  readonly maybe: readonly Match[];
}

/** Returns the matches of a selector, as the scope with a path applies it, in other GitOps objects of its cluster; by default, as the first scope applies it. */
export function clusterMatches(view: View, owner: ObjectInFile, site: SelectorSite, path?: string): ClusterMatches {
  const all = gitopsVersions(view, owner, path).flatMap(({ scope, workspace, where }): readonly MatchInCluster[] => {
    const isSame = (each: SelectorSite) => each.path === site.path;
    const isWritten = owner.object.selectorSites.some(isSame);
    const found = versionOfSite(where.object.selectorSites, site, owner.object.selectorSites);
    const applied = found ?? (isWritten ? undefined : site);
    if (applied === undefined || applied.state === 'ignored' || applied.fact.targets.length === 0) return [];
    return matchesInCluster(writtenIn(view), view.catalogue, { scope, view: workspace }, where, applied);
  });
  const of = (isWanted: boolean) => all.filter(({ certain }) => certain === isWanted).map(({ match }) => match);
  return { matches: of(true), maybe: of(false) };
}

/** Returns the selectors of other GitOps objects in the cluster that match an object, as the first scope applies it. */
function clusterSelectors(
  view: View,
  { file, object, labeledObject }: LabeledObjectInFile,
  withUnevaluated = false,
): readonly SelectingInCluster[] {
  return gitopsVersions(view, { file, object }).flatMap(({ scope, where }) => {
    const applied = labeledObjectsOf(where.object).find(({ via }) => via === labeledObject.via);
    if (applied === undefined) return [];
    const target = { ...where, labeledObject: applied };
    return selectingObjectsInCluster(writtenIn(view), view.catalogue, scope, target, withUnevaluated);
  });
}

/** A selector that matches an object; `builtBy` is another GitOps object of the cluster that applies it. */
export type Selecting = SelectingObject & Partial<Pick<SelectingInCluster, 'builtBy'>>;

/** Returns the selectors that match an object as the scope of the perspective applies it: in this scope, in other GitOps objects of its cluster, and in other scopes. Only selectors that fulfill `isMeant` are included. The result is incomplete if one in the scope fulfills `isEnough`. */
export function selectingObjects(
  view: View,
  candidate: LabeledObjectInFile,
  isMeant: (selector: Selector) => boolean = () => true,
  isEnough?: (selecting: Selecting) => boolean,
): readonly Selecting[] {
  const around = inPerspective(view, candidate, (workspace, each) =>
    selectingObjectsAround(workspace, view.catalogue, each, isMeant, isEnough).filter(withPresentValues(each)),
  );
  const inCluster = clusterSelectors(view, candidate).filter(({ site }) => alternativesOf(site).some(isMeant));
  const elsewhere = around.filter(({ relation }) => relation === 'elsewhere');
  return [
    ...around.filter(({ relation }) => relation === 'here'),
    ...inCluster,
    ...withoutCluster(view, candidate, elsewhere, inCluster),
  ];
}

/** Returns a predicate for selectors that do not need other values of a chart in order to match an object. */
function withPresentValues({ labeledObject }: LabeledObjectInFile): (selecting: SelectingObject) => boolean {
  return ({ certain, site }) => {
    const selector = certain ? undefined : effectiveSelector(site);
    return selector === undefined || !isUnusual(selector, { labelSet: labeledObject });
  };
}

/** Returns the selectors that match an object in the scope of the perspective, the nearest first, and those in other GitOps objects of its cluster. */
export function selectingHere(view: View, candidate: LabeledObjectInFile): readonly Selecting[] {
  const here = inPerspective(view, candidate, (workspace, each) =>
    selectingObjectsOf(workspace, view.catalogue, each).filter(withPresentValues(each)),
  );
  return [...here.toSorted(nearestFirst(candidate.file.uri)), ...clusterSelectors(view, candidate)];
}

/** Like `selectingHere`, but also returns the selectors that may match and are not evaluated. Deserializes all files of the scope. */
export function possiblySelectingHere(view: View, candidate: LabeledObjectInFile): readonly Selecting[] {
  const here = inPerspective(view, candidate, (workspace, each) =>
    possiblySelectingObjectsOf(workspace, view.catalogue, each),
  );
  return [...here.toSorted(nearestFirst(candidate.file.uri)), ...clusterSelectors(view, candidate, true)];
}

/** Returns the selectors that match an object in each of its scopes that builds objects, with the scope of the perspective first. */
export function selectingInScopes(
  view: View,
  candidate: LabeledObjectInFile,
  isMeant: (selector: Selector) => boolean,
): readonly { readonly scope: Scope; readonly selecting: () => readonly SelectingObject[] }[] {
  return labeledVersions(view, candidate).map(({ scope, workspace, candidates }) => ({
    scope,
    selecting: () =>
      inEach(candidates, (each) =>
        selectingObjectsAround(workspace, view.catalogue, each, isMeant).filter(withPresentValues(each)),
      ).filter(({ relation }) => relation === 'here'),
  }));
}

/** Evaluates an object as the scope of the perspective applies it; an object that no scope builds, as it is written. */
function inPerspective(
  view: View,
  candidate: LabeledObjectInFile,
  evaluate: (workspace: Workspace, candidate: LabeledObjectInFile) => readonly SelectingObject[],
): readonly SelectingObject[] {
  const [lead] = labeledVersions(view, candidate);
  return lead === undefined
    ? evaluate(view.workspace, candidate)
    : inEach(lead.candidates, (each) => evaluate(lead.workspace, each));
}

/** Returns the selectors that match any of several candidates, each once; a scope can include an object several times. */
function inEach(
  candidates: readonly LabeledObjectInFile[],
  evaluate: (candidate: LabeledObjectInFile) => readonly SelectingObject[],
): readonly SelectingObject[] {
  const [first, ...others] = candidates.map(evaluate);
  if (first === undefined || others.length === 0) return first ?? [];
  const found = new Map<string, SelectingObject>();
  for (const each of [first, ...others].flat()) {
    const key = selectorKey(each);
    if (found.get(key)?.certain !== true) found.set(key, each);
  }
  return [...found.values()];
}

/** Returns a key that is equal for a selector of a file in all scopes that apply it. */
export function selectorKey({ file, object, site }: SelectingObject): string {
  return `${objectKey({ file, object })} ${site.path}`;
}

/** Returns a labeled object as each scope applies it that builds objects, with the scope of the perspective first. */
function labeledVersions(
  { workspace, catalogue, perspective }: View,
  { file, object, labeledObject }: LabeledObjectInFile,
) {
  const versions = appliedVersions(workspace, catalogue, file.uri).flatMap((version) => {
    const candidates = versionsOf(version, object).flatMap((each): readonly LabeledObjectInFile[] => {
      const applied = labeledObjectsOf(each.object).find(({ via }) => via === labeledObject.via);
      return applied === undefined ? [] : [{ ...each, labeledObject: applied }];
    });
    return candidates.length === 0 ? [] : [{ scope: version.scope, workspace: version.workspace, candidates }];
  });
  return leadFirst(versions, perspective);
}

/** Returns the objects of other scopes, as they are written, without rendered copies and those whose relation to `owner` is known: GitOps objects apply them all to its clusters, or to other clusters, or they are among `inCluster`. */
export function withoutCluster<T extends ObjectInFile>(
  view: View,
  owner: ObjectInFile,
  others: readonly T[],
  inCluster: readonly ObjectInFile[] = [],
): readonly T[] {
  if (owner.object.inline) return others;
  const workspace = writtenIn(view);
  const unknown = ofUnknownClusters(workspace, view.catalogue, workspace.scopes().of(placeOf(owner)), others);
  const apart = unknown.filter((each) => !inCluster.some((known) => isSameObject(known, each)));
  return withoutGoldenCopies(apart, inCluster);
}

function writtenIn({ workspace }: View): Workspace {
  return workspace.written ?? workspace;
}

/** Returns the versions of an object that a GitOps object applies: the scope with a path, or the first one. */
function gitopsVersions(view: View, owner: ObjectInFile, path?: string) {
  if (owner.object.inline) return [];
  const scopes = writtenIn(view).scopes().of(placeOf(owner));
  if (scopes.every(({ gitops }) => gitops === undefined)) return [];
  const all = leadFirst(appliedVersions(writtenIn(view), view.catalogue, owner.file.uri), view.perspective);
  const version = path === undefined || path === '' ? all[0] : all.find(({ scope }) => scope.path === path);
  if (version?.scope.gitops === undefined) return [];
  const { scope, workspace } = version;
  return versionsOf(version, owner.object).map((where) => ({ scope, workspace, where }));
}
