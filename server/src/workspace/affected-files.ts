/** Computes the files whose findings may differ after some files changed: the files with a selector or a label that the change may affect, usually only a few even in a large workspace. The only case that is not covered is a match in another scope that results from a patch inside a kustomization, or from an overlay. */

import type { Catalogue } from '../engine/catalogue/types.ts';
import { findActions } from '../manifests/helm/actions.ts';
import { labeledObjectsOf } from '../manifests/label-sets.ts';
import { configName } from '../settings/config.ts';
import { isLeftUnchanged } from './gitops/owned-objects.ts';
import { isSameOutline, kindKey, outlineOf } from './index/file-outline.ts';
import { kustomizationsNaming, withTransformers } from './kustomize/named-files.ts';
import { mayReachAny, namespacesIn } from './kustomize/rendering-terms.ts';
import type { ObjectInFile, Workspace, WorkspaceFile } from './model.ts';
import { concernsNetwork } from './reach/cluster.ts';
import { mayRestrictIn } from './reach/cluster-scopes.ts';
import { isRendered, type Scope } from './scopes/model.ts';
import { placeOf } from './scopes/scope-facts.ts';
import { filesInSiblings } from './scopes/sibling-folders.ts';
import { isExclusive, mayContainExclusive } from './selection/cluster-overlaps.ts';
import { effectiveSelector } from './selection/effective-selector.ts';
import { reaches } from './selection/namespaces.ts';
import { fileNameOf } from './uri.ts';

/** The differences between two snapshots. */
interface Changes {
  /** The changed, new and removed files. */
  readonly uris: ReadonlySet<string>;
  /** The earlier versions of objects whose changes are visible to other files. */
  readonly were: readonly ObjectInFile[];
  readonly are: readonly ObjectInFile[];
}

/** Returns the catalogue with the kinds that are defined for a file or scope. */
type CatalogueOf = (uri: string) => Catalogue;

/**
 * Returns the URIs of the files to check again, some of which may no longer exist, or `all` if a change concerns every
 * file.
 */
export function affectedFiles(
  before: Workspace,
  after: Workspace,
  catalogue: Catalogue,
  catalogueOf: CatalogueOf = () => catalogue,
): ReadonlySet<string> | 'all' {
  if (before === after) return new Set();
  // A new name or kustomization may move any file to another scope.
  if (before.scopes() !== after.scopes()) return 'all';
  const changes = changesBetween(before, after);
  if (changes === 'all' || hasChangedKeys(after, changes)) return 'all';
  const affected = new Set(changes.uris);
  for (const where of [...changes.were, ...changes.are]) {
    if (isPatched(after, where)) return 'all';
    for (const uri of [
      ...affectedHere(after, where),
      ...selectingObjectsAnywhere(after, catalogue, where),
      ...affectedInCluster(after, catalogueOf, where),
    ])
      affected.add(uri);
  }
  for (const uri of selectingChangedLabels(after, changes)) affected.add(uri);
  if (changes.were.length + changes.are.length > 0) for (const uri of filesWithExpectations(after)) affected.add(uri);
  return affected;
}

/** Returns the configuration files with expectations, which depend on every object in the folder of the file. */
function filesWithExpectations({ files }: Workspace): readonly string[] {
  return [...files.keys()].filter((uri) => {
    return fileNameOf(uri) === configName && (files.get(uri)?.config?.values.expect ?? []).length > 0;
  });
}

function changesBetween(before: Workspace, after: Workspace): Changes | 'all' {
  const uris = [...before.files.keys()].filter((uri) => before.files.get(uri) !== after.files.get(uri));
  for (const each of [...after.files.keys()].filter((uri) => !before.files.has(uri))) uris.push(each);
  const were: ObjectInFile[] = [];
  const are: ObjectInFile[] = [];
  for (const uri of uris) {
    const [was, is] = [before.files.get(uri), after.files.get(uri)];
    if (affectsOthers(before, was) || affectsOthers(after, is)) return 'all';
    if (was?.valuesRead?.join() !== is?.valuesRead?.join() && hasReleases(after)) return 'all';
    if (actionsIn(was?.template) !== actionsIn(is?.template)) return 'all';
    const isOwned = after
      .scopes()
      .ofFile(uri)
      .some(({ gitops }) => gitops !== undefined);
    if (isOwned && ownershipIn(was) !== ownershipIn(is)) return 'all';
    if (was !== undefined && is !== undefined && isSameOutline(was.manifest, is.manifest)) continue;
    for (const each of objectsOnlyIn(was, is)) were.push(each);
    for (const each of objectsOnlyIn(is, was)) are.push(each);
  }
  return { uris: new Set(uris), were, are };
}

/** Whether the facts of a file affect the findings of files that did not change. */
function affectsOthers(workspace: Workspace, file: WorkspaceFile | undefined): boolean {
  if (file === undefined) return false;
  if (file.config !== undefined || file.kustomization !== undefined || file.chart !== undefined) return true;
  if (file.manifest.objects.some(({ defines }) => defines !== undefined)) return true;
  if (file.data !== undefined || decidesGitops(workspace, file)) return true;
  return workspace.scopes().isPatch(file.uri) || decidesBuild(workspace, file.uri);
}

