/** Evaluates `matchConstraints` of the policies of Kyverno with CEL, and the rules that it generates for controllers of pods. Source: pkg/cel/matching, pkg/cel/autogen and pkg/cel/policies of Kyverno. */

import { or } from '../answers.ts';
import { isOpen } from '../reach/partial.ts';
import { fieldOf } from '../structured.ts';
import { type AdmissionRequest, admissionAnswer } from './admission.ts';
import { byTemplate, dependsOnTemplate, isFilled, itemsOf, maybe, no, stringsOf } from './three-valued.ts';
import type { PolicyAnswer } from './types.ts';

const constrainedKinds = [
  'ValidatingPolicy',
  'ImageValidatingPolicy',
  'MutatingPolicy',
  'GeneratingPolicy',
  'DeletingPolicy',
] as const;

/** The kinds of policies with `matchConstraints`, without the prefix of those that apply to one namespace. */
export type ConstrainedKind = (typeof constrainedKinds)[number];

/** Returns the kind of a policy with `matchConstraints`, without the prefix `Namespaced`; undefined for other kinds. */
export function constrainedKind(kind: string): ConstrainedKind | undefined {
  return constrainedKinds.find((each) => kind === each || kind === `Namespaced${each}`);
}

/** Whether the constraints in the specification of a policy, or a rule that Kyverno generates from them, apply to a request. Users and conditions are not known. */
export function constraintsAnswer(kind: ConstrainedKind, spec: unknown, request: AdmissionRequest): PolicyAnswer {
  if (dependsOnTemplate(spec)) return mayConcern(kind, spec, request) ? byTemplate : no;
  const mode = fieldOf(fieldOf(spec, 'evaluation'), 'mode');
  if (mode !== undefined && mode !== 'Kubernetes') return no;
  const constraints = fieldOf(spec, 'matchConstraints');
  const own = answerFor(kind, constraints, request);
  const generated = isGeneratedFor(kind, spec, request)
    ? answerFor(kind, controllerRule(constraints, request), request)
    : no;
  const isGenerated = own.answer !== 'yes' && or(own.answer, generated.answer) !== own.answer;
  const found: PolicyAnswer = isGenerated ? { ...generated, isGenerated: true } : own;
  if (found.answer !== 'yes') return found;
  const hasConditions = ['matchConditions', 'conditions'].some((field) => isFilled(fieldOf(spec, field)));
  if (hasConditions) return { ...found, ...maybe('its conditions are not evaluated') };
  const isOff = fieldOf(fieldOf(fieldOf(spec, 'evaluation'), 'admission'), 'enabled') === false;
  return isOff ? { ...found, ...maybe('it is evaluated only in the background') } : found;
}

/** Whether a specification that depends on a template may concern the resource of a request, or pods that it creates. */
function mayConcern(kind: ConstrainedKind, spec: unknown, request: AdmissionRequest): boolean {
  const constraints = fieldOf(spec, 'matchConstraints');
  const rules = fieldOf(constraints, 'resourceRules');
  if (isOpen(constraints) || dependsOnTemplate(rules) || controllers.has(request.resource)) return true;
  return answerFor(kind, { resourceRules: rules }, request).answer !== 'no';
}

function answerFor(kind: ConstrainedKind, constraints: unknown, request: AdmissionRequest): PolicyAnswer {
  const resourceRules = itemsOf(fieldOf(constraints, 'resourceRules'));
  // A DeletingPolicy looks at objects on a schedule, so it ignores the operations.
  const rules = resourceRules.map((rule) =>
    kind === 'DeletingPolicy' && typeof rule === 'object' ? { ...rule, operations: ['*'] } : rule,
  );
  const fields = ['namespaceSelector', 'objectSelector', 'excludeResourceRules', 'matchPolicy'] as const;
  const others = Object.fromEntries(fields.map((field) => [field, fieldOf(constraints, field)]));
  if (rules.length > 0) return admissionAnswer('webhook', { ...others, rules }, request);
  const { answer } = admissionAnswer('binding', others, request);
  return answer === 'no' ? no : maybe('its constraints name no resources');
}

/** The controllers for which Kyverno generates rules; all of them have the version v1. */
const controllers: ReadonlyMap<string, string> = new Map([
  ['daemonsets', 'apps'],
  ['deployments', 'apps'],
  ['replicasets', 'apps'],
  ['statefulsets', 'apps'],
  ['jobs', 'batch'],
  ['cronjobs', 'batch'],
]);

function isGeneratedFor(kind: ConstrainedKind, spec: unknown, { group, version, resource }: AdmissionRequest): boolean {
  if (kind === 'GeneratingPolicy' || kind === 'DeletingPolicy') return false;
  if (controllers.get(resource) !== group || version !== 'v1') return false;
  const chosen = fieldOf(fieldOf(fieldOf(spec, 'autogen'), 'podControllers'), 'controllers');
  if (Array.isArray(chosen) && !chosen.includes(resource)) return false;
  return isOfPodsOnly(fieldOf(spec, 'matchConstraints'));
}

/** Whether constraints name exactly the resource `pods`, and no names, labels or exceptions. */
function isOfPodsOnly(constraints: unknown): boolean {
  const selector = fieldOf(constraints, 'objectSelector');
  if (['matchLabels', 'matchExpressions'].some((field) => isFilled(fieldOf(selector, field)))) return false;
  if (isFilled(fieldOf(constraints, 'excludeResourceRules'))) return false;
  const [rule, ...others] = itemsOf(fieldOf(constraints, 'resourceRules'));
  if (others.length > 0 || isFilled(fieldOf(rule, 'resourceNames'))) return false;
  const isOnly = (field: string, text: string) => {
    const texts = stringsOf(fieldOf(rule, field));
    return texts.length === 1 && texts[0] === text;
  };
  return isOnly('apiGroups', '') && isOnly('apiVersions', 'v1') && isOnly('resources', 'pods');
}

/** Returns the constraints that Kyverno generates for a controller from those for pods. */
function controllerRule(constraints: unknown, { group, version, resource }: AdmissionRequest): unknown {
  const [rule] = itemsOf(fieldOf(constraints, 'resourceRules'));
  return {
    namespaceSelector: fieldOf(constraints, 'namespaceSelector'),
    matchPolicy: 'Exact',
    resourceRules: [
      { apiGroups: [group], apiVersions: [version], resources: [resource], operations: fieldOf(rule, 'operations') },
    ],
  };
}
