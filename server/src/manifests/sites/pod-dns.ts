/** Determines whether the names of hosts in a pod are names of Services: `hostAliases`, `dnsPolicy` and `dnsConfig` may resolve them in other ways. */

import type { KindFact } from '../../engine/catalogue/types.ts';
import type { FieldPath } from '../kustomize/replaced-paths.ts';
import { childOf, entryOf, isOpen, itemsOf, knownTextOf, mayHoldMore, type Node, nodeAt } from '../yaml/tree.ts';

/** The fields of a pod's `spec` that determine how names of hosts are resolved. */
export const nameFields: readonly string[] = ['hostAliases', 'hostname', 'hostNetwork', 'dnsPolicy', 'dnsConfig'];

/** Whether a host is a Service: another address if the file of hosts or the DNS server of the pod defines the name first. */
export type Resolution = 'service' | 'maybe' | 'other';

/** The specification of a pod, with its path in an object. */
export interface PodSpec {
  readonly spec: Node;
  readonly path: FieldPath;
  /** The name that the host of the pod certainly has if no field sets it. */
  readonly ownName?: string;
}

/** Returns the specifications of the pods in an object. */
export function podSpecsIn(root: Node, { group, kind, templates }: KindFact): readonly PodSpec[] {
  const isPod = group === '' && kind === 'Pod';
  const paths = templates.flatMap(({ path, makes }) =>
    makes.kind === 'Pod' && /^[\w.]+$/.test(path) ? [[...path.split('.'), 'spec']] : [],
  );
  const ownName = isPod ? knownTextOf(nodeAt(root, 'metadata', 'name')) : undefined;
  return [...(isPod ? [['spec']] : []), ...paths].flatMap((path) => {
    const spec = nodeAt(root, ...path);
    return spec === undefined ? [] : [{ spec, path, ...(ownName !== undefined && { ownName }) }];
  });
}

/** Whether a pod may resolve names of hosts in a way of its own. */
export function hasOwnNames(spec: Node): boolean {
  return spec.kind === 'map' && spec.entries.some(({ key }) => nameFields.includes(key.text));
}

/** Returns how a pod resolves a host: a name without `.svc` is only resolved by the DNS server of the cluster with the search domains of the pod. */
export function resolutionIn({ spec, ownName }: PodSpec, host: string): Resolution {
  if (spec.kind !== 'map') return 'maybe';
  const name = host.replace(/\.$/, '').toLowerCase();
  // The kubelet writes both into `/etc/hosts`, which is read first.
  const aliases = entryOf(spec, 'hostAliases');
  const listed = itemsOf(aliases?.value).flatMap((item) => itemsOf(childOf(item, 'hostnames')));
  const isAlias = listed.some((each) => knownTextOf(each)?.toLowerCase() === name);
  if (isAlias && aliases?.conditional !== true) return 'other';
  if ((knownTextOf(childOf(spec, 'hostname')) ?? ownName)?.toLowerCase() === name) return 'other';
  if (isAlias || mayListMore(aliases?.value)) return 'maybe';
  if (/\.svc(?:\.|$)/.test(name)) return 'service';
  if (spec.open || spec.entries.some(({ key, conditional }) => conditional && nameFields.includes(key.text)))
    return 'maybe';
  return withSearches(spec);
}

function withSearches(spec: Node): Resolution {
  const [policy = 'ClusterFirst', onHost = 'false'] = ['dnsPolicy', 'hostNetwork'].map((field) => {
    const node = childOf(spec, field);
    return node?.kind === 'scalar' && node.type !== 'null' && node.text !== ''
      ? (node.pattern ?? node.text)
      : undefined;
  });
  const config = childOf(spec, 'dnsConfig');
  const searches = childOf(config, 'searches');
  if (isOpen(config) || isOpen(searches) || `${policy}${onHost}`.includes('*')) return 'maybe';
  const domains = itemsOf(searches).map((each) => knownTextOf(each) ?? 'svc');
  // The kubelet uses the DNS servers of the node for a pod in the network of its node, unless the policy is
  // `ClusterFirstWithHostNet`: `getPodDNSType` in pkg/kubelet/network/dns.
  const isOfCluster =
    policy === 'ClusterFirstWithHostNet' || (policy === 'ClusterFirst' && !/^(?:y|yes|true|on)$/i.test(onHost));
  if (isOfCluster) return domains.length === 0 ? 'service' : 'maybe';
  return domains.some((each) => /(?:^|\.)svc(?:\.|$)/.test(each)) ? 'maybe' : 'other';
}

/** Whether a template may add names to a list of aliases. */
function mayListMore(aliases: Node | undefined): boolean {
  if (aliases === undefined) return false;
  return (
    mayHoldMore(aliases) ||
    itemsOf(aliases).some((item) => {
      const names = childOf(item, 'hostnames');
      return mayHoldMore(item) || isOpen(names) || itemsOf(names).some(isOpen);
    })
  );
}
