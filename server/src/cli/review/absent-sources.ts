/** States which new or changed network policies allow only sources that the manifests do not contain, and which monitors select pods that deny their namespace. */

import { getOrAdd, once } from '../../engine/memoize.ts';
import type { PolicyObject } from '../../workspace/reach/cluster.ts';
import { type WorkloadEnd, workloadName } from '../../workspace/reach/endpoints.ts';
import { isPluginPolicy } from '../../workspace/reach/plugin-policies.ts';
import { podEnds } from '../../workspace/reach/summaries.ts';
import type { AppliedObject } from '../objects/applied-objects.ts';
import type { Change } from '../objects/compare.ts';
import { keyOf, shownName } from '../objects/compared-names.ts';
import { listedNames } from '../output/names.ts';
import { type ComparedCluster, comparedClusters } from '../reach/compared-clusters.ts';
import type { Tree } from '../trees/tree.ts';
import { selectorPosition } from './causes.ts';
import type { Statement } from './model.ts';
import type { Pair } from './pairs-of-trees.ts';
import { type placesIn, statedIn } from './places.ts';
import { podsBehind } from './pod-matches.ts';
import { isNamespaceDenied, type UnmatchedPolicy, unmatchedPolicies } from './policy-sources.ts';
import { doesMatch } from './possible-matches.ts';

type Clusters = ReturnType<typeof comparedClusters>;

/** Returns the clusters of two trees, which are determined when they are first needed. */
export function clustersOf([before, after]: readonly [Tree, Tree]): () => Clusters {
  return once(() => comparedClusters(before, after));
}

/** What is compared: the pairs of objects that changed or were added, and whether everything was evaluated. */
interface Compared {
  readonly changed: readonly Pair[];
  readonly added: readonly Pair[];
  readonly all: readonly Pair[];
  readonly isWhole: boolean;
}

export interface AbsentSources {
  readonly statements: readonly Statement[];
  /** The keys of the new policies whose sources may be in namespaces of which the manifests contain no pods. */
  readonly elsewhere: ReadonlySet<string>;
}

/** Returns statements about policies that are new or changed, or that apply to new workloads, and that allow only sources that the manifests do not contain. */
export function absentSources(
  after: Tree,
  clusters: () => Clusters,
  { changed, added, all, isWhole }: Compared,
  placesOf: ReturnType<typeof placesIn>,
): AbsentSources {
  const fresh = [...changed, ...added].filter(({ after: applied }) => applied !== undefined && isPolicy(applied));
  if (fresh.length === 0) return { statements: [], elsewhere: new Set() };
  const pairOf = policyPairs(fresh);
  const isAlone = isWhole && clusters().after.size < 2;
  const elsewhere = new Set<string>();
  const groups = new Map<string, { readonly pairs: Pair[]; readonly first: Found }>();
  let isLimited = false;
  for (const found of unmatchedIn(clusters(), ({ where }) => pairOf(where) !== undefined)) {
    isLimited ||= found === undefined;
    if (found === undefined) continue;
    const pair = pairOf(found.policy.where);
    if (pair === undefined || mayCreateSources(pair, all)) continue;
    if (found.sources === undefined) {
      elsewhere.add(keyOf(pair.named));
      continue;
    }
    const key = JSON.stringify([shownName(pair.named, true), sentenceAbout(found, ''), sentenceAfter(found, isAlone)]);
    getOrAdd(groups, key, () => ({ pairs: [], first: found })).pairs.push(pair);
  }
  const statements = [...groups.values()].flatMap(({ pairs, first }): readonly Statement[] => {
    const [pair] = pairs;
    if (pair?.after === undefined) return [];
    const cause = selectorPosition(after, pair.after, /^(?:specs?\[?\]?\.)?(?:spec\.)?ingress\b/);
    const shared = { count: pairs.length, ...(cause && { cause }) };
    const more = sentenceAfter(first, isAlone);
    if (pairs.length === 1) return [{ text: sentenceAbout(first, shownName(pair.named, false)), more, ...shared }];
    const places = placesOf(pairs.map(({ named }) => named));
    const text = statedIn(places, sentenceAbout(first, shownName(pair.named, true)));
    return [{ text, more, ...shared, places: places.names }];
  });
  return { statements: isLimited ? [...statements, notExamined] : statements, elsewhere };
}

const notExamined: Statement = {
  text: 'Whether the pods that new or changed network policies allow exist was not examined: there are too many policies and pods.',
  count: 0,
};

/** Whether an object from which an operator creates pods may have the labels that a policy requires of its sources. */
function mayCreateSources({ after: policy }: Pair, all: readonly Pair[]): boolean {
  const sites = policy?.object.selectorSites.filter(({ path }) => path.includes('ingress')) ?? [];
  return all.some(
    ({ after }) => after?.object.group.includes('.') === true && sites.some((site) => doesMatch(site, after)),
  );
}

/** A policy that allows only absent sources, and did not do so before the change. */
type Found = UnmatchedPolicy;

