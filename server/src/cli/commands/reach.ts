/** `selector-lens reach`: lists the workloads that may connect to each other, and the policy rules that decide this. */

import { asDot, asMermaid, type Drawing } from '../../drawing/text-formats.ts';
import {
  cidrsOf,
  hasPort,
  maxPort,
  type PortSet,
  PortSets,
  type Protocol,
  parseRange,
  portsByProtocol,
  protocols,
} from '../../engine/index.ts';
import { objectName } from '../../features/presentation/object-names.ts';
import { endsJson, proofJson, proofLines } from '../../features/reach/proofs.ts';
import { clustersIn, type ScopedCluster } from '../../workspace/reach/applied-clusters.ts';
import { type Cluster, defaultNamespace, type Workload } from '../../workspace/reach/cluster.ts';
import { type Endpoint, endNamed, endpointName, workloadEnds, workloadName } from '../../workspace/reach/endpoints.ts';
import { ownerOfAddresses } from '../../workspace/reach/owned-addresses.ts';
import { pluginOf, rejecterOf } from '../../workspace/reach/plugin-policies.ts';
import { connectionsText } from '../../workspace/reach/sentences.ts';
import type { World } from '../environment.ts';
import { exitCodeOf, type Indexed, indexAsked, writeNotes } from '../indexed-workspace.ts';
import { isSelected, scopesOf } from '../objects/applied-objects.ts';
import { writtenAs } from '../objects/named-objects.ts';
import { selectedOnly } from '../objects/narrowing.ts';
import { reportPartialScopes } from '../objects/partial-scopes.ts';
import { choice, didYouMean, UsageError } from '../options/arguments.ts';
import { isOfKind } from '../options/kind-argument.ts';
import { chartOptions, formats, namespace, noCache, root, scope } from '../options/shared-options.ts';
import { writeJson } from '../output/json.ts';
import { nameList } from '../output/name-list.ts';
import { tame, tameLine } from '../output/terminal-escape.ts';
import { withApplied } from '../paths/definition-scopes.ts';
import { displayPath } from '../paths/display-path.ts';
import { requestedPaths } from '../paths/requested-paths.ts';
import { type Connection, connectionsIn, limitText, maximumLimit, portLines, textLines } from '../reach/connections.ts';
import type { Arguments, Command } from './command.ts';

/** The default maximum number of listed connections, which produces a few megabytes of output. */
const defaultLimit = 20_000;

/** The maximum number of UTF-16 code units in the ports of all listed connections: policies may name thousands of ports. */
const maximumPorts = 20_000_000;

