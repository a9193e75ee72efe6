/** Finds the GitOps objects that apply the same object, by the identity of the object in the cluster. */

import { storedGroup } from '../../engine/catalogue/stored-group.ts';
import type { Catalogue } from '../../engine/catalogue/types.ts';
import { getOrAdd } from '../../engine/memoize.ts';
import { writtenAt } from '../../manifests/kustomize/kustomization-fields.ts';
import type { ManifestObject } from '../../manifests/model.ts';
import { type Node, nodeAt } from '../../manifests/yaml/tree.ts';
import type { EffectiveObject, Workspace } from '../model.ts';
import { folderOf } from '../uri.ts';
import { definitionIn, type GitopsScope, isGitopsScope } from './defined-scopes.ts';
import { clusterConfigOf, definitionKey } from './model.ts';

/** Returns the term of a rendering for an object that a GitOps object certainly applies and keeps as it is defined; undefined if its identity is unknown, or if an existing object in the cluster is not overwritten. */
export function ownedTerm(
  catalogue: Catalogue,
  { object, written }: Pick<EffectiveObject, 'object' | 'written'>,
): string | undefined {
  const { group, version, kind, name, namespace, forCluster, conditions } = object;
  if (!forCluster || typeof name?.value !== 'string' || name.value === '' || conditions !== undefined) return undefined;
  const isNamespaced = catalogue.kind(group, version, kind)?.namespaced ?? true;
  const where = isNamespaced ? namespace?.value : '';
  if (typeof where !== 'string' || (isNamespaced && where === '')) return undefined;
  // Argo CD only adds labels to a Namespace that it creates for an Application.
  const isImplied = !written && group === '' && kind === 'Namespace';
  return isImplied || isLeftUnchanged(object)
    ? undefined
    : [prefix, storedGroup(object), kind, where, name.value].join('\n');
}

/** The beginning of every term of an owned object. */
const prefix = 'owned';

/** Whether a label or annotation prevents that an existing object is overwritten, or makes the object a hook, which is created for one run. */
function isLeftUnchanged({ labelSites }: ManifestObject): boolean {
  const entries = labelSites.filter(({ path }) => path.startsWith('metadata.')).flatMap((site) => site.entries);
  return entries.some(({ key: { text: key }, value }) => {
    if (key === 'kustomize.toolkit.fluxcd.io/ssa') return value.text.toLowerCase() !== 'override';
    return ['kustomize.toolkit.fluxcd.io/reconcile', 'argocd.argoproj.io/hook', 'helm.sh/hook'].includes(key);
  });
}

/** Whether the cluster of a GitOps object can be compared with the clusters of others. With unknown parameters, each Application may be one of another instance of Argo CD. */
export function hasKnownCluster({ gitops }: GitopsScope): boolean {
  return clusterConfigOf(gitops) !== undefined && gitops.facts.from?.parameters.open !== true;
}

/** The maximum number of owners of an object that are compared. */
export const maximumOwners = 20;

/** Returns GitOps objects with known clusters that own an object with a term, in any of these clusters. Renders only those that may give it this name. */
export function ownersOf(workspace: Workspace, catalogue: Catalogue, term: string): readonly GitopsScope[] {
  workspace.questions?.note({ about: 'applied', term });
  const { byName, renaming } = getOrAdd(possibleOwners, workspace, () => findPossibleOwners(workspace));
  const isOwner = (scope: GitopsScope) =>
    mayOwnIn(scope, term.split('\n')[3] ?? '') && workspace.terms(scope.path, catalogue)?.terms.has(term) === true;
  const named = byName.get(withoutNamespace(term.slice(prefix.length + 1))) ?? [];
  const others = getOrAdd(renamed, workspace, () => ownedBy(workspace, catalogue, renaming)).get(term) ?? [];
  const found: GitopsScope[] = [];
  for (const scope of named.length + others.length > 1 ? named : []) {
    if (found.length === maximumOwners) break;
    if (isOwner(scope)) found.push(scope);
  }
  return [...found, ...others].slice(0, maximumOwners);
}

/** Returns another owner of an object that is certainly in the cluster of the first one. `applying` contains the GitOps objects that apply the file of the object. */
export function otherOwner(
  workspace: Workspace,
  [owner, ...others]: readonly [GitopsScope, ...GitopsScope[]],
  applying: readonly GitopsScope[],
  isWanted: (other: GitopsScope) => boolean,
): GitopsScope | undefined {
  const other = others.find(
    (each) => each !== owner && share(workspace, owner, each, applying.includes(each)) && isWanted(each),
  );
  // The answer also depends on the definitions of both.
  if (other !== undefined) workspace.questions?.note({ about: 'anything' });
  return other;
}

/** Whether two GitOps objects may be one: alternative versions with the same name, or the same definition, which may be read both as written and as a chart renders it. */
function mayBeOne(a: GitopsScope, b: GitopsScope): boolean {
  const [one, other] = [a.gitops.facts, b.gitops.facts];
  if (definitionKey(a.gitops) === definitionKey(b.gitops)) return true;
  const areEqual = one.namespace === other.namespace || one.namespace === '' || other.namespace === '';
  return a.kind === b.kind && one.name === other.name && areEqual;
}

