/** Resolves the paths that GitOps objects name to the files and folders of the workspace. */

import { getOrAdd } from '../../engine/memoize.ts';
import { knownText } from '../../manifests/gitops/flux.ts';
import { plainPath, repositoryKey } from '../../manifests/gitops/repository-url.ts';
import { referenceOf, referredRepository, type SourcePath, sourcePaths } from '../../manifests/gitops/source-paths.ts';
import type { ManifestObject } from '../../manifests/model.ts';
import { childOf, itemsOf } from '../../manifests/yaml/tree.ts';
import type { Workspace } from '../model.ts';
import type { Scope } from '../scopes/model.ts';
import { isWithin, resolveUri } from '../uri.ts';
import { type GitopsScope, gitopsScopesOf } from './defined-scopes.ts';
import { definitionKey, type GitopsObject } from './model.ts';
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

const definitionsByKey = new WeakMap<readonly Scope[], ReadonlyMap<string, GitopsObject>>();

function definitionsIn(workspace: Workspace): ReadonlyMap<string, GitopsObject> {
  const found = new Map<string, GitopsObject>();
  for (const { gitops } of gitopsScopesOf(workspace.scopes())) getOrAdd(found, definitionKey(gitops), () => gitops);
  return found;
}

/** Returns a function that changes the place of a source to an uncertain one if the object is in a chart, and it is not certain with which values this revision of the chart is installed. */
function placesIn(workspace: Workspace, scope: GitopsScope): (place?: LocatedFolder) => LocatedFolder | undefined {
  const definitions = () => getOrAdd(definitionsByKey, workspace.scopes().all(), () => definitionsIn(workspace));
  let isCertain = true;
  let isPinned = false;
  let { rendered } = scope.gitops.facts;
  for (let depth = 0; rendered !== undefined; depth++) {
    const { by } = rendered;
    const installing = by === undefined ? undefined : definitions().get(by);
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

/** The folders of the sources from each repository, those in the innermost roots first. */
type PlacesByRepository = ReadonlyMap<string, readonly LocatedFolder[]>;

const placesByRepository = new WeakMap<readonly Scope[], PlacesByRepository>();

function repositoriesIn(workspace: Workspace): PlacesByRepository {
  const found = new Map<string, Map<string, LocatedFolder>>();
  for (const { gitops } of gitopsScopesOf(workspace.scopes()))
    for (const [index, { repository }] of gitops.facts.sources.entries()) {
      const place = gitops.located[index];
      if (repository === undefined || place === undefined) continue;
      const known = getOrAdd(found, repository, () => new Map<string, LocatedFolder>());
      const other = known.get(place.root);
      if (other === undefined || (place.isCertain && !other.isCertain)) known.set(place.root, place);
    }
  return new Map(
    Array.from(found, ([repository, places]) => [
      repository,
      [...places.values()].toSorted((a, b) => b.root.length - a.root.length),
    ]),
  );
}

/** Returns the root of a repository, as the sources around a file suggest; otherwise the workspace folder. */
export function rootOf(workspace: Workspace, uri: string, repository: string): Root | undefined {
  const places = getOrAdd(placesByRepository, workspace.scopes().all(), () => repositoriesIn(workspace));
  const known = places.get(repository)?.find((place) => isWithin(uri, place.root));
  if (known !== undefined) return known;
  const own = workspace.scopes().repositoryOf(uri);
  const isInside = workspace.folders.some((folder) => own !== undefined && isWithin(own.root, folder));
  if (own?.remotes.includes(repository) && isInside) return { root: own.root, isCertain: true };
  const root = workspace.folders.find((folder) => isWithin(uri, folder));
  return root === undefined ? undefined : { root, isCertain: false };
}