export const reach: Command = {
  name: 'reach',
  summary: 'Shows which connections between workloads the network policies allow.',
  details: [
    'Without FROM and TO, the command lists all connections between the workloads in the folder, which is treated as one cluster. It evaluates NetworkPolicies, ClusterNetworkPolicies in the order of their tiers, policies of Cilium and Calico, and policies of Istio that allow or deny connections; docs/policies/connections.md lists what they decide. With FROM and TO, the command names the rules that allow the connection, or the policies that deny the connection and the rules that would allow it. To specify an address outside the cluster, write `ip:192.0.2.1`.',
    'With `--scope`, the command evaluates the cluster of the scope, with all GitOps objects that certainly apply to it, and lists only connections of workloads in the scope. If the scope contains no workloads, but GitOps objects, it lists the connections of the workloads that these GitOps objects apply. Policies of GitOps objects that possibly apply to another cluster make connections unknown. To select one of several clusters, specify the folder with the definitions of its GitOps objects, or one of these objects.',
    'A connection is shown as unknown if it depends on values of templates, on pods that use the network of their node, or on whether an `ipBlock` includes the address of a pod, because manifests do not contain the addresses of pods. So is a connection that depends on requests, domain names or settings, and a connection of pods that a policy of a system that is not evaluated may concern. The root namespace of Istio is `istio-system`, unless a configuration of the mesh, such as the ConfigMap `istio` (also as an external object), names a different one. Connections of a workload with itself are left out. If some objects set no namespace, beside objects that do, the namespace `default` is assumed for them, and the result says so; with `--namespace`, you name it.',
    'The exit code is 0 if the connections could be determined, whether or not they are allowed.',
  ],
  operand: {
    shown: '[FROM TO]',
    description:
      'Two workloads, as `NAMESPACE/KIND/NAME` or a shorter unambiguous form, or addresses, as `ip:192.0.2.1`.',
    completes: 'nothing',
    most: 2,
  },
  options: [
    {
      name: 'from',
      value: 'FROM',
      description: 'The source of the connection, as an alternative to the argument FROM.',
      input: 'The source: a workload as NAMESPACE/KIND/NAME or shorter, or an address as ip:192.0.2.1; all by default.',
    },
    {
      name: 'to',
      value: 'TO',
      description: 'The target of the connection, as an alternative to the argument TO.',
      input: 'The target, like from; all by default.',
    },
    {
      name: 'port',
      value: 'PORT',
      description:
        'The port on the target, from 1 to 65535. Without FROM or TO, the connections on this port are listed.',
      input: '',
    },
    {
      name: 'protocol',
      value: 'PROTOCOL',
      choices: protocols,
      description: 'The protocol of the port; `TCP` by default.',
    },
    {
      name: 'limit',
      value: 'NUMBER',
      description: `The maximum number of listed connections, from 1 to ${maximumLimit}; ${defaultLimit} by default.`,
    },
    formats('text', 'json', 'csv', 'mermaid', 'dot'),
    { ...root, description: 'The folder to index; the current folder by default.' },
    scope,
    ...chartOptions,
    namespace,
    noCache,
  ],
  examples: [
    {
      line: 'selector-lens reach web db --port 5432',
      description: 'Show whether web may connect to db, and which rule determines this.',
    },
    {
      line: 'selector-lens reach --scope overlays/prod',
      description: 'List all connections of the objects that an overlay builds.',
    },
    {
      line: 'selector-lens reach --to db --port 5432',
      description: 'List the workloads that may connect to this port of db.',
    },
    { line: 'selector-lens reach --format mermaid', description: 'A Mermaid diagram of all connections.' },
  ],
  tool: {
    use: 'Call it before and after you write a NetworkPolicy. With from, to and port, it names the deciding rules; with to and port, it lists the allowed sources.',
    options: ['from', 'to', 'port', 'protocol', 'scope'],
    lists: ['connections'],
  },
  run: runReach,
};

async function runReach(world: World, given: Arguments): Promise<number> {
  const from = given.values.get('from') ?? given.paths[0];
  const to = given.values.get('to') ?? given.paths[1];
  if (given.paths.length === 1 && !given.values.has('from') && !given.values.has('to'))
    throw new UsageError("'reach' requires both FROM and TO.");
  const port = portOf(given);
  // The connections on other ports do not count.
  const limit = port === undefined ? limitOf(given) : maximumLimit;
  const requested = await requestedPaths(world, { ...given, paths: [] });
  const indexed = await indexAsked(world, given, requested, { ofClusters: true });
  const cluster = clusterAsked(
    world,
    indexed,
    [from, to].flatMap((each) => each ?? []),
  );
  const sources = from === undefined ? undefined : [endAt(world, indexed, cluster, from)];
  const targets = to === undefined ? undefined : [endAt(world, indexed, cluster, to)];
  describeProblems(world, cluster);
  const [source] = sources ?? [];
  const [target] = targets ?? [];
  if (source !== undefined && target !== undefined) showPair(world, given, cluster, { source, target, port });
  else {
    const all = [...workloadEnds(cluster), ...addressEnds(cluster)];
    const isListed = isInScopes(indexed, cluster);
    show(world, given, cluster, connectionsIn(world, cluster, sources ?? all, targets ?? all, { limit, isListed }));
  }
  reportPartialScopes(world, indexed);
  return exitCodeOf(world, indexed);
}

