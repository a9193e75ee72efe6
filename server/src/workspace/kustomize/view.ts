/** The view of a kustomization: the workspace in which the objects of the kustomization are as it applies them, and all other objects are as written. */

import type { Catalogue } from '../../engine/catalogue/types.ts';
import type { Kustomization } from '../../manifests/kustomize/model.ts';
import type { Manifest, ManifestObject } from '../../manifests/model.ts';
import { type InFolder, inFolder } from '../index/folder-index.ts';
import { labeledObjectsInFile, selectorsInFile, wantedIn } from '../index/index-entries.ts';
import { allBut, labelSetsOf, oneAfterTheOther, selectorsBeside } from '../index/iterate.ts';
import { LayeredMap } from '../index/layered-map.ts';
import type { IsWanted, ObjectInFile, Rendering, Workspace, WorkspaceFile } from '../model.ts';
import { scopesInCluster } from '../scopes/cluster.ts';
import { isRendered, type Scope, type Scopes, type Seen } from '../scopes/model.ts';
import { leadFirst, type Perspective } from '../scopes/perspective.ts';
import { identityOf } from '../scopes/scope-facts.ts';
import { objectsOf } from '../snapshot.ts';
import { kustomizationsNaming } from './named-files.ts';
import { isSharedTooMuch } from './shared-files.ts';

/** The workspace as one kustomization applies it, and a file in that workspace. */
export interface Applied extends AppliedScope {
  readonly file: WorkspaceFile;
}

/** Returns the objects that a scope applies: for a kustomization the built objects, for any other scope the written objects. */
export function effectiveObjectsOf(workspace: Workspace, catalogue: Catalogue, scope: Scope): readonly ObjectInFile[] {
  const rendering = isRendered(scope) ? workspace.rendering(scope.path, catalogue) : undefined;
  if (rendering !== undefined) return rendering.objects;
  return [...scope.files].flatMap((uri) => {
    const file = workspace.files.get(uri);
    if (file === undefined) return [];
    const isMember = ({ template }: ManifestObject) => scope.kind !== 'template' || template === scope.name;
    return objectsOf(workspace, file)
      .filter(isMember)
      .map((object) => ({ file, object }));
  });
}

/** Returns a view of the workspace with the objects as a kustomization builds them; undefined for other scopes, and for a kustomization that cannot be built. */
export function seenBy(workspace: Workspace, catalogue: Catalogue, scope: Scope): Workspace | undefined {
  if (!isRendered(scope)) return undefined;
  const rendering = workspace.rendering(scope.path, catalogue);
  if (rendering === undefined) return undefined;
  if (rendering.view?.of !== workspace) rendering.view = { of: workspace, view: viewOf(workspace, scope, rendering) };
  return rendering.view.view;
}

/** A rendered scope: its objects, and the workspace as it applies them. */
export interface AppliedScope {
  readonly scope: Scope;
  readonly workspace: Workspace;
  readonly rendering: Rendering;
}

/** Returns the objects that a scope builds; undefined for a scope that is not rendered, or cannot be. */
export function appliedScope(workspace: Workspace, catalogue: Catalogue, scope: Scope): AppliedScope | undefined {
  const view = seenBy(workspace, catalogue, scope);
  const rendering = view && workspace.rendering(scope.path, catalogue);
  return view && rendering && { scope, workspace: view, rendering };
}

/** The maximum number of GitOps objects in a cluster whose objects are compared with an object. */
export const mostCompared = 500;

/** Returns the other GitOps objects that certainly apply to the cluster of an object, at most `mostCompared`; `own` contains the scopes of the object. */
export function comparedInCluster(scopes: Scopes, own: readonly Scope[]): readonly Scope[] {
  return scopesInCluster(scopes, own, mostCompared);
}

/** Yields the objects that other GitOps objects certainly apply to the cluster of an object; `own` contains the scopes of the object. GitOps objects are omitted if `isWanted` is false for the terms of their renderings, or if they are not `among`. */
export function* appliedBeside(
  workspace: Workspace,
  catalogue: Catalogue,
  own: readonly Scope[],
  isWanted: (terms: ReadonlySet<string>) => boolean = () => true,
  among?: Scope,
): Iterable<AppliedScope> {
  for (const scope of comparedInCluster(workspace.scopes(), own)) {
    if (among !== undefined && scope !== among) continue;
    const terms = workspace.terms(scope.path, catalogue)?.terms;
    if (terms !== undefined && !isWanted(terms)) continue;
    const applied = appliedScope(workspace, catalogue, scope);
    if (applied !== undefined) yield applied;
  }
}

