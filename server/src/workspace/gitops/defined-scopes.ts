/** Finds the scopes of GitOps objects: of the objects that a file defines, and of the objects that apply a given object. */

import { getOrAdd } from '../../engine/memoize.ts';
import { argoFacts } from '../../manifests/gitops/argo.ts';
import type { ManifestObject } from '../../manifests/model.ts';
import type { Workspace, WorkspaceFile } from '../model.ts';
import type { Scope, Scopes } from '../scopes/model.ts';
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

/** Whether an object is the definition of a GitOps object. The definition of an Application may be its ApplicationSet, and the definition of a Kustomization may be its FluxInstance. */
function isDefinition({ kind, facts }: GitopsObject, object: ManifestObject): boolean {
  const { instance, from } = facts;
  const creator = from === undefined ? (instance === undefined ? undefined : 'FluxInstance') : 'ApplicationSet';
  return (
    object.gitopsSpec !== undefined &&
    object.kind === (creator ?? kindNames[kind]) &&
    (object.name?.text ?? '') === (from?.set ?? instance ?? facts.name) &&
    (object.namespace?.text ?? '') === facts.namespace
  );
}

/** Returns the definition of a GitOps object in its file, as written; undefined if the file is not known. */
export function definitionIn(
  gitops: GitopsObject,
  files: { get(uri: string): WorkspaceFile | undefined },
): ManifestObject | undefined {
  const { objects = [] } = files.get(gitops.uri)?.manifest ?? {};
  const { rendered } = gitops.facts;
  if (rendered === undefined) return objects.find((object) => isDefinition(gitops, object));
  return objects.filter((each) => each.gitopsSpec !== undefined && argoFacts(each, each.gitopsSpec))[rendered.index];
}

/** Returns the scopes that an object in a file defines; for an ApplicationSet, these are the scopes of its Applications. The result is empty for other objects. */
export function scopesDefinedBy(workspace: Workspace, uri: string, object: ManifestObject): readonly GitopsScope[] {
  if (object.gitopsSpec === undefined || !object.forCluster) return [];
  return workspace
    .scopes()
    .building(uri)
    .filter(isGitopsScope)
    .filter(({ gitops }) => {
      if (gitops.facts.rendered === undefined) return gitops.uri === uri && isDefinition(gitops, object);
      return gitops.uri === uri && definitionIn(gitops, workspace.files)?.kindSpan.start === object.kindSpan.start;
    });
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