/** Returns the clusters of the selected objects. If they contain no workloads, the selected scopes are replaced by the scopes that their GitOps objects apply. */
function clustersNamed({ session, selection }: Indexed): readonly ScopedCluster[] {
  const clusters = clustersOf({ session, selection });
  const { limits } = selection;
  if (limits === undefined || clusters.some(({ cluster }) => cluster.workloads.length > 0)) return clusters;
  const applied = withApplied(session.snapshot().scopes(), limits, () => true);
  return clustersOf({ session, selection: selection.limitedTo(applied) });
}

/** Returns the clusters in which the objects that a command selects are applied. */
function clustersOf(indexed: Pick<Indexed, 'session' | 'selection'>): readonly ScopedCluster[] {
  const { session } = indexed;
  const catalogueOf = (uri: string) => session.workspace.catalogueOf(uri);
  return clustersIn(session.snapshot(), catalogueOf, (each) => isSelected(indexed, each), selectedOnly(indexed));
}

/** Returns a function that determines whether an endpoint is a workload in the selected scopes, and not only in their cluster; undefined if no scopes are selected. A scope without workloads is replaced by the scopes that its GitOps objects apply. */
function isInScopes({ session, selection }: Indexed, cluster: Cluster): ((end: Endpoint) => boolean) | undefined {
  const { limits } = selection;
  if (limits === undefined) return undefined;
  const applied = ({ where }: Workload) => ({ ...where, builtBy: where.workspace.appliedBy });
  const withWorkloads = new Set(cluster.workloads.flatMap((each) => scopesOf(session, applied(each))));
  const listed = withApplied(session.snapshot().scopes(), limits, (scope) => !withWorkloads.has(scope));
  const selecting = { session, selection: selection.limitedTo(listed) };
  return (end) => end.kind === 'workload' && isSelected(selecting, applied(end.workload));
}

function portOf(given: Arguments): number | undefined {
  const text = given.values.get('port');
  if (text === undefined) return undefined;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (port < 1 || port > maxPort) throw new UsageError(`The port '${text}' must be a number from 1 to ${maxPort}.`);
  return port;
}

function limitOf(given: Arguments): number {
  const text = given.values.get('limit');
  if (text === undefined) return defaultLimit;
  const limit = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > maximumLimit)
    throw new UsageError(`The limit '${text}' must be a number from 1 to ${maximumLimit}.`);
  return limit;
}

/** Returns the selected cluster that contains the given ends. Throws a UsageError if there are several, unless one of the selected scopes represents a single one of them. */
function clusterAsked(world: World, indexed: Indexed, ends: readonly string[]): Cluster {
  const clusters = clustersNamed(indexed);
  const limits = new Set([...(indexed.selection.limits ?? [])].map(({ path }) => path));
  const named = clusters.filter(({ of }) => of !== undefined && limits.has(of.path));
  const candidates = named.length > 0 ? named : clusters;
  const containing = candidates.filter(({ cluster }) => ends.every((each) => contains(indexed, cluster, each)));
  const possible = containing.length > 0 ? containing : candidates;
  const [first, ...others] = possible;
  if (first !== undefined && others.length === 0) {
    if (candidates.length > 1 && first.of !== undefined)
      writeNotes(world, [`Only ${displayPath(world, first.of.path)} contains ${ends.join(' and ')}.`]);
    return first.cluster;
  }
  const scopes = possible.flatMap((each) => each.of ?? []);
  const paths = scopes.map(({ path }) => displayPath(world, path));
  const problem = scopes.every(({ isGitops }) => isGitops)
    ? 'Objects are applied to several clusters'
    : 'Several scopes apply the same objects';
  throw new UsageError(`${problem}: choose one with '--scope': ${nameList(paths, maximumPaths)}.`);
}

