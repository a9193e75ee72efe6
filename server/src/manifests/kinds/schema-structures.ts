/** Serializes the fields of the structural schema of a CustomResourceDefinition. */

import { openMark, scalarMarks } from '../../engine/catalogue/structures.ts';
import { childOf, type Node, textOf } from '../yaml/tree.ts';

/** The maximum number of fields in a schema. The largest schema in use has half as many, but aliases can expand a schema without limit. */
const maximumFields = 40_000;
const maximumDepth = 60;

const everyObject: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

/** Serializes the structures in a schema for `openSerialized`: a line with the number of the root structure, followed by one line for each structure. Undefined if the schema is too large, or if a template generates part of it. */
export function serializeSchema(schema: Node): string | undefined {
  const lines = new Map<string, string>();
  let fields = 0;
  let isKnown = true;
  const numberOf = (line: string): string => {
    const number = lines.get(line) ?? lines.size.toString(36);
    lines.set(line, number);
    return number;
  };
  /**
   * Returns the reference to the structure of a node: `=NUMBER` for an object, `+NUMBER` for a list, `*NUMBER` for a
   * map, or an empty string for a value without fields or with an unknown type.
   */
  const visit = (node: Node | undefined, depth: number): string => {
    if (node?.kind !== 'map' || node.open || depth > maximumDepth || ++fields > maximumFields) {
      isKnown &&= node === undefined;
      return '';
    }
    const properties = childOf(node, 'properties');
    const additional = childOf(node, 'additionalProperties');
    const items = childOf(node, 'items');
    if (items !== undefined) return as('+', visit(items, depth + 1));
    if (isTrue(childOf(node, 'x-kubernetes-embedded-resource'))) return '';
    if (properties === undefined && additional !== undefined) {
      return additional.kind === 'map' ? as('*', visit(additional, depth + 1)) : '';
    }
    const keepsAll = isTrue(childOf(node, 'x-kubernetes-preserve-unknown-fields')) || additional !== undefined;
    if (properties === undefined && !keepsAll && !isObject(node)) return scalarOf(node);
    if (properties === undefined && keepsAll) return '';
    // Properties without an `object` type are not structural, so the API server rejects the definition.
    if (properties !== undefined && (properties.kind !== 'map' || properties.open || !isObject(node))) isKnown = false;
    const words =
      properties?.kind === 'map'
        ? properties.entries.map(({ key, value }) => {
            if (!/^[\w$./-]+$/.test(key.text) || key.pattern !== undefined) isKnown = false;
            return `${key.text}${visit(value, depth + 1)}`;
          })
        : [];
    return `=${numberOf([...words, ...(keepsAll ? [openMark] : [])].join(' '))}`;
  };
  // A stub of a CustomResourceDefinition does not list the fields of the kind.
  const names = childOf(schema, 'properties');
  if (names?.kind !== 'map' || names.entries.every(({ key }) => everyObject.has(key.text))) return undefined;
  const root = visit(schema, 0);
  return isKnown && root.startsWith('=') ? [root.slice(1), ...lines.keys()].join('\n') : undefined;
}

/** Returns the reference to a list or map of structures; empty for lists of lists and maps of maps, which are not supported. */
function as(how: '+' | '*', below: string): string {
  return below.startsWith('=') ? `${how}${below.slice(1)}` : '';
}

/** Returns the reference to the type of a scalar. */
function scalarOf(node: Node): string {
  const type = textOf(childOf(node, 'type')) ?? '';
  if (isTrue(childOf(node, 'x-kubernetes-int-or-string'))) return '';
  return isScalarType(type) ? `=${scalarMarks[type]}` : '';
}

function isScalarType(type: string): type is keyof typeof scalarMarks {
  return Object.hasOwn(scalarMarks, type);
}

function isTrue(node: Node | undefined): boolean {
  return node?.kind === 'scalar' && node.text === 'true';
}

function isObject(node: Node): boolean {
  const type = childOf(node, 'type');
  return type?.kind === 'scalar' && type.text === 'object';
}
