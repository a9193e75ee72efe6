/** Parses and evaluates selectors of Cilium: `endpointSelector` and the peers `fromEndpoints` and `toEndpoints` of network policies. Source: pkg/policy/api and pkg/k8s/apis/cilium.io/utils of Cilium 1.19. */

import { and } from '../answers.ts';
import { evaluateRequirement } from '../evaluate.ts';
import { isLabelKey } from '../labels.ts';
import { parsed } from '../problems.ts';
import { isOpen, isOptional } from '../reach/partial.ts';
import { labelSelectorOperators, type ReadRequirements, readEqualities, readExpressions } from '../requirements.ts';
import { fieldOf, isRecord, StructuredParser } from '../structured.ts';
import {
  type Answer,
  isUnknown,
  type LabelSet,
  type Parsed,
  type Path,
  type Requirement,
  type Value,
} from '../types.ts';
import {
  clusterKey,
  isAddedLater,
  isIgnoredLabel,
  isPodSource,
  namespaceKey,
  namespaceLabelPrefix,
  serviceAccountKey,
  sourcedKey,
} from './label-keys.ts';

/** The place of a selector: the field, and the namespace of its policy, which is undefined for a clusterwide policy. */
export interface EndpointPlace {
  readonly field: 'endpointSelector' | 'peer';
  readonly namespace: Value | undefined;
}

/** A requirement on labels of one source. */
export interface SourcedRequirement extends Requirement {
  readonly source: string;
}

/** A selector of endpoints, with the requirements that Cilium adds. All requirements must hold. */
export interface EndpointSelector {
  readonly requirements: readonly SourcedRequirement[];
  /** Whether there may be further, unknown requirements. */
  readonly open?: true;
}

/** A pod as an endpoint of Cilium. */
export interface Endpoint {
  readonly namespace: Value;
  readonly labels: LabelSet;
  /** The labels of the namespace, with the label `kubernetes.io/metadata.name`. */
  readonly namespaceLabels: LabelSet;
  /** The name of the service account; `default` if it is absent. */
  readonly serviceAccount?: Value | undefined;
  /** Set if a controller creates the pod, so that the cluster adds labels to it. */
  readonly isOfController?: boolean | undefined;
}

/** Parses a selector from plain data, in which any value may be an unknown. The problems are those for which Cilium rejects the policy. */
export function parseEndpointSelector(data: unknown, place: EndpointPlace): Parsed<EndpointSelector> {
  const parser = new StructuredParser();
  const selector = readEndpointSelector(parser, data, place, []);
  return parsed(parser.problems, selector, selector.requirements.length > 0);
}

/** Parses a selector, and adds its problems to those of a parser. */
export function readEndpointSelector(
  parser: StructuredParser,
  data: unknown,
  place: EndpointPlace,
  path: Path,
): EndpointSelector {
  if (isUnknown(data) || isOptional(data)) return { requirements: [], open: true };
  if (data === null || data === undefined || parser.map(data, path, 'selector') === undefined) {
    if (data === null || data === undefined) parser.problem('field-required', path, 'a selector must be set');
    return { requirements: [] };
  }
  const read = { requirements: [] as SourcedRequirement[], open: isOpen(data) };
  readLabels(parser, fieldOf(data, 'matchLabels'), [...path, 'matchLabels'], place, read);
  readList(parser, fieldOf(data, 'matchExpressions'), [...path, 'matchExpressions'], read);
  const requirements = [...read.requirements, ...addedRequirements(read, place)];
  return read.open ? { requirements, open: true } : { requirements };
}

interface SourcedRequirements {
  readonly requirements: SourcedRequirement[];
  open: boolean;
}

function readLabels(
  parser: StructuredParser,
  labels: unknown,
  path: Path,
  { field, namespace }: EndpointPlace,
  into: SourcedRequirements,
): void {
  if (isUnknown(labels) || isOptional(labels)) {
    into.open = true;
    return;
  }
  into.open ||= isOpen(labels);
  for (const [text, value] of parser.map(labels, path, '`matchLabels`') ?? []) {
    const { source, key } = sourcedKey(text);
    const isReplaced = source === 'k8s' && key === namespaceKey && field === 'endpointSelector';
    const read: ReadRequirements = { requirements: [], open: false };
    readEqualities(parser, { [key]: value }, path, read);
    if (!isReplaced || namespace === undefined) add(read, source, into);
  }
}

function readList(parser: StructuredParser, list: unknown, path: Path, into: SourcedRequirements): void {
  if (isUnknown(list) || isOptional(list)) {
    into.open = true;
    return;
  }
  into.open ||= isOpen(list);
  for (const [index, item] of (parser.list(list, path, '`matchExpressions`') ?? []).entries()) {
    const written = fieldOf(item, 'key');
    if (isUnknown(item) || isOpen(item) || isOptional(item) || isOpen(fieldOf(item, 'values'))) {
      into.open = true;
      continue;
    }
    const { source, key } = typeof written === 'string' ? sourcedKey(written) : { source: 'any', key: written };
    const read: ReadRequirements = { requirements: [], open: false };
    const plain = isRecord(item) ? [{ ...item, key }] : [item];
    const problems = parser.problems.length;
    readExpressions(parser, plain, path, labelSelectorOperators, read);
    for (const [at, problem] of parser.problems.entries())
      if (at >= problems && problem.path !== undefined)
        parser.problems[at] = { ...problem, path: [...path, index, ...problem.path.slice(path.length + 1)] };
    add(read, source, into);
  }
}