/** The maximum number of scopes in a message. */
const maximumPaths = 20;

/** Returns the endpoint that an argument names, as it is applied or, if no workload has the name, as it is written in its file. Throws a UsageError if it names no endpoint, or several. */
function endAt(world: World, indexed: Indexed, cluster: Cluster, word: string): Endpoint {
  const named = endsNamed(indexed, cluster, word);
  const [end] = 'ends' in named ? named.ends : [];
  if (end?.kind === 'address') return withOwner(world, cluster, end);
  if (end !== undefined) return end;
  const problem = 'problem' in named ? named : { problem: 'unknown' as const };
  if (problem.problem === 'divided')
    throw new UsageError(`The policies distinguish addresses of '${word}'; name a single address.`);
  if (problem.problem === 'ambiguous')
    throw new UsageError(`'${word}' is not one workload: ${problem.candidates.slice(0, 10).join(', ')}.`);
  const unevaluated = cluster.unevaluated.workloads.filter((each) => isNamed(each, word)).map(workloadName);
  if (unevaluated.length > 0)
    throw new UsageError(
      `The pods of ${nameList(unevaluated, maximumPaths)} are not evaluated, because their controller may add labels: connections with them are unknown.`,
    );
  const known = workloadEnds(cluster).map(endpointName);
  throw new UsageError(`There is no workload '${word}'.${didYouMean(word, known)}`);
}

/** Whether a word is the name of a workload: `NAMESPACE/KIND/NAME`, or a shorter form. */
function isNamed(workload: Workload, word: string): boolean {
  return `/${workloadName(workload)}`.endsWith(`/${word}`);
}

/** Marks an address that belongs to an object of the cluster, and names the object. */
function withOwner(world: World, cluster: Cluster, end: Extract<Endpoint, { kind: 'address' }>): Endpoint {
  const range = parseRange(end.text.slice('ip:'.length));
  const owner = range && ownerOfAddresses(cluster, range);
  if (owner === undefined) return end;
  const name = `${objectName(owner.object)} in ${displayPath(world, owner.file.uri)}`;
  writeNotes(world, [`${end.text} is an address of ${name}, and not outside the cluster; name a workload instead.`]);
  return { ...end, peer: { ...end.peer, isInCluster: true } };
}

function endsNamed({ session }: Indexed, cluster: Cluster, word: string): ReturnType<typeof endNamed> {
  const isKind = ({ where, kind }: Workload, requested: string) =>
    kind === requested || (where.object.kind === kind && isOfKind(session, where.file, where.object, requested));
  const isWritten = ({ where }: Workload, name: string) =>
    writtenAs(session, where).some(({ object }) => object.name?.text === name);
  const applied = endNamed(cluster, word, isKind);
  const isUnknown = 'problem' in applied && applied.problem === 'unknown';
  return isUnknown ? endNamed(cluster, word, isKind, isWritten) : applied;
}

/** Whether an argument names one or several endpoints of a cluster. */
function contains(indexed: Indexed, cluster: Cluster, word: string): boolean {
  const named = endsNamed(indexed, cluster, word);
  return !('problem' in named && named.problem === 'unknown');
}

/** Returns the fields that state the namespace that is assumed for objects without one, and the objects whose pods are not evaluated. */
function assumed({ assumesNamespace, unevaluated }: Cluster) {
  return {
    ...(assumesNamespace && { assumedNamespace: defaultNamespace }),
    ...(unevaluated.workloads.length > 0 && { notEvaluated: unevaluated.workloads.map(workloadJson) }),
  };
}

