/** Finds values of fields of built-in kinds that the API server rejects. */

import type { Structure } from '../../engine/catalogue/structures.ts';
import type { FieldFault, FieldName } from '../model.ts';
import type { MapEntry } from '../yaml/tree.ts';
import { problemsOfName } from './part-names.ts';
import { written } from './sites.ts';

export const restartPolicies: readonly string[] = ['Always', 'OnFailure', 'Never'];

/** The values of fields of built-in kinds that have the same values in all of these kinds. */
const allowedValues: ReadonlyMap<string, readonly string[]> = new Map([
  ['imagePullPolicy', ['Always', 'IfNotPresent', 'Never']],
  ['dnsPolicy', ['ClusterFirst', 'ClusterFirstWithHostNet', 'Default', 'None']],
  ['terminationMessagePolicy', ['File', 'FallbackToLogsOnError']],
  ['preemptionPolicy', ['Never', 'PreemptLowerPriority']],
  ['whenUnsatisfiable', ['DoNotSchedule', 'ScheduleAnyway']],
  ['externalTrafficPolicy', ['Cluster', 'Local']],
  ['internalTrafficPolicy', ['Cluster', 'Local']],
  ['sessionAffinity', ['None', 'ClientIP']],
  ['ipFamilyPolicy', ['SingleStack', 'PreferDualStack', 'RequireDualStack']],
  ['pathType', ['Exact', 'Prefix', 'ImplementationSpecific']],
  ['podManagementPolicy', ['OrderedReady', 'Parallel']],
  ['concurrencyPolicy', ['Allow', 'Forbid', 'Replace']],
  ['completionMode', ['NonIndexed', 'Indexed']],
  ['volumeMode', ['Block', 'Filesystem']],
  ['persistentVolumeReclaimPolicy', ['Retain', 'Delete', 'Recycle']],
  ['volumeBindingMode', ['Immediate', 'WaitForFirstConsumer']],
]);

/** The values of fields of one kind. */
const allowedInKind: ReadonlyMap<string, readonly string[]> = new Map([
  ['/Pod spec.restartPolicy', restartPolicies],
  ['rbac.authorization.k8s.io/RoleBinding roleRef.apiGroup', ['rbac.authorization.k8s.io']],
  ['rbac.authorization.k8s.io/ClusterRoleBinding roleRef.apiGroup', ['rbac.authorization.k8s.io']],
  ['apps/Deployment spec.strategy.type', ['RollingUpdate', 'Recreate']],
  ['apps/DaemonSet spec.updateStrategy.type', ['RollingUpdate', 'OnDelete']],
  ['apps/StatefulSet spec.updateStrategy.type', ['RollingUpdate', 'OnDelete']],
  ['events.k8s.io/Event type', ['Normal', 'Warning']],
  ['/Service spec.type', ['ClusterIP', 'NodePort', 'LoadBalancer', 'ExternalName']],
]);

/** The resources of a container that the downward API contains, other than those of huge pages. */
const containerResources: readonly string[] = ['limits', 'requests'].flatMap((each) =>
  ['cpu', 'memory', 'ephemeral-storage'].map((resource) => `${each}.${resource}`),
);

const protocols: readonly string[] = ['TCP', 'UDP', 'SCTP'];

/** Returns the values that a field of a built-in kind may have; undefined if they are not known. */
function allowedIn(
  key: string,
  fields: Structure['fields'],
  type: string,
  path: string,
): readonly string[] | undefined {
  const ofPort = key === 'protocol' && (fields.has('containerPort') || fields.has('nodePort'));
  if (ofPort) return protocols;
  if (key === 'resource' && fields.has('divisor')) return containerResources;
  return allowedValues.get(key) ?? allowedInKind.get(`${type} ${path === '' ? '' : `${path}.`}${key}`);
}

interface ValueSite {
  readonly path: string;
  readonly object: number;
}

/** A field of a built-in kind, the fields beside it, and the group and kind of its object. */
interface FieldSite extends ValueSite {
  readonly fields: Structure['fields'];
  readonly type: string;
}

/** Returns the faults in the value of a field of a built-in kind. */
export function valueFaults(entry: MapEntry, { fields, type, ...site }: FieldSite): readonly FieldFault[] {
  const rule = nameRuleOf(entry.key.text, fields);
  if (rule !== undefined) return nameFaults(entry, rule, site);
  const allowed = allowedIn(entry.key.text, fields, type, site.path);
  return allowed === undefined ? rangeFaults(entry, { ...site, fields }) : choiceFaults(entry, { ...site, allowed });
}

/** Returns the fault of a text that is none of the allowed ones. The API server fills in an empty text. */
export function choiceFaults(
  { key, value }: MapEntry,
  { path, object, allowed }: ValueSite & { readonly allowed: readonly string[] },
): readonly FieldFault[] {
  if (value.kind !== 'scalar' || value.pattern !== undefined || value.type !== 'string') return [];
  if (value.text === '' || allowed.includes(value.text)) return [];
  if (allowed === containerResources && /^(?:limits|requests)\.hugepages-/.test(value.text)) return [];
  return [{ is: 'value', object, path, key: written(key), wrong: written(value), allowed }];
}

