/** Finds the paths of label selectors and pod templates in objects that an OpenAPI schema describes. */

import { childOf, type Node, nodeAt } from '../yaml/tree.ts';

/** The paths in a schema, in the notation of the catalogue: `[]` for the items of a list, `*` for the values of a map. */
export interface SchemaPaths {
  readonly selectors: readonly string[];
  readonly templates: readonly string[];
}

/** The maximum number of fields in a schema. The largest schema in use has half as many, but aliases can expand a schema without limit. */
const mostFields = 40_000;
const deepest = 40;
const maximumPaths = 200;

/** Top-level fields that every object has or that controllers set, which are not searched. */
const passedOver = new Set(['apiVersion', 'kind', 'metadata', 'status']);

/** Returns the paths in the schemas of all versions of one kind. */
export function pathsInSchemas(schemas: readonly Node[]): SchemaPaths {
  const selectors = new Set<string>();
  const templates = new Set<string>();
  let fields = 0;
  const visit = (schema: Node | undefined, path: string, depth: number): void => {
    if (schema?.kind !== 'map' || depth > deepest) return;
    const properties = childOf(schema, 'properties');
    if (properties !== undefined && path !== '') {
      if (isLabelSelector(properties)) {
        if (selectors.size < maximumPaths) selectors.add(path);
        return;
      }
      if (isPodTemplate(properties) && templates.size < maximumPaths) templates.add(path);
    }
    for (const { key, value } of properties?.kind === 'map' ? properties.entries : []) {
      if (++fields > mostFields) return;
      // The path notation cannot represent a key that contains one of these characters.
      if (key.pattern !== undefined || /[.*[\]]/.test(key.text) || (path === '' && passedOver.has(key.text))) continue;
      visit(value, path === '' ? key.text : `${path}.${key.text}`, depth + 1);
    }
    if (path === '' || ++fields > mostFields) return;
    visit(childOf(schema, 'items'), `${path}[]`, depth + 1);
    visit(childOf(schema, 'additionalProperties'), `${path}.*`, depth + 1);
  };
  for (const schema of schemas) visit(schema, '', 0);
  return { selectors: [...selectors].toSorted(), templates: [...templates].toSorted() };
}

function isLabelSelector(properties: Node): boolean {
  const labels = childOf(properties, 'matchLabels');
  const expressions = childOf(properties, 'matchExpressions');
  if (labels === undefined && expressions === undefined) return false;
  return (labels === undefined || isMapOfStrings(labels)) && (expressions === undefined || isRequirements(expressions));
}

function isMapOfStrings(schema: Node): boolean {
  const type = nodeAt(schema, 'additionalProperties', 'type');
  return type?.kind === 'scalar' && type.text === 'string';
}

function isRequirements(schema: Node): boolean {
  const fields = nodeAt(schema, 'items', 'properties');
  return childOf(fields, 'key') !== undefined && childOf(fields, 'operator') !== undefined;
}

function isPodTemplate(properties: Node): boolean {
  const containers = nodeAt(properties, 'spec', 'properties', 'containers', 'items');
  return childOf(properties, 'metadata') !== undefined && containers !== undefined;
}
