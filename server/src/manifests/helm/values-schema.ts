/** Finds values that the `values.schema.json` of a chart certainly forbids, for which Helm renders nothing. Keywords whose effect is not evaluated forbid nothing. */

import { spend } from '../../engine/work-budget.ts';
import { type Data, fieldOf } from './value.ts';

type Place = readonly string[];

/** The maximum depth of nested values. */
const maximumDepth = 30;

/** Returns the path of the first value that a schema certainly forbids; undefined if there is none. */
export function forbiddenValue(schema: Data | undefined, value: Data, at: Place = []): Place | undefined {
  spend(1);
  // Values in braces are unknown, and a reference replaces all other keywords.
  if (isUnknown(value) || schema === undefined || at.length > maximumDepth || fieldOf(schema, '$ref') !== undefined)
    return undefined;
  const types = [fieldOf(schema, 'type') ?? []].flat();
  if (types.length > 0 && !types.some((type) => isOfType(value, type))) return at;
  const options = fieldOf(schema, 'enum');
  if (Array.isArray(options) && !options.some((each) => JSON.stringify(each) === JSON.stringify(value))) return at;
  if (typeof value === 'number' && isOutside(schema, value)) return at;
  for (const each of listOf(fieldOf(schema, 'allOf'))) {
    const found = forbiddenValue(each, value, at);
    if (found !== undefined) return found;
  }
  if (Array.isArray(value)) return inItems(fieldOf(schema, 'items'), value, at);
  return typeof value === 'object' && value !== null ? inEntries(schema, value, at) : undefined;
}

function inItems(schema: Data | undefined, items: readonly Data[], at: Place): Place | undefined {
  if (Array.isArray(schema)) return undefined;
  for (const [index, item] of items.entries()) {
    const found = forbiddenValue(schema, item, [...at, String(index)]);
    if (found !== undefined) return found;
  }
  return undefined;
}

function inEntries(schema: Data, value: Data, at: Place): Place | undefined {
  for (const key of listOf(fieldOf(schema, 'required')))
    if (typeof key === 'string' && fieldOf(value, key) === undefined) return [...at, key];
  const properties = fieldOf(schema, 'properties') ?? {};
  const isClosed =
    fieldOf(schema, 'additionalProperties') === false && fieldOf(schema, 'patternProperties') === undefined;
  for (const [key, own] of Object.entries(value ?? {})) {
    const known = fieldOf(properties, key);
    // Helm adds `global` to the values of each chart.
    if (known === undefined && isClosed && !(at.length === 0 && key === 'global')) return [...at, key];
    const found = forbiddenValue(known, own, [...at, key]);
    if (found !== undefined) return found;
  }
  return undefined;
}

function isOutside(schema: Data, value: number): boolean {
  const [least, most] = [fieldOf(schema, 'minimum'), fieldOf(schema, 'maximum')];
  return (typeof least === 'number' && value < least) || (typeof most === 'number' && value > most);
}

function isOfType(value: Data, type: Data): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value);
    case 'integer':
      return Number.isInteger(value);
    case 'string':
    case 'number':
    case 'boolean':
      return typeof value === type;
    default:
      return true;
  }
}

function isUnknown(value: Data): boolean {
  return typeof value === 'string' && value.includes('{{');
}

function listOf(data: Data | undefined): readonly Data[] {
  return Array.isArray(data) ? data : [];
}
