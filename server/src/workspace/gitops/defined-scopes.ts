/** Finds the scopes of GitOps objects: of the objects that a file defines, and of the objects that apply a given object. */

import { getOrAdd, memoized } from '../../engine/memoize.ts';
import { argoFacts } from '../../manifests/gitops/argo.ts';
import type { ManifestObject } from '../../manifests/model.ts';
import type { Workspace, WorkspaceFile } from '../model.ts';
import type { Scope, Scopes } from '../scopes/model.ts';
import { scopeQuery } from '../scopes/recorded-scopes.ts';
import type { ScopeFacts } from '../scopes/scope-facts.ts';
import { type FolderTree, folderTree } from './folder-tree.ts';
import { type GitopsObject, kindNames } from './model.ts';

export type GitopsScope = Scope & { readonly gitops: GitopsObject };

/** Whether a GitOps object defines a scope. */
export function isGitopsScope(scope: Scope): scope is GitopsScope {
  return scope.gitops !== undefined;
}

/** The scopes of GitOps objects, cached for the list of all scopes, which the scopes of all renderings share. */
const gitopsScopes = new WeakMap<readonly Scope[], readonly GitopsScope[]>();

/** Returns the scopes of all GitOps objects. */
export function gitopsScopesOf(scopes: Scopes): readonly GitopsScope[] {
  return getOrAdd(gitopsScopes, scopes.all(), (all) => all.filter(isGitopsScope));
}

export const hasGitopsScopes = scopeQuery('GitOps objects', (scopes) => gitopsScopesOf(scopes).length > 0, String);

/** Returns the key of the object that defines a GitOps object, unless a chart renders it. The definition of an Application may be its ApplicationSet, and the definition of a Kustomization may be its FluxInstance. */
function definitionKey({ kind, facts }: GitopsObject): string {
  const { instance, from } = facts;
  const creator = from === undefined ? (instance === undefined ? undefined : 'FluxInstance') : 'ApplicationSet';
  return [creator ?? kindNames[kind], from?.set ?? instance ?? facts.name, facts.namespace].join('\n');
}

function keyOf({ kind, name, namespace }: ManifestObject): string {
  return [kind, name?.text ?? '', namespace?.text ?? ''].join('\n');
}

/** Returns the definition of a GitOps object in its file, as written; undefined if the file is not known. */
export function definitionIn(
  gitops: GitopsObject,
  files: { get(uri: string): WorkspaceFile | undefined },
): ManifestObject | undefined {
  const { objects = [] } = files.get(gitops.uri)?.manifest ?? {};
  const { rendered } = gitops.facts;
  if (rendered !== undefined) return applicationsIn(objects)[rendered.index];
  return definitionsIn(objects).get(definitionKey(gitops));
}

/** Returns the objects of a file that may define GitOps objects, by their key; the first one of several. */
const definitionsIn = memoized((objects: readonly ManifestObject[]): ReadonlyMap<string, ManifestObject> => {
  const defining = objects.filter(({ gitopsSpec }) => gitopsSpec !== undefined);
  return new Map(defining.map((object) => [keyOf(object), object] as const).toReversed());
});

/** Returns the objects of a file from which a chart can render Applications. */
const applicationsIn = memoized((objects: readonly ManifestObject[]): readonly ManifestObject[] =>
  objects.filter((each) => each.gitopsSpec !== undefined && argoFacts(each, each.gitopsSpec)),
);

/** Returns the places of these objects, by the offset of their kind. */
const applicationNumbers = memoized(
  (objects: readonly ManifestObject[]): ReadonlyMap<number, number> =>
    new Map(applicationsIn(objects).map(({ kindSpan }, number) => [kindSpan.start, number])),
);

/** The scopes that the objects of a file define, by the key of the object, or by its place among the Applications that a chart renders. */
type DefinedScopes = ReadonlyMap<string | number, readonly GitopsScope[]>;

const definedScopes = new WeakMap<readonly Scope[], DefinedScopes>();

/** Returns the scopes that an object in a file defines; for an ApplicationSet, these are the scopes of its Applications. The result is empty for other objects. */
export function scopesDefinedBy(workspace: Workspace, uri: string, object: ManifestObject): readonly GitopsScope[] {
  if (object.gitopsSpec === undefined || !object.forCluster) return [];
  const scopes = workspace.scopes();
  // Also records that the scopes of the file are read.
  const built = scopes.building(uri);
  const defined = getOrAdd(definedScopes, built, () => definedIn(built, uri));
  const { objects = [] } = workspace.files.get(uri)?.manifest ?? {};
  const number = applicationNumbers(objects).get(object.kindSpan.start) ?? -1;
  return [...(defined.get(keyOf(object)) ?? []), ...(defined.get(number) ?? [])];
}

function definedIn(built: readonly Scope[], uri: string): DefinedScopes {
  const found = new Map<string | number, GitopsScope[]>();
  for (const scope of built) {
    if (!isGitopsScope(scope) || scope.gitops.uri !== uri) continue;
    const key = scope.gitops.facts.rendered?.index ?? definitionKey(scope.gitops);
    getOrAdd(found, key, () => []).push(scope);
  }
  return found;
}

/** Returns the GitOps objects that apply the objects of a file. */
export function scopesApplying(workspace: Workspace, place: string): readonly GitopsScope[] {
  return workspace.scopes().of(place).filter(isGitopsScope);
}

const trees = new WeakMap<ReadonlyMap<string, ScopeFacts>, FolderTree>();

export function foldersOf(workspace: Workspace): FolderTree {
  const facts = workspace.scopes().facts();
  return getOrAdd(trees, facts, () => folderTree(facts.keys()));
}
