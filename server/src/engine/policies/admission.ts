/** Evaluates to which requests admission webhooks and admission policies of Kubernetes apply. Source: pkg/admission/plugin/webhook/predicates and pkg/admission/plugin/policy/matching of k8s.io/apiserver. */

import { or } from '../answers.ts';
import { fieldOf, isRecord } from '../structured.ts';
import type { LabelSet, Value } from '../types.ts';
import {
  all,
  any,
  because,
  byTemplate,
  dependsOnTemplate,
  except,
  fieldAnswer,
  invalid,
  isFilled,
  itemsOf,
  maybe,
  no,
  ofValue,
  selectorAnswer,
  stringsOf,
  yes,
} from './three-valued.ts';
import type { PolicyAnswer } from './types.ts';

/** A request to the API server. */
export interface AdmissionRequest {
  readonly operation: string;
  readonly group: string;
  readonly version: string;
  /** The plural name of the resource, such as `deployments`. */
  readonly resource: string;
  readonly subresource?: string | undefined;
  /** The name of the object; empty if the API server generates it. */
  readonly name?: Value | undefined;
  /** The namespace; absent for resources of the cluster. */
  readonly namespace?: Value | undefined;
  /** The labels of the new and of the old object, if the request has them. */
  readonly labels?: LabelSet | undefined;
  readonly oldLabels?: LabelSet | undefined;
  /** The labels of the namespace in the cluster. */
  readonly namespaceLabels: LabelSet;
}

/** What limits the requests: an item of `webhooks`, `matchConstraints` of a policy, or `matchResources` of a binding. */
export type AdmissionPart = 'webhook' | 'policy' | 'binding';

/** Whether a webhook, policy or binding applies to a request. For a policy to act, one of its bindings must apply, too. */
export function admissionAnswer(part: AdmissionPart, config: unknown, request: AdmissionRequest): PolicyAnswer {
  if (config !== undefined && config !== null && !isRecord(config)) return invalid;
  if (part === 'webhook' && isExempt(request)) return no;
  if (part !== 'webhook' && isPolicy(request, 'validating')) return no;
  const isExact = fieldOf(config, 'matchPolicy') === 'Exact';
  const rulesOf = (rules: unknown) => rulesAnswer(itemsOf(rules), request, isExact);
  const isRuled = (rules: unknown) => (part === 'binding' && itemsOf(rules).length === 0 ? yes : rulesOf(rules));
  // A part that does not depend on a template can exclude a request by itself.
  const answer = all([
    fieldAnswer(config, 'namespaceSelector', (selector) => namespaceAnswer(selector, request)),
    fieldAnswer(config, 'objectSelector', (selector) => objectAnswer(selector, request)),
    except(
      fieldAnswer(config, part === 'webhook' ? 'rules' : 'resourceRules', isRuled),
      fieldAnswer(config, 'excludeResourceRules', rulesOf),
    ),
    dependsOnTemplate(config) ? byTemplate : yes,
  ]);
  if (answer.answer !== 'yes') return answer;
  if (part !== 'webhook' && isPolicy(request, 'mutating'))
    return maybe('the version decides whether policies apply to it');
  return isFilled(fieldOf(config, 'matchConditions')) ? maybe('its `matchConditions` are not evaluated') : answer;
}

/** Whether no webhook is called for a request, so that webhooks cannot lock a cluster. */
function isExempt({ group, resource }: AdmissionRequest): boolean {
  return (
    group === 'admissionregistration.k8s.io' &&
    /^(?:validating|mutating)(?:webhookconfigurations|admissionpolic(?:ies|ybindings))$/.test(resource)
  );
}

/** Whether a request concerns admission policies of a type or their bindings. */
function isPolicy({ group, resource }: AdmissionRequest, type: 'validating' | 'mutating'): boolean {
  const isOfGroup = group === 'admissionregistration.k8s.io';
  return isOfGroup && (resource === `${type}admissionpolicies` || resource === `${type}admissionpolicybindings`);
}

function isOfNamespaces({ group, resource }: AdmissionRequest): boolean {
  return group === '' && resource === 'namespaces';
}

