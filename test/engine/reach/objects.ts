/** Builds a reachability model from whole objects, and names its pods as the vectors do. */

import {
  type AddressRange,
  type ConnectionEnd,
  type ContainerPort,
  everyAddress,
  type LabelSet,
  type PeerClass,
  type Protocol,
  parseAddress,
  parseCidr,
  Reachability,
  type ReachPod,
  type ReachPolicy,
  readClusterNetworkPolicy,
  readNetworkPolicy,
} from '../../../server/src/engine/index.ts';

/** An object as plain JSON; `kind` determines its fields. */
interface PlainObject {
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>> | null;
    readonly ownerReferences?: readonly {
      readonly kind: string;
      readonly name: string;
      readonly controller?: boolean;
    }[];
  };
  // biome-ignore lint/suspicious/noExplicitAny: whole objects of any kind, which the vectors give
  readonly spec?: any;
}

/** Names of the pods and policies of a world: `shop/Deployment/web`, `shop/web`. */
export interface NamedWorld {
  readonly reachability: Reachability;
  readonly pods: ReadonlyMap<string, number>;
  readonly policies: readonly string[];
  peer(name: string): PeerClass;
  end(name: string): ConnectionEnd;
}

/** Builds a world from whole objects. */
export function worldOf(objects: readonly PlainObject[]): NamedWorld {
  const pods = new Map<string, ReachPod>();
  const policies: ReachPolicy[] = [];
  const names: string[] = [];
  for (const object of objects) {
    const { kind, metadata, spec } = object;
    const namespace = metadata.namespace ?? 'default';
    if (kind === 'NetworkPolicy' || kind === 'ClusterNetworkPolicy') {
      const read = kind === 'NetworkPolicy' ? readNetworkPolicy(namespace, spec) : readClusterNetworkPolicy(spec);
      if (!read.ok) throw new Error(`${metadata.name}: ${read.problems.map(({ message }) => message).join('; ')}`);
      policies.push(read.value);
      names.push(kind === 'NetworkPolicy' ? `${namespace}/${metadata.name}` : metadata.name);
      continue;
    }
    const template = templateOf(object);
    if (template === undefined) continue;
    const owner = kind === 'Pod' ? metadata.ownerReferences?.find(({ controller }) => controller === true) : undefined;
    const [ownerKind, ownerName] = owner && owner.kind !== 'Node' ? [owner.kind, owner.name] : [kind, metadata.name];
    const name = `${namespace}/${ownerKind}/${ownerName}`;
    if (pods.has(name)) continue;
    pods.set(name, {
      namespace,
      labels: { labels: template.metadata?.labels ?? {} },
      ports: portsOf(template.spec),
      hostNetwork: template.spec?.hostNetwork === true ? 'yes' : 'no',
    });
  }
  const namespaces = objects
    .filter(({ kind }) => kind === 'Namespace')
    .map(({ metadata }) => ({ name: metadata.name, labels: { labels: metadata.labels ?? {} } satisfies LabelSet }));
  const reachability = new Reachability({ pods: [...pods.values()], namespaces, policies });
  const indexes = new Map([...pods.keys()].map((name, index) => [name, index]));
  const end = (name: string) => endNamed(reachability, indexes, name);
  return { reachability, pods: indexes, policies: names, peer: (name) => end(name).peer, end };
}

function endNamed(reachability: Reachability, indexes: ReadonlyMap<string, number>, name: string): ConnectionEnd {
  const [found] = name.startsWith('ip:')
    ? reachability.classesIn(rangeOf(name.slice(3))).map((peer) => ({ peer }))
    : [reachability.podEnd(indexes.get(name) ?? -1)];
  if (found === undefined) throw new Error(`There is no ${name}.`);
  return found;
}

/** The range of an address or a CIDR block. */
export function rangeOf(text: string): AddressRange {
  const address = parseAddress(text);
  const range = address
    ? { ...everyAddress(address.family), first: address.value, last: address.value }
    : parseCidr(text);
  if (range === undefined) throw new Error(`${text} is no address.`);
  return range;
}

function templateOf({ kind, metadata, spec }: PlainObject) {
  if (kind === 'Pod') return { metadata, spec };
  return kind === 'CronJob' ? spec?.jobTemplate?.spec?.template : spec?.template;
}

function portsOf(spec: {
  readonly containers?: readonly {
    readonly ports?: readonly {
      readonly name?: string;
      readonly containerPort: number;
      readonly protocol?: Protocol;
    }[];
  }[];
}): readonly ContainerPort[] {
  return (spec?.containers ?? []).flatMap(({ ports }) =>
    (ports ?? []).map(({ name, containerPort, protocol }) => ({
      ...(name !== undefined && { name }),
      number: containerPort,
      protocol: protocol ?? 'TCP',
    })),
  );
}