/** Returns the actions of a template that a GitOps object installs. Those outside of objects may change other objects. */
function actionsIn(template: string | undefined): string | undefined {
  return (
    template &&
    findActions(template)
      .map(({ body }) => body)
      .join('\n')
  );
}

/** Returns a string that is equal for two versions of a file if the objects with known names that a GitOps object owns are equal. */
function ownershipIn(file: WorkspaceFile | undefined): string | undefined {
  return file?.manifest.objects.map((object) => `${object.name?.text} ${isLeftUnchanged(object)}`).join('\n');
}

/** Whether GitOps objects install charts of the workspace, with values that templates read. */
function hasReleases(workspace: Workspace): boolean {
  return workspace
    .scopes()
    .all()
    .some(({ gitops }) => gitops?.contents.some((content) => content?.chart));
}

/** Whether a file may affect what GitOps objects apply: it defines a GitOps object, or contains variables that a GitOps object may read. */
function decidesGitops(workspace: Workspace, { manifest }: WorkspaceFile): boolean {
  if (manifest.objects.some(({ gitopsSpec }) => gitopsSpec !== undefined)) return true;
  const hasVariables = manifest.objects.some(({ variables }) => variables !== undefined);
  return (
    hasVariables &&
    workspace
      .scopes()
      .all()
      .some(({ gitops }) => gitops !== undefined)
  );
}

/** Whether a file may affect a kustomize build although it is not a resource: a kustomization names it, or a transformer may read it as a patch, from any folder. */
function decidesBuild(workspace: Workspace, uri: string): boolean {
  if (kustomizationsNaming(workspace).has(uri)) return true;
  const isResource = workspace
    .scopes()
    .ofFile(uri)
    .some((scope) => isRendered(scope) || scope.kind === 'chart');
  return !isResource && withTransformers(workspace).length > 0;
}

/** Returns the objects of a file without an equal object in another version of it. */
function objectsOnlyIn(file: WorkspaceFile | undefined, other: WorkspaceFile | undefined): readonly ObjectInFile[] {
  if (file === undefined) return [];
  const known = new Set(other?.manifest.objects.map(outlineOf));
  return file.manifest.objects
    .filter((object) => object.forCluster && !known.has(outlineOf(object)))
    .map((object) => ({ file, object }));
}

/**
 * Whether a label key appears that no other object has, or disappears with its last labeled object: some rules depend
 * on the set of keys.
 */
function hasChangedKeys(after: Workspace, { were, are }: Changes): boolean {
  const had = countKeys(were);
  const has = countKeys(are);
  return [...new Set([...had.keys(), ...has.keys()])].some((each) => {
    if (had.has(each) && has.has(each)) return false;
    const at = each.indexOf('\n');
    const counts = new Map(after.labelCounts(each.slice(0, at)).keys());
    return (counts.get(each.slice(at + 1)) ?? 0) === (has.get(each) ?? 0);
  });
}

/** Returns the number of labeled objects with each key, by kind and key. */
function countKeys(objects: readonly ObjectInFile[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { object } of objects) {
    for (const { target, labels } of labeledObjectsOf(object)) {
      for (const key of Object.keys(labels)) {
        const each = `${kindKey(target)}\n${key}`;
        counts.set(each, (counts.get(each) ?? 0) + 1);
      }
    }
  }
  return counts;
}

/** Returns the URIs of the files in the scope of an object, and in neighboring folders, that concern its kinds: near misses and competing selectors are searched among their objects. */
function affectedHere(workspace: Workspace, where: ObjectInFile): readonly string[] {
  const kinds = kindsOf(where);
  const place = placeOf(where);
  const scopes = workspace.scopes();
  return [...scopes.filesAround(place), ...filesInSiblings(scopes, place)].filter((uri) =>
    concerns(workspace, uri, kinds),
  );
}

/** Whether an object in a file selects, names or creates objects of some kinds. */
function concerns({ files }: Workspace, uri: string, kinds: ReadonlySet<string>): boolean {
  const objects = files.get(uri)?.manifest.objects ?? [];
  return objects.some((object) => [...kindsOf({ object })].some((kind) => kinds.has(kind)));
}

/** Returns the files in the clusters of a GitOps object that an object of it may affect: files with policies or disruption budgets, and files that concern its kinds, or all files if it is a Namespace. */
function affectedInCluster(workspace: Workspace, catalogueOf: CatalogueOf, where: ObjectInFile): readonly string[] {
  const scopes = workspace.scopes();
  const own = scopes.of(placeOf(where)).filter(({ gitops }) => gitops !== undefined);
  if (own.length === 0) return [];
  const groups = scopes.clusterGroups();
  const around = new Set(
    groups.flatMap((group) => (own.some((each) => group.scopes.has(each)) ? [...group.scopes] : [])),
  );
  const kinds = kindsOf(where);
  const isForAll = kinds.has(namespaceKey);
  const related = isForAll ? [...around] : relatedTo(workspace, catalogueOf, where, own, around);
  return [
    ...[...filesOf(related)].filter((uri) => isForAll || concerns(workspace, uri, kinds)),
    ...exclusiveIn(workspace, filesOf(groups.flatMap((group) => [...group.scopes])), where),
  ];
}

