/** Parses network policies of Calico from plain data. Sources: api/pkg/apis/projectcalico/v3 and libcalico-go/lib/validator of Calico. */

import { evaluateCalico } from '../calico/evaluate.ts';
import { validateName } from '../names.ts';
import { parsed } from '../problems.ts';
import { StructuredParser } from '../structured.ts';
import { type Answer, isUnknown, type LabelSet, type Parsed, type Path, type Value } from '../types.ts';
import { type AddressRange, everyAddress, isWithin } from './addresses.ts';
import { isOpen, isOptional } from './partial.ts';
import { type CalicoScope, familiesOf, readCalicoEntity, readExpression } from './read-calico-entity.ts';
import { readCalicoPorts } from './read-calico-ports.ts';
import { mayBeSet, readList, setField } from './read-parts.ts';
import type { Action, CalicoPeer, CalicoPlace, Direction, ReachPolicy, Rule, RulesOfDirection } from './types.ts';
import { isUnclearRule } from './unclear-rules.ts';

/** A policy of Calico, as its object identifies it. */
export interface CalicoPolicySource extends CalicoScope {
  readonly name: string;
  readonly kind: string;
  /** Whether the object was written without the API of Calico, which fills in defaults and rejects invalid policies. */
  readonly isStoredDirectly: boolean;
}

/** Parses a NetworkPolicy or GlobalNetworkPolicy from its `spec` as plain data, in which any value may be an unknown. Returns no policy if it does not concern pods. */
export function readCalicoPolicy(source: CalicoPolicySource, spec: unknown): Parsed<readonly ReachPolicy[]> {
  const parser = new StructuredParser();
  if (isUnknown(spec) || parser.map(spec, ['spec'], '`spec`') === undefined)
    return { ok: true, value: [unknownPolicy(source)] };
  const onlyOfHosts = ['doNotTrack', 'preDNAT'].map((field) => setField(spec, field));
  if (onlyOfHosts.includes(true)) return { ok: true, value: [] };
  for (const field of switches) {
    const value = setField(spec, field);
    if (value !== undefined && typeof value !== 'boolean' && !isUnknown(value))
      parser.problem('wrong-type', ['spec', field], `\`${field}\` must be true or false`);
  }
  const found: RuleScope['found'] = {};
  const policy: ReachPolicy = {
    tier: 'Calico',
    priority: undefined,
    namespace: source.namespace,
    subject: readSubject(parser, spec, source),
    ...readRules(parser, spec, source, found),
    ...placeOf(parser, spec, source),
  };
  // An invalid policy that was stored directly is not rejected, and what it does is not defined.
  if (parser.problems.length > 0 && source.isStoredDirectly) return { ok: true, value: [unknownPolicy(source)] };
  const isUncertain = onlyOfHosts.some(isUnknown) || isOptional(spec) || isOpen(spec);
  const isCertain = !found.isUncertain && hasAcceptedName(source, policy.place?.tier);
  const known: ReachPolicy = isCertain ? policy : { ...policy, isOptional: true, mayBeRejected: true };
  return parsed(parser.problems, [isUncertain ? unknownPolicy(source) : known], true);
}

/** The fields of a policy that are true or false. */
const switches = ['doNotTrack', 'preDNAT', 'applyOnForward'];

/** Whether a GlobalNetworkPolicy certainly or possibly applies to what a host with the given labels of its endpoint forwards, from its `spec` as plain data. */
export function appliesToForwarded(spec: unknown, hosts: readonly LabelSet[]): boolean {
  if (isUnknown(spec)) return hosts.length > 0;
  const fields = ['applyOnForward', 'preDNAT', 'doNotTrack'];
  const isSet = (field: string) => setField(spec, field) === true || isUnknown(setField(spec, field));
  if (!fields.some((field) => isSet(field) || mayBeSet(spec, field))) return false;
  const { selector, namespaceSelector, accountSelector, namespace } = readSubject(new StructuredParser(), spec, {});
  // An endpoint of a host is in no namespace, and has no service account.
  if (namespaceSelector !== undefined || accountSelector !== undefined || namespace !== undefined) return false;
  return hosts.some((labels) => selector === undefined || evaluateCalico(selector, labels) !== 'no');
}

