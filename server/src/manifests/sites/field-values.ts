/** Collects the values that field selectors match in an object, or in the objects that a template creates. */

import type { Catalogue, FieldsFact, KindFact } from '../../engine/catalogue/types.ts';
import type { Taint, Toleration, Value } from '../../engine/index.ts';
import { getOrAdd } from '../../engine/memoize.ts';
import type { FieldValues, TemplateSite } from '../model.ts';
import { readKey } from '../yaml/scalar-types.ts';
import { entryOf, mayHoldMore, type Node, type ScalarNode } from '../yaml/tree.ts';
import { nodeAt } from './catalogue-paths.ts';

/** The key of an unknown value that applies to all fields without a value. */
export const anyField = '';

/** The older names of fields. If a field is absent, the API server copies the value from the field with the older name. */
const olderNames: Readonly<Record<string, string>> = { 'spec.serviceAccountName': 'spec.serviceAccount' };

/** Returns the values of the fields in an object that field selectors support, except metadata and status; undefined if there are none. */
export function fieldValues(root: Node, type: KindFact, catalogue: Catalogue): FieldValues | undefined {
  const known = fieldNames(catalogue.fields(type.group, type.kind));
  return valuesOf(
    root,
    type.selectableFields === undefined ? known : [...known, ...type.selectableFields.filter(isInObject)],
  );
}

/** Adds to a template the field values of the objects that are created from it, or removes outdated ones. */
export function withFieldValues(template: TemplateSite, root: Node, catalogue: Catalogue): TemplateSite {
  const { fact, path, fieldValues: before, ...others } = template;
  const { group, kind } = fact.makes;
  const node = fact.labelsAt === undefined && path !== '' ? nodeAt(root, path) : undefined;
  const values = node && valuesOf(node, fieldNames(catalogue.fields(group, kind)));
  if (values === undefined) return before === undefined ? template : { fact, path, ...others };
  return JSON.stringify(before) === JSON.stringify(values) ? template : { ...template, fieldValues: values };
}

const names = new WeakMap<FieldsFact, readonly string[]>();

/** Returns the fields that field selectors support, except metadata and status. */
function fieldNames(facts: FieldsFact): readonly string[] {
  return getOrAdd(names, facts, ({ fields }) => fields.map(({ field }) => field).filter(isInObject));
}

/** The fields that decide on scheduling, by the field that field selectors support in the same objects. */
const fieldsBeside: Readonly<Record<string, readonly string[]>> = {
  'spec.unschedulable': ['spec.taints', 'spec.requirements'],
  'spec.nodeName': ['spec.tolerations', 'spec.topologySpreadConstraints', 'spec.runtimeClassName'],
};

/** The fields of the items of each list that decides on scheduling, in the order in which they are stored. */
const listedFields: Readonly<Record<string, readonly string[]>> = {
  'spec.taints': ['key', 'value', 'effect'],
  'spec.tolerations': ['key', 'value', 'effect', 'operator'],
  'spec.requirements': ['key', 'operator', 'values'],
  'spec.topologySpreadConstraints': ['topologyKey', 'whenUnsatisfiable'],
};

/** Returns a list that decides on scheduling as JSON; an unknown value if it depends on a template, and undefined if it is absent. */
function listAt(root: Node, field: string, fields: readonly string[]): Value | undefined {
  const spec = entryOf(root, 'spec')?.value;
  const entry = entryOf(spec, field.slice('spec.'.length));
  if (entry?.value.kind !== 'list') return entry === undefined ? undefined : valueAt(root, field);
  const { items, open } = entry.value;
  const isKnown = !open && !entry.conditional && items.every((item) => item.kind === 'map' && !mayHoldMore(item));
  if (!isKnown) return { unknown: field };
  return JSON.stringify(items.map((item) => fields.map((each) => listedValue(entryOf(item, each)?.value))));
}

/** Returns the value of a field of an item; null for an unknown value. */
function listedValue(node: Node | undefined): string | null | readonly (string | null)[] {
  if (node?.kind === 'list')
    return node.open ? null : node.items.map((item) => (item.kind === 'scalar' ? scalarText(item) : null));
  return node?.kind === 'scalar' ? scalarText(node) : '';
}

function scalarText(node: ScalarNode): string | null {
  if (node.type === 'null') return '';
  return node.pattern === undefined ? node.text : null;
}

/** Returns the items that `fieldValues` contains for a list that decides on scheduling. */
function itemsOf(values: FieldValues | undefined, field: string): readonly ListedItem[] | 'unknown' {
  const value = values?.[field] ?? values?.[anyField];
  return value === undefined ? [] : (listedItems(field, value) ?? 'unknown');
}

