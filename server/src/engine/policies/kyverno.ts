/** Evaluates `match` and `exclude` of rules of Kyverno, and the rules that it generates for controllers of pods. Source: pkg/engine/utils, pkg/utils/match and pkg/autogen of Kyverno. */

import { or } from '../answers.ts';
import { isOpen } from '../reach/partial.ts';
import { fieldOf, isRecord } from '../structured.ts';
import type { Answer, LabelSet, Value } from '../types.ts';
import { kindAnswer } from './kyverno-kinds.ts';
import {
  all,
  any,
  because,
  byTemplate,
  dependsOnTemplate,
  except,
  isFilled,
  itemsOf,
  maybe,
  no,
  ofValue,
  selectorAnswer,
  stringsOf,
  yes,
} from './three-valued.ts';
import { isNamespace, type PolicyAnswer, type PolicyResource } from './types.ts';
import { matchesWildcard } from './wildcards.ts';

/** A policy of Kyverno: a ClusterPolicy, or a Policy of one namespace. */
export interface KyvernoPolicy {
  /** The namespace of a Policy; undefined for a ClusterPolicy. */
  readonly namespace?: Value | undefined;
  readonly annotations: Readonly<Record<string, unknown>>;
  readonly rules: readonly unknown[];
  /** Whether conditions on the requests are set for the whole policy. */
  readonly hasConditions?: boolean;
}

export interface KyvernoRequest {
  readonly operation: string;
  readonly subresource?: string | undefined;
}

/** Whether a rule of a policy, or a rule that Kyverno generates from it, applies to an object. Users, conditions and PolicyExceptions are not known. */
export function kyvernoAnswer(
  policy: KyvernoPolicy,
  rule: unknown,
  resource: PolicyResource,
  request: KyvernoRequest,
): PolicyAnswer {
  const place = policy.namespace === undefined ? yes : ofNamespace(policy.namespace, resource);
  if (place.answer === 'no') return no;
  if (dependsOnTemplate(fieldOf(rule, 'match')) || dependsOnTemplate(fieldOf(rule, 'exclude')))
    return mayMatchKind(fieldOf(rule, 'match'), resource, request) ? byTemplate : no;
  const own = all([place, ruleAnswer(rule, resource, request, undefined)]);
  const controllers = own.answer === 'yes' ? [] : generatedFor(policy, rule);
  const isController = controllers.some(({ group, kind }) => group === resource.group && kind === resource.kind);
  const generated = isController ? all([place, ruleAnswer(rule, resource, request, resource)]) : no;
  const isGenerated =
    generated.answer !== 'no' && own.answer !== 'yes' && or(own.answer, generated.answer) !== own.answer;
  const found: PolicyAnswer = isGenerated ? { ...generated, isGenerated: true } : own;
  const conditions = ['preconditions', 'celPreconditions'].some((field) => isFilled(fieldOf(rule, field)));
  if (found.answer !== 'yes' || !(conditions || policy.hasConditions)) return found;
  return { ...found, ...maybe('its conditions are not evaluated') };
}

/** Whether a block that depends on a template may match the kind of an object, or pods that the object creates. */
function mayMatchKind(block: unknown, resource: PolicyResource, { subresource }: KyvernoRequest): boolean {
  if ([block, fieldOf(block, 'any'), fieldOf(block, 'all')].some(isOpen)) return true;
  const isController = controllers.some(({ group, kind }) => group === resource.group && kind === resource.kind);
  return filtersOf(block).some((filter) => {
    const resources = fieldOf(filter, 'resources');
    const kinds = fieldOf(resources, 'kinds');
    if (isOpen(filter) || dependsOnTemplate(kinds) || (isOpen(resources) && kinds === undefined)) return true;
    const names = kindsOf(filter);
    if (names.length === 0) return isFilled(resources) || userFields.some((field) => isFilled(fieldOf(filter, field)));
    return kindAnswer(names, resource, subresource) || (isController && names.includes('Pod'));
  });
}

/** Whether an object is in the namespace of a policy. */
export function ofNamespace(namespace: Value | undefined, resource: PolicyResource): PolicyAnswer {
  if (!resource.isNamespaced) return no;
  if (typeof namespace !== 'string') return maybe('its namespace is not set');
  return because(
    ofValue(resource.namespace, (text) => text === namespace),
    'the namespace of the object is not set',
  );
}