/** Reports the namespace that is assumed for objects without one, the policies that the result ignores, and other objects that may also restrict connections. */
function describeProblems(world: World, { rejected, others, unevaluated, assumesNamespace }: Cluster): void {
  if (assumesNamespace)
    writeNotes(world, [
      `Some objects set no namespace; '${defaultNamespace}' is assumed for them. To name their namespace, use '--namespace'.`,
    ]);
  for (const { where, problems } of rejected) {
    const [first] = problems;
    const path = first?.path === undefined || first.path.length === 0 ? '' : ` at ${first.path.join('.')}`;
    const name = `${objectName(where.object)} in ${displayPath(world, where.file.uri)}`;
    const plugin = pluginOf(where.object);
    const effect = plugin === undefined ? 'is ignored' : 'has no effect, unless an earlier version of it was applied';
    const by = rejecterOf(where.object, first);
    world.err(tame(`selector-lens: ${name} ${effect}; ${by} rejects it${path}: ${first?.message ?? ''}.`));
  }
  if (unevaluated.workloads.length > 0) {
    const names = nameList(unevaluated.workloads.map(workloadName), maximumPaths);
    world.err(tame(`selector-lens: The pods of ${names} are not evaluated: connections with them are unknown.`));
  }
  const [other] = others;
  if (other === undefined) return;
  const name = objectName(other.object);
  const text =
    others.length === 1
      ? `${name} is not evaluated: connections of the pods that it may select are unknown.`
      : `${name} and ${others.length - 1} more policies are not evaluated: connections of the pods that they may select are unknown.`;
  world.err(tame(`selector-lens: ${text}`));
}

/** Returns the addresses outside of the cluster as endpoints, one for each block of addresses that policies treat alike. */
function addressEnds({ reachability }: Cluster): readonly Endpoint[] {
  return reachability.addressClasses.flatMap((peer) =>
    cidrsOf(peer.ranges).map((cidr): Endpoint => ({ kind: 'address', text: `ip:${cidr}`, peer })),
  );
}

/** Returns the connections on the port that the arguments name, up to the limit; all connections if they name none. */
function onPort(world: World, given: Arguments, connections: readonly Connection[]): readonly Connection[] {
  const port = portOf(given);
  if (port === undefined) return connections;
  const protocol = protocolOf(given);
  const limit = limitOf(given);
  const sets = new PortSets();
  const only = (set: PortSet) => (hasPort(set, protocol, port) ? sets.range(protocol, port, port) : sets.none);
  const found = connections.flatMap((each): readonly Connection[] => {
    const [allowed, unknown] = [only(each.sets.allowed), only(each.sets.unknown)];
    if (allowed === sets.none && unknown === sets.none) return [];
    const both = { allowed, unknown };
    const [allow, uncertain] = [portsByProtocol(allowed), portsByProtocol(unknown)];
    return [{ ...each, allow, unknown: uncertain, sets: both, text: connectionsText(both) }];
  });
  if (found.length > limit) world.err(limitText(limit));
  return found.slice(0, limit);
}

function protocolOf(given: Arguments): Protocol {
  return protocols.find((each) => each === given.values.get('protocol')) ?? 'TCP';
}

function show(world: World, given: Arguments, cluster: Cluster, listed: readonly Connection[]): void {
  const port = portOf(given);
  const format = choice(given, 'format', ['text', 'json', 'csv', 'mermaid', 'dot']);
  const all = onPort(world, given, listed);
  const connections = format === 'json' || format === 'csv' ? all.slice(0, mostWithPorts(all)) : all;
  if (connections.length < all.length) world.err(limitText(connections.length));
  if (format === 'json') {
    writeJson(world, { ...assumed(cluster), connections: connections.map(connectionJson) });
    return;
  }
  const lines = {
    text: () =>
      port === undefined
        ? textLines(world, cluster, connections, limitOf(given))
        : portLines(world, cluster, connections, { protocol: protocolOf(given), port }),
    csv: () => csvLines(connections),
    mermaid: () => asMermaid(drawingOf(connections)),
    dot: () => asDot(drawingOf(connections)),
  };
  for (const line of lines[format]()) world.out(tameLine(line));
}

