/** Finds what other scopes of the same cluster build: their objects may have other names and labels than in their files. */

import type { Catalogue } from '../../engine/catalogue/types.ts';
import type { Selector } from '../../engine/index.ts';
import type { SelectorSite } from '../../manifests/model.ts';
import { kindKey } from '../index/file-outline.ts';
import type { ObjectInFile, Rendering, Workspace } from '../model.ts';
import { isEdited, type Scope } from '../scopes/model.ts';
import { placeOf } from '../scopes/scope-facts.ts';
import { effectiveNamespace, hasNoNamespace, selectsInOwnNamespace } from '../selection/namespaces.ts';
import { mayHoldLabels, nameTerm, requiredLabels } from './rendering-terms.ts';

/** The maximum number of scopes that are rendered for one query; further scopes are ignored. */
const mostRendered = 500;

/** Whether a scope builds an object of a kind with a name, in any namespace. */
export function hasNamed(objects: Rendering['objects'], kind: string, name: string): boolean {
  return objects.some(({ object }) => object.kind === kind && object.name?.text === name);
}

/** Whether a scope that may share the cluster with an object builds an object of a kind with a name, in any namespace. */
export function buildsNamed(
  workspace: Workspace,
  catalogue: Catalogue,
  from: ObjectInFile,
  kind: string,
  name: string,
): boolean {
  const term = nameTerm(name);
  for (const { objects } of renderingsBeside(workspace, catalogue, from, { isWanted: (terms) => terms.has(term) }))
    if (hasNamed(objects, kind, name)) return true;
  return false;
}

/** Whether a selector certainly matches the labels of an object that another scope of the cluster builds, unless the object is in another namespace. */
export function buildsSelected(
  workspace: Workspace,
  catalogue: Catalogue,
  from: ObjectInFile,
  site: SelectorSite,
  selector: Selector,
): boolean {
  const own = selectsInOwnNamespace(from.object, site) ? appliedNamespace(workspace, catalogue, from) : undefined;
  const targets = site.fact.targets.map(kindKey);
  const isWanted = (terms: ReadonlySet<string>) => mayHoldLabels(terms, selector);
  workspace.questions?.note({ about: 'built', selector });
  const among = workspace.scopesThatMayBuild(requiredLabels(selector));
  for (const rendering of renderingsBeside(workspace, catalogue, from, { isWanted, among }))
    for (const target of targets)
      for (const { answer, id } of rendering.index().labeledObjects(target, selector)) {
        const there = hasNoNamespace(catalogue, { object: id.location }) ? undefined : id.location.namespace?.text;
        if (answer !== 'yes' || !(own === undefined || there === undefined || there === own)) continue;
        workspace.questions?.note({ about: 'anything' });
        return true;
      }
  return false;
}

interface Wanted {
  /** Whether the rendering with some terms may be needed; other renderings are not built again. */
  isWanted(terms: ReadonlySet<string>): boolean;
  /** The scopes to consider; the caller then notes its question. By default, all scopes are considered. */
  readonly among?: Iterable<Scope> | undefined;
  /** Whether only scopes that certainly share the cluster are needed. */
  readonly isSure?: boolean;
}

/** Yields the renderings of the other scopes that may share the cluster with an object. */
export function* renderingsBeside(
  workspace: Workspace,
  catalogue: Catalogue,
  from: ObjectInFile,
  { isWanted, among, isSure = false }: Wanted,
): Iterable<Rendering> {
  const scopes = workspace.scopes();
  const own = scopes.of(placeOf(from));
  const isBeside = (one: Scope, other: Scope) =>
    isSure ? scopes.shareCluster(one, other) : scopes.relationOf(one, other) !== 'apart';
  let rendered = 0;
  for (const scope of among ?? scopes.all()) {
    if (!isEdited(scope) || own.includes(scope)) continue;
    if (own.length > 0 && !own.some((each) => isBeside(each, scope))) continue;
    // The answer depends on the files of these scopes.
    if (rendered === 0 && among === undefined) workspace.questions?.note({ about: 'anything' });
    if (++rendered > mostRendered) return;
    const terms = workspace.terms(scope.path, catalogue)?.terms;
    const rendering = terms !== undefined && isWanted(terms) ? workspace.rendering(scope.path, catalogue) : undefined;
    if (rendering !== undefined) yield rendering;
  }
}

/** Returns the namespace of an object as it is applied; undefined if only a rendering contains it. */
function appliedNamespace(workspace: Workspace, catalogue: Catalogue, from: ObjectInFile): string | undefined {
  const isWritten = workspace.appliedBy === undefined && workspace.scopes().of(placeOf(from)).some(isEdited);
  return isWritten ? undefined : effectiveNamespace(workspace, catalogue, from)?.text;
}
