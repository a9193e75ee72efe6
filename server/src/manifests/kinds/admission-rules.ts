/** Extracts the rules of admission policies: what decides to which objects a policy, webhook or constraint applies. */

import type { GroupKind } from '../../engine/catalogue/types.ts';
import type { Value } from '../../engine/index.ts';
import type { Span } from '../../text/span.ts';
import { ifCreated } from '../sites/policy-data.ts';
import { scalarValue } from '../yaml/plain-data.ts';
import { readKey } from '../yaml/scalar-types.ts';
import { childOf, effectiveEntries, entryOf, itemsOf, type Node, textOf } from '../yaml/tree.ts';

/** The language of the rules of a policy. */
type AdmissionSystem = 'kyverno' | 'constraints' | 'gatekeeper' | 'webhook' | 'policy' | 'binding';

/** A part of a policy that by itself determines objects. */
export interface AdmissionPart {
  /** The path of the part, with list indexes. */
  readonly path: string;
  /** The span of the key of the part; for a rule in a list, the span of its first key. */
  readonly span: Span;
  /** Plain data; a part that depends on a template is an unknown value. */
  readonly data: unknown;
  /** What the part does, as the predicate of a sentence; absent if the kind of the policy determines it. */
  readonly does?: string;
}

export interface AdmissionRules {
  readonly system: AdmissionSystem;
  readonly parts: readonly AdmissionPart[];
  /** For Kyverno: the annotation that limits the rules that it generates for controllers. */
  readonly controllers?: string;
  /** Whether conditions on requests apply to the whole policy. */
  readonly hasConditions?: true;
  /** For the binding of an admission policy: the name of the policy. */
  readonly policy?: Value;
  /** For an admission policy: the kind of the objects with its parameters, which its bindings name. */
  readonly parameters?: GroupKind;
}

/** Returns the rules of an admission policy; undefined for other kinds. */
export function admissionRulesOf({ group, kind }: GroupKind, root: Node): AdmissionRules | undefined {
  switch (group) {
    case 'kyverno.io':
      return kind === 'ClusterPolicy' || kind === 'Policy' ? ofKyverno(root) : undefined;
    case 'policies.kyverno.io':
      return kind.endsWith('Policy') ? ofConstraints(root) : undefined;
    case 'constraints.gatekeeper.sh':
    case 'mutations.gatekeeper.sh':
      return { system: 'gatekeeper', parts: [partAt(root, ['spec', 'match'])] };
    case 'admissionregistration.k8s.io':
      return ofAdmission(kind, root);
    default:
      return undefined;
  }
}

function ofAdmission(kind: string, root: Node): AdmissionRules | undefined {
  if (kind.endsWith('WebhookConfiguration')) {
    const parts = itemsOf(childOf(root, 'webhooks')).map((item, index) => ({
      path: `webhooks[${index}]`,
      span: firstKey(item),
      data: ofWebhook(item),
    }));
    return { system: 'webhook', parts };
  }
  if (kind.endsWith('AdmissionPolicyBinding')) {
    const policy = nodeOf(root, ['spec', 'policyName']);
    return {
      system: 'binding',
      parts: [partAt(root, ['spec', 'matchResources'])],
      ...(policy?.kind === 'scalar' && { policy: scalarValue(policy) }),
    };
  }
  if (!kind.endsWith('AdmissionPolicy')) return undefined;
  const hasConditions = itemsOf(nodeOf(root, ['spec', 'matchConditions'])).length > 0;
  return {
    system: 'policy',
    parts: [partAt(root, ['spec', 'matchConstraints'])],
    ...(hasConditions && { hasConditions }),
    ...parametersOf(nodeOf(root, ['spec', 'paramKind'])),
  };
}

const ofWebhooks = ['rules', 'namespaceSelector', 'objectSelector', 'matchPolicy', 'matchConditions'];

/** Returns the fields of a webhook that decide to which objects it applies. The condition of a template that contains the whole webhook is one more condition. */
function ofWebhook(item: Node): unknown {
  const created = ifCreated(item);
  const data = only(created, ofWebhooks);
  return created === item || typeof data !== 'object' ? data : { ...data, matchConditions: template };
}

function parametersOf(node: Node | undefined): Pick<AdmissionRules, 'parameters'> {
  const [kind, version] = [childOf(node, 'kind'), childOf(node, 'apiVersion')].map(textOf);
  if (kind === undefined || version === undefined) return {};
  return { parameters: { group: version.includes('/') ? version.slice(0, version.indexOf('/')) : '', kind } };
}