/** Returns a file as each kustomization that includes it applies it; empty if there is none, if there are too many, and in the view of a kustomization. */
export function appliedVersions(workspace: Workspace, catalogue: Catalogue, uri: string): readonly Applied[] {
  return [...appliedInTurn(workspace, catalogue, uri)];
}

/** Like `appliedVersions`, but renders lazily, so that a caller that needs only one version causes only one rendering. The scope of the perspective comes first. */
export function* appliedInTurn(
  workspace: Workspace,
  catalogue: Catalogue,
  uri: string,
  perspective?: Perspective,
): Iterable<Applied> {
  if (workspace.appliedBy !== undefined || isSharedTooMuch(workspace, uri)) return;
  const scopes = workspace.scopes();
  const { kustomization } = workspace.files.get(uri) ?? {};
  // A patch is not one of the built files, and neither is a kustomization, unless it generates or patches objects.
  const isBeside = scopes.isPatch(uri) || kustomization?.changes.length || kustomization?.generators.length;
  const building = isBeside ? rootsWith(workspace, uri) : [];
  const all = [...new Set([...scopes.of(uri), ...building])].map((scope) => ({ scope }));
  for (const { scope } of perspective === undefined ? all : leadFirst(all, perspective)) {
    const applied = appliedScope(workspace, catalogue, scope);
    const file = applied?.workspace.files.get(uri);
    if (applied !== undefined && file !== undefined) yield { ...applied, file };
  }
}

/** Returns the root kustomizations whose result depends on a kustomization file, or on a file that a kustomization uses. */
export function rootsWith(workspace: Workspace, uri: string): ReadonlySet<Scope> {
  return rootsWithAny(workspace, new Set([uri]));
}

/** Like `rootsWith`, but for several files. */
export function rootsWithAny(workspace: Workspace, uris: ReadonlySet<string>): ReadonlySet<Scope> {
  const scopes = workspace.scopes();
  const parts = [...uris].flatMap((uri) => [uri, ...kustomizationsNaming(scopes, uri)]);
  return new Set(parts.flatMap((uri) => scopes.building(uri)));
}

/** Returns the rendered scopes whose objects may depend on one of some files. */
export function buildsWithAny(workspace: Workspace, uris: ReadonlySet<string>): readonly Scope[] {
  const scopes = workspace.scopes();
  const affected = new Set([...rootsWithAny(workspace, uris), ...[...uris].flatMap((uri) => scopes.ofFile(uri))]);
  return [...affected].filter(isRendered);
}

/** Returns the applied versions of an object of a file: none if the object is omitted, several if it is included more than once; for a patch, the objects that it changes. */
export function versionsOf({ file, workspace, rendering }: Applied, object: ManifestObject): readonly ObjectInFile[] {
  if (!isPatch(workspace, { file, object })) return versionsIn(file, object);
  return rendering.objects.filter(({ transformers }) =>
    transformers.some(
      (each) => each.kind === 'merge' && each.uri === file.uri && each.object.span.start === object.span.start,
    ),
  );
}

/** Whether an object of a file is a patch, in a file of its own or in a kustomization. */
export function isPatch(workspace: Workspace, { file: { uri }, object }: ObjectInFile): boolean {
  if (workspace.scopes().isPatch(uri)) return true;
  const inline = patchesIn(workspace.files.get(uri)?.kustomization);
  return inline.some(({ span }) => span.start === object.span.start);
}

/** Returns the patches that are written in a kustomization. */
export function patchesIn(kustomization: Kustomization | undefined): readonly ManifestObject[] {
  return kustomization?.changes.flatMap(({ inline }) => inline?.objects ?? []) ?? [];
}

/** Like `versionsOf`, for an object that is not a patch, in an applied file. */
export function versionsIn(file: WorkspaceFile, object: ManifestObject): readonly ObjectInFile[] {
  return file.manifest.objects
    .filter((each) => each.forCluster && each.kindSpan.start === object.kindSpan.start)
    .map((each) => ({ file, object: each }));
}

