/** Determines which files may contain the objects that a GitOps object reads in its cluster, such as the ConfigMaps with its variables. */

import { getOrAdd } from '../../engine/memoize.ts';
import type { ScopeQuestion } from '../kustomize/inputs.ts';
import type { Scope, Scopes } from '../scopes/model.ts';
import { clusterConfigOf } from './model.ts';

/** Returns a question for those of some files whose objects may be in a cluster of the GitOps object that the file `from` defines. */
export function sharingCluster(from: string, uris: readonly string[]): ScopeQuestion {
  return (scopes) => uris.filter((uri) => mayShareCluster(scopes, from, uri));
}

/** Returns a question for the given file if its objects may be in every cluster of the GitOps object that the file `from` defines. */
export function sharingAllClusters(from: string, uri: string): ScopeQuestion {
  return (scopes) => (isInOtherClusters(scopes, from, uri, 'some') ? [] : [uri]);
}

/** Whether the objects of a file may be in a cluster of the GitOps object that the file `from` defines. */
export function mayShareCluster(scopes: Scopes, from: string, uri: string): boolean {
  return !isInOtherClusters(scopes, from, uri, 'every');
}

/** Whether the objects of a file are certainly applied only to clusters other than some or every cluster to which the file `from` is applied. */
function isInOtherClusters(scopes: Scopes, from: string, uri: string, which: 'some' | 'every'): boolean {
  const [own, others] = [firstIn(scopes, scopes.of(from)), firstIn(scopes, applying(scopes, uri))];
  if (own.length === 0 || others.length === 0) return false;
  const apart = own.length === 1 ? numberApart(scopes, own, others) : knownNumberApart(scopes, own, others);
  return which === 'some' ? apart > 0 : apart === own.length;
}

/** Returns the number of scopes that are certainly applied only to clusters other than those of all others. */
function numberApart(scopes: Scopes, own: readonly Scope[], others: readonly Scope[]): number {
  return own.filter((one) => others.every((other) => scopes.haveOtherClusters(one, other))).length;
}

const numbersApart = new WeakMap<readonly Scope[], WeakMap<readonly Scope[], number>>();

/** Returns the result of `numberApart`, which is the same for many files with the same scopes. */
function knownNumberApart(scopes: Scopes, own: readonly Scope[], others: readonly Scope[]): number {
  const known = getOrAdd(numbersApart, own, () => new WeakMap<readonly Scope[], number>());
  return getOrAdd(known, others, () => numberApart(scopes, own, others));
}

/** Returns the scopes that apply the objects of a file, or the objects that a kustomization generates. */
function applying(scopes: Scopes, uri: string): readonly Scope[] {
  return scopes.facts().get(uri)?.kustomization === undefined ? scopes.of(uri) : scopes.building(uri);
}

const first = new WeakMap<Scopes, WeakMap<readonly Scope[], readonly Scope[]>>();

/** Returns the GitOps objects from which some scopes are applied to each of their clusters: several clusters may apply the same definitions. */
function firstIn(scopes: Scopes, own: readonly Scope[]): readonly Scope[] {
  const known = getOrAdd(first, scopes, () => new WeakMap<readonly Scope[], readonly Scope[]>());
  return getOrAdd(known, own, () => {
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
  const definers = scopes.of(gitops.uri);
  return definers.includes(scope) || definers.some((each) => each.gitops === undefined) ? [] : definers;
}
