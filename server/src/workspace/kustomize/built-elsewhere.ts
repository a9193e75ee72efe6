/** Finds what other scopes of the same cluster build: their objects may have other names and labels than in their files. */

import type { Catalogue } from '../../engine/catalogue/types.ts';
import { evaluate, type Selector } from '../../engine/index.ts';
import { once } from '../../engine/memoize.ts';
import { labeledObjectsOf } from '../../manifests/label-sets.ts';
import type { SelectorSite } from '../../manifests/model.ts';
import type { Question } from '../dependencies/questions.ts';
import { kindKey } from '../index/file-outline.ts';
import type { LabeledObjectInFile, ObjectInFile, Rendering, Workspace } from '../model.ts';
import { areApart, scopesInCluster } from '../scopes/cluster.ts';
import { isEdited, type Scope } from '../scopes/model.ts';
import { unrecordedScopes } from '../scopes/recorded-scopes.ts';
import { placeOf } from '../scopes/scope-facts.ts';
import type { Match } from '../selection/model.ts';
import { effectiveNamespace, hasNoNamespace, reaches } from '../selection/namespaces.ts';
import { selectsInOwnNamespace } from '../selection/own-namespace.ts';
import { hasObjectsIn, mayBeIn, mayHoldLabels, renderedNameTerm, requiredLabels } from './rendering-terms.ts';

/** The maximum number of scopes that are rendered for one query. */
const mostRendered = 500;

/** The number of scopes from which the answer may change only because there are more or fewer scopes. */
const manyRendered = 250;

/** Whether a scope builds an object of a kind with a name, in any namespace. */
export function hasNamed(objects: Rendering['objects'], kind: string, name: string): boolean {
  return objects.some(({ object }) => object.kind === kind && object.name?.text === name);
}

/** Whether a scope that may share the cluster with an object builds an object of a kind with a name, in any namespace; true if there are too many scopes. */
export function buildsNamed(
  workspace: Workspace,
  catalogue: Catalogue,
  from: ObjectInFile,
  kind: string,
  name: string,
): boolean {
  for (const rendering of renderingsWithName(workspace, catalogue, from, name))
    if (rendering === undefined || hasNamed(rendering.objects, kind, name)) return true;
  return false;
}

/** Yields the renderings of the other scopes that may share the cluster with an object and build an object with a name, as `renderingsBeside` does. */
export function renderingsWithName(
  workspace: Workspace,
  catalogue: Catalogue,
  from: ObjectInFile,
  name: string,
): Iterable<Rendering | undefined> {
  const term = renderedNameTerm(name);
  const question = { about: 'applied', term } as const;
  const among = workspace.scopesThatBuildNamed(name, catalogue);
  return renderingsBeside(workspace, catalogue, from, { isWanted: (terms) => terms.has(term), among, question });
}

/** Whether a selector certainly matches the labels of an object that another scope of the cluster builds, unless the object is in another namespace; undefined if there are too many scopes. */
export function buildsSelected(
  workspace: Workspace,
  catalogue: Catalogue,
  from: ObjectInFile,
  site: SelectorSite,
  selector: Selector,
): boolean | undefined {
  const own = selectsInOwnNamespace(from.object, site) ? appliedNamespace(workspace, catalogue, from) : undefined;
  const targets = site.fact.targets.map(kindKey);
  const isWanted = (terms: ReadonlySet<string>) =>
    mayHoldLabels(terms, selector) && (own === undefined || mayBeIn(terms, own));
  const among = workspace.scopesThatMayBuild(requiredLabels(selector));
  const question = { about: 'built', selector } as const;
  for (const rendering of renderingsBeside(workspace, catalogue, from, { isWanted, among, question })) {
    if (rendering === undefined) return undefined;
    for (const target of targets)
      for (const { answer, id } of rendering.index().labeledObjects(target, selector)) {
        const there = hasNoNamespace(catalogue, { object: id.location }) ? undefined : id.location.namespace?.text;
        if (answer === 'yes' && (own === undefined || there === undefined || there === own)) return true;
      }
  }
  return false;
}

/**
 * Returns a match that is written in another scope as GitOps objects or kustomizations apply it, if they certainly change
 * its labels or its namespace so that the selector does not match it; undefined if the selector may match it. The result
 * is empty if no scope of the cluster applies the object.
 */
