/** Finds values of fields of built-in kinds that the API server rejects. */

import type { Structure } from '../../engine/catalogue/structures.ts';
import { isLabelKey } from '../../engine/index.ts';
import type { FieldFault } from '../model.ts';
import type { MapEntry } from '../yaml/tree.ts';
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
  ['/Service spec.type', ['ClusterIP', 'NodePort', 'LoadBalancer', 'ExternalName']],
]);

const protocols: readonly string[] = ['TCP', 'UDP', 'SCTP'];

/** Returns the values that a field of a built-in kind may have; undefined if they are not known. */
function allowedIn(
  key: string,
  fields: Structure['fields'],
  type: string,
  path: string,
): readonly string[] | undefined {
  const ofPort = key === 'protocol' && (fields.has('containerPort') || fields.has('nodePort'));
  return ofPort ? protocols : (allowedValues.get(key) ?? allowedInKind.get(`${type} ${path}.${key}`));
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
  if (entry.key.text === 'conditionType') return gateFaults(entry, site);
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
  return [{ is: 'value', object, path, key: written(key), wrong: written(value), allowed }];
}

/** Returns the fault of a condition type in a list of readiness gates that is not a qualified name. */
function gateFaults({ key, value }: MapEntry, { path, object }: ValueSite): readonly FieldFault[] {
  if (value.kind !== 'scalar' || value.pattern !== undefined || value.type !== 'string') return [];
  return isLabelKey(value.text) ? [] : [{ is: 'value', object, path, key: written(key), wrong: written(value) }];
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
    /^(?:apiGroup|conditionType|port|protocol|restartPolicy|type)$/.test(key)
  );
}

export const integers: ReadonlySet<string> = new Set([
  ...['replicas', 'minReplicas', 'maxReplicas', 'revisionHistoryLimit', 'minReadySeconds', 'progressDeadlineSeconds'],
  ...['containerPort', 'hostPort', 'nodePort', 'terminationGracePeriodSeconds', 'runAsUser', 'runAsGroup', 'fsGroup'],
  ...['initialDelaySeconds', 'periodSeconds', 'timeoutSeconds', 'failureThreshold', 'successThreshold'],
  ...['completions', 'parallelism', 'backoffLimit', 'activeDeadlineSeconds', 'ttlSecondsAfterFinished'],
  ...['maxSkew', 'minDomains', 'tolerationSeconds'],
]);
