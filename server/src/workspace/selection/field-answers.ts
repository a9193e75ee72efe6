/** Evaluates field selectors: decides from manifests whether an object has the fields that a selector requires. */

import { isBuiltIn } from '../../engine/catalogue/built-in-groups.ts';
import type { Catalogue, FieldsFact } from '../../engine/catalogue/types.ts';
import {
  evaluateRequirement,
  explain,
  type FieldRequirement,
  type FieldSelector,
  isUnknown,
  parseFieldTree,
  type Requirement,
  type Value,
} from '../../engine/index.ts';
import type { FieldValues, LabeledObject, ManifestObject, SelectorSite } from '../../manifests/model.ts';
import { anyField } from '../../manifests/sites/field-values.ts';
import { localize } from '../../text/localize.ts';
import type { Span } from '../../text/span.ts';
import type { ObjectInFile, Workspace } from '../model.ts';
import { everyCluster } from '../scopes/model.ts';
import { fieldsOf } from '../selectable-fields.ts';
import { type Answer, effectiveNamespace, hasNoNamespace } from './namespaces.ts';

/** A labeled object: an object in a file, or an object that a template of the object creates. */
interface Selectable extends ObjectInFile {
  readonly labeledObject: Pick<LabeledObject, 'target' | 'via'>;
}

/**
 * Returns the field selector of a site, with unknown values for parts that contain a placeholder; undefined if it is
 * invalid, or if a field contains a placeholder.
 */
export function fieldsOfSite({
  fieldSelector,
  open,
  data,
  placeholders = [],
}: SelectorSite): FieldSelector | undefined {
  if (fieldSelector?.ok !== true || !open || typeof data !== 'string')
    return fieldSelector?.ok ? fieldSelector.value : undefined;
  const requirements: FieldRequirement[] = [];
  const holdsPlaceholder = (range: Span) =>
    placeholders.some(({ start, end }) => start < range.end && end > range.start);
  for (const { requirement, value, ...node } of parseFieldTree(data).requirements) {
    if (requirement === undefined || holdsPlaceholder(node.field) || holdsPlaceholder(node.operator)) return undefined;
    if (requirement.field === '') continue;
    requirements.push(holdsPlaceholder(value) ? { ...requirement, value: { unknown: data } } : requirement);
  }
  return { requirements };
}

/** Whether a field selector matches an object, or the objects that a template creates. The answer is *maybe* if it depends on a value that no manifest contains, such as a status, and *no* if objects of the kind cannot be selected by one of the fields. `namespace` is the namespace of objects that set none. */
export function fieldAnswer(
  workspace: Workspace,
  catalogue: Catalogue,
  selector: FieldSelector,
  selectable: Selectable,
  namespace?: string,
): Answer {
  const { target } = selectable.labeledObject;
  const supported = fieldsOf({ catalogue, workspace }, target) ?? releasedFields(catalogue, selectable);
  const aliases = supported?.aliases ?? {};
  const reasons: string[] = [];
  for (const { field, operator, value: wanted } of selector.requirements) {
    const name = (Object.hasOwn(aliases, field) ? aliases[field] : undefined) ?? field;
    if (supported?.fields.some((each) => each.field === name) === false) {
      return { answer: 'no', reason: localize`field selectors of ${target.kind} do not support \`${field}\`` };
    }
    const value = currentValue(workspace, catalogue, selectable, name, namespace);
    const requirement: Requirement = { key: field, operator, values: [wanted] };
    const labels = { labels: { [field]: value } };
    const answer = evaluateRequirement(requirement, labels);
    const [explained] = explain({ kind: 'all', requirements: [requirement] }, labels);
    if (answer === 'no') return { answer, ...(explained && { reason: explained.reason }) };
    if (answer === 'maybe') reasons.push(isBlank(value) ? `\`${field}\` ${value.unknown}` : (explained?.reason ?? ''));
  }
  return reasons.length === 0 ? { answer: 'yes' } : { answer: 'maybe', reason: reasons.join('; ') };
}