/** Returns the scopes that may contain a selector of an object in some scopes of their cluster, or an object that it selects: scopes with objects in the same namespaces, or with selectors of objects in other namespaces. */
function relatedTo(
  workspace: Workspace,
  catalogueOf: CatalogueOf,
  { object }: ObjectInFile,
  own: readonly Scope[],
  around: ReadonlySet<Scope>,
): readonly Scope[] {
  const termsIn = ({ path }: Scope) => workspace.terms(path, catalogueOf(path))?.terms;
  const terms = own.map(termsIn);
  const isAnywhere = object.selectorSites.some(({ fact }) => fact.reach !== 'own');
  if (isAnywhere || terms.includes(undefined)) return [...around];
  const written = object.namespace === undefined ? [] : [object.namespace.text];
  const namespaces = [
    ...new Set([...written, ...terms.flatMap((each) => (each === undefined ? [] : namespacesIn(each)))]),
  ];
  return [...around].filter((scope) => {
    const others = termsIn(scope);
    return others === undefined || mayReachAny(others, namespaces);
  });
}

const namespaceKey = kindKey({ group: '', kind: 'Namespace' });

function filesOf(scopes: readonly Scope[]): ReadonlySet<string> {
  return new Set(scopes.flatMap(({ files }) => [...files]));
}

/** Returns the files with policies or disruption budgets that an object may affect. */
function exclusiveIn(workspace: Workspace, applied: ReadonlySet<string>, { object }: ObjectInFile): readonly string[] {
  const scopes = workspace.scopes();
  const isNetwork = concernsNetwork(object);
  if (!isNetwork && !isExclusive(object)) return [];
  return [...applied].filter((uri) => mayContainExclusive(scopes, uri) || (isNetwork && mayRestrictIn(scopes, uri)));
}

/** Returns the files with a selector that requires a label which no object had before, or which no object has now: the label may be a misspelled one. */
function selectingChangedLabels(after: Workspace, { were, are }: Changes): readonly string[] {
  const [had, has] = [countLabels(were), countLabels(are)];
  return [...new Set([...had.keys(), ...has.keys()])].flatMap((label) => {
    if (had.has(label) && has.has(label)) return [];
    const [key = '', value = ''] = label.split('\n');
    if (after.carrying(key, value).length > (has.get(label) ?? 0)) return [];
    return after.speaking(key, [value]).map(({ uri }) => uri);
  });
}

/** Returns the number of labeled objects with each label with a known value, by key and value. */
function countLabels(objects: readonly ObjectInFile[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { object } of objects)
    for (const { labels } of labeledObjectsOf(object))
      for (const [key, value] of Object.entries(labels)) {
        const label = `${key}\n${value}`;
        if (typeof value === 'string') counts.set(label, (counts.get(label) ?? 0) + 1);
      }
  return counts;
}

/** Returns the kinds that an object selects or names, and the kinds that it creates. */
function kindsOf({ object }: Pick<ObjectInFile, 'object'>): ReadonlySet<string> {
  const selected = object.selectorSites.flatMap(({ fact }) => fact.targets);
  const named = (object.references ?? []).flatMap(({ fact, kind, group }) =>
    kind === undefined
      ? fact.targets
      : [{ group: group ?? fact.targets.find((each) => each.kind === kind)?.group ?? '', kind }],
  );
  return new Set([...selected, ...named, ...labeledObjectsOf(object).map(({ target }) => target)].map(kindKey));
}

/** Returns the selectors that match the labels of an object, including selectors in other scopes: a selector with such a match is not reported as matching nothing. */
function selectingObjectsAnywhere(workspace: Workspace, catalogue: Catalogue, where: ObjectInFile): readonly string[] {
  return labeledObjectsOf(where.object)
    .flatMap(({ target, labels, open }) => workspace.selecting(kindKey(target), { labels, open }))
    .filter((selectingObject) => effectiveSelector(selectingObject.site)?.kind === 'all')
    .filter(
      (selectingObject) => reaches(workspace, catalogue, selectingObject, selectingObject.site, where).answer !== 'no',
    )
    .map(({ file }) => file.uri);
}

/** Whether the file is a patch that may let a selector match the labels of an object. Which selector it is can be determined only by a build. */
function isPatched(workspace: Workspace, { object }: ObjectInFile): boolean {
  return labeledObjectsOf(object).some(({ target, labels, open }) =>
    workspace.selectingIds(kindKey(target), { labels, open }).some(({ id }) => workspace.scopes().isPatch(id.uri)),
  );
}
