/** Finds the fields that a CustomResourceDefinition makes immutable with the validation rule `self == oldSelf`. */

import type { ImmutableFact, ImmutableKind, StoredRow } from '../../engine/catalogue/immutable-facts.ts';
import { childOf, itemsOf, knownTextOf, type Node } from '../yaml/tree.ts';

/** Limits for schemas, because aliases can expand a schema without limit. */
const maximumNodes = 40_000;
const maximumDepth = 40;

/** Top-level fields that every object has or that controllers set, for which rules are not evaluated. */
const otherFields: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata', 'status']);

/** Returns the immutable fields that the schemas of the versions define. Only the rule `self == oldSelf` (in either order) is recognized, on fields that are not inside of lists or maps. A rule has an effect only if the field is set both before and after the update. Fields with unordered lists are omitted, and an absent field has its default value. Source: k8s.io/apiextensions-apiserver pkg/apis/apiextensions/types_jsonschema.go and pkg/apiserver/schema/cel. */
export function transitionRules(
  versions: readonly (readonly [name: string, schema: Node])[],
): ImmutableKind | undefined {
  const immutable: ImmutableFact[] = [];
  const stored = new Map<string, StoredRow>();
  let left = maximumNodes;
  const isExhausted = (depth: number) => depth > maximumDepth || left-- <= 0;
  /**
   * Adds the default values in a schema. Returns false if a list in the schema is unordered, or if a part of the schema
   * is unknown.
   */
  const addDefaults = (schema: Node, path: string, depth: number): boolean => {
    if (schema.kind !== 'map' || schema.open || isExhausted(depth)) return false;
    const type = childOf(schema, 'x-kubernetes-list-type');
    if (type !== undefined && !(type.kind === 'scalar' && type.text === 'atomic')) return false;
    if (childOf(schema, 'default') !== undefined) stored.set(path, [path, { stored: 'filled' }]);
    return childrenOf(schema, path).every(([child, at]) => addDefaults(child, at, depth + 1));
  };
  const visit = (version: string, schema: Node, path: string, depth: number): void => {
    if (schema.kind !== 'map' || isExhausted(depth)) return;
    const message = path === '' ? undefined : immutableBy(schema);
    if (message !== undefined && addDefaults(schema, path, depth)) {
      immutable.push({ path, versions: [version], compare: 'kept', message });
      return;
    }
    const properties = childOf(schema, 'properties');
    for (const { key, value } of properties?.kind === 'map' ? properties.entries : []) {
      const isOther = path === '' && otherFields.has(key.text);
      if (isOther || key.pattern !== undefined || /[.*[\]]/.test(key.text)) continue;
      visit(version, value, path === '' ? key.text : `${path}.${key.text}`, depth + 1);
    }
  };
  for (const [version, schema] of versions) visit(version, schema, '', 0);
  return immutable.length === 0 ? undefined : { immutable, stored: [...stored.values()] };
}

/** Returns the subschemas of a schema, each with the path of the values that it describes. */
function childrenOf(schema: Node, path: string): readonly (readonly [schema: Node, path: string])[] {
  const properties = childOf(schema, 'properties');
  const named = properties?.kind === 'map' ? properties.entries : [];
  const [items, values] = [childOf(schema, 'items'), childOf(schema, 'additionalProperties')];
  return [
    ...named.map(({ key, value }) => [value, `${path}.${key.text}`] as const),
    ...(items === undefined ? [] : [[items, `${path}[]`] as const]),
    ...(values?.kind === 'map' ? [[values, `${path}.*`] as const] : []),
  ];
}

/** Returns the message of a rule that makes a field immutable; undefined if there is no such rule. */
function immutableBy(schema: Node): string | undefined {
  const rules = childOf(schema, 'x-kubernetes-validations');
  for (const item of itemsOf(rules)) {
    const rule = knownTextOf(childOf(item, 'rule'))?.replaceAll(/\s/g, '');
    if (rule !== 'self==oldSelf' && rule !== 'oldSelf==self') continue;
    if (childOf(item, 'optionalOldSelf') !== undefined) continue;
    return knownTextOf(childOf(item, 'message')) ?? `failed rule: self == oldSelf`;
  }
  return undefined;
}
