/** Resolves the paths that GitOps objects name to the files and folders of the workspace. */

import { once } from '../../engine/memoize.ts';
import { knownText } from '../../manifests/gitops/flux.ts';
import { plainPath, repositoryKey } from '../../manifests/gitops/repository-url.ts';
import { referenceOf, referredRepository, type SourcePath, sourcePaths } from '../../manifests/gitops/source-paths.ts';
import type { ManifestObject } from '../../manifests/model.ts';
import { childOf, itemsOf } from '../../manifests/yaml/tree.ts';
import type { Workspace } from '../model.ts';
import { isWithin, resolveUri } from '../uri.ts';
import { type GitopsScope, isGitopsScope } from './defined-scopes.ts';
import type { LocatedFolder } from './repositories.ts';

export interface ResolvedPath extends SourcePath, Root {
  readonly uri: string;
  /** The path as it is written, or as an ApplicationSet renders it. */
  readonly text: string;
}

/**
 * Returns the paths of the object that defines a scope. Those with placeholders, globs and URLs are left out, and so are
 * those of repositories that are not in the workspace, and those that lead out of their repository. The paths of an
 * ApplicationSet are those of the Application that the scope represents.
 */
export function resolvedPaths(
  workspace: Workspace,
  scope: GitopsScope,
  object: ManifestObject,
): readonly ResolvedPath[] {
  const { located, uri: file, facts } = scope.gitops;
  const inChart = placesIn(workspace, scope);
  return sourcePaths(object).flatMap((path): readonly ResolvedPath[] => {
    const { node } = path;
    const place = path.source === undefined ? undefined : inChart(located[path.source]);
    if (path.is === 'folder') {
      const text = facts.from === undefined ? folderOf(scope, path) : folderInSet(scope, path, object);
      return place === undefined || text === undefined ? [] : [{ ...path, ...placeIn(place), uri: place.folder, text }];
    }
    if (facts.from !== undefined && hasOverrides(object)) return [];
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
    const uri = resolveUri(isFromRoot ? place.root : place.folder, node.text.replace(/^\//, ''));
    return inside(path, uri, place);
  });
}

/** Returns a function that changes the place of a source to an uncertain one if the object is in a chart, and it is not certain with which values this revision of the chart is installed. */
function placesIn(workspace: Workspace, scope: GitopsScope): (place?: LocatedFolder) => LocatedFolder | undefined {
  const scopes = once(() => workspace.scopes().all().filter(isGitopsScope));
  let isCertain = true;
  let isPinned = false;
  let { rendered } = scope.gitops.facts;
  for (let depth = 0; rendered !== undefined; depth++) {
    const { by } = rendered;
    const installing = scopes().find(({ gitops: { uri, facts } }) => `${uri}#${facts.name}` === by)?.gitops;
    isCertain &&= depth < 5 && installing?.located.every((place) => place?.isCertain !== false) === true;
    isPinned ||= installing?.located.some((place) => place?.isPinned) === true;
    rendered = isCertain ? installing?.facts.rendered : undefined;
  }
  return (place) =>
    place && { ...place, isCertain: isCertain && place.isCertain, ...(isPinned && { isPinned: true as const }) };
}

/** Returns the folder of a source, as it is written or as a chart renders it; undefined if it is unknown. */
function folderOf({ gitops: { facts } }: GitopsScope, { node, source }: SourcePath): string | undefined {
  const text = knownText(node);
  return text !== undefined || (facts.rendered === undefined && facts.appliedBy === undefined)
    ? text
    : facts.sources[source ?? -1]?.path;
}

/** Returns the folder that an ApplicationSet renders; undefined if it is unknown, or may depend on another revision. */
function folderInSet(
  { gitops: { facts } }: GitopsScope,
  { node, source }: SourcePath,
  object: ManifestObject,
): string | undefined {
  const { path, repository } = facts.sources[source ?? -1] ?? {};
  const text = knownText(node);
  if (text !== undefined) return path === plainPath(text) ? text : undefined;
  const isHere = facts.from?.repositories?.every((each) => each === repository) === true;
  return isHere && !hasOverrides(object) ? path : undefined;
}

/** Whether an ApplicationSet may change its template for some Applications. */
export function hasOverrides({ gitopsSpec }: ManifestObject): boolean {
  if (childOf(gitopsSpec, 'templatePatch') !== undefined) return true;
  const generators = itemsOf(childOf(gitopsSpec, 'generators'));
  return generators.some(
    (each) => each.kind === 'map' && each.entries.some(({ value }) => childOf(value, 'template') !== undefined),
  );
}

type Root = Pick<LocatedFolder, 'root' | 'isCertain' | 'isPinned'>;

function placeIn({ root, isCertain, isPinned }: Root): Root {
  return { root, isCertain, ...(isPinned && { isPinned }) };
}

function inside(path: SourcePath, uri: string, place: Root): readonly ResolvedPath[] {
  return isWithin(uri, place.root) && uri !== place.root
    ? [{ ...path, ...placeIn(place), uri, text: path.node.text }]
    : [];
}

/** Whether a path is a glob or a URL, or contains a variable. */
function isUnclear(text: string): boolean {
  return /[*?[{$]|:\/\//.test(text);
}

/** Returns the root of a repository, as the sources around a file suggest; otherwise the workspace folder. */
export function rootOf(workspace: Workspace, uri: string, repository: string): Root | undefined {
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
  const own = workspace.scopes().repositoryOf(uri);
  const isInside = workspace.folders.some((folder) => own !== undefined && isWithin(own.root, folder));
  if (own?.remotes.includes(repository) && isInside) return { root: own.root, isCertain: true };
  const root = workspace.folders.find((folder) => isWithin(uri, folder));
  return root === undefined ? undefined : { root, isCertain: false };
}