/** The fields of a policy of Kyverno with CEL that decide to which objects it applies. */
const ofSpecification = ['matchConstraints', 'matchConditions', 'conditions', 'autogen', 'evaluation'];

function ofConstraints(root: Node): AdmissionRules {
  const { path, span } = partAt(root, ['spec', 'matchConstraints']);
  const spec = childOf(root, 'spec');
  return {
    system: 'constraints',
    parts: [{ path, span, data: spec === undefined ? null : only(spec, ofSpecification) }],
  };
}

/** The fields of a rule that decide to which objects it applies. */
const ofRule = ['match', 'exclude', 'preconditions', 'celPreconditions'];

/** The fields of a rule that have an effect. */
const effectsOfRule: Readonly<Record<string, string>> = {
  validate: 'validates objects',
  mutate: 'changes objects',
  verifyImages: 'validates images',
  generate: 'creates further objects',
};

function ofKyverno(root: Node): AdmissionRules {
  const parts = itemsOf(nodeOf(root, ['spec', 'rules'])).map((item, index): AdmissionPart => {
    const match = entryOf(item, 'match');
    const mutate = childOf(item, 'mutate');
    const patches = [mutate, ...itemsOf(childOf(mutate, 'foreach'))].some(
      (each) => childOf(each, 'patchesJson6902') !== undefined,
    );
    const known = only(item, ofRule);
    const marks = {
      ...(childOf(item, 'generate') !== undefined && { generate: {} }),
      ...(patches && { mutate: { patchesJson6902: '-' } }),
    };
    const data = typeof known === 'object' && known !== null ? { ...known, ...marks } : known;
    const effects = Object.keys(effectsOfRule).filter((field) => childOf(item, field) !== undefined);
    const does = effects.map((field) => effectsOfRule[field]).join(' and ');
    const path = `spec.rules[${index}].match`;
    return { path, span: match?.key.span ?? firstKey(item), data, ...(does !== '' && { does }) };
  });
  const annotation = childOf(nodeOf(root, ['metadata', 'annotations']), 'pod-policies.kyverno.io/autogen-controllers');
  const hasConditions = itemsOf(nodeOf(root, ['spec', 'webhookConfiguration', 'matchConditions'])).length > 0;
  return {
    system: 'kyverno',
    parts,
    ...(annotation?.kind === 'scalar' && { controllers: annotation.text }),
    ...(hasConditions && { hasConditions }),
  };
}

function nodeOf(root: Node, path: readonly string[]): Node | undefined {
  return path.reduce<Node | undefined>((node, field) => childOf(node, field), root);
}

function partAt(root: Node, path: readonly string[]): AdmissionPart {
  const parent = nodeOf(root, path.slice(0, -1));
  const entry = parent && entryOf(parent, path.at(-1) ?? '');
  return {
    path: path.join('.'),
    span: entry?.key.span ?? entryOf(root, 'kind')?.value.span ?? firstKey(root),
    data: entry === undefined ? (mayHold(parent) ? template : null) : dataOf(entry.value),
  };
}

function mayHold(node: Node | undefined): boolean {
  return node?.kind === 'map' ? node.open : node?.kind === 'scalar' && node.pattern !== undefined;
}

const template = { unknown: 'template' };

/** Returns some fields of a map as plain data. */
function only(node: Node, fields: readonly string[]): unknown {
  if (node.kind !== 'map') return template;
  const data: Record<string, unknown> = {};
  for (const field of fields) {
    const entry = entryOf(node, field);
    if (entry !== undefined) data[field] = entry.conditional ? template : dataOf(entry.value);
    else if (node.open) data[field] = template;
  }
  return data;
}

/** Converts a node to plain data. Maps and lists that may have further items are unknown values. */
function dataOf(node: Node): unknown {
  if (node.kind === 'scalar') return node.type === 'null' ? null : scalarValue(node);
  if (node.open) return template;
  if (node.kind === 'list') return node.items.map(dataOf);
  const entries = [...effectiveEntries(node)];
  if (entries.some(({ conditional, key }) => conditional || key.pattern !== undefined)) return template;
  return Object.fromEntries(entries.map(({ key, value }) => [readKey(key), dataOf(value)]));
}

function firstKey(node: Node): Span {
  const key = node.kind === 'map' ? node.entries[0]?.key.span : undefined;
  return key ?? { start: node.span.start, end: Math.min(node.span.start + 1, node.span.end) };
}
