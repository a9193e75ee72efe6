/** Resolves the paths that GitOps objects name to the files and folders of the workspace. */

import { knownText } from '../../manifests/gitops/flux.ts';
import { repositoryKey } from '../../manifests/gitops/repository-url.ts';
import { referenceOf, referredRepository, type SourcePath, sourcePaths } from '../../manifests/gitops/source-paths.ts';
import type { ManifestObject } from '../../manifests/model.ts';
import type { Workspace } from '../model.ts';
import { isWithin, resolveUri } from '../uri.ts';
import { type GitopsScope, isGitopsScope } from './defined-scopes.ts';
import type { LocatedFolder } from './repositories.ts';

/** A path, and what it leads to. */
export interface ResolvedPath extends SourcePath {
  readonly uri: string;
  /** The root of its repository. */
  readonly root: string;
  /** The repository is certainly that of the workspace, at the revision in the workspace. */
  readonly isCertain: boolean;
}

/**
 * Returns the paths of the object that defines a scope. Those with placeholders, globs and URLs are left out, and so are
 * those of repositories that are not in the workspace, and those that lead out of their repository.
 */
export function resolvedPaths(
  workspace: Workspace,
  scope: GitopsScope,
  object: ManifestObject,
): readonly ResolvedPath[] {
  const { located, uri: file } = scope.gitops;
  return sourcePaths(object).flatMap((path): readonly ResolvedPath[] => {
    const { node } = path;
    const place = path.source === undefined ? undefined : located[path.source];
    if (path.is === 'folder') {
      if (place === undefined || knownText(node) === undefined) return [];
      return [{ ...path, uri: place.folder, root: place.root, isCertain: place.isCertain }];
    }
    const other = path.is === 'values' ? referenceOf(node) : undefined;
    if (other !== undefined) {
      const repository = referredRepository(object, other.name);
      const there = repository === undefined ? undefined : rootOf(workspace, file, repositoryKey(repository));
      return there === undefined || isUnclear(other.path)
        ? []
        : inside(path, resolveUri(there.root, other.path), there);
    }
    if (place === undefined || knownText(node) === undefined || isUnclear(node.text)) return [];
    const isFromRoot = path.from === 'root' || (path.is === 'values' && node.text.startsWith('/'));
    return inside(path, resolveUri(isFromRoot ? place.root : place.folder, node.text.replace(/^\//, '')), place);
  });
}

type Root = Pick<LocatedFolder, 'root' | 'isCertain'>;

function inside(path: SourcePath, uri: string, { root, isCertain }: Root): readonly ResolvedPath[] {
  return isWithin(uri, root) && uri !== root ? [{ ...path, uri, root, isCertain }] : [];
}

/** Whether a path is a glob or a URL, or contains a variable. */
function isUnclear(text: string): boolean {
  return /[*?[{$]|:\/\//.test(text);
}

/** The root of a repository, as the sources around a file suggest; otherwise the folder of the workspace. */
function rootOf(workspace: Workspace, uri: string, repository: string): Root | undefined {
  const known = workspace
    .scopes()
    .all()
    .filter(isGitopsScope)
    .flatMap(({ gitops: { facts, located } }) =>
      facts.sources.flatMap((source, index) => {
        const place = located[index];
        return source.repository === repository && place !== undefined && isWithin(uri, place.root) ? [place] : [];
      }),
    );
  const [first] = known.toSorted((a, b) => b.root.length - a.root.length || Number(b.isCertain) - Number(a.isCertain));
  if (first !== undefined) return first;
  const root = workspace.folders.map((folder) => folder.replace(/\/$/, '')).find((folder) => isWithin(uri, folder));
  return root === undefined ? undefined : { root, isCertain: false };
}
