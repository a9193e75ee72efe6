/** Determines the scopes whose objects are applied to one cluster, and the scopes that possibly share it. */

import { getOrAdd, memoized } from '../../engine/memoize.ts';
import type { ClusterGroup, Scope, Scopes } from '../scopes/model.ts';
import { scopeQuery } from '../scopes/recorded-scopes.ts';
import { allIdentities, type ScopeFacts } from '../scopes/scope-facts.ts';

/** The scopes whose objects are certainly applied to one cluster: a group of GitOps objects, or a single scope. */
export interface ClusterScopes {
  /** A key that is the same in other snapshots: a path, and possibly more after a line break. */
  readonly key: string;
  /** The path of a scope that belongs to this cluster only, if there is one. */
  readonly path: string;
  readonly scopes: ReadonlySet<Scope>;
  readonly isGitops: boolean;
}

interface Clusters {
  readonly byScope: ReadonlyMap<Scope, readonly ClusterScopes[]>;
  readonly all: readonly ClusterScopes[];
  readonly singles: Map<Scope, readonly ClusterScopes[]>;
}

const known = new WeakMap<readonly ClusterGroup[], Clusters>();

function clustersIn(scopes: Scopes): Clusters {
  const groups = scopes.clusterGroups();
  return getOrAdd(known, groups, () => {
    const byScope = new Map<Scope, ClusterScopes[]>();
    const all = groups.map((group): ClusterScopes => ({ ...group, isGitops: true }));
    for (const each of all) for (const scope of each.scopes) getOrAdd(byScope, scope, () => []).push(each);
    return { byScope, all, singles: new Map() };
  });
}

/** Returns the clusters to which a scope certainly applies its objects. */
export const clustersWith = scopeQuery(
  'clusters with',
  (scopes, scope: Scope): readonly ClusterScopes[] => {
    const { byScope, singles } = clustersIn(scopes);
    return (
      byScope.get(scope) ??
      getOrAdd(singles, scope, () => [{ key: scope.path, path: scope.path, scopes: new Set([scope]), isGitops: false }])
    );
  },
  (clusters) =>
    JSON.stringify(clusters.map((each) => [each.key, [...each.scopes].map(({ path, files }) => [path, files.size])])),
);

/** The maximum number of clusters that are compared with a cluster. */
const maximumCompared = 2_000;

/** The scopes that possibly apply restrictions to a cluster. */
interface Possible {
  readonly clusters: readonly ClusterScopes[];
  /** Whether there are more such clusters than are compared. */
  readonly isCut: boolean;
}

/** Returns the clusters of GitOps objects whose objects may restrict connections or select namespaces. */
export function restrictingClusters(scopes: Scopes): Possible {
  const found = clustersIn(scopes).all.filter((each) => [...each.scopes].some((scope) => mayRestrict(scopes, scope)));
  return { clusters: found.slice(0, maximumCompared), isCut: found.length > maximumCompared };
}

/** Returns the other clusters of GitOps objects that may be the same cluster as one of `own`, and whose objects may restrict connections or select namespaces. */
export function possiblyShared(scopes: Scopes, own: readonly ClusterScopes[]): Possible {
  if (own.every(({ isGitops }) => !isGitops)) return { clusters: [], isCut: false };
  const members = new Set(own.flatMap((each) => [...each.scopes]));
  const others = clustersIn(scopes).all.filter(
    (each) =>
      !own.includes(each) && [...each.scopes].some((scope) => !members.has(scope) && mayRestrict(scopes, scope)),
  );
  const compared = others.slice(0, maximumCompared);
  return {
    clusters: compared.filter((each) => own.some((one) => !areApart(scopes, one, each))),
    isCut: others.length > compared.length,
  };
}

/** Whether two groups of GitOps objects are certainly applied to different clusters. */
export function areApart(scopes: Scopes, one: ClusterScopes, other: ClusterScopes): boolean {
  const [a, b] = [leadingIn(one), leadingIn(other)];
  return a !== undefined && b !== undefined && a !== b && scopes.relationOf(a, b) === 'apart';
}

/** Returns a GitOps object of a cluster, whose relation to objects of other clusters is the relation of all. */
function leadingIn({ scopes }: ClusterScopes): Scope | undefined {
  for (const scope of scopes) if (scope.gitops !== undefined) return scope;
  return undefined;
}

/** Whether the objects of each scope may restrict connections, as long as no scope changes. */
const restricting = new WeakMap<ReadonlyMap<string, ScopeFacts>, Map<Scope, boolean>>();

/** Whether a scope may apply Namespaces or policies. */
export const mayRestrict = scopeQuery(
  'may restrict',
  (scopes, scope: Scope): boolean => {
    const known = getOrAdd(restricting, scopes.facts(), () => new Map<Scope, boolean>());
    return getOrAdd(known, scope, () => [...scope.files].some((uri) => mayRestrictIn(scopes, uri)));
  },
  String,
);

/** Whether a file may contain Namespaces or policies; the objects of charts and templates may be unknown. */
function mayRestrictIn(scopes: Scopes, uri: string): boolean {
  const facts = scopes.factsOf(uri);
  if (facts === undefined) return false;
  const identities = allIdentities(facts);
  return identities.length < facts.objects || identities.some((each) => restrictingKind.test(each));
}

/** The identity of an object that may restrict connections, or whose labels a policy selects. */
const restrictingKind =
  /^(?:\nNamespace\n|[^\n]*\n[^\n]*\n[^\n]*\n[^\n]*(?:calico|canal|cilium|tigera)|[^\n]*\n(?:[^\n]*Policy|PeerAuthentication|CiliumCIDRGroup|CiliumNodeConfig|Tier|(?:Global)?NetworkSet|HostEndpoint|FelixConfiguration|KubeControllersConfiguration)\n)/;

const hasPolicies = memoized((facts: ReadonlyMap<string, ScopeFacts>) =>
  [...facts.values()].some((each) => {
    const identities = allIdentities(each);
    const isKnown = identities.length >= each.objects && each.chart === undefined;
    return !isKnown || identities.some((identity) => policyKind.test(identity));
  }),
);

/** Whether a workspace may contain policies; the objects of charts and templates may be unknown. */
export const mayHavePolicies = scopeQuery('policies', (scopes): boolean => hasPolicies(scopes.facts()), String);

const policyKind = /^[^\n]*\n(?:[^\n]*Policy|PeerAuthentication)\n/;
