/** Parses policies of Istio from plain data: AuthorizationPolicy and PeerAuthentication. Sources: pilot/pkg/model and pkg/config/validation of Istio. */

import { fromLabelSelector } from '../label-selector.ts';
import { parsed } from '../problems.ts';
import { allOf, everything } from '../selector.ts';
import { fieldOf, isRecord, StructuredParser } from '../structured.ts';
import { type Answer, isUnknown, type Parsed, type Path, type Selector, type Value } from '../types.ts';
import { isOpen, isOptional } from './partial.ts';
import { mayBeSet, readList, setField } from './read-parts.ts';
import type {
  MeshAuthentication,
  MeshAuthorization,
  MeshCondition,
  MeshMode,
  MeshRule,
  ReachPolicy,
  RulesOfDirection,
} from './types.ts';

/** A policy of Istio, as its object identifies it. */
export interface IstioPolicySource {
  readonly kind: 'authorization' | 'authentication';
  readonly namespace: Value;
  /** Whether the namespace is the root namespace of the mesh. */
  readonly isRoot: Answer;
}

const nothing: RulesOfDirection = { covers: 'no', rules: [] };
const covered: RulesOfDirection = { covers: 'yes', rules: [] };

/** Parses a policy from its `spec` as plain data, in which any value may be an unknown. A policy of a namespace that is possibly the root namespace is returned twice. */
export function readIstioPolicy(source: IstioPolicySource, spec: unknown): Parsed<readonly ReachPolicy[]> {
  const { namespace, isRoot } = source;
  if (isUnknown(spec) || isOpen(spec) || isOptional(spec)) return { ok: true, value: [unknownPolicy(source)] };
  const parser = new StructuredParser();
  if (parser.map(spec, ['spec'], '`spec`') === undefined) return { ok: true, value: [unknownPolicy(source)] };
  const { selector, isSet } = readSelector(parser, spec);
  const references = [setField(spec, 'targetRefs'), setField(spec, 'targetRef')].filter((each) => each !== undefined);
  if (references.length > 0 && isSet)
    parser.problem('field-conflict', ['spec'], '`selector` and `targetRefs` must not be set together');
  const mesh =
    source.kind === 'authorization' ? readAuthorization(parser, spec) : readAuthentication(spec, isSet, isRoot);
  if (mesh === undefined) return parsed(parser.problems, [], false);
  const pods: Selector = references.length > 0 ? possiblePods : selector;
  const own: ReachPolicy = {
    tier: 'Mesh',
    priority: undefined,
    namespace,
    subject: { kind: 'pods', namespaces: isRoot === 'yes' ? everything : undefined, pods },
    ingress: covered,
    egress: nothing,
    mesh,
  };
  const everywhere: ReachPolicy = { ...own, subject: { kind: 'pods', namespaces: everything, pods }, isOptional: true };
  return parsed(parser.problems, isRoot === 'maybe' ? [own, everywhere] : [own], false);
}

/** The pods that references may concern: those of gateways, and those behind a waypoint, which enforces the policy for them. */
const possiblePods: Selector = allOf([], true);

/** Labels that the injection of proxies or the cluster adds to pods. */
const addedKey = /^(?:service\.istio\.io\/canonical-|topology\.istio\.io\/|security\.istio\.io\/tlsMode$)/;

function readSelector(
  parser: StructuredParser,
  spec: unknown,
): { readonly selector: Selector; readonly isSet: boolean } {
  const value = setField(spec, 'selector');
  const labels = setField(value, 'matchLabels');
  if (isUnknown(value) || isUnknown(labels) || isOpen(value) || isOpen(labels) || isOptional(value))
    return { selector: allOf([], true), isSet: true };
  const read = fromLabelSelector({ matchLabels: labels });
  if (!read.ok) {
    for (const { code, message, path = [] } of read.problems)
      parser.problem(code, ['spec', 'selector', ...path], message);
    return { selector: everything, isSet: true };
  }
  if (read.value.kind !== 'all') return { selector: everything, isSet: false };
  const known = read.value.requirements.filter(({ key }) => !addedKey.test(key));
  const isUncertain = known.length < read.value.requirements.length || read.value.open === true;
  return { selector: allOf([...known], isUncertain), isSet: true };
}

function readAuthorization(parser: StructuredParser, spec: unknown): MeshAuthorization | undefined {
  const action = setField(spec, 'action') ?? 'ALLOW';
  if (action === 'AUDIT') return undefined;
  const known = (['ALLOW', 'DENY', 'CUSTOM'] as const).find((each) => each === action);
  if (known === undefined && typeof action === 'string')
    parser.problem('value-unsupported', ['spec', 'action'], "must be 'ALLOW', 'DENY', 'AUDIT' or 'CUSTOM'");
  const list = readList(parser, spec, 'rules', ['spec'], (item, path, index) => readRule(parser, item, path, index));
  const rules = list.isOpen ? [unknownRule(-1), ...list.items] : list.items;
  return { kind: 'authorization', action: known, rules };
}

const unknownCondition: MeshCondition = { of: 'other', values: [], isNegated: false };

function unknownRule(index: number): MeshRule {
  return { index, from: undefined, to: undefined, when: [unknownCondition] };
}