/** Yields the policies among those that fulfill `isAsked`; undefined for a cluster in which these are too many. */
function* unmatchedIn(
  { before, after }: Clusters,
  isAsked: (policy: PolicyObject) => boolean,
): Iterable<Found | undefined> {
  for (const [key, { cluster, isKnown }] of after) {
    const found = unmatchedPolicies(cluster, isAsked);
    if (found === undefined) yield undefined;
    if (found === undefined || found.length === 0 || !isKnown()) continue;
    const earlier = before.get(key);
    const names = new Set(found.map(({ policy }) => nameOf(policy)));
    const same = earlier && unmatchedPolicies(earlier.cluster, (policy) => names.has(nameOf(policy)));
    const known = new Set(same?.map(({ policy }) => nameOf(policy)));
    yield* found.filter(({ policy }) => !known.has(nameOf(policy)));
  }
}

function nameOf({ namespace, name, where }: PolicyObject): string {
  return JSON.stringify([where.object.kind, namespace, name]);
}

function isPolicy({ object }: AppliedObject): boolean {
  return object.policySpec !== undefined || isPluginPolicy(object);
}

/** Returns a function that finds the pair of an object of a cluster. */
function policyPairs(pairs: readonly Pair[]): (where: PolicyObject['where']) => Pair | undefined {
  const positionOf = ({ file, object }: Pick<AppliedObject, 'file' | 'object'>) =>
    `${object.kindSpan.start} ${file.uri}`;
  const byPosition = new Map<string, Pair[]>();
  for (const pair of pairs) if (pair.after) getOrAdd(byPosition, positionOf(pair.after), () => []).push(pair);
  return (where) => {
    const found = byPosition.get(positionOf(where)) ?? [];
    return found.length < 2 ? found[0] : found.find(({ after }) => after?.builtBy === where.workspace.appliedBy);
  };
}

function sentenceAbout(found: Found, policy: string): string {
  return `${policy} allows connections to ${workloadsOf(found)} only from ${found.sources ?? ''}.`;
}

function sentenceAfter(found: Found, isAlone: boolean): string {
  const manifests = isAlone ? 'these manifests' : 'the manifests that are applied with it';
  const consequence = found.isIsolating ? ` No pod in ${manifests} can connect to ${workloadsOf(found)}.` : '';
  const { elsewhere } = found;
  if (elsewhere === undefined) return `There are no such pods in ${manifests}.${consequence}`;
  if (elsewhere.length === 0) return `No namespace in ${manifests} contains pods with these labels.${consequence}`;
  const names = listedNames(
    elsewhere.map(({ workload: { kind, name, namespace } }) => `${kind}/${name} in ${namespace}`),
  );
  return `Pods with these labels are only in other namespaces in ${manifests} (${names}).${consequence}`;
}

function workloadsOf({ workloads }: Found): string {
  return listedNames([...new Set(workloads.map(({ workload: { kind, name } }) => `${kind}/${name}`))]);
}

/** Returns a function that adds to a statement about a monitor that policies certainly deny the namespace of the monitor at the pods that it selects. */
export function withDeniedNamespace(
  clusters: () => Clusters,
  pairs: ReadonlyMap<string, Pair>,
): <T extends Statement & { readonly changes: readonly Change[] }>(statement: T) => T {
  const ends = once(() => {
    const byName = new Map<string, (readonly [ComparedCluster, WorkloadEnd])[]>();
    for (const each of clusters().after.values())
      for (const end of podEnds(each.cluster)) getOrAdd(byName, workloadName(end.workload), () => []).push([each, end]);
    return byName;
  });
  const isDenied = ({ owner, target }: Change): string | undefined => {
    if (!/(?:Service|Pod)Monitor$/.test(owner.kind) || owner.namespace === undefined || target === undefined)
      return undefined;
    const names = podsBehind(target, pairs);
    const found = names?.flatMap((name) => ends().get(name) ?? []) ?? [];
    if (found.length === 0 || found.length !== names?.length) return undefined;
    const policies = new Set<string>();
    for (const [{ cluster, isKnown }, end] of found) {
      if (!isKnown() || !isNamespaceDenied(cluster, owner.namespace, [end])) return undefined;
      for (const each of cluster.policies)
        if (cluster.reachability.selects(each.policy, end.peer) === 'yes' && each.policy.ingress.covers === 'yes')
          policies.add(`${each.where.object.kind}/${each.name}`);
    }
    const workloads = listedNames([...new Set(found.map(([, { workload }]) => `${workload.kind}/${workload.name}`))]);
    const [only, second] = policies;
    const subject = only === undefined || second !== undefined ? 'the network policies allow' : `${only} allows`;
    return `But ${subject} no connections from pods in ${owner.namespace} to ${workloads}.`;
  };
  return (statement) => {
    if (statement.changes.length > mostChanges) return statement;
    const [first, ...others] = new Set(statement.changes.map(isDenied));
    return first === undefined || others.length > 0
      ? statement
      : { ...statement, more: first, denied: statement.changes.map(({ owner }) => keyOf(owner)) };
  };
}

/** The maximum number of matches whose namespaces are examined for one statement. */
const mostChanges = 100;