/** The fields of pods that contain names, by the rule that the API server applies. */
const podNames: ReadonlyMap<string, FieldName> = new Map([
  ['hostname', 'dns1123Label'],
  ['subdomain', 'dns1123Label'],
  ['serviceAccountName', 'dns1123Subdomain'],
  ['priorityClassName', 'dns1123Subdomain'],
  ['runtimeClassName', 'dns1123Subdomain'],
]);

/** Returns the rule for the name that a field contains; the fields beside it distinguish containers, volumes and ports. */
function nameRuleOf(key: string, fields: Structure['fields']): FieldName | undefined {
  if (key === 'conditionType') return 'qualified';
  if (key === 'targetPort' && fields.has('nodePort')) return 'port';
  if (key === 'port')
    return fields.has('httpHeaders') || (fields.size === 2 && fields.has('host')) ? 'port' : undefined;
  if (key !== 'name') return fields.has('containers') ? podNames.get(key) : undefined;
  if (fields.has('containerPort')) return 'port';
  if (fields.has('valueFrom') && fields.has('value')) return 'variable';
  const isLabel = fields.has('nodePort') || fields.has('emptyDir') || (fields.has('image') && fields.has('command'));
  return isLabel ? 'dns1123Label' : undefined;
}

/** Returns the fault of a text that is no valid name. The API server reads an empty text as an absent field. */
function nameFaults({ key, value }: MapEntry, rule: FieldName, { path, object }: ValueSite): readonly FieldFault[] {
  if (value.kind !== 'scalar' || value.pattern !== undefined || value.type !== 'string' || value.text === '') return [];
  const problems = problemsOfName(rule, value.text, false);
  return problems.length === 0
    ? []
    : [{ is: 'value', object, path, key: written(key), wrong: written(value), breaks: rule }];
}

/** Integers of 64 bits; the others have 32 bits. */
const longIntegers: ReadonlySet<string> = new Set([
  ...[
    'terminationGracePeriodSeconds',
    'runAsUser',
    'runAsGroup',
    'fsGroup',
    'activeDeadlineSeconds',
    'tolerationSeconds',
  ],
]);

/** Returns the range of integers that a field of a built-in kind certainly has. */
function rangeOf(key: string, fields: Structure['fields']): readonly [string, string] | undefined {
  if (key === 'containerPort' || (key === 'port' && fields.has('nodePort'))) return ['1', '65535'];
  if (key === 'weight' && fields.has('podAffinityTerm')) return ['1', '100'];
  if (key === 'hostPort' || key === 'nodePort') return ['0', '65535'];
  if (!integers.has(key)) return undefined;
  if (longIntegers.has(key)) return ['-9223372036854775808', '9223372036854775807'];
  return [key === 'replicas' ? '0' : '-2147483648', '2147483647'];
}

/** Returns the fault of an integer that is too small or too large. */
function rangeFaults(
  { key, value }: MapEntry,
  { fields, path, object }: Pick<Structure, 'fields'> & ValueSite,
): readonly FieldFault[] {
  const range = value.kind === 'scalar' && value.type === 'number' ? rangeOf(key.text, fields) : undefined;
  if (range === undefined || value.kind !== 'scalar' || !/^-?\d{1,40}$/.test(value.text)) return [];
  const [least, most] = range;
  const number = BigInt(value.text);
  if (BigInt(least) <= number && number <= BigInt(most)) return [];
  return [{ is: 'value', object, path, key: written(key), wrong: written(value), range }];
}

/** Whether fields with a name may have a fixed set of values, or a range. */
export function hasKnownValues(key: string): boolean {
  return (
    integers.has(key) ||
    allowedValues.has(key) ||
    podNames.has(key) ||
    /^(?:apiGroup|conditionType|name|port|protocol|resource|restartPolicy|targetPort|type|weight)$/.test(key)
  );
}

const integers: ReadonlySet<string> = new Set([
  ...['replicas', 'minReplicas', 'maxReplicas', 'revisionHistoryLimit', 'minReadySeconds', 'progressDeadlineSeconds'],
  ...['containerPort', 'hostPort', 'nodePort', 'terminationGracePeriodSeconds', 'runAsUser', 'runAsGroup', 'fsGroup'],
  ...['initialDelaySeconds', 'periodSeconds', 'timeoutSeconds', 'failureThreshold', 'successThreshold'],
  ...['completions', 'parallelism', 'backoffLimit', 'activeDeadlineSeconds', 'ttlSecondsAfterFinished'],
  ...['maxSkew', 'minDomains', 'tolerationSeconds'],
]);