function viewOf(workspace: Workspace, scope: Scope, rendering: Rendering): Workspace {
  const files = new LayeredMap(workspace.files, appliedFiles(workspace, scope, rendering));
  const own: ReadonlySet<string> = new Set([...scope.files, ...rendering.files.keys()]);
  const scopes = workspace.scopes().seenFrom(scope, seenIn(rendering, own));
  const isOwn = (uri: string) => own.has(uri);
  const view: Workspace = {
    files,
    scopes: () => scopes,
    configs: () => workspace.configs(),
    find(target, selector, isWanted = () => true, within = undefined, isAnyEnough = false) {
      const built = wantedIn(view, rendering.index().labeledObjects(target, selector), isWanted);
      if (within === own) return built;
      const isWantedBeside: IsWanted = (uri, ...found) => !isOwn(uri) && isWanted(uri, ...found);
      return oneAfterTheOther(built, () => workspace.find(target, selector, isWantedBeside, within, isAnyEnough));
    },
    labeledObjectsIn: (uri, targets) =>
      isOwn(uri) ? labeledObjectsInFile(files.get(uri), targets) : workspace.labeledObjectsIn(uri, targets),
    selectorsIn: (uri, target) =>
      isOwn(uri) ? selectorsInFile(files.get(uri), target) : workspace.selectorsIn(uri, target),
    selectingIds: (target, labels, within) => {
      const built = rendering.index().selectors(target, labels);
      if (within === own) return built;
      return oneAfterTheOther(built, () => selectorsBeside(own, workspace.selectingIds(target, labels, within)));
    },
    carrying: (key, value) => [
      ...rendering.index().carrying(key, value),
      ...workspace.carrying(key, value).map((each) => filesIn(each, (uri) => !isOwn(uri))),
    ],
    speaking: (...asked) => [
      ...rendering.index().speaking(...asked),
      ...workspace.speaking(...asked).filter(({ uri }) => !isOwn(uri)),
    ],
    targets: () => new Set([...workspace.targets(), ...rendering.index().targets()]),
    labelSets(target, selector) {
      const built = labelSetsOf(rendering.index().labelSets(target, selector), () => true);
      return oneAfterTheOther(built, () => allBut(own, workspace.labelSets(target, selector)));
    },
    labelCounts: (target) => workspace.labelCounts(target),
    hasKey: (target, key) => rendering.index().hasKey(target, key) || workspace.hasKey(target, key),
    labelsOf: (target) => [...workspace.labelsOf(target), ...rendering.index().labelsOf(target)],
    indexUpdates: () => workspace.indexUpdates(),
    indexLookups: () => workspace.indexLookups(),
    folders: workspace.folders,
    at: (folder, path) => workspace.at(folder, path),
    ...renderingsOf(workspace),
    questions: workspace.questions,
    appliedBy: scope,
    written: workspace,
  };
  return view;
}

function filesIn<Id>({ folder, files }: InFolder<Id>, isWanted: (uri: string) => boolean): InFolder<Id> {
  const wanted = files.filter(({ uri }) => isWanted(uri));
  return inFolder(folder, wanted);
}

function renderingsOf(
  workspace: Workspace,
): Pick<
  Workspace,
  | 'rendering'
  | 'unrendered'
  | 'terms'
  | 'scopesThatMayBuild'
  | 'scopesThatBuildNamed'
  | 'renderingCount'
  | 'evictUnused'
  | 'evictions'
> {
  return {
    rendering: (folder, catalogue) => workspace.rendering(folder, catalogue),
    unrendered: (folder, catalogue) => workspace.unrendered(folder, catalogue),
    terms: (folder, catalogue) => workspace.terms(folder, catalogue),
    scopesThatMayBuild: (required) => workspace.scopesThatMayBuild(required),
    scopesThatBuildNamed: (name, catalogue) => workspace.scopesThatBuildNamed(name, catalogue),
    renderingCount: () => workspace.renderingCount(),
    evictUnused: () => workspace.evictUnused(),
    evictions: () => workspace.evictions(),
  };
}

/** Returns the files of a kustomization: a patch may delete all objects of a file. */
function appliedFiles(workspace: Workspace, scope: Scope, rendering: Rendering): ReadonlyMap<string, WorkspaceFile> {
  const files = new Map(rendering.files);
  for (const uri of scope.files) {
    const file = workspace.files.get(uri);
    if (file !== undefined && !files.has(uri)) files.set(uri, withoutObjects(file));
  }
  return files;
}

function seenIn(rendering: Rendering, files: ReadonlySet<string>): Seen {
  let identities: ReadonlySet<string> | undefined;
  return {
    files,
    isApplied: (identity) => {
      identities ??= new Set(rendering.objects.flatMap(({ object }) => identityOf(object) ?? []));
      return identities.has(identity);
    },
  };
}

function withoutObjects(file: WorkspaceFile): WorkspaceFile {
  return withManifest(file, { ...file.manifest, objects: [] });
}

/** Returns a file with another manifest. */
export function withManifest(file: WorkspaceFile, manifest: Manifest): WorkspaceFile {
  return {
    uri: file.uri,
    objects: manifest.objects.filter(({ forCluster }) => forCluster).length,
    manifest,
    get lines() {
      return file.lines;
    },
    get scope() {
      return file.scope;
    },
  };
}