function readRule(parser: StructuredParser, item: unknown, path: Path, index: number): MeshRule {
  if (isUnknown(item) || isOpen(item) || isOptional(item)) return unknownRule(index);
  const parts = (field: string, inner: string) => {
    const list = readList(parser, item, field, path, (each) => readConditions(setField(each, inner), each, inner));
    if (list.isEmpty === 'yes') return undefined;
    return list.isOpen || list.isEmpty === 'maybe' ? [...list.items, [unknownCondition]] : list.items;
  };
  const when = readList(parser, item, 'when', path, readCondition);
  const isStrange = Object.keys(isRecord(item) ? item : {}).some((field) => !/^(?:from|to|when)$/.test(field));
  return {
    index,
    from: parts('from', 'source'),
    to: parts('to', 'operation'),
    when: [...when.items.flat(), ...(when.isOpen || isStrange ? [unknownCondition] : [])],
  };
}

/** The properties of sources and operations that are evaluated. */
const properties: Readonly<Record<string, MeshCondition['of']>> = {
  principals: 'principal',
  namespaces: 'namespace',
  serviceAccounts: 'account',
  ports: 'port',
};

/** Parses the fields of a source or an operation, of which all must match. */
function readConditions(fields: unknown, owner: unknown, inner: string): readonly MeshCondition[] {
  if (fields === undefined && !mayBeSet(owner, inner)) return [];
  if (!isRecord(fields) || isUnknown(fields) || isOpen(fields)) return [unknownCondition];
  return Object.entries(fields).flatMap(([field, list]): readonly MeshCondition[] => {
    if (list === null || (Array.isArray(list) && list.length === 0)) return [];
    const isNegated = /^not[A-Z]/.test(field);
    const plain = isNegated ? `${field.charAt(3).toLowerCase()}${field.slice(4)}` : field;
    const of = properties[plain];
    const values = valuesOf(list);
    return of === undefined || values === undefined ? [unknownCondition] : [{ of, values, isNegated }];
  });
}

/** The keys of conditions that are evaluated. */
const keys: Readonly<Record<string, MeshCondition['of']>> = {
  'source.principal': 'principal',
  'source.namespace': 'namespace',
  'source.serviceAccount': 'account',
  'destination.port': 'port',
};

function readCondition(item: unknown): readonly MeshCondition[] {
  const key = setField(item, 'key');
  const of = typeof key === 'string' ? keys[key] : undefined;
  if (of === undefined || isOpen(item)) return [unknownCondition];
  return (['values', 'notValues'] as const).flatMap((field): readonly MeshCondition[] => {
    const list = fieldOf(item, field);
    if (list === undefined || list === null || (Array.isArray(list) && list.length === 0)) return [];
    const values = valuesOf(list);
    return values === undefined ? [unknownCondition] : [{ of, values, isNegated: field === 'notValues' }];
  });
}

function valuesOf(list: unknown): readonly Value[] | undefined {
  if (!Array.isArray(list) || isOpen(list) || isOptional(list)) return undefined;
  const values = list.map((each: unknown): Value | undefined =>
    typeof each === 'string' || isUnknown(each) ? each : undefined,
  );
  return values.every((each) => each !== undefined) ? values : undefined;
}

const modes: readonly MeshMode[] = ['STRICT', 'PERMISSIVE', 'DISABLE'];

/** Returns the mode in a map with the field `mode`. */
function modeIn(value: unknown): MeshMode | 'inherited' | undefined {
  if (isUnknown(value) || isOpen(value) || isOptional(value)) return undefined;
  const mode = setField(value, 'mode') ?? 'UNSET';
  if (mode === 'UNSET') return 'inherited';
  return modes.find((each) => each === mode);
}

/** In the root namespace, a policy with labels has no effect. */
function readAuthentication(spec: unknown, hasLabels: boolean, isRoot: Answer): MeshAuthentication | undefined {
  if (hasLabels && isRoot === 'yes') return undefined;
  const level = hasLabels ? 'workload' : isRoot === 'yes' ? 'mesh' : 'namespace';
  const list = setField(spec, 'portLevelMtls');
  const isListOpen = isUnknown(list) || isOpen(list) || isOptional(list);
  const entries = hasLabels && isRecord(list) && !isListOpen ? Object.entries(list) : [];
  const ports = entries.map(([port, value]) => [Number(port), modeIn(value)] as const);
  return {
    kind: 'authentication',
    level,
    mode: modeIn(setField(spec, 'mtls')),
    ports: ports.filter(([port]) => Number.isInteger(port)),
    isOpen: hasLabels && isListOpen,
  };
}

/** Returns a policy that may select every pod to which it can apply, and deny everything. */
function unknownPolicy({ namespace, isRoot }: IstioPolicySource): ReachPolicy {
  const rule = {
    index: -1,
    action: 'Deny',
    peers: [],
    anyPeer: 'yes',
    ports: [],
    anyPort: 'yes',
    isOptional: true,
  } as const;
  return {
    tier: 'Mesh',
    priority: undefined,
    namespace,
    subject: { kind: 'pods', namespaces: isRoot === 'no' ? undefined : everything, pods: allOf([], true) },
    ingress: { covers: 'maybe', rules: [rule] },
    egress: nothing,
    isOptional: true,
  };
}
