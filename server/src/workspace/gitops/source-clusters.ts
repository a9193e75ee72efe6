/** Determines which files may contain the objects that a GitOps object reads in its cluster, such as the ConfigMaps with its variables. */

import { getOrAdd } from '../../engine/memoize.ts';
import type { ScopeQuestion } from '../kustomize/inputs.ts';
import type { Scope, Scopes } from '../scopes/model.ts';
import { clusterConfigOf, type GitopsObject } from './model.ts';
import { definersOf, gitopsScopeAt } from './scope-questions.ts';

/** Returns a question for those of some files whose objects the GitOps object at a path may read. */
export function readableFrom(path: string, uris: readonly string[]): ScopeQuestion {
  return (scopes) => readable(scopes, gitopsScopeAt(scopes, path)?.gitops, uris);
}

/** Returns a question for the given file if its objects may be in every cluster of the GitOps object at a path. */
export function sharingAllClusters(path: string, uri: string): ScopeQuestion {
  return (scopes) => (clustersWith(scopes, gitopsScopeAt(scopes, path)?.gitops, uri).without === 0 ? [uri] : []);
}

/** Returns those of some files whose objects may be in a cluster of a GitOps object. Objects that are certainly in more of its clusters take precedence. */
export function readable(scopes: Scopes, gitops: GitopsObject | undefined, uris: readonly string[]): readonly string[] {
  const found = uris.map((uri) => ({ uri, ...clustersWith(scopes, gitops, uri) }));
  const possible = found.filter(({ without, all }) => without === 0 || without < all);
  const most = possible.reduce((known, each) => Math.max(known, each.having), 0);
  return possible.filter(({ having }) => having === most).map(({ uri }) => uri);
}

interface Clusters {
  readonly all: number;
  /** The number of clusters in which another object certainly is too. */
  readonly having: number;
  /** The number of clusters in which the other object certainly is not. */
  readonly without: number;
}

/** Returns the number of clusters of a GitOps object, with and without the objects of a file. */
function clustersWith(scopes: Scopes, gitops: GitopsObject | undefined, uri: string): Clusters {
  const definers = gitops === undefined ? [] : definersOf(scopes, gitops);
  const [own, others] = [firstIn(scopes, definers), firstIn(scopes, applying(scopes, uri))];
  if (own.length === 1) return compared(scopes, own, others);
  const known = getOrAdd(comparisons, own, () => new WeakMap<readonly Scope[], Clusters>());
  return getOrAdd(known, others, () => compared(scopes, own, others));
}

/** The comparisons of lists of several scopes, which many files share. */
const comparisons = new WeakMap<readonly Scope[], WeakMap<readonly Scope[], Clusters>>();

function compared(scopes: Scopes, own: readonly Scope[], others: readonly Scope[]): Clusters {
  const applied = new Set(others);
  const isApart = (one: Scope) => others.length > 0 && others.every((other) => scopes.haveOtherClusters(one, other));
  return {
    all: own.length,
    having: own.filter((one) => one.gitops !== undefined && applied.has(one)).length,
    without: own.filter(isApart).length,
  };
}

/** Returns the scopes that apply the objects of a file, or the objects that a kustomization generates. */
function applying(scopes: Scopes, uri: string): readonly Scope[] {
  return scopes.factsOf(uri)?.kustomization === undefined ? scopes.of(uri) : scopes.building(uri);
}

const first = new WeakMap<Scopes, WeakMap<readonly Scope[], readonly Scope[]>>();

/** Returns the GitOps objects from which some scopes are applied to each of their clusters: several clusters may apply the same definitions. */
function firstIn(scopes: Scopes, own: readonly Scope[]): readonly Scope[] {
  const lists = getOrAdd(first, scopes, () => new WeakMap<readonly Scope[], readonly Scope[]>());
  return getOrAdd(lists, own, () => {
    const found: Scope[] = [];
    const all = new Set(own);
    for (const each of all) {
      const above = definersInCluster(scopes, each);
      if (above.length === 0) found.push(each);
      for (const definer of above) all.add(definer);
    }
    return found.length > 0 ? found : own;
  });
}

/** Returns the GitOps objects that apply the definition of a GitOps object to the cluster to which it applies its own objects; empty if one of them is unknown, or is the object itself. */
function definersInCluster(scopes: Scopes, scope: Scope): readonly Scope[] {
  const { gitops } = scope;
  if (gitops === undefined || clusterConfigOf(gitops) !== '') return [];
  const definers = definersOf(scopes, gitops);
  return definers.includes(scope) || definers.some((each) => each.gitops === undefined) ? [] : definers;
}
