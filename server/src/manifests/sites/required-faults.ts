/** Finds required fields of built-in kinds that are missing, unless the object may be a part that a tool completes. */

import { isBuiltIn } from '../../engine/catalogue/built-in-groups.ts';
import type { Catalogue } from '../../engine/catalogue/types.ts';
import type { FieldFault, ManifestObject } from '../model.ts';
import { scalarData } from '../yaml/scalar-types.ts';
import { childOf, entryOf, itemsOf, type MapEntry, type MapNode, type Node } from '../yaml/tree.ts';
import { nodeAt } from './catalogue-paths.ts';
import { written } from './sites.ts';
import { choiceFaults, restartPolicies } from './value-faults.ts';

/** The fields that the API server requires and no patch of an object removes, by group and kind, as paths. */
const requiredFields: ReadonlyMap<string, readonly string[]> = new Map([
  ['rbac.authorization.k8s.io/RoleBinding', ['roleRef']],
  ['rbac.authorization.k8s.io/ClusterRoleBinding', ['roleRef']],
  ['storage.k8s.io/StorageClass', ['provisioner']],
  ['batch/CronJob', ['spec.schedule']],
  ['autoscaling/HorizontalPodAutoscaler', ['spec.maxReplicas', 'spec.scaleTargetRef']],
  ['/PersistentVolumeClaim', ['spec.accessModes', 'spec.resources']],
  ['/PersistentVolume', ['spec.accessModes', 'spec.capacity']],
  ['discovery.k8s.io/EndpointSlice', ['addressType']],
]);

/** Returns the faults of required fields that are missing, unless the map around them is missing, too. */
export function requiredFaults(root: MapNode, { group, kind, kindSpan }: ManifestObject): readonly FieldFault[] {
  return (requiredFields.get(`${group}/${kind}`) ?? []).flatMap((path): readonly FieldFault[] => {
    const [field = '', above] = path.split('.').toReversed();
    const entry = above === undefined ? undefined : entryOf(root, above);
    const map = above === undefined ? root : entry?.value;
    if (map?.kind !== 'map' || map.open || entry?.conditional || map.entries.some(isUnknownEntry)) return [];
    if (entryOf(map, field) !== undefined || (above !== undefined && map.entries.length === 0)) return [];
    return [{ is: 'missing', object: kindSpan.start, path: above ?? '', field, span: entry?.key.span ?? kindSpan }];
  });
}

/** Returns the fault of a Job that turns off its own selector without setting another one, or of a CronJob that does so for its Jobs, and of an Ingress with an empty list of rules and no default backend. */
export function alternativeFaults(
  root: MapNode,
  { group, version, kind, kindSpan }: ManifestObject,
): readonly FieldFault[] {
  const entry = entryOf(root, 'spec');
  const spec = entry?.value;
  if (
    entry === undefined ||
    spec?.kind !== 'map' ||
    spec.open ||
    entry.conditional ||
    spec.entries.some(isUnknownEntry)
  )
    return [];
  const missing = (field: string): readonly FieldFault[] => [
    { is: 'missing', object: kindSpan.start, path: 'spec', field, span: entry.key.span },
  ];
  if (group === 'batch' && kind === 'CronJob') {
    const manual = entryOf(nodeAt(spec, 'jobTemplate.spec'), 'manualSelector');
    if (manual === undefined || manual.merged || manual.conditional || !isTrue(manual.value)) return [];
    const [path, key, wrong] = ['spec.jobTemplate.spec', written(manual.key), written(manual.value)];
    return [{ is: 'value', object: kindSpan.start, path, key, wrong, allowed: ['false'] }];
  }
  if (group === 'batch' && kind === 'Job') {
    // Without a template, the object is a part, such as a patch.
    const isWithout = lacks(spec, 'selector') && !lacks(spec, 'template');
    return isTrue(childOf(spec, 'manualSelector')) && isWithout ? missing('selector') : [];
  }
  if (group !== 'networking.k8s.io' || version !== 'v1' || kind !== 'Ingress') return [];
  // An object without the field may be a part, such as a patch.
  const isEmpty = childOf(spec, 'rules') !== undefined && lacks(spec, 'rules');
  return isEmpty && lacks(spec, 'defaultBackend') ? missing('rules') : [];
}

function isTrue(node: Node | undefined): boolean {
  return node?.kind === 'scalar' && node.type === 'boolean' && scalarData(node.text, 'boolean') === true;
}