export function changedMatch(
  workspace: Workspace,
  catalogue: Catalogue,
  from: ObjectInFile,
  site: SelectorSite,
  selector: Selector,
  match: Match,
): readonly LabeledObjectInFile[] | undefined {
  const scopes = workspace.scopes();
  const own = scopes.of(placeOf(from));
  const owners = scopes.of(placeOf(match.where));
  if (![...own, ...owners].every((scope) => scope.gitops !== undefined || isWhole(scope))) return undefined;
  workspace.questions?.note({ about: 'anything' });
  const changed: LabeledObjectInFile[] = [];
  for (const owner of owners) {
    if (areApart(scopes, own, owner)) continue;
    const rendering = isKnown(owner) || isWhole(owner) ? workspace.rendering(owner.path, catalogue) : undefined;
    if (rendering === undefined) return undefined;
    const file = rendering.files.get(match.file.uri);
    for (const object of file?.manifest.objects ?? []) {
      const labeledObject =
        object.kindSpan.start === match.object.kindSpan.start && labeledObjectsOf(object)[match.id.labeledObject];
      if (!labeledObject || file === undefined) continue;
      const { labels, open } = labeledObject;
      const mayMatch = evaluate(selector, { labels, open }) !== 'no';
      if (mayMatch && reaches(workspace, catalogue, from, site, { file, object }).answer !== 'no') return undefined;
      changed.push({ file, object, labeledObject });
    }
  }
  return changed;
}

function isWhole({ kind, closed }: Scope): boolean {
  return kind === 'kustomization' && closed === true;
}

/** Whether a scope applies the files of this revision, and only objects that releases of charts install may be missing. */
function isKnown({ closed, gitops }: Scope): boolean {
  const isCurrent = gitops?.facts.sources.every(({ isPinned, branch }) => !isPinned && branch === undefined);
  return isCurrent === true && (closed === true || closed.areReleases === true);
}

interface Wanted {
  /** Whether the rendering with some terms may be needed; other renderings are not built again. */
  isWanted(terms: ReadonlySet<string>): boolean;
  /** The scopes to consider; by default, all scopes. */
  readonly among?: Iterable<Scope> | undefined;
  /** Whether only scopes that certainly share the cluster are needed. */
  readonly isSure?: boolean;
  /** The question about the terms of the scopes; the content of the scopes that `isWanted` accepts is noted as well. By default, the question is `anything`. */
  readonly question?: Question;
}

/** Whether a scope certainly applies objects to a namespace. The caller notes its question about the namespace. */
export function appliesTo(workspace: Workspace, catalogue: Catalogue, { path }: Scope, namespace: string): boolean {
  const terms = workspace.terms(path, catalogue)?.terms;
  if (terms === undefined || !hasObjectsIn(terms, namespace)) return false;
  // The answer changes with the objects of the scope.
  workspace.questions?.render(path);
  return true;
}

/** Yields the renderings of the other scopes that may share the cluster with an object; undefined, as the last element, if there are more than `mostRendered`. */
export function* renderingsBeside(
  workspace: Workspace,
  catalogue: Catalogue,
  from: ObjectInFile,
  { isWanted, among, isSure = false, question }: Wanted,
): Iterable<Rendering | undefined> {
  const scopes = unrecordedScopes(workspace);
  const own = scopes.of(placeOf(from));
  const sharing = isSure ? scopesInCluster(scopes, own) : scopes.all();
  const areInCluster = once(() => new Set(sharing));
  const isBeside = (other: Scope) =>
    isSure ? among === undefined || areInCluster().has(other) : !areApart(scopes, own, other);
  if (question !== undefined) workspace.questions?.note(question);
  let rendered = 0;
  for (const scope of among ?? sharing) {
    if (!isEdited(scope) || own.includes(scope) || !isBeside(scope)) continue;
    // The answer depends on the files of these scopes.
    const isKnown = question !== undefined && (among === undefined || rendered < manyRendered);
    if (!isKnown && (rendered === 0 || rendered === manyRendered)) workspace.questions?.note({ about: 'anything' });
    if (++rendered > mostRendered) {
      yield undefined;
      return;
    }
    const terms = workspace.terms(scope.path, catalogue)?.terms;
    if (terms === undefined || !isWanted(terms)) continue;
    const rendering = workspace.rendering(scope.path, catalogue);
    if (rendering !== undefined) yield rendering;
  }
}

/** Returns the namespace of an object as it is applied; undefined if only a rendering contains it. */
function appliedNamespace(workspace: Workspace, catalogue: Catalogue, from: ObjectInFile): string | undefined {
  const isWritten = workspace.appliedBy === undefined && workspace.scopes().of(placeOf(from)).some(isEdited);
  return isWritten ? undefined : effectiveNamespace(workspace, catalogue, from)?.text;
}
