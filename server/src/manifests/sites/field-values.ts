/** Collects the values that field selectors match in an object, or in the objects that a template creates. */

import type { Catalogue, FieldsFact, KindFact } from '../../engine/catalogue/types.ts';
import type { Toleration, Value } from '../../engine/index.ts';
import { getOrAdd } from '../../engine/memoize.ts';
import type { FieldValues, TemplateSite } from '../model.ts';
import { readKey } from '../yaml/scalar-types.ts';
import { entryOf, mayHoldMore, type Node } from '../yaml/tree.ts';
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
  return { ...template, fieldValues: values };
}

const names = new WeakMap<FieldsFact, readonly string[]>();

/** Returns the fields that field selectors support, except metadata and status. */
function fieldNames(facts: FieldsFact): readonly string[] {
  return getOrAdd(names, facts, ({ fields }) => fields.map(({ field }) => field).filter(isInObject));
}

/** The lists that decide on scheduling, by the field that field selectors support in the same objects. */
const listsBeside: Readonly<Record<string, string>> = {
  'spec.unschedulable': 'spec.taints',
  'spec.nodeName': 'spec.tolerations',
};

/** The fields of taints and tolerations, in the order in which they are stored. */
const listedFields = ['key', 'value', 'effect', 'operator'] as const;

/** Returns a list of taints or tolerations as JSON; an unknown value if it depends on a template, and undefined if it is absent. */
function listAt(root: Node, field: string): Value | undefined {
  const spec = entryOf(root, 'spec')?.value;
  const entry = entryOf(spec, field.slice('spec.'.length));
  if (entry?.value.kind !== 'list') return entry === undefined ? undefined : valueAt(root, field);
  const { items, open } = entry.value;
  const isKnown = !open && !entry.conditional && items.every((item) => item.kind === 'map' && !mayHoldMore(item));
  return isKnown ? JSON.stringify(items.map(listedValues)) : { unknown: field };
}

/** Returns the values of an item; null for an unknown value. */
function listedValues(item: Node): readonly (string | null)[] {
  return listedFields.map((field) => {
    const node = entryOf(item, field)?.value;
    if (node?.kind !== 'scalar' || node.type === 'null') return '';
    return node.pattern === undefined ? node.text : null;
  });
}

/** Returns the items that `fieldValues` contains for a list of taints or tolerations. */
export function listedItems(value: Value | undefined): readonly Listed[] | 'unknown' {
  if (value === undefined) return [];
  if (typeof value !== 'string') return 'unknown';
  const items: unknown = parsed(value);
  if (!Array.isArray(items)) return 'unknown';
  return items.map((item: unknown) => {
    const [key, text, effect, operator] = listedFields.map((field, index): Value => {
      const known: unknown = Array.isArray(item) ? item[index] : undefined;
      return typeof known === 'string' ? known : { unknown: field };
    });
    return { key: key ?? '', value: text ?? '', effect: effect ?? '', operator: operator ?? '', hasSeconds: false };
  });
}

/** The fields of a taint or a toleration. */
type Listed = Toleration;

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
    const list = Object.hasOwn(listsBeside, field) ? listsBeside[field] : undefined;
    const listed = list === undefined ? undefined : listAt(root, list);
    if (list !== undefined && listed !== undefined) {
      values ??= {};
      values[list] = listed;
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