/** With `controller`, evaluates the generated rule, in which the controller takes the place of Pod. */
function ruleAnswer(
  rule: unknown,
  resource: PolicyResource,
  request: KyvernoRequest,
  controller: PolicyResource | undefined,
): PolicyAnswer {
  const block = (field: string) => blockAnswer(fieldOf(rule, field), { resource, request, controller });
  const matched = block('match');
  return matched.answer === 'no' ? matched : except(matched, block('exclude'));
}

interface Question {
  readonly resource: PolicyResource;
  readonly request: KyvernoRequest;
  readonly controller: PolicyResource | undefined;
}

function blockAnswer(block: unknown, question: Question): PolicyAnswer {
  if (!isRecord(block)) return no;
  const alternatives = itemsOf(fieldOf(block, 'any'));
  if (alternatives.length > 0) return any(alternatives.map((filter) => filterAnswer(filter, question)));
  const required = itemsOf(fieldOf(block, 'all'));
  if (required.length > 0) return all(required.map((filter) => filterAnswer(filter, question)));
  return filterAnswer(block, question);
}

const userFields = ['subjects', 'roles', 'clusterRoles'];

function filterAnswer(filter: unknown, question: Question): PolicyAnswer {
  const resources = fieldOf(filter, 'resources');
  const hasUsers = userFields.some((field) => isFilled(fieldOf(filter, field)));
  const hasResources = isRecord(resources) && Object.values(resources).some(isFilled);
  if (!hasUsers && !hasResources) return no;
  const matched = hasResources ? resourcesAnswer(resources, question) : yes;
  return hasUsers ? all([matched, maybe('it depends on the user who sends the request')]) : matched;
}

function resourcesAnswer(resources: unknown, { resource, request, controller }: Question): PolicyAnswer {
  const field = (name: string) => fieldOf(resources, name);
  const parts: PolicyAnswer[] = [];
  const kinds = stringsOf(field('kinds'));
  if (kinds.length > 0) {
    const isReplaced = controller !== undefined && kinds.includes('Pod');
    parts.push({ answer: isReplaced || kindAnswer(kinds, resource, request.subresource) ? 'yes' : 'no' });
  }
  const operations = stringsOf(field('operations'));
  if (operations.length > 0) parts.push({ answer: operations.includes(request.operation) ? 'yes' : 'no' });
  const name = field('name');
  if (typeof name === 'string' && name !== '') parts.push(nameAnswer([name], resource));
  const names = stringsOf(field('names'));
  if (names.length > 0) parts.push(nameAnswer(names, resource));
  const namespaces = stringsOf(field('namespaces'));
  if (namespaces.length > 0) parts.push(namespaceAnswer(namespaces, resource));
  if (isFilled(field('annotations')))
    parts.push(mapAnswer(field('annotations'), resource.annotations, 'its annotations'));
  if (isRecord(field('selector'))) parts.push(wildSelector(field('selector'), resource.labels, 'its labels'));
  if (isRecord(field('namespaceSelector'))) parts.push(namespaceSelector(field('namespaceSelector'), resource));
  return all(parts);
}

function nameAnswer(patterns: readonly string[], { name, generateName }: PolicyResource): PolicyAnswer {
  return patternsAnswer(patterns, name ?? generateName ?? '', 'its name is generated');
}

function namespaceAnswer(patterns: readonly string[], resource: PolicyResource): PolicyAnswer {
  const own = isNamespace(resource) ? resource.name : resource.isNamespaced ? resource.namespace : '';
  return patternsAnswer(patterns, own ?? { unknown: 'namespace' }, 'its namespace is not set');
}

function patternsAnswer(patterns: readonly string[], value: Value, reason: string): PolicyAnswer {
  if (patterns.includes('*')) return yes;
  return because(
    ofValue(value, (text) => patterns.some((each) => matchesWildcard(each, text))),
    reason,
  );
}

