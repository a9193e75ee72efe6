/** Finds the only namespace in which an object has the name in a reference to an object of the same namespace. */

import { isBuiltIn } from '../../engine/catalogue/built-in-groups.ts';
import type { Catalogue } from '../../engine/catalogue/types.ts';
import type { ReferenceSite } from '../../manifests/model.ts';
import { targetKinds } from '../../manifests/sites/references.ts';
import { renderingsWithName } from '../kustomize/built-elsewhere.ts';
import { isInWorkspace, kustomizationIn } from '../kustomize/kustomization-paths.ts';
import { appliedVersions, versionsOf } from '../kustomize/view.ts';
import type { ObjectInFile, Rendering, Workspace } from '../model.ts';
import { areInCluster } from '../scopes/cluster.ts';
import { isEdited } from '../scopes/model.ts';
import { placeOf } from '../scopes/scope-facts.ts';
import { folderOf } from '../uri.ts';
import type { ReferenceTarget } from './model.ts';
import { filesThatName, objectsNamed } from './names.ts';
import { isFlux, mayBeUnknown, type NearName } from './near-names.ts';
import { objectsReferringTo } from './objects-by-name.ts';
import { targetsOf } from './targets.ts';

/**
 * Returns the object with the name in a reference, if it is certainly applied to the same cluster, but to another namespace,
 * and no object with this name may be in the namespace of the reference. Returns undefined if several namespaces contain such
 * an object, or if another object refers to the name in the same namespace.
 */
export function nameInOtherNamespace(
  workspace: Workspace,
  catalogue: Catalogue,
  from: ObjectInFile,
  site: ReferenceSite,
): NearName | undefined {
  const isOwner = isOwnerReference(site);
  const [wanted, ...others] = targetKinds(site, catalogue);
  const name = site.name.text;
  if (wanted === undefined || others.length > 0) return undefined;
  const { kind, group = '' } = wanted;
  const isJudged = isFlux(from.object) ? isFlux({ group }) : isBuiltIn(group) || !site.fact.guessed;
  if (!isJudged && !isOwner) return undefined;
  const named = objectsNamed(workspace, kind, name);
  if (named.length === 0 || named.length > maximumCopies) return undefined;
  // Tested before the objects themselves, because the objects to which most references refer are in the same namespace.
  const own = from.object.namespace?.text;
  const mayBeOwn = ({ namespace }: (typeof named)[number]) => namespace === '' || namespace === own;
  const isTested = !isFlux(from.object) && !isOwner;
  if (isTested && (own === undefined || named.some(mayBeOwn))) return undefined;
  const targets = targetsOf(workspace, catalogue, from, site);
  // A patch may move an object away from its owner.
  if (!isOwner && targets.some(({ answer }) => answer === 'yes')) return undefined;
  const home = site.namespace === undefined ? appliedNamespace(workspace, catalogue, from) : site.namespace.value;
  if (typeof home !== 'string') return undefined;
  const copies = named.flatMap(({ uri }) => {
    const file = workspace.files.get(uri);
    const objects = file?.manifest.objects.filter((each) => each.kind === kind && each.name?.text === name) ?? [];
    return file === undefined ? [] : objects.map((object) => ({ file, object }));
  });
  const [namespace, ...more] = new Set(copies.map((each) => appliedNamespace(workspace, catalogue, each)));
  if (namespace === undefined || namespace === home || more.length > 0) return undefined;
  const isCopy = (target: ReferenceTarget) => copies.some(({ object }) => object === target.object);
  // The written namespaces may differ from those that are applied.
  if (!targets.every(isCopy)) return undefined;
  // An object that exists in the namespace is often the owner of several objects, and so is one that does not.
  if (!isOwner && isNamedBeside(workspace, from, site, home)) return undefined;
  if (mayBeUnknown(workspace, from, site)) return undefined;
  const scopes = workspace.scopes();
  const place = placeOf(from);
  if (copies.some(isCopied) || isLeftOut(workspace, from)) return undefined;
  const found = copies.find((each) => areInCluster(scopes, place, placeOf(each), each));
  if (found === undefined || mayBeElsewhere(workspace, catalogue, from, { kind, name, namespace })) return undefined;
  const span = found.object.name?.span ?? found.object.kindSpan;
  const mayBeCopied = group === '' && (kind === 'Secret' || kind === 'ConfigMap') && !isFlux(from.object);
  return { kind, name, place: { home, namespace, mayBeCopied }, target: { file: found.file, span } };
}

