/** Finds the scopes of GitOps objects: of those that a file defines, and of those that apply an object. */

import { getOrAdd } from '../../engine/memoize.ts';
import type { ManifestObject } from '../../manifests/model.ts';
import type { Workspace } from '../model.ts';
import type { Scope } from '../scopes/model.ts';
import type { ScopeFacts } from '../scopes/scope-facts.ts';
import { type FolderTree, folderTree } from './folder-tree.ts';
import type { GitopsObject } from './model.ts';

/** A scope of a GitOps object. */
export type GitopsScope = Scope & { readonly gitops: GitopsObject };

/** Whether a scope is that of a GitOps object. */
export function isGitopsScope(scope: Scope): scope is GitopsScope {
  return scope.gitops !== undefined;
}

/** Returns the scopes of an object in a file; empty if it is not a GitOps object. */
export function scopesDefinedBy(workspace: Workspace, uri: string, object: ManifestObject): readonly GitopsScope[] {
  if (object.gitopsSpec === undefined) return [];
  return workspace
    .scopes()
    .building(uri)
    .filter(isGitopsScope)
    .filter(({ gitops: { uri: defining, facts } }) => {
      return defining === uri && facts.name === object.name?.text && facts.namespace === (object.namespace?.text ?? '');
    });
}

/** Returns the GitOps objects that apply the objects of a file. */
export function scopesApplying(workspace: Workspace, place: string): readonly GitopsScope[] {
  return workspace.scopes().of(place).filter(isGitopsScope);
}

const trees = new WeakMap<ReadonlyMap<string, ScopeFacts>, FolderTree>();

/** Returns the folders of a workspace. */
export function foldersOf(workspace: Workspace): FolderTree {
  const facts = workspace.scopes().facts();
  return getOrAdd(trees, facts, () => folderTree(facts.keys()));
}