/** Returns the fields by which objects of a custom kind in the catalogue can be selected, according to its released definition. */
function releasedFields(catalogue: Catalogue, { object, labeledObject }: Selectable): FieldsFact | undefined {
  const { group, kind } = labeledObject.target;
  const known = labeledObject.via === undefined ? catalogue.kind(group, object.version, kind) : undefined;
  return known === undefined || known.learned ? undefined : catalogue.fields(group, kind);
}

type Unknown = Exclude<Value, string>;

function isBlank(value: Value): value is Unknown {
  return isUnknown(value) && (value.pattern === undefined || value.pattern === '*');
}

const notInManifest: Unknown = { unknown: 'is not in any manifest' };
const decidedByTemplate: Unknown = { unknown: 'depends on a template' };

export function currentValue(
  workspace: Workspace,
  catalogue: Catalogue,
  { file, object, labeledObject }: Selectable,
  field: string,
  given: string | undefined,
): Value {
  const { via, target } = labeledObject;
  if (field === 'metadata.name') return nameOf(object, via);
  if (field === 'metadata.namespace') {
    if (hasNoNamespace(catalogue, { object })) return '';
    return (
      effectiveNamespace(workspace, catalogue, { file, object })?.value ?? given ?? { unknown: localize`is not set` }
    );
  }
  const template = via === undefined ? undefined : object.templates.find(({ path }) => path === via);
  const values = via === undefined ? object.fieldValues : template?.fieldValues;
  const written = values?.[field];
  if (written !== undefined && Object.hasOwn(values ?? {}, field))
    return isBlank(written) ? decidedByTemplate : written;
  if (values?.[anyField] !== undefined) return { unknown: localize`may be changed by a kustomization` };
  // Operators complete some templates, and for objects outside of manifests only the labels are known.
  const isPartlyKnown = template?.fact.open === true || file.config !== undefined || file.uri === everyCluster;
  return isPartlyKnown ? notInManifest : absentValue(target, field, values);
}

/** Returns the name of a pod or job, which begins with the name of its workload unless it is truncated. */
function nameOf({ group, name, generateName, inValues }: ManifestObject, via: string | undefined): Value {
  const own = name?.value ?? (generateName && prefixed(generateName.value, ''));
  if (own === undefined || inValues) return { unknown: localize`is not set` };
  if (via === undefined) return own;
  return isBuiltIn(group) ? prefixed(own, '-') : notInManifest;
}

/** A generated name is truncated to 63 characters, and a Deployment adds two parts of up to 17 characters. */
const longestPrefix = 40;

function prefixed(prefix: Value, separator: string): Value {
  if (typeof prefix !== 'string' || prefix.length > longestPrefix) return { unknown: localize`is generated` };
  return { unknown: localize`the name of ${prefix}`, pattern: `${prefix}${separator}*` };
}

/** The values of absent fields, according to the defaults of k8s.io/kubernetes/pkg/apis/core/v1 (`SetDefaults_...`) and, for the service account, to the admission controller ServiceAccount. */
const defaults: Readonly<Record<string, string>> = {
  '/Pod spec.restartPolicy': 'Always',
  '/Pod spec.schedulerName': 'default-scheduler',
  '/Pod spec.serviceAccountName': 'default',
  '/Pod spec.hostNetwork': 'false',
  // This field selector is accepted, but the API server never sets the field.
  '/Pod status.podIPs': '',
  '/Node spec.unschedulable': 'false',
  '/Secret type': 'Opaque',
  '/Service spec.type': 'ClusterIP',
};

/** Fields that are set after the object is created, or that are computed from other fields. */
const setLater: ReadonlySet<string> = new Set([
  '/Pod spec.nodeName',
  '/Service spec.clusterIP',
  '/Event source',
  '/Event reportingComponent',
  'events.k8s.io/Event reportingController',
]);

function absentValue({ group, kind }: LabeledObject['target'], field: string, values: FieldValues | undefined): Value {
  const key = `${group}/${kind} ${field}`;
  const known = defaults[key];
  if (known !== undefined) return known;
  if (key === '/Service spec.clusterIP' && values?.['spec.type'] === 'ExternalName') return '';
  // The schema of a custom resource may have a default.
  return field.startsWith('status.') || setLater.has(key) || !isBuiltIn(group) ? notInManifest : '';
}