function add({ requirements, open }: ReadRequirements, source: string, into: SourcedRequirements): void {
  into.open ||= open;
  for (const each of requirements) {
    into.requirements.push({ ...each, source });
    // Whether Cilium also limits the length of a key together with its source depends on the version.
    if (!isLabelKey(`${source}.${each.key}`)) into.open = true;
  }
}

/** Returns the requirements that Cilium adds to the selector of a policy or peer. */
function addedRequirements(
  { requirements, open }: SourcedRequirements,
  { field, namespace }: EndpointPlace,
): readonly SourcedRequirement[] {
  const own: SourcedRequirement | undefined =
    namespace === undefined ? undefined : { source: 'k8s', key: namespaceKey, operator: '=', values: [namespace] };
  if (field === 'endpointSelector') return own === undefined ? [] : [own];
  // An unknown requirement may concern the namespace, so that Cilium adds nothing.
  if (open || requirements.some(({ source }) => source === 'reserved')) return [];
  if (requirements.some(({ source, key }) => isPodSource(source) && key === namespaceKey)) return [];
  if (own === undefined) return [{ source: 'k8s', key: namespaceKey, operator: 'exists', values: [] }];
  const ofNamespace = requirements.some(
    ({ source, key }) => isPodSource(source) && key.startsWith(namespaceLabelPrefix),
  );
  return ofNamespace ? [] : [own];
}

/** Whether a selector matches a pod that is an endpoint, so that it does not use the network of its node. */
export function matchesEndpoint({ requirements, open }: EndpointSelector, endpoint: Endpoint): Answer {
  let answer: Answer = open ? 'maybe' : 'yes';
  for (const requirement of requirements) {
    answer = and(answer, requirementOn(requirement, endpoint));
    if (answer === 'no') return answer;
  }
  return answer;
}

/** Evaluates a single requirement on a pod. The answer is *maybe* if it depends on a label that Cilium ignores by default. */
export function requirementOn(requirement: SourcedRequirement, endpoint: Endpoint): Answer {
  const { source, key } = requirement;
  const absent = () => evaluateRequirement(requirement, { labels: {} });
  if (!isPodSource(source)) return absent();
  const derived = derivedLabel(key, endpoint);
  if (derived !== undefined) return evaluateRequirement(requirement, { labels: { [key]: derived } });
  if (key.startsWith(namespaceLabelPrefix)) {
    const ofNamespace = { ...requirement, key: key.slice(namespaceLabelPrefix.length) };
    return evaluateRequirement(ofNamespace, endpoint.namespaceLabels);
  }
  const { labels } = endpoint;
  const isAdded = endpoint.isOfController === true && isAddedLater(key) && !Object.hasOwn(labels.labels, key);
  const present = evaluateRequirement(requirement, isAdded ? { ...labels, open: true } : labels);
  return isIgnoredLabel(key) && present !== absent() ? 'maybe' : present;
}

/** Returns the value of a label that Cilium derives from the pod; undefined for other keys. */
function derivedLabel(key: string, { namespace, serviceAccount }: Endpoint): Value | undefined {
  switch (key) {
    case namespaceKey:
      return namespace;
    case serviceAccountKey:
      return serviceAccount ?? 'default';
    case clusterKey:
      return { unknown: 'the name of the cluster' };
    default:
      return undefined;
  }
}

/** The labels of an identity that is no pod. Requirements on other sources hold only if they allow the absence of a label. */
type OtherIdentity = 'address' | 'node';

/**
 * Whether a selector of peers matches an address outside the cluster, whose label is `reserved:world`, or a node. By
 * default, Cilium 1.19 adds the label of the own cluster, which only endpoints have, unless the selector mentions it or
 * a reserved label; earlier versions do not.
 */
export function matchesIdentity({ requirements, open }: EndpointSelector, identity: OtherIdentity): Answer {
  const answers = requirements.map((requirement) => {
    const value = reservedValue(requirement, identity);
    if (value === 'maybe') return value;
    return evaluateRequirement(requirement, { labels: value === undefined ? {} : { [requirement.key]: value } });
  });
  const isLimited = !requirements.some(({ source, key }) => source === 'reserved' || key === clusterKey);
  return answers.reduce(and, open || isLimited ? 'maybe' : 'yes');
}

function reservedValue({ source, key }: SourcedRequirement, identity: OtherIdentity): '' | 'maybe' | undefined {
  const isOf = (...sources: readonly string[]) => sources.includes(source);
  if (identity === 'node')
    return isOf('reserved', 'node', 'cidr') || /^(?:host|remote-node)$/.test(key) ? 'maybe' : undefined;
  if (isOf('cidr', 'fqdn')) return 'maybe';
  if (source === 'any' && /^(?:world(?:-ipv[46])?|kube-apiserver|[\d.]+\/\d+|[\da-f-]+\/\d+)$/.test(key))
    return 'maybe';
  if (source !== 'reserved') return undefined;
  if (key === 'world') return '';
  return /^(?:world-ipv[46]|kube-apiserver)$/.test(key) ? 'maybe' : undefined;
}