/** Whether a map certainly lacks a field; null and an empty list are like an absent field. */
function lacks(map: MapNode, field: string): boolean {
  const value = childOf(map, field);
  if (value === undefined) return true;
  return value.kind === 'scalar'
    ? value.type === 'null'
    : value.kind === 'list' && value.items.length === 0 && !value.open;
}

/** Returns the faults of paths of an Ingress without a type; older versions have a default. */
export function pathFaults(root: MapNode, { group, version, kind, kindSpan }: ManifestObject): readonly FieldFault[] {
  if (group !== 'networking.k8s.io' || version !== 'v1' || kind !== 'Ingress') return [];
  return itemsOf(nodeAt(root, 'spec.rules')).flatMap((rule, at) =>
    itemsOf(nodeAt(rule, 'http.paths')).flatMap((item, index): readonly FieldFault[] => {
      if (item.kind !== 'map' || item.open || item.entries.some(isUnknownEntry)) return [];
      if (entryOf(item, 'pathType') !== undefined || entryOf(item, 'backend') === undefined) return [];
      const path = `spec.rules[${at}].http.paths[${index}]`;
      return [
        {
          is: 'missing',
          object: kindSpan.start,
          path,
          field: 'pathType',
          span: item.entries[0]?.key.span ?? item.span,
        },
      ];
    }),
  );
}

/** Returns the faults of containers without a name or an image. Tools complete pods without a name, and a workload without a selector may be a patch. */
export function containerFaults(root: MapNode, { group, kind, name, kindSpan }: ManifestObject): readonly FieldFault[] {
  const isPod = group === '' && kind === 'Pod' && name !== undefined;
  const isWorkload = group === 'apps' && nodeAt(root, 'spec.selector.matchLabels') !== undefined;
  if (!isPod && !(isWorkload && nodeAt(root, 'spec.template.metadata.labels') !== undefined)) return [];
  const path = isPod ? 'spec.containers' : 'spec.template.spec.containers';
  const items = itemsOf(nodeAt(root, path));
  // Otherwise, the object may be a part to which a tool adds the images.
  if (items.every((item) => childOf(item, 'image') === undefined)) return [];
  return items.flatMap((item, index) => {
    if (item.kind !== 'map' || item.open || item.entries.some(isUnknownEntry)) return [];
    const field = ['name', 'image'].find((each) => entryOf(item, each) === undefined);
    if (field === undefined || item.entries.some(({ key }) => key.text.startsWith('$'))) return [];
    const span = item.entries[0]?.key.span ?? item.span;
    return [{ is: 'missing' as const, object: kindSpan.start, path: `${path}[${index}]`, field, span }];
  });
}

function isUnknownEntry({ key, merged }: MapEntry): boolean {
  return key.pattern !== undefined || merged;
}

/** Returns the restart policies that the pods of an object may have: a workload restarts all of its pods, and a Job none that has completed. */
export function restartPoliciesOf({ kind }: Pick<ManifestObject, 'kind'>): readonly string[] {
  if (/Job$/.test(kind)) return ['OnFailure', 'Never'];
  return /^Pod(?:Template)?$/.test(kind) ? restartPolicies : ['Always'];
}

/** Returns the faults in the restart policies of pods: a workload may have other policies than a Pod. */
export function restartFaults(
  root: MapNode,
  { group, version, kind, kindSpan, name }: ManifestObject,
  catalogue: Catalogue,
): readonly FieldFault[] {
  if (!isBuiltIn(group)) return [];
  const templates = catalogue.kind(group, version, kind)?.templates.filter(({ makes }) => makes.kind === 'Pod') ?? [];
  const allowed = restartPoliciesOf({ kind });
  return templates.flatMap(({ path: template }): readonly FieldFault[] => {
    const path = `${template}.spec`;
    const spec = template === '' ? undefined : nodeAt(root, path);
    if (spec?.kind !== 'map') return [];
    const entry = entryOf(spec, 'restartPolicy');
    if (entry !== undefined) return entry.merged ? [] : choiceFaults(entry, { path, object: kindSpan.start, allowed });
    const isWhole =
      typeof name?.value === 'string' &&
      itemsOf(childOf(spec, 'containers')).some((each) => childOf(each, 'image') !== undefined);
    const isUnknown = spec.open || spec.entries.some(isUnknownEntry) || allowed.includes('Always') || !isWhole;
    const key = entryOf(nodeAt(root, template) ?? root, 'spec')?.key;
    if (isUnknown || key === undefined) return [];
    return [{ is: 'missing', object: kindSpan.start, path, field: 'restartPolicy', span: key.span }];
  });
}