function namespaceAnswer(selector: unknown, request: AdmissionRequest): PolicyAnswer {
  const reason = 'the labels of its namespace are unknown';
  const isOwn = isOfNamespaces(request);
  if (!isOwn && (request.namespace === undefined || request.namespace === '')) {
    return selectorAnswer(selector, { labels: {} }, reason).isInvalid ? invalid : yes;
  }
  const isChange = request.operation === 'CREATE' || request.operation === 'UPDATE';
  const isNew = isOwn && isChange && (request.subresource ?? '') === '' && request.labels !== undefined;
  return selectorAnswer(selector, isNew ? (request.labels ?? { labels: {} }) : request.namespaceLabels, reason);
}

function objectAnswer(selector: unknown, { labels, oldLabels }: AdmissionRequest): PolicyAnswer {
  const reason = 'its labels are unknown';
  if (selector === undefined || selector === null || (isRecord(selector) && !Object.values(selector).some(isFilled)))
    return yes;
  const sets = [labels, oldLabels].filter((set) => set !== undefined);
  if (sets.length === 0) return selectorAnswer(selector, { labels: {} }, reason).isInvalid ? invalid : no;
  return any(sets.map((set) => selectorAnswer(selector, set, reason)));
}

function rulesAnswer(rules: readonly unknown[], request: AdmissionRequest, isExact: boolean): PolicyAnswer {
  let answer = no;
  for (const rule of rules) {
    const exact = ruleAnswer(rule, request, matchesVersion(rule, request));
    if (exact.answer === 'yes') return yes;
    const similar = isExact ? exact : ruleAnswer(rule, request, isEquivalent(rule, request));
    const one =
      similar.answer === 'no' || similar.answer === exact.answer
        ? exact
        : maybe('another version of the resource may match, if the cluster serves it');
    if (or(answer.answer, one.answer) !== answer.answer) answer = one;
  }
  return answer;
}

/** Evaluates a rule apart from its group and version. */
function ruleAnswer(rule: unknown, request: AdmissionRequest, isServed: boolean): PolicyAnswer {
  if (!isServed) return no;
  const operations = stringsOf(fieldOf(rule, 'operations'));
  if (!operations.includes('*') && !operations.includes(request.operation)) return no;
  if (!matchesResource(stringsOf(fieldOf(rule, 'resources')), request)) return no;
  if (!matchesScope(fieldOf(rule, 'scope'), request)) return no;
  const names = stringsOf(fieldOf(rule, 'resourceNames'));
  if (names.length === 0) return yes;
  return because(
    ofValue(request.name ?? '', (text) => names.includes(text)),
    'its name is unknown',
  );
}

function matchesVersion(rule: unknown, { group, version }: AdmissionRequest): boolean {
  const versions = stringsOf(fieldOf(rule, 'apiVersions'));
  return matchesGroup(rule, [group]) && (versions.includes('*') || versions.includes(version));
}

function matchesGroup(rule: unknown, groups: readonly string[]): boolean {
  const allowed = stringsOf(fieldOf(rule, 'apiGroups'));
  return allowed.includes('*') || groups.some((group) => allowed.includes(group));
}

/** The groups that serve the same resources. */
const equivalentGroups: readonly (readonly string[])[] = [
  ['apps', 'extensions'],
  ['networking.k8s.io', 'extensions'],
  ['policy', 'extensions'],
  ['', 'events.k8s.io'],
];

/** Whether a rule names another version or group in which a cluster may serve the resource. */
function isEquivalent(rule: unknown, { group, resource }: AdmissionRequest): boolean {
  const isEvent = resource === 'events';
  const others = equivalentGroups.filter((each) => each.includes(group) && each.includes('events.k8s.io') === isEvent);
  return matchesGroup(rule, [group, ...others.flat()]);
}

function matchesResource(resources: readonly string[], { resource, subresource = '' }: AdmissionRequest): boolean {
  return resources.some((text) => {
    const [wanted = '', sub = ''] = text.split('/');
    const isOfSubresource = sub === '*' || sub === subresource;
    return (wanted === '*' || wanted === resource) && isOfSubresource;
  });
}

function matchesScope(scope: unknown, request: AdmissionRequest): boolean {
  if (scope !== 'Cluster' && scope !== 'Namespaced') return true;
  const isNamespaced = request.namespace !== undefined && request.namespace !== '' && !isOfNamespaces(request);
  return (scope === 'Namespaced') === isNamespaced;
}
