/** Parses network policies of Cilium from plain data, and reports the problems for which Cilium rejects them. Source: pkg/policy/api of Cilium 1.19. */

import { and, or } from '../answers.ts';
import { readEndpointSelector } from '../cilium/endpoint-selector.ts';
import { parsed } from '../problems.ts';
import { fieldOf, StructuredParser } from '../structured.ts';
import { type Answer, isUnknown, type Parsed, type Path, type Value } from '../types.ts';
import { isOpen, isOptional } from './partial.ts';
import { ciliumPeerFields, type PeerList, readCiliumPeers } from './read-cilium-peers.ts';
import { type PortRules, readCiliumPorts } from './read-cilium-ports.ts';
import { mayBeSet, setField } from './read-parts.ts';
import type { Direction, Peer, ReachPolicy, Rule, RulesOfDirection, Subject } from './types.ts';

/** Parses a CiliumNetworkPolicy, or a CiliumClusterwideNetworkPolicy if the namespace is undefined, from an object with the fields `spec` and `specs`, in which any value may be an unknown. Returns a policy for each rule in `spec` and `specs`; one rejected rule rejects all. */
export function readCiliumPolicy(namespace: Value | undefined, data: unknown): Parsed<readonly ReachPolicy[]> {
  const parser = new StructuredParser();
  const [spec, specs] = [setField(data, 'spec'), setField(data, 'specs')];
  const policies: ReachPolicy[] = [];
  if (spec !== undefined || mayBeSet(data, 'spec')) policies.push(readSpec(parser, spec, ['spec'], namespace));
  const isListOpen = isUnknown(specs) || isOpen(specs) || isOptional(specs) || mayBeSet(data, 'specs');
  const items = isUnknown(specs) ? [] : (parser.list(specs, ['specs'], '`specs`') ?? []);
  for (const [index, item] of items.entries())
    policies.push({ ...readSpec(parser, item, ['specs', index], namespace), inSpecs: index });
  if (isListOpen) policies.push({ ...unknownPolicy(namespace), inSpecs: -1 });
  if (policies.length === 0) parser.problem('field-required', [], 'one of `spec` and `specs` must be set');
  return parsed(parser.problems, policies, true);
}

const lists = {
  ingress: ['ingress', 'ingressDeny'],
  egress: ['egress', 'egressDeny'],
} as const;

function readSpec(parser: StructuredParser, spec: unknown, path: Path, namespace: Value | undefined): ReachPolicy {
  if (spec === undefined || isUnknown(spec) || spec === null) return unknownPolicy(namespace);
  if (parser.map(spec, path, `\`${path[0]}\``) === undefined) return unknownPolicy(namespace);
  const subject = readSubject(parser, spec, path, namespace);
  const read = { isUncertain: false };
  checkDefaultDeny(parser, spec, path);
  const labels = setField(spec, 'labels');
  if (!isUnknown(labels)) parser.list(labels, [...path, 'labels'], '`labels`');
  parser.string(setField(spec, 'description'), [...path, 'description'], '`description`');
  const ingress = readDirection(parser, spec, path, 'ingress', namespace, read);
  const egress = readDirection(parser, spec, path, 'egress', namespace, read);
  const isEmpty = [ingress, egress].every(({ covers, rules }) => rules.length === 0 && covers !== 'yes');
  if (isEmpty && !isOpen(spec)) checkEmpty(parser, spec, path);
  const policy: ReachPolicy = { tier: 'Cilium', priority: undefined, namespace, subject, ingress, egress };
  if (read.isUncertain) return { ...policy, isOptional: true, mayBeRejected: true };
  return isOptional(spec) ? { ...policy, isOptional: true } : policy;
}

/** Reports a rule without lists, or with only empty ones. */
function checkEmpty(parser: StructuredParser, spec: unknown, path: Path): void {
  const empty = [...lists.ingress, ...lists.egress].find((list) => setField(spec, list) !== undefined);
  if (empty === undefined)
    parser.problem(
      'field-required',
      path,
      'must have at least one of `ingress`, `ingressDeny`, `egress` and `egressDeny`',
    );
  else
    parser.problem(
      'values-required',
      [...path, empty],
      `must have an item, such as \`${empty}: [{}]\` to allow nothing`,
    );
}

