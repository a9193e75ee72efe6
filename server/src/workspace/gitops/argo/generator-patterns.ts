/** Finds the patterns of git generators in ApplicationSets that match nothing in the repository of the workspace. */

import { memoized } from '../../../engine/memoize.ts';
import { knownText } from '../../../manifests/gitops/flux.ts';
import { ownRevisions, repositoryKey } from '../../../manifests/gitops/repository-url.ts';
import type { ManifestObject } from '../../../manifests/model.ts';
import { childOf, itemsOf, type Node, type ScalarNode, textOf } from '../../../manifests/yaml/tree.ts';
import { pathMatcher, pathspecMatcher } from '../../../text/go-glob.ts';
import { misspelling } from '../../../text/misspelling.ts';
import { isInTemplates } from '../../charts/chart-files.ts';
import type { Workspace } from '../../model.ts';
import { resolveUri } from '../../uri.ts';
import { rootOf } from '../resolved-paths.ts';
import { type PathsBelow, pathsIn } from '../value-files.ts';

interface UnmatchedPattern {
  readonly node: ScalarNode;
  readonly is: 'folder' | 'file';
  /** Whether the generator has no other pattern that matches something. */
  readonly isOnly: boolean;
  /** The URI of the folder that the pattern names before its first wildcard. */
  readonly folder: string;
  /** The pattern that was probably intended. */
  readonly meant?: string;
}

/** Returns the patterns of an ApplicationSet that match nothing, if the generator certainly reads the repository of the workspace in its revision. A pattern that excludes is returned only if a similar pattern excludes something. */
export function unmatchedPatterns(
  workspace: Workspace,
  uri: string,
  { kind, gitopsSpec }: ManifestObject,
): readonly UnmatchedPattern[] {
  if (kind !== 'ApplicationSet' || isInTemplates(uri)) return [];
  return gitGenerators(childOf(gitopsSpec, 'generators'), 0).flatMap((git) => unmatchedIn(git, workspace, uri));
}

/** The maximum depth of nested generators. */
const maximumNesting = 4;

function gitGenerators(generators: Node | undefined, depth: number): readonly Node[] {
  if (depth > maximumNesting) return [];
  return itemsOf(generators).flatMap((item) => {
    const nested = [childOf(item, 'matrix'), childOf(item, 'merge')];
    const inner = nested.flatMap((each) => gitGenerators(childOf(each, 'generators'), depth + 1));
    return [childOf(item, 'git') ?? [], inner].flat();
  });
}

function unmatchedIn(git: Node, workspace: Workspace, uri: string): readonly UnmatchedPattern[] {
  const [url, revision] = [childOf(git, 'repoURL'), childOf(git, 'revision')].map((node) => node && knownText(node));
  const isHere = childOf(git, 'revision') === undefined || (revision !== undefined && ownRevisions.has(revision));
  const list = childOf(git, 'directories') ?? childOf(git, 'files');
  const is = childOf(git, 'directories') === undefined ? 'file' : 'folder';
  if (url === undefined || !isHere || list?.kind !== 'list' || list.open) return [];
  const place = rootOf(workspace, uri, repositoryKey(url));
  if (!place?.isCertain) return [];
  const { root } = place;
  const below = pathsIn(workspace.scopes().facts(), root);
  const paths = is === 'file' ? below.all : foldersIn(below);
  const matcherFor = is === 'file' ? pathspecMatcher : pathMatcher;
  const entries = itemsOf(list).map((item) => {
    const path = childOf(item, 'path');
    const node = path?.kind === 'scalar' && isPlain(path) ? path : undefined;
    const matches = node && matcherFor(node.text);
    const isExcluding = textOf(childOf(item, 'exclude')) === 'true';
    return { node, matches, isExcluding, isMatching: matches !== undefined && paths.some(matches) };
  });
  // A pattern with a parameter, or with unclear syntax, may match.
  if (entries.some(({ matches }) => matches === undefined)) return [];
  const including = entries.filter(({ isExcluding }) => !isExcluding);
  const isOnly = !including.some(({ isMatching }) => isMatching);
  return entries.flatMap(({ node, isExcluding, isMatching }): readonly UnmatchedPattern[] => {
    if (node === undefined || isMatching) return [];
    const wanted = isExcluding ? paths.filter((path) => including.some(({ matches }) => matches?.(path))) : paths;
    const meant = meantBy(node.text, wanted, matcherFor);
    if (meant === undefined && isExcluding) return [];
    const folder = resolveUri(root, node.text.split('/').slice(0, wildcardAt(node.text)).join('/'));
    return [{ node, is, isOnly: isOnly && !isExcluding, folder, ...(meant !== undefined && { meant }) }];
  });
}

/** Whether a pattern is known, and has the same meaning in all versions of Argo CD. */
function isPlain(node: ScalarNode): boolean {
  return knownText(node) !== undefined && !/[{}\\]|^\.{0,2}\/|^$/.test(node.text);
}

/** Returns the index of the first name in a pattern that contains a wildcard; the number of names if there is none. */
function wildcardAt(pattern: string): number {
  const names = pattern.split('/');
  const index = names.findIndex((name) => /[*?[]/.test(name));
  return index === -1 ? names.length : index;
}

const foldersIn = memoized((below: PathsBelow): readonly string[] => {
  const found = new Set<string>();
  for (const path of below.all)
    for (let at = path.lastIndexOf('/'); at > 0 && !found.has(path.slice(0, at)); at = path.lastIndexOf('/', at - 1))
      found.add(path.slice(0, at));
  return [...found];
});

/** Returns the pattern with one misspelled name corrected: a name before the first wildcard, or the last name; undefined unless exactly one such pattern matches a path. */
function meantBy(pattern: string, paths: readonly string[], matcherFor: typeof pathMatcher): string | undefined {
  const names = pattern.split('/');
  const first = wildcardAt(pattern);
  const last = names.length - 1;
  const candidates = new Set<string>();
  for (const path of paths) {
    const steps = path.split('/');
    const known = names.findIndex((name, index) => index >= first || name !== steps[index]);
    const at = known === -1 || known === first ? -1 : known;
    for (const [index, name] of [[at, steps[at]] as const, [last, steps.at(-1)] as const])
      if (
        name !== undefined &&
        !/[*?[]/.test(names[index] ?? '*') &&
        misspelling(names[index] ?? '', name) !== undefined
      )
        candidates.add(names.with(index, name).join('/'));
  }
  const matching = [...candidates].filter((each) => {
    const matches = matcherFor(each);
    return matches !== undefined && paths.some(matches);
  });
  return matching.length === 1 ? matching[0] : undefined;
}
