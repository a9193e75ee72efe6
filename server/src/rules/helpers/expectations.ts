/** Finds expectations under `expect:` in a `.selector-lens.yaml` that the manifests do not meet. */

import type { Catalogue } from '../../engine/catalogue/types.ts';
import { hasPort, type PortSet, type Proof, type Protocol, portsByProtocol, protocols } from '../../engine/index.ts';
import type { Statement } from '../../settings/expectation.ts';
import { localize } from '../../text/localize.ts';
import { type AppliedObject, appliedObjectsOf, clustersIn } from '../../workspace/reach/applied-clusters.ts';
import type { Cluster, Workload } from '../../workspace/reach/cluster.ts';
import { type Endpoint, endNamed, endpointName, endsInNamespace } from '../../workspace/reach/endpoints.ts';
import { proofText } from '../../workspace/reach/sentences.ts';
import { selectionOf } from '../../workspace/selection/selection.ts';
import { folderOf, isWithin } from '../../workspace/uri.ts';
import type { Fact, RuleContext } from '../framework/rule.ts';

/** An expectation that the manifests do not meet. */
export interface BrokenExpectation extends Fact {
  readonly name: string;
  readonly owner: string;
  readonly reason: string;
}

type Expecting = Pick<RuleContext, 'file' | 'uri' | 'workspace' | 'catalogue'>;

/** Returns the expectations in a configuration that the manifests do not meet. */
export function* brokenExpectations(context: Expecting): Iterable<BrokenExpectation> {
  const expected = context.file.config?.values.expect ?? [];
  if (expected.length === 0) return;
  const folder = folderOf(context.uri);
  const isOwn = ({ builtBy, file }: AppliedObject) => isWithin(builtBy?.path ?? file.uri, folder);
  const clusters = clustersIn(context.workspace, () => context.catalogue, isOwn);
  for (const { name, owner, that } of expected) {
    const reason =
      that.kind === 'reach'
        ? unreached(
            context.catalogue,
            clusters.map(({ cluster }) => cluster),
            that,
          )
        : misselected(context, isOwn, that);
    if (reason !== undefined) yield { span: that.span, name, owner, reason };
  }
}

export function expectationSentence({ name, owner, reason }: BrokenExpectation): string {
  return localize`Expectation '${name}', owned by ${owner}, is not met: ${reason}`;
}

/** Returns the reason why a statement about a connection certainly does not hold; undefined if it may hold. */
function unreached(
  catalogue: Catalogue,
  clusters: readonly Cluster[],
  that: Extract<Statement, { readonly kind: 'reach' }>,
): string | undefined {
  let isRequested = false;
  for (const cluster of clusters) {
    const from = endsNamed(catalogue, cluster, that.from);
    const to = endsNamed(catalogue, cluster, that.to);
    if (from.length === 0 || to.length === 0) continue;
    isRequested = true;
    // All members of a class have the same connections, so each pair of classes is checked only once.
    const asked = new Set<string>();
    for (const source of from)
      for (const target of to) {
        const key = `${source.peer.kind} ${source.peer.place} ${target.peer.kind} ${target.peer.place}`;
        if (asked.has(key) || endpointName(source) === endpointName(target)) continue;
        asked.add(key);
        const reason = brokenBy(cluster, source, target, that);
        if (reason !== undefined) return reason;
      }
  }
  if (isRequested) return undefined;
  const missing = [that.from, that.to].find((word) =>
    clusters.every((cluster) => endsNamed(catalogue, cluster, word).length === 0),
  );
  return missing === undefined
    ? localize`'${that.from}' and '${that.to}' are not applied together.`
    : localize`no workload or namespace '${missing}' exists.`;
}