/** Whether a kustomization in a folder above does not list the file of an object. It may set the namespace if it does. */
function isLeftOut(workspace: Workspace, where: ObjectInFile): boolean {
  const kinds = workspace.scopes().of(placeOf(where));
  if (kinds.some(({ kind }) => kind !== 'folder' && kind !== 'file')) return false;
  for (let folder = folderOf(where.file.uri); isInWorkspace(workspace, folder); folder = folderOf(folder))
    if (kustomizationIn(workspace, folder) !== undefined) return true;
  return false;
}

/** Whether an annotation may make a program copy an object to other namespaces. */
function isCopied({ object }: ObjectInFile): boolean {
  return object.labelSites.some(
    ({ path, open, entries }) =>
      path === 'metadata.annotations' &&
      (open || entries.some(({ key }) => /reflect|replicat|sync|cop(?:y|ies)|clone/i.test(key.text))),
  );
}

/** Whether a reference names an owner of its object, which must be in the namespace of the object or cluster-scoped. */
export function isOwnerReference({ path }: ReferenceSite): boolean {
  return path.startsWith('metadata.ownerReferences');
}

/** The maximum number of objects with the name that are compared. */
const maximumCopies = 10;

/** Returns the namespace of an object as all scopes apply it; undefined if it is unknown, or if scopes apply it to several namespaces. */
function appliedNamespace(workspace: Workspace, catalogue: Catalogue, where: ObjectInFile): string | undefined {
  const versions = appliedVersions(workspace, catalogue, where.file.uri);
  const objects = versions.flatMap((version) => versionsOf(version, where.object));
  const isBuilt = versions.length > 0 || workspace.scopes().of(placeOf(where)).some(isEdited);
  const all = isBuilt ? objects : [where];
  const [only, ...others] = new Set(all.map(({ object }) => object.namespace?.value));
  return typeof only === 'string' && others.length === 0 ? only : undefined;
}

function isNamedBeside(workspace: Workspace, { file, object }: ObjectInFile, site: ReferenceSite, home: string) {
  const isSame = ({ name, namespace, fact }: ReferenceSite, own: string | undefined) =>
    name.text === site.name.text &&
    fact.form !== 'host' &&
    fact.targets[0]?.kind === site.fact.targets[0]?.kind &&
    [home, undefined].includes(namespace?.text ?? own);
  return filesThatName(workspace, site.name.text).some((uri) =>
    objectsReferringTo(workspace.files.get(uri), site.name.text).some((other) => {
      if (uri === file.uri && other.span.start === object.span.start) return false;
      return other.references?.some((each) => isSame(each, other.namespace?.text));
    }),
  );
}

/** Whether a scope that may share the cluster may build an object with the name in another namespace. */
function mayBeElsewhere(
  workspace: Workspace,
  catalogue: Catalogue,
  from: ObjectInFile,
  wanted: { readonly kind: string; readonly name: string; readonly namespace: string },
): boolean {
  const own = workspace.scopes().of(placeOf(from)).filter(isEdited);
  const isOther = ({ object }: Rendering['objects'][number]) =>
    object.kind === wanted.kind && object.name?.text === wanted.name && object.namespace?.value !== wanted.namespace;
  const mayBuild = (rendering: Rendering | undefined) => rendering === undefined || rendering.objects.some(isOther);
  if (own.some(({ path }) => mayBuild(workspace.rendering(path, catalogue)))) return true;
  for (const rendering of renderingsWithName(workspace, catalogue, from, wanted.name))
    if (mayBuild(rendering)) return true;
  return false;
}