function readSubject(
  parser: StructuredParser,
  spec: unknown,
  { namespace }: { readonly namespace?: Value | undefined },
): CalicoPeer {
  const selector = readExpression(parser, spec, 'selector', ['spec']);
  const account = readExpression(parser, spec, 'serviceAccountSelector', ['spec']);
  const ofNamespace = readExpression(parser, spec, 'namespaceSelector', ['spec']);
  const isAny = ofNamespace?.root?.kind === 'all';
  return {
    kind: 'calico',
    ...(selector !== undefined && { selector }),
    ...(account !== undefined && { accountSelector: account }),
    ...(namespace !== undefined
      ? { namespace: { is: namespace } }
      : isAny
        ? { namespace: 'any' as const }
        : ofNamespace !== undefined && { namespaceSelector: ofNamespace }),
  };
}

/** Returns the tier and the order of a policy; nothing if one of them is unknown. */
function placeOf(
  parser: StructuredParser,
  spec: unknown,
  { name, kind, namespace }: CalicoPolicySource,
): { readonly place?: CalicoPlace } {
  const order = setField(spec, 'order');
  const given = setField(spec, 'tier');
  const tier = given === undefined || given === '' ? 'default' : given;
  if (isUnknown(order) || typeof tier !== 'string') return {};
  if (order !== undefined && typeof order !== 'number') {
    parser.problem('wrong-type', ['spec', 'order'], '`order` must be a number');
    return {};
  }
  const text = `${name}/${typeof namespace === 'string' ? namespace : ''}/${kind}`;
  const withTier = name.startsWith(`${tier}.`) ? name : `${tier}.${name}`;
  const olderName = typeof namespace === 'string' ? `${namespace}/${withTier}` : withTier;
  return { place: { tier, order: order ?? Number.POSITIVE_INFINITY, name: text, olderName } };
}

/**
 * Whether every version of Calico accepts the name of a policy: one DNS label after the name of the tier and a dot, which
 * only policies of the tier `default` may omit. Since Calico 3.32, no name needs the tier.
 */
function hasAcceptedName({ name }: CalicoPolicySource, tier: string | undefined): boolean {
  if (name === '' || tier === undefined) return true;
  const isPrefixed = name.startsWith(`${tier}.`);
  if (!isPrefixed && tier !== 'default') return false;
  return validateName('dns1123Label', isPrefixed ? name.slice(tier.length + 1) : name).length === 0;
}

/** The policy of a rule, and facts that are found while its rules are parsed. */
interface RuleScope extends CalicoScope {
  /** Set if only some versions of Calico accept the policy. */
  readonly found: { isUncertain?: boolean | undefined };
}

function readRules(
  parser: StructuredParser,
  spec: unknown,
  source: CalicoPolicySource,
  found: RuleScope['found'],
): Pick<ReachPolicy, Direction> {
  const read = (direction: Direction) =>
    readList(parser, spec, direction, ['spec'], (item, path, index) =>
      readRule(parser, item, path, index, direction, { namespace: source.namespace, found }),
    );
  const [ingress, egress] = [read('ingress'), read('egress')];
  const isOptionalList = (direction: Direction) => isOptional(setField(spec, direction));
  const covers = readTypes(parser, spec, ingress.isEmpty, egress.isEmpty, source);
  const rulesOf = (direction: Direction, list: typeof ingress): RulesOfDirection => {
    const rules = list.items.flat();
    const known = isOptionalList(direction) ? rules.map((rule): Rule => ({ ...rule, isOptional: true })) : rules;
    return { covers: covers[direction], rules: list.isOpen ? [unknownRule(-1), ...known] : known };
  };
  return { ingress: rulesOf('ingress', ingress), egress: rulesOf('egress', egress) };
}

