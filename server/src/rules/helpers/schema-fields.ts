/** Traverses the schemas in CustomResourceDefinitions. */

import { childOf, entryOf, type MapEntry, type MapNode, type Node, nodeAt } from '../../manifests/yaml/tree.ts';

/** A version of a CustomResourceDefinition, with its schema. */
export interface VersionSchema {
  readonly version: MapNode;
  /** The map entry with the key `openAPIV3Schema`. */
  readonly entry: MapEntry;
  readonly schema: MapNode;
}

/** The schema of an object, a field, the items of a list, or the values of a map. */
export interface SchemaField {
  readonly schema: MapNode;
  readonly entry: MapEntry;
  /** The schema that contains this schema; undefined for the schema of the whole object. */
  readonly parent?: SchemaField;
  readonly level: 'root' | 'field' | 'item' | 'value';
  /** The names of the fields on the path from the root. List items and map values do not add a name. */
  readonly path: readonly string[];
}

/** Returns the versions of a CustomResourceDefinition (`apiextensions.k8s.io/v1`) that have a schema. */
export function versionSchemas(root: Node | undefined): readonly VersionSchema[] {
  return versionsOf(root).flatMap((version): readonly VersionSchema[] => {
    const entry = entryOf(childOf(version, 'schema'), 'openAPIV3Schema');
    return entry?.value.kind === 'map' ? [{ version, entry, schema: entry.value }] : [];
  });
}

/** Returns the versions of a CustomResourceDefinition; none if a template changes the list of versions. */
export function versionsOf(root: Node | undefined): readonly MapNode[] {
  const versions = nodeAt(root, 'spec', 'versions');
  if (versions?.kind !== 'list' || versions.open) return [];
  return versions.items.filter((version): version is MapNode => version.kind === 'map' && !version.open);
}

/** The maximum number of fields. It is far greater than in real schemas, but YAML aliases can multiply the fields in a file. */
const maximumFields = 40_000;
const maximumDepth = 60;

/** Returns the schema of a version and all schemas in it, except schemas that a template changes. */
export function schemaFields({ entry, schema }: VersionSchema): readonly SchemaField[] {
  const found: SchemaField[] = [];
  const visit = (field: SchemaField, depth: number): void => {
    if (found.length >= maximumFields || depth > maximumDepth || isOpen(field.schema)) return;
    found.push(field);
    const add = (child: MapEntry, level: SchemaField['level'], path: readonly string[]) => {
      if (child.value.kind === 'map' && !child.merged && !child.conditional)
        visit({ schema: child.value, entry: child, parent: field, level, path }, depth + 1);
    };
    const properties = childOf(field.schema, 'properties');
    if (properties?.kind === 'map')
      for (const child of properties.entries) add(child, 'field', [...field.path, child.key.text]);
    const items = entryOf(field.schema, 'items');
    if (items !== undefined) add(items, 'item', field.path);
    const values = entryOf(field.schema, 'additionalProperties');
    if (values !== undefined) add(values, 'value', field.path);
  };
  visit({ schema, entry, level: 'root', path: [] }, 0);
  return found;
}

function isOpen({ open, entries }: MapNode): boolean {
  return open || entries.some(({ conditional, merged, key }) => conditional || merged || key.pattern !== undefined);
}

/** Returns the text of a scalar field; undefined if it is absent or null, or depends on a template. */
export function textAt(node: Node | undefined, key: string): string | undefined {
  const value = childOf(node, key);
  return value?.kind === 'scalar' && value.pattern === undefined && value.type !== 'null' ? value.text : undefined;
}

/** Whether the value of a field is the boolean `true`. */
export function isTrue(node: Node | undefined, key: string): boolean {
  return textAt(node, key) === 'true';
}

export function propertiesOf(schema: Node | undefined): ReadonlyMap<string, MapEntry> {
  const properties = childOf(schema, 'properties');
  return new Map(properties?.kind === 'map' ? properties.entries.map((entry) => [entry.key.text, entry]) : []);
}

/** Returns the texts of the scalars in a list; empty if the field does not contain a list. */
export function textsAt(node: Node | undefined, key: string): readonly string[] {
  const list = childOf(node, key);
  return list?.kind === 'list' ? list.items.flatMap((item) => (item.kind === 'scalar' ? [item.text] : [])) : [];
}
