/** The endpoints of a connection and their names in the interface: workloads, namespaces and addresses. */

import { type AddressClass, type PodEnd, parseRange } from '../../engine/index.ts';
import type { Cluster, Workload } from './cluster.ts';

/** One endpoint of a connection: a workload, or addresses that all policies treat alike. */
export type Endpoint = WorkloadEnd | { readonly kind: 'address'; readonly text: string; readonly peer: AddressClass };

export interface WorkloadEnd extends PodEnd {
  readonly kind: 'workload';
  readonly workload: Workload;
}

/** The endpoints that a name refers to; `unknown` if there are none, `ambiguous` if there are several but only one is allowed. */
export type Named =
  | { readonly ends: readonly Endpoint[] }
  | { readonly problem: 'unknown' }
  | { readonly problem: 'ambiguous'; readonly candidates: readonly string[] }
  | { readonly problem: 'divided' };

/** `shop/Deployment/web`. */
export function workloadName({ namespace, kind, name }: Workload): string {
  return `${namespace}/${kind}/${name}`;
}

export function endpointName(end: Endpoint): string {
  return end.kind === 'workload' ? workloadName(end.workload) : end.text;
}

export function workloadEnds({ workloads, reachability }: Cluster): readonly WorkloadEnd[] {
  return workloads.flatMap((workload, index): readonly WorkloadEnd[] => {
    const end = reachability.podEnd(index);
    return end === undefined ? [] : [{ kind: 'workload', workload, ...end }];
  });
}

/** Returns the endpoint that a word names: `NAMESPACE/KIND/NAME`, `KIND/NAME` or `NAME` of a workload, or `ip:ADDRESS`. `isKind` returns whether a word is the kind of a workload, and `isName` whether it is its name. */
export function endNamed(
  cluster: Cluster,
  word: string,
  isKind: (workload: Workload, word: string) => boolean,
  isName: (workload: Workload, word: string) => boolean = (workload, name) => workload.name === name,
): Named {
  if (word.startsWith('ip:')) return addressNamed(cluster, word);
  const parts = word.split('/');
  const [name = '', kind, namespace, ...more] = parts.reverse();
  const found = workloadEnds(cluster).filter(
    (end) =>
      more.length === 0 &&
      isName(end.workload, name) &&
      (namespace === undefined || end.workload.namespace === namespace) &&
      (kind === undefined || isKind(end.workload, kind)),
  );
  if (found.length > 1) return { problem: 'ambiguous', candidates: found.map(endpointName) };
  return found.length === 0 ? { problem: 'unknown' } : { ends: found };
}

export function endsInNamespace(cluster: Cluster, namespace: string): readonly Endpoint[] {
  return workloadEnds(cluster).filter(({ workload }) => workload.namespace === namespace);
}

function addressNamed({ reachability }: Cluster, word: string): Named {
  const range = parseRange(word.slice('ip:'.length));
  if (range === undefined) return { problem: 'unknown' };
  const [peer, ...others] = reachability.classesIn(range);
  if (peer === undefined) return { problem: 'unknown' };
  return others.length > 0 ? { problem: 'divided' } : { ends: [{ kind: 'address', text: word, peer }] };
}
