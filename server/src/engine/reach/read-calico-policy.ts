/** Parses network policies of Calico from plain data. Sources: api/pkg/apis/projectcalico/v3 and libcalico-go/lib/validator of Calico. */

import { excerpt } from '../messages.ts';
import { parsed } from '../problems.ts';
import { StructuredParser } from '../structured.ts';
import { type Answer, isUnknown, type Parsed, type Path, type Value } from '../types.ts';
import { isOpen, isOptional } from './partial.ts';
import { type CalicoScope, readCalicoEntity, readExpression } from './read-calico-entity.ts';
import { readCalicoPorts } from './read-calico-ports.ts';
import { readList, setField } from './read-parts.ts';
import type { Action, CalicoPeer, CalicoPlace, Direction, ReachPolicy, Rule, RulesOfDirection } from './types.ts';

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
  const policy: ReachPolicy = {
    tier: 'Calico',
    priority: undefined,
    namespace: source.namespace,
    subject: readSubject(parser, spec, source),
    ...readRules(parser, spec, source),
    ...placeOf(parser, spec, source),
  };
  // An invalid policy that was stored directly is not rejected, and what it does is not defined.
  if (parser.problems.length > 0 && source.isStoredDirectly) return { ok: true, value: [unknownPolicy(source)] };
  const isUncertain = onlyOfHosts.some(isUnknown) || isOptional(spec) || isOpen(spec);
  return parsed(parser.problems, [isUncertain ? unknownPolicy(source) : policy], false);
}

function readSubject(parser: StructuredParser, spec: unknown, source: CalicoPolicySource): CalicoPeer {
  const { namespace } = source;
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
  return { place: { tier, order: order ?? Number.POSITIVE_INFINITY, name: text } };
}

function readRules(parser: StructuredParser, spec: unknown, source: CalicoPolicySource) {
  const read = (direction: Direction) =>
    readList(parser, spec, direction, ['spec'], (item, path, index) =>
      readRule(parser, item, path, index, direction, source),
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
    if (typeof text === 'string' && text !== 'Ingress' && text !== 'Egress')
      parser.problem('value-unsupported', path, `must be 'Ingress' or 'Egress', not '${excerpt(text)}'`);
    return text;
  });
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
  scope: CalicoScope,
): readonly Rule[] {
  if (isUnknown(item) || isOptional(item)) return [unknownRule(index)];
  if (parser.map(item, path, 'rule') === undefined) return [];
  const action = readAction(parser, item, path);
  if (action === 'Log') return [];
  const [ownField, otherField] = direction === 'ingress' ? ['destination', 'source'] : ['source', 'destination'];
  const version = setField(item, 'ipVersion');
  const family: Pick<CalicoPeer, 'family'> = version === 4 || version === 6 ? { family: version } : {};
  const other = readCalicoEntity(parser, item, otherField, path, scope);
  const own = readCalicoEntity(parser, item, ownField, path, scope);
  const ports = readCalicoPorts(parser, item, path);
  const isStrange =
    isOpen(item) || Object.keys(item ?? {}).some((field) => !knownFields.has(field)) || isUnknown(version);
  const hasMessages = [setField(item, 'icmp'), setField(item, 'notICMP')].some((each) => each !== undefined);
  const isNarrowed = isStrange || ports.isNarrowed || hasMessages;
  return [
    {
      index,
      action,
      peers: [{ ...other, ...family }],
      anyPeer: 'no',
      own: { ...own, ...family },
      ports: ports.ports,
      anyPort: ports.anyPort,
      ...(ports.notPorts.length > 0 && { notPorts: ports.notPorts }),
      ...(isNarrowed && { isOptional: true as const }),
    },
  ];
}

function readAction(parser: StructuredParser, item: unknown, path: Path): Action | 'Log' | undefined {
  const given = setField(item, 'action');
  const text = parser.string(given, [...path, 'action'], '`action`');
  if (typeof text !== 'string') return undefined;
  const action = actions.get(text);
  if (action === undefined)
    parser.problem(
      'value-unsupported',
      [...path, 'action'],
      `must be 'Allow', 'Deny', 'Pass' or 'Log', not '${excerpt(text)}'`,
    );
  return action;
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