/** The fields of an item of a list that decides on scheduling: '' for an absent field, null for an unknown value. */
export type ListedItem = Readonly<Record<string, unknown>>;

/** Returns the items that a field value contains; undefined for a value that is not a list, or is unknown. */
export function listedItems(field: string, value: Value): readonly ListedItem[] | undefined {
  const fields = listedFields[field];
  const items: unknown = fields === undefined || typeof value !== 'string' ? undefined : parsed(value);
  if (fields === undefined || !Array.isArray(items)) return undefined;
  return items.map((item: unknown): ListedItem => {
    return Object.fromEntries(fields.map((name, index) => [name, Array.isArray(item) ? item[index] : undefined]));
  });
}

function textIn(item: ListedItem, field: string): Value {
  const known = item[field];
  return typeof known === 'string' ? known : { unknown: field };
}

/** Returns the taints of a node; unknown if a template determines them. */
export function taintsIn(values: FieldValues | undefined): readonly Taint[] | 'unknown' {
  const items = itemsOf(values, 'spec.taints');
  return items === 'unknown' ? items : items.map(taintIn);
}

function taintIn(item: ListedItem): Taint {
  return { key: textIn(item, 'key'), value: textIn(item, 'value'), effect: textIn(item, 'effect') };
}

/** Returns the tolerations of a pod; unknown if a template determines them. */
export function tolerationsIn(values: FieldValues | undefined): readonly Toleration[] | 'unknown' {
  const items = itemsOf(values, 'spec.tolerations');
  if (items === 'unknown') return items;
  return items.map((item) => ({ ...taintIn(item), operator: textIn(item, 'operator'), hasSeconds: false }));
}

/** Returns the labels that a node must have because of the topology spread constraints of a pod that forbid scheduling. */
export function requiredTopologyKeys(values: FieldValues | undefined): readonly Value[] | 'unknown' {
  const items = itemsOf(values, 'spec.topologySpreadConstraints');
  if (items === 'unknown') return items;
  return items
    .filter((item) => item['whenUnsatisfiable'] === 'DoNotSchedule')
    .map((item) => textIn(item, 'topologyKey'));
}

/** A requirement of a node pool on the labels of its nodes. */
export interface PoolRequirement {
  readonly key: Value;
  readonly operator: Value;
  readonly values: readonly Value[] | 'unknown';
}

/** Returns the requirements of a node pool on the labels of its nodes; unknown if a template determines them. */
export function poolRequirementsIn(values: FieldValues | undefined): readonly PoolRequirement[] | 'unknown' {
  const items = itemsOf(values, 'spec.requirements');
  if (items === 'unknown') return items;
  return items.map((item) => {
    const listed = item['values'];
    const values = Array.isArray(listed) ? listed : listed === '' ? [] : undefined;
    return {
      key: textIn(item, 'key'),
      operator: textIn(item, 'operator'),
      values:
        values?.map((each: unknown): Value => (typeof each === 'string' ? each : { unknown: 'values' })) ?? 'unknown',
    };
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isInObject(field: string): boolean {
  return !field.startsWith('metadata.') && !field.startsWith('status.');
}

function valuesOf(root: Node, fields: readonly string[]): FieldValues | undefined {
  let values: Record<string, Value> | undefined;
  for (const field of fields) {
    const older = Object.hasOwn(olderNames, field) ? olderNames[field] : undefined;
    const value = valueAt(root, field) ?? (older === undefined ? undefined : valueAt(root, older));
    for (const beside of Object.hasOwn(fieldsBeside, field) ? (fieldsBeside[field] ?? []) : []) {
      const fields = listedFields[beside];
      const found = fields === undefined ? valueAt(root, beside) : listAt(root, beside, fields);
      if (found === undefined) continue;
      values ??= {};
      values[beside] = found;
    }
    if (value === undefined) continue;
    values ??= {};
    values[field] = value;
  }
  return values;
}

/** Returns the value of a field; an unknown value if it depends on a template, and undefined if the field is absent or null. */
function valueAt(root: Node, field: string): Value | undefined {
  let node = root;
  for (const step of field.split('.')) {
    if (node.kind !== 'map')
      return node.kind === 'scalar' && node.pattern !== undefined ? { unknown: field } : undefined;
    const entry = entryOf(node, step);
    if (entry === undefined) return node.open ? { unknown: field } : undefined;
    if (entry.conditional) return { unknown: field };
    node = entry.value;
  }
  if (node.kind !== 'scalar' || node.type === 'null') return undefined;
  return node.pattern === undefined ? readKey(node) : { unknown: node.text, pattern: node.pattern };
}