function namespaceSelector(selector: unknown, resource: PolicyResource): PolicyAnswer {
  if (isNamespace(resource)) return no;
  const labels = resource.isNamespaced ? resource.namespaceLabels : { labels: {} };
  return wildSelector(selector, labels, 'the labels of its namespace are unknown');
}

/** Evaluates a selector with wildcards in `matchLabels`: some label must match both patterns of each entry. */
function wildSelector(selector: unknown, labels: LabelSet, reason: string): PolicyAnswer {
  const entries = mapAnswer(fieldOf(selector, 'matchLabels'), labels, reason);
  const expressions = fieldOf(selector, 'matchExpressions');
  return all([
    entries,
    selectorAnswer(expressions === undefined ? undefined : { matchExpressions: expressions }, labels, reason),
  ]);
}

function mapAnswer(patterns: unknown, { labels, open }: LabelSet, reason: string): PolicyAnswer {
  if (!isRecord(patterns)) return yes;
  const parts = Object.entries(patterns).map(([key, value]): PolicyAnswer => {
    let answer: Answer = open ? 'maybe' : 'no';
    for (const [name, own] of Object.entries(labels)) {
      if (!matchesWildcard(key, name)) continue;
      answer = or(answer, value === '*' ? 'yes' : ofValue(own, (text) => matchesWildcard(String(value), text)));
    }
    return because(answer, reason);
  });
  return all(parts);
}

/** The controllers of pods for which Kyverno generates rules. */
const controllers: readonly { readonly group: string; readonly kind: string }[] = [
  { group: 'apps', kind: 'DaemonSet' },
  { group: 'apps', kind: 'Deployment' },
  { group: 'batch', kind: 'Job' },
  { group: 'apps', kind: 'StatefulSet' },
  { group: 'apps', kind: 'ReplicaSet' },
  { group: '', kind: 'ReplicationController' },
  { group: 'batch', kind: 'CronJob' },
];

const controllersAnnotation = 'pod-policies.kyverno.io/autogen-controllers';

/** Returns the controllers for which Kyverno generates a rule from a rule for pods. */
function generatedFor({ annotations, rules }: KyvernoPolicy, rule: unknown): typeof controllers {
  if (rules.some(preventsGeneration)) return [];
  const matched = filtersOf(fieldOf(rule, 'match')).flatMap(kindsOf);
  const excluded = filtersOf(fieldOf(rule, 'exclude')).flatMap(kindsOf);
  if (!matched.includes('Pod') || (excluded.length > 0 && !excluded.includes('Pod'))) return [];
  const chosen = Object.hasOwn(annotations, controllersAnnotation) ? annotations[controllersAnnotation] : undefined;
  if (typeof chosen !== 'string' || chosen === 'all') return controllers;
  const names = chosen.split(',');
  return controllers.filter(({ kind }) => names.includes(kind));
}

/** Whether one rule keeps Kyverno from generating rules for the whole policy. */
function preventsGeneration(rule: unknown): boolean {
  if (fieldOf(rule, 'generate') !== undefined) return true;
  const mutate = fieldOf(rule, 'mutate');
  const patches = [mutate, ...itemsOf(fieldOf(mutate, 'foreach'))].map((each) => fieldOf(each, 'patchesJson6902'));
  if (patches.some(isFilled)) return true;
  const filters = [...filtersOf(fieldOf(rule, 'match')), ...filtersOf(fieldOf(rule, 'exclude'))];
  return filters.some((filter) => {
    const resources = fieldOf(filter, 'resources');
    if (['name', 'names', 'annotations'].some((field) => isFilled(fieldOf(resources, field)))) return true;
    const selector = fieldOf(resources, 'selector');
    if (selector !== undefined && selector !== null) return true;
    const kinds = kindsOf(filter);
    return kinds.length > 1 && kinds.includes('Pod');
  });
}

/** Returns the filters of a block; those of `any` and `all`, and the block itself. */
function filtersOf(block: unknown): readonly unknown[] {
  return [...itemsOf(fieldOf(block, 'any')), ...itemsOf(fieldOf(block, 'all')), block].filter((filter) =>
    isRecord(filter),
  );
}

function kindsOf(filter: unknown): readonly string[] {
  return stringsOf(fieldOf(fieldOf(filter, 'resources'), 'kinds'));
}