/** Whether two GitOps objects that apply the same object are certainly in the same cluster. If the object is in one file, their definitions may also be in the same folder. */
function share(workspace: Workspace, a: GitopsScope, b: GitopsScope, isOneFile: boolean): boolean {
  if (mayBeOne(a, b)) return false;
  if (workspace.scopes().shareCluster(a, b)) return true;
  const [one, other] = [a.gitops, b.gitops];
  const isWritten = [one, other].every(({ facts }) => (facts.rendered ?? facts.appliedBy) === undefined);
  const isOneFolder = folderOf(one.uri) === folderOf(other.uri);
  if (!(isOneFile && isWritten && isOneFolder && clusterConfigOf(one) === clusterConfigOf(other))) return false;
  // Each cluster may have its own files in a folder, beside the files that all clusters share.
  const [chosen, otherChosen] = [one, other].map((each) => chosenFiles(workspace, each));
  return chosen === otherChosen;
}

/** Returns the patterns by which an Application chooses files of a folder. */
function chosenFiles(workspace: Workspace, gitops: GitopsScope['gitops']): string {
  const directory = nodeAt(definitionIn(gitops, workspace.files)?.gitopsSpec, 'source', 'directory');
  return JSON.stringify(['include', 'exclude'].map((key) => writtenAt(directory, key)?.text));
}

/** Whether a GitOps object may own objects in a namespace; a cluster-scoped object has none. */
function mayOwnIn({ gitops: { kind, facts } }: GitopsScope, namespace: string): boolean {
  const { targetNamespace = namespace } = facts;
  const isSet = kind === 'flux-kustomization' && !targetNamespace.includes('$');
  return namespace === '' || !isSet || targetNamespace === namespace;
}

/** The GitOps objects that may own objects, by their files alone. */
interface PossibleOwners {
  /** Those whose files contain an object, by its group, kind and name. */
  readonly byName: ReadonlyMap<string, readonly GitopsScope[]>;
  /** Those that may change names or generate objects. */
  readonly renaming: readonly GitopsScope[];
}

const possibleOwners = new WeakMap<Workspace, PossibleOwners>();

function findPossibleOwners(workspace: Workspace): PossibleOwners {
  const byName = new Map<string, GitopsScope[]>();
  const renaming: GitopsScope[] = [];
  const facts = workspace.scopes().facts();
  for (const scope of workspace.scopes().all()) {
    if (!isGitopsScope(scope) || !hasKnownCluster(scope)) continue;
    const identities = [...scope.files].flatMap((uri) => facts.get(uri)?.identities ?? []);
    if (mayRename(workspace, scope) || identities.some((each) => each.includes('${'))) renaming.push(scope);
    else for (const name of new Set(identities.map(withoutNamespace))) getOrAdd(byName, name, () => []).push(scope);
  }
  return { byName, renaming };
}

/** Returns the group, kind and name in an identity. */
function withoutNamespace(identity: string): string {
  const [group, kind, , name] = identity.split('\n');
  return [group, kind, name].join('\n');
}

/** Whether a GitOps object may change the names of the objects in its files, or generate objects. */
function mayRename(workspace: Workspace, scope: GitopsScope): boolean {
  const { gitops } = scope;
  if (gitops.contents.some((content) => content?.chart || content?.overrides)) return true;
  const spec = definitionIn(gitops, workspace.files)?.gitopsSpec;
  return (
    (spec !== undefined && hasAffix(spec)) ||
    workspace
      .scopes()
      .partsOf(scope)
      .some((uri) => {
        const { kustomization } = workspace.files.get(uri) ?? {};
        if (kustomization === undefined) return false;
        const { namePrefix, nameSuffix, generators, transformers, inlineTransformers, plugins } = kustomization;
        const others = [transformers, inlineTransformers, plugins, generators.filter(({ plainName }) => plainName)];
        return namePrefix !== undefined || nameSuffix !== undefined || others.some(({ length }) => length > 0);
      })
  );
}

/** Whether a GitOps object sets a prefix or suffix for names. */
function hasAffix(node: Node): boolean {
  if (node.kind === 'list') return node.items.some(hasAffix);
  if (node.kind !== 'map') return false;
  return node.entries.some(({ key, value }) => /^name(?:Prefix|Suffix)$/.test(key.text) || hasAffix(value));
}

const renamed = new WeakMap<Workspace, ReadonlyMap<string, readonly GitopsScope[]>>();

/** Returns the owners of all objects that some GitOps objects own, by the terms of the objects. */
function ownedBy(
  workspace: Workspace,
  catalogue: Catalogue,
  scopes: readonly GitopsScope[],
): ReadonlyMap<string, readonly GitopsScope[]> {
  const found = new Map<string, GitopsScope[]>();
  for (const scope of scopes)
    for (const term of workspace.terms(scope.path, catalogue)?.terms ?? [])
      if (term.startsWith(prefix)) getOrAdd(found, term, () => []).push(scope);
  return found;
}