function readSubject(parser: StructuredParser, spec: unknown, path: Path, namespace: Value | undefined): Subject {
  const [endpoints, nodes] = [setField(spec, 'endpointSelector'), setField(spec, 'nodeSelector')];
  const mayBe = mayBeSet(spec, 'endpointSelector') || mayBeSet(spec, 'nodeSelector');
  const place = { field: 'endpointSelector', namespace } as const;
  if (endpoints !== undefined && nodes !== undefined)
    parser.problem('field-conflict', path, '`endpointSelector` and `nodeSelector` must not be set together');
  if (nodes !== undefined && endpoints === undefined) {
    if (namespace !== undefined)
      parser.problem(
        'field-conflict',
        [...path, 'nodeSelector'],
        '`nodeSelector` requires a CiliumClusterwideNetworkPolicy',
      );
    readEndpointSelector(parser, nodes, place, [...path, 'nodeSelector']);
    return { kind: 'entity', entity: 'node' };
  }
  if (endpoints === undefined) {
    if (!mayBe) parser.problem('field-required', path, 'one of `endpointSelector` and `nodeSelector` must be set');
    return { kind: 'endpoints', selector: { requirements: [], open: true } };
  }
  const selector = readEndpointSelector(parser, endpoints, place, [...path, 'endpointSelector']);
  return { kind: 'endpoints', selector: mayBe ? { ...selector, open: true } : selector };
}

/** Facts about a rule that are found while its parts are parsed. */
interface Found {
  /** Whether the policy may be rejected, depending on settings or on the version of Cilium. */
  isUncertain: boolean;
}

function readDirection(
  parser: StructuredParser,
  spec: unknown,
  path: Path,
  direction: Direction,
  namespace: Value | undefined,
  found: Found,
): RulesOfDirection {
  const rules: Rule[] = [];
  let covers: Answer = 'no';
  for (const list of lists[direction]) {
    const isDeny = list === 'ingressDeny' || list === 'egressDeny';
    const value = setField(spec, list);
    const shared = isDeny ? { list, action: 'Deny' as const } : { action: 'Accept' as const };
    const isListOpen = isUnknown(value) || mayBeSet(spec, list) || isOpen(value);
    const items = isUnknown(value) ? [] : (parser.list(value, [...path, list], `\`${list}\``) ?? []);
    if (isListOpen) rules.push({ ...unknownRule(-1), ...shared });
    for (const [index, item] of items.entries()) {
      const at = [...path, list, index];
      const isAbsent = isOptional(item) || isOptional(value);
      const read = readRule(parser, item, at, { direction, isDeny, namespace, index, found });
      for (const each of read)
        rules.push({
          ...each,
          ...shared,
          ...(each.action !== 'Accept' && { action: each.action }),
          ...(isAbsent && { isOptional: true as const }),
        });
      covers = or(covers, isAbsent ? 'maybe' : 'yes');
    }
    if (isListOpen) covers = or(covers, 'maybe');
  }
  const isolates = isolation(spec, direction, covers);
  // Without rules, the effect of `enableDefaultDeny` depends on the version of Cilium.
  if (covers === 'no' && isolates !== 'no') return { covers: 'maybe', rules, isolates: 'maybe' };
  return { covers, rules, isolates };
}

/** Whether the policy denies what no rule allows: unless `enableDefaultDeny` decides, if it has any rules of the direction. */
function isolation(spec: unknown, direction: Direction, covers: Answer): Answer {
  const field = setField(spec, 'enableDefaultDeny');
  const value = setField(field, direction);
  if (isUnknown(field) || isUnknown(value) || isOptional(field)) return 'maybe';
  if (mayBeSet(spec, 'enableDefaultDeny') || mayBeSet(field, direction)) return 'maybe';
  if (value === undefined) return covers;
  return value === true ? 'yes' : value === false ? 'no' : 'maybe';
}