/** Returns the workload that a word of an expectation names, or all workloads of the namespace that the word names. */
function endsNamed(catalogue: Catalogue, cluster: Cluster, word: string): readonly Endpoint[] {
  const isKind = ({ kind }: Workload, asked: string) =>
    kind.toLowerCase() === asked.toLowerCase() || catalogue.named(asked).some((each) => each.kind === kind);
  const named = endNamed(cluster, word, isKind);
  if ('ends' in named) return named.ends;
  return word.includes('/') ? [] : endsInNamespace(cluster, word);
}

function brokenBy(
  cluster: Cluster,
  source: Endpoint,
  target: Endpoint,
  { port, isAllowed }: Extract<Statement, { readonly kind: 'reach' }>,
): string | undefined {
  const { reachability } = cluster;
  if (source.kind === 'workload' && target.kind === 'workload' && source.workload === target.workload) return undefined;
  if (source.kind === 'address' && target.kind === 'address') return undefined;
  const { allowed, unknown } = reachability.connections(source.peer, target.peer);
  const possible = reachability.ports.union(allowed, unknown);
  const wrong = isAllowed ? reachability.ports.difference(reachability.ports.all, possible) : allowed;
  const asked = port === undefined ? onePortOf(wrong) : hasPort(wrong, port.protocol, port.number) ? port : undefined;
  // If the expectation has no port, one allowed port is sufficient.
  if (asked === undefined || (port === undefined && isAllowed && possible !== reachability.ports.none))
    return undefined;
  const proof: Proof = reachability.prove(source, target, asked.protocol, asked.number);
  const what = localize`${endpointName(source)} ${isAllowed ? localize`may not` : 'may'} reach ${endpointName(target)} on ${asked.protocol} ${asked.number}`;
  return `${what} (${proofText(cluster, proof)}).`;
}

/** Returns a port of a set; undefined for the empty set. */
function onePortOf(set: PortSet): { readonly protocol: Protocol; readonly number: number } | undefined {
  const [first] = portsByProtocol(set);
  if (first === undefined) return undefined;
  const number = first.ports === 'all' ? 1 : Number.parseInt(first.ports, 10);
  return { protocol: protocols.find((each) => each === first.protocol) ?? 'TCP', number };
}

/** Returns the reason why the selectors of an object certainly do not select what the expectation states; undefined if they may. */
function misselected(
  { workspace, catalogue }: Expecting,
  isOwn: (where: AppliedObject) => boolean,
  { owner, selected }: Extract<Statement, { readonly kind: 'selects' }>,
): string | undefined {
  const owners = [...appliedObjectsOf(workspace, () => catalogue)].filter(
    (where) => isOwn(where) && isNamed(catalogue, where, owner),
  );
  if (owners.length === 0) return localize`'${owner}' does not exist.`;
  for (const where of owners) {
    const [site] = where.object.selectorSites;
    if (site === undefined) return localize`'${owner}' has no selector.`;
    const { matches, maybe } = selectionOf(where.workspace, catalogue, where, site);
    const unexpected = matches.find((match) => !selected.some((word) => isNamed(catalogue, match, word)));
    if (unexpected !== undefined)
      return localize`${owner} also selects ${unexpected.object.kind}/${unexpected.object.name?.text ?? ''}.`;
    const missed = selected.find((word) => ![...matches, ...maybe].some((match) => isNamed(catalogue, match, word)));
    if (missed !== undefined) return localize`${owner} does not select ${missed}.`;
  }
  return undefined;
}

/** Whether an object has the name `KIND/NAME` or `NAMESPACE/KIND/NAME`. */
function isNamed(catalogue: Catalogue, { object }: Pick<AppliedObject, 'object'>, word: string): boolean {
  const [name, kind, namespace] = word.split('/').reverse();
  if (object.name?.text !== name || (namespace !== undefined && object.namespace?.text !== namespace)) return false;
  if (kind === undefined || kind.toLowerCase() === object.kind.toLowerCase()) return true;
  return catalogue.named(kind).some((each) => each.group === object.group && each.kind === object.kind);
}