/** Returns the directions that a policy concerns. By default, a policy without rules, or with rules for ingress, concerns ingress, and a policy with rules for egress concerns egress. */
function readTypes(
  parser: StructuredParser,
  spec: unknown,
  noIngress: Answer,
  noEgress: Answer,
  { isStoredDirectly }: CalicoPolicySource,
): Readonly<Record<Direction, Answer>> {
  const types = readList(parser, spec, 'types', ['spec'], (item, path) => {
    const text = parser.string(item, path, '`types`');
    if (typeof text === 'string') parser.oneOf(text, ['Ingress', 'Egress'], path);
    return text;
  });
  if (new Set(types.items).size < types.items.length)
    parser.problem('field-conflict', ['spec', 'types'], '`types` must not repeat a direction');
  if (types.isEmpty === 'maybe' || types.isOpen || types.items.some(isUnknown))
    return { ingress: 'maybe', egress: 'maybe' };
  if (types.isEmpty === 'no')
    return {
      ingress: types.items.includes('Ingress') ? 'yes' : 'no',
      egress: types.items.includes('Egress') ? 'yes' : 'no',
    };
  if (noIngress === 'maybe' || noEgress === 'maybe') return { ingress: 'maybe', egress: 'maybe' };
  const other = isStoredDirectly ? 'maybe' : 'no';
  return {
    ingress: noIngress === 'no' || noEgress === 'yes' ? 'yes' : other,
    egress: noEgress === 'no' ? 'yes' : other,
  };
}

const actions: ReadonlyMap<string, Action | 'Log'> = new Map([
  ['Allow', 'Accept'],
  ['Deny', 'Deny'],
  ['Pass', 'Pass'],
  ['Log', 'Log'],
]);

/** The fields of a rule that are evaluated, or that do not affect connections. */
const knownFields: ReadonlySet<string> = new Set([
  ...['action', 'ipVersion', 'protocol', 'notProtocol', 'icmp', 'notICMP', 'source', 'destination', 'metadata'],
]);

function readRule(
  parser: StructuredParser,
  item: unknown,
  path: Path,
  index: number,
  direction: Direction,
  scope: RuleScope,
): readonly Rule[] {
  if (isUnknown(item) || isOptional(item)) return [unknownRule(index)];
  if (parser.map(item, path, 'rule') === undefined) return [];
  const action = readAction(parser, item, path);
  const [ownField, otherField] = direction === 'ingress' ? ['destination', 'source'] : ['source', 'destination'];
  const version = setField(item, 'ipVersion');
  const family: Pick<CalicoPeer, 'family'> = version === 4 || version === 6 ? { family: version } : {};
  const other = readCalicoEntity(parser, item, otherField, path, scope);
  const own = readCalicoEntity(parser, item, ownField, path, scope);
  const ports = readCalicoPorts(parser, item, path);
  checkFamilies(parser, item, path, [
    [otherField, other],
    [ownField, own],
  ]);
  checkRequests(parser, item, path, direction, action);
  if (setField(setField(item, ownField), 'services') !== undefined)
    parser.problem('field-conflict', [...path, ownField, 'services'], `must be in \`${otherField}\``);
  if (action === 'Log') return [];
  scope.found.isUncertain ||=
    isUnclearRule(item) || [other, own].some(({ notNets }) => notNets?.ranges.some(isEveryAddress));
  const isStrange =
    isOpen(item) || Object.keys(item ?? {}).some((field) => !knownFields.has(field)) || isUnknown(version);
  const isNarrowed = ports.isNarrowed || conditions.some((field) => setField(item, field) !== undefined);
  return [
    {
      index,
      action,
      peers: [{ ...other, ...family }],
      anyPeer: 'no',
      own,
      ports: ports.ports,
      anyPort: ports.anyPort,
      ...(ports.notPorts.length > 0 && { notPorts: ports.notPorts }),
      ...((isNarrowed || isStrange) && {
        isOptional: true as const,
        ...(!isOpen(item) && { hasConditions: true as const }),
      }),
    },
  ];
}