function checkDefaultDeny(parser: StructuredParser, spec: unknown, path: Path): void {
  const at = [...path, 'enableDefaultDeny'];
  const field = setField(spec, 'enableDefaultDeny');
  if (isUnknown(field) || parser.map(field, at, '`enableDefaultDeny`') === undefined) return;
  for (const direction of ['ingress', 'egress']) {
    const value = setField(field, direction);
    if (value !== undefined && typeof value !== 'boolean' && !isUnknown(value))
      parser.problem('wrong-type', [...at, direction], `\`${direction}\` must be true or false`);
  }
}

interface RuleContext {
  readonly direction: Direction;
  readonly isDeny: boolean;
  readonly namespace: Value | undefined;
  readonly index: number;
  readonly found: Found;
}

/** Parses a rule. The ports of a rule that allow only some requests become a rule of their own. */
function readRule(parser: StructuredParser, item: unknown, path: Path, context: RuleContext): readonly Rule[] {
  const { direction, isDeny, index, found } = context;
  if (isUnknown(item)) return [{ ...unknownRule(index) }];
  if (item !== null && parser.map(item, path, 'rule') === undefined) return [];
  const peers = readCiliumPeers(parser, item, path, context);
  const ports = readCiliumPorts(parser, item, path, { direction, isDeny });
  found.isUncertain ||= peers.isUncertain || ports.isUncertain;
  if (setField(item, 'toServices') !== undefined && ports.isSet !== 'no') found.isUncertain = true;
  const known = new Set([...ciliumPeerFields[direction], 'toPorts', 'icmps', 'authentication']);
  const isStrange =
    isOpen(item) || Object.keys(item ?? {}).some((field) => !known.has(field) && setField(item, field) !== undefined);
  const isPartial = !isDeny && hasAuthentication(item);
  const anyPeer = anyPeerOf(peers, ports);
  const allPeers: readonly Peer[] = isStrange ? [...peers.items, { kind: 'unknown' }] : peers.items;
  const shared = { index, peers: allPeers, anyPeer } as const;
  const make = (part: Pick<Rule, 'ports' | 'anyPort'>, only: boolean): Rule => {
    const rule: Rule = { ...shared, ...part, action: 'Accept' };
    const uncertain: Rule =
      isStrange || peers.isNarrowed
        ? { ...rule, isOptional: true, ...(!isOpen(item) && { hasConditions: true }) }
        : rule;
    return only || isPartial ? { ...uncertain, isPartial: true } : uncertain;
  };
  const areAllPartial = ports.partial.length > 0 && ports.plain.length === 0 && ports.anyPort === 'no';
  const rules = areAllPartial ? [] : [make({ ports: ports.plain, anyPort: ports.anyPort }, false)];
  // In older versions, these requirements also narrow all other rules.
  if (peers.isNarrowed) rules.push({ ...unknownRule(index), action: 'Deny', hasConditions: true });
  return ports.partial.length === 0 ? rules : [...rules, make({ ports: ports.partial, anyPort: 'no' }, true)];
}

/** Without any field for peers, a rule matches every peer if it has ports, and nothing otherwise. */
function anyPeerOf(peers: PeerList, ports: PortRules): Answer {
  if (peers.isSet === 'yes') return 'no';
  return peers.isSet === 'no' ? ports.isSet : and(ports.isSet, 'maybe');
}

function hasAuthentication(item: unknown): boolean {
  const authentication = setField(item, 'authentication');
  return authentication !== undefined && fieldOf(authentication, 'mode') !== 'disabled';
}

function unknownRule(index: number): Rule {
  const parts = { peers: [], anyPeer: 'maybe', ports: [], anyPort: 'maybe', isOptional: true } as const;
  return { index, action: 'Accept', ...parts };
}

/** Returns a policy that may select every pod, and allow or deny everything. */
function unknownPolicy(namespace: Value | undefined): ReachPolicy {
  const rules = [{ ...unknownRule(-1), action: undefined }];
  const direction: RulesOfDirection = { covers: 'maybe', rules, isolates: 'maybe' };
  const place = { field: 'endpointSelector', namespace } as const;
  const selector = readEndpointSelector(new StructuredParser(), { unknown: '' }, place, []);
  return {
    tier: 'Cilium',
    priority: undefined,
    namespace,
    subject: { kind: 'endpoints', selector },
    ingress: direction,
    egress: direction,
    isOptional: true,
  };
}
