/** Collects the values that field selectors match in an object, or in the objects that a template creates. */

import type { Catalogue, KindFact } from '../../engine/catalogue/types.ts';
import type { Value } from '../../engine/index.ts';
import type { FieldValues, TemplateSite } from '../model.ts';
import { readKey } from '../yaml/scalar-types.ts';
import { entryOf, type Node } from '../yaml/tree.ts';
import { nodeAt } from './catalogue-paths.ts';

/** The key under which an unknown value is stored if it applies to all fields that are not set. */
export const anyField = '';

/** Older names of fields: the API server copies the value of the older field if the newer field is absent. */
const olderNames: Readonly<Record<string, string>> = { 'spec.serviceAccountName': 'spec.serviceAccount' };

/** Returns the values in an object, except its metadata and status; undefined if there are none. */
export function fieldValues(root: Node, type: KindFact, catalogue: Catalogue): FieldValues | undefined {
  const known = catalogue.fields(type.group, type.kind).fields.map(({ field }) => field);
  return valuesOf(root, [...known, ...(type.selectableFields ?? [])]);
}

/** Adds the field values of the created objects to a template, or removes them if there are none. */
export function withFieldValues(template: TemplateSite, root: Node, catalogue: Catalogue): TemplateSite {
  const { fact, path, fieldValues: before, ...others } = template;
  const { group, kind } = fact.makes;
  const node = fact.labelsAt === undefined && path !== '' ? nodeAt(root, path) : undefined;
  const values =
    node &&
    valuesOf(
      node,
      catalogue.fields(group, kind).fields.map(({ field }) => field),
    );
  if (values === undefined) return before === undefined ? template : { fact, path, ...others };
  return { ...template, fieldValues: values };
}

function valuesOf(root: Node, fields: readonly string[]): FieldValues | undefined {
  let values: Record<string, Value> | undefined;
  for (const field of fields) {
    if (field.startsWith('metadata.') || field.startsWith('status.')) continue;
    const older = Object.hasOwn(olderNames, field) ? olderNames[field] : undefined;
    const value = valueAt(root, field) ?? (older === undefined ? undefined : valueAt(root, older));
    if (value === undefined) continue;
    values ??= {};
    values[field] = value;
  }
  return values;
}

/** Returns the value of a field; an unknown if it depends on a template, and undefined if it is absent or null. */
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
