/** Lists the fields that the transformers of a kustomization change, including the fields that the `configurations` of the kustomization and of its bases add. */

import { getOrAdd } from '../../engine/memoize.ts';
import { fieldSpecsOf } from '../../manifests/kustomize/kustomization.ts';
import type { LabelChange } from '../../manifests/kustomize/model.ts';
import { childOf, type Node } from '../../manifests/yaml/tree.ts';
import type { Field } from './field-specs.ts';
import * as table from './field-specs.ts';

type Kind =
  | 'commonLabels'
  | 'templateLabels'
  | 'labels'
  | 'commonAnnotations'
  | 'namespace'
  | 'namePrefix'
  | 'nameSuffix';

export type Configuration = Readonly<Record<Kind, readonly Field[]>>;

export const noConfiguration = configured(() => []);

/** The default configuration of kustomize. */
export const usualConfiguration: Configuration = {
  commonLabels: table.commonLabels,
  templateLabels: table.templateLabels,
  labels: [],
  commonAnnotations: table.commonAnnotations,
  namespace: table.namespaces,
  namePrefix: [table.names],
  nameSuffix: [table.names],
};

export function configurationOf(tree: Node): Configuration {
  return configured((kind) => table.fieldsOf(fieldSpecsOf(childOf(tree, kind))).toSorted(byType));
}

function configured(fields: (kind: Kind) => readonly Field[]): Configuration {
  return {
    commonLabels: fields('commonLabels'),
    templateLabels: fields('templateLabels'),
    labels: fields('labels'),
    commonAnnotations: fields('commonAnnotations'),
    namespace: fields('namespace'),
    namePrefix: fields('namePrefix'),
    nameSuffix: fields('nameSuffix'),
  };
}

/** Merges two configurations. kustomize sorts the result; if a specific field comes before a general field with the same path, the next merge drops the general field, which then has no effect. */
export function joined(known: Configuration, more: Configuration): Configuration {
  if (more === known || (more === usualConfiguration && known !== noConfiguration)) return known;
  if (more === usualConfiguration) return more;
  return configured((kind) => merged(known[kind], more[kind]).toSorted(byType));
}

/** Adds the fields whose path is not yet configured. */
function merged(known: readonly Field[], more: readonly Field[]): readonly Field[] {
  // A fast path, because most kustomizations have no configurations.
  if (known.length === 0 && more === table.commonLabels) return more;
  const all = [...known];
  const byPath = new Map<string, Field[]>();
  for (const field of known) getOrAdd(byPath, field.path, newList).push(field);
  for (const field of more) {
    const same = getOrAdd(byPath, field.path, newList);
    if (same.some((each) => table.concerns(field, each))) continue;
    same.push(field);
    all.push(field);
  }
  return all;
}

function newList(): Field[] {
  return [];
}

export function sizeOf(configuration: Configuration): number {
  return Object.values(configuration).reduce((sum, fields) => sum + fields.length, 0);
}

const firstKinds = [
  ...['Namespace', 'ResourceQuota', 'StorageClass', 'CustomResourceDefinition', 'ServiceAccount', 'PodSecurityPolicy'],
  ...['Role', 'ClusterRole', 'RoleBinding', 'ClusterRoleBinding', 'ConfigMap', 'Secret', 'Endpoints', 'Service'],
  ...['LimitRange', 'PriorityClass', 'PersistentVolume', 'PersistentVolumeClaim', 'Deployment', 'StatefulSet'],
  ...['CronJob', 'PodDisruptionBudget'],
];
const lastKinds = ['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration'];

/** Compares fields in the order that kustomize uses: some kinds come first and some last; specs for all groups, versions or kinds come after all other specs. */
function byType(a: Field, b: Field): number {
  const difference = rankOf(a) - rankOf(b);
  if (difference !== 0) return difference;
  const [before, after] = [sortedAs(a), sortedAs(b)];
  return before < after ? -1 : before > after ? 1 : 0;
}

function rankOf({ kind }: Field): number {
  const at = firstKinds.indexOf(kind);
  return at === -1 ? lastKinds.indexOf(kind) + 1 : at - firstKinds.length;
}

function sortedAs({ group, version, kind }: Field): string {
  return [group || '~G', version || '~V', kind || '~K'].join('_');
}

/** Returns the fields that `labels` or `commonLabels` of a kustomization set. */
export function labelFields(
  { fields, includeSelectors, includeTemplates, isCommon }: LabelChange,
  { labels, commonLabels, templateLabels }: Configuration,
): readonly Field[] {
  if (isCommon) return commonLabels;
  const own = merged(table.fieldsOf(fields), labels);
  if (includeSelectors) return merged(own, commonLabels);
  return merged(includeTemplates ? merged(own, templateLabels) : own, [table.ownLabels]);
}