function isEveryAddress(range: AddressRange): boolean {
  return isWithin(everyAddress(range.family), range);
}

/** The fields of a rule with conditions on requests and messages, which are not evaluated. */
const conditions = ['icmp', 'notICMP', 'http'];

/** Reports a rule with blocks of addresses of both families, or of a different family than its version. */
function checkFamilies(
  parser: StructuredParser,
  rule: unknown,
  path: Path,
  ends: readonly (readonly [field: string, CalicoPeer])[],
): void {
  const version = setField(rule, 'ipVersion');
  const isKnown = version === undefined || version === 4 || version === 6;
  if (!isKnown && !isUnknown(version))
    parser.problem('value-unsupported', [...path, 'ipVersion'], '`ipVersion` must be 4 or 6');
  const lists = ends.flatMap(([end, { nets, notNets }]) => [
    { at: [end, 'nets'], nets },
    { at: [end, 'notNets'], nets: notNets },
  ]);
  const families = familiesOf(lists.map(({ nets }) => nets));
  const other = lists.find(({ nets }) => familiesOf([nets]).some((family) => family !== families[0]));
  if (other !== undefined)
    parser.problem(
      'field-conflict',
      [...path, ...other.at],
      `must not have blocks of IPv${families[1]} addresses beside blocks of IPv${families[0]} addresses in the rule`,
    );
  else if (typeof version === 'number' && isKnown && families[0] !== undefined && families[0] !== version)
    parser.problem('field-conflict', [...path, 'ipVersion'], 'must be the version of the blocks of addresses');
}

/** Reports conditions on requests and messages that do not fit the action or the protocol of the rule. */
function checkRequests(
  parser: StructuredParser,
  rule: unknown,
  path: Path,
  direction: Direction,
  action: Action | 'Log' | undefined,
): void {
  const protocol = setField(rule, 'protocol');
  if (isUnknown(protocol)) return;
  const name = String(protocol).toUpperCase();
  if (setField(rule, 'icmp') !== undefined && name !== 'ICMP' && name !== 'ICMPV6')
    parser.problem('field-conflict', [...path, 'icmp'], '`icmp` needs the protocol ICMP or ICMPv6');
  if (setField(rule, 'http') === undefined) return;
  const isAllowed = direction === 'ingress' && (action === 'Accept' || action === undefined);
  if (!isAllowed || (protocol !== undefined && name !== 'TCP' && name !== '6'))
    parser.problem('field-conflict', [...path, 'http'], '`http` needs a rule for ingress that allows TCP');
}

function readAction(parser: StructuredParser, item: unknown, path: Path): Action | 'Log' | undefined {
  const given = setField(item, 'action');
  const text = parser.string(given, [...path, 'action'], '`action`');
  if (typeof text !== 'string') return undefined;
  parser.oneOf(text, [...actions.keys()], [...path, 'action']);
  return actions.get(text);
}

function unknownRule(index: number): Rule {
  return { index, action: undefined, peers: [], anyPeer: 'maybe', ports: [], anyPort: 'maybe', isOptional: true };
}

/** Returns a policy that may select every pod to which it can apply, and allow or deny everything. */
function unknownPolicy({ namespace }: { readonly namespace: Value | undefined }): ReachPolicy {
  const direction: RulesOfDirection = { covers: 'maybe', rules: [unknownRule(-1)] };
  const selector = { text: '' };
  return {
    tier: 'Calico',
    priority: undefined,
    namespace,
    subject: { kind: 'calico', selector, ...(namespace !== undefined && { namespace: { is: namespace } }) },
    ingress: direction,
    egress: direction,
    isOptional: true,
  };
}