/** Returns the number of the first connections whose ports are listed without exceeding the maximum; text summarizes ports. */
function mostWithPorts(connections: readonly Connection[]): number {
  let left = maximumPorts;
  const beyond = connections.findIndex(({ allow, unknown }) => {
    for (const { ports } of [...allow, ...unknown]) left -= ports.length;
    return left < 0;
  });
  return beyond === -1 ? connections.length : beyond;
}

function connectionJson({ from, to, allow, unknown }: Connection) {
  return { from: endJson(from), to: endJson(to), allow, ...(unknown.length > 0 && { unknown }) };
}

function endJson(end: Endpoint) {
  return end.kind === 'address' ? { kind: 'IPBlock', cidr: end.text.slice('ip:'.length) } : workloadJson(end.workload);
}

function workloadJson({ kind, namespace, name }: Workload) {
  return { kind, namespace, name };
}

function csvLines(connections: readonly Connection[]): readonly string[] {
  const rows = connections.flatMap(({ from, to, allow, unknown }) => [
    ...allow.map((each) => [endpointName(from), endpointName(to), each.protocol, each.ports, 'allowed']),
    ...unknown.map((each) => [endpointName(from), endpointName(to), each.protocol, each.ports, 'unknown']),
  ]);
  return [['from', 'to', 'protocol', 'ports', 'answer'], ...rows].map((row) => row.map(csvCell).join(','));
}

/** Quotes a cell as RFC 4180 defines it, and prevents spreadsheets from interpreting it as a formula. */
function csvCell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function drawingOf(connections: readonly Connection[]): Drawing {
  const ids = new Map<string, string>();
  const idOf = (end: Endpoint) => {
    const name = endpointName(end);
    const id = ids.get(name) ?? `n${ids.size + 1}`;
    ids.set(name, id);
    return id;
  };
  const edges = connections.map(({ from, to, allow, text }) => {
    return { from: idOf(from), to: idOf(to), label: text, certain: allow.length > 0 };
  });
  return { name: 'connections', nodes: [...ids].map(([label, id]) => ({ id, label })), edges };
}

interface Pair {
  readonly source: Endpoint;
  readonly target: Endpoint;
  readonly port: number | undefined;
}

function showPair(world: World, given: Arguments, cluster: Cluster, { source, target, port }: Pair): void {
  const format = choice(given, 'format', ['text', 'json', 'csv', 'mermaid', 'dot']);
  if (source.kind === 'address' && target.kind === 'address')
    throw new UsageError('FROM and TO are both outside the cluster, where no network policy applies.');
  if (source.kind === 'workload' && target.kind === 'workload' && source.workload === target.workload)
    throw new UsageError(
      'FROM and TO are the same workload: network policies do not define connections of a pod with itself.',
    );
  const connections = connectionsIn(world, cluster, [source], [target]);
  if (port === undefined && format !== 'text' && format !== 'json') {
    show(world, given, cluster, connections);
    return;
  }
  const protocol = protocolOf(given);
  const shownPath = (uri: string) => displayPath(world, uri);
  const context = { shownPath, cluster, from: source, to: target };
  if (format === 'json') {
    const { reachability } = cluster;
    const both = reachability.connections(source.peer, target.peer);
    const [allow, unknown] = [portsByProtocol(both.allowed), portsByProtocol(both.unknown)];
    const pair = { ...assumed(cluster), from: endJson(source), to: endJson(target), allow };
    if (port !== undefined) writeJson(world, { ...pair, protocol, port, ...proofJson(context, protocol, port) });
    else writeJson(world, { ...pair, ...(unknown.length > 0 && { unknown }), ...endsJson(context) });
    return;
  }
  if (format !== 'text') throw new UsageError(`The format '${format}' shows connections, not the proof for a port.`);
  const ports = port === undefined ? undefined : [{ protocol, port }];
  for (const line of proofLines(context, ports)) world.out(tameLine(line));
}
