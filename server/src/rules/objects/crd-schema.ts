/** Reports schemas in definitions of custom resources that the API server rejects. */

import {
  childOf,
  entryOf,
  itemsOf,
  type MapEntry,
  type MapNode,
  type Node,
  nodeAt,
} from '../../manifests/yaml/tree.ts';
import { localize } from '../../text/localize.ts';
import { treeOf } from '../../workspace/object-trees.ts';
import { type Fact, rule } from '../framework/rule.ts';
import {
  isTrue,
  propertiesOf,
  type SchemaField,
  schemaFields,
  textAt,
  type VersionSchema,
  versionSchemas,
} from '../helpers/schema-fields.ts';
import { shorten } from '../helpers/sentences.ts';

interface BadSchema extends Fact {
  readonly problem: string;
}

export const crdSchema = rule<BadSchema>({
  id: 'crd-schema',
  severity: 'error',
  needs: 'definitions',
  summary: 'A schema in a CustomResourceDefinition that the API server rejects.',
  why: 'The schema of a custom resource must be structural: each field has a type, lists describe their items, and conditions in `anyOf`, `allOf`, `oneOf` and `not` only restrict values. `selectableFields` must be fields of type string, boolean or integer.',
  withoutFix: 'Only the author of the API knows the types.',
  bad: [
    {
      title: 'A field without a type.',
      text: `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: widgets.example.com
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Widget, plural: widgets}
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              description: The desired state.
`,
    },
  ],
  good: [
    {
      title: 'All fields have types.',
      text: `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: widgets.example.com
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Widget, plural: widgets}
  versions:
    - name: v1
      served: true
      storage: true
      selectableFields:
        - jsonPath: .spec.color
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              properties:
                color: {type: string}
                size: {x-kubernetes-int-or-string: true}
`,
    },
  ],
  *check(context) {
    for (const object of context.stored) {
      if (object.defines === undefined || object.version !== 'v1') continue;
      for (const version of versionSchemas(treeOf(context, object))) {
        for (const field of schemaFields(version)) yield* faultsOf(field);
        yield* selectableFaults(version);
        yield* scaleFaults(version);
      }
    }
  },
  message: ({ problem }) => problem,
  fixes: () => [],
});

const types: ReadonlySet<string> = new Set(['array', 'boolean', 'integer', 'number', 'object', 'string']);

/** Keywords of JSON Schema that definitions of custom resources do not support. */
const unsupported = ['$ref', 'id', 'additionalItems', 'patternProperties', 'definitions', 'dependencies'];

function* faultsOf(field: SchemaField): Iterable<BadSchema> {
  const { schema, entry, level } = field;
  const at = entry.key.span;
  const name =
    level === 'root'
      ? localize`The schema`
      : level === 'field'
        ? localize`Field '${shorten(entry.key.text)}'`
        : `\`${entry.key.text}\``;
  const type = textAt(schema, 'type');
  const typeEntry = entryOf(schema, 'type');
  const isFree = isTrue(schema, 'x-kubernetes-int-or-string') || isTrue(schema, 'x-kubernetes-preserve-unknown-fields');
  if (typeEntry === undefined && !isFree && entryOf(schema, '$ref') === undefined)
    yield { span: at, problem: localize`${name} must have a \`type\`.` };
  if (type !== undefined && typeEntry !== undefined && !types.has(type))
    yield {
      span: typeEntry.value.span,
      problem: localize`Type must be ${[...types].join(', ')}, not '${shorten(type)}'.`.replace(
        /, string/,
        ' or string',
      ),
    };
  if (level === 'root' && type !== undefined && types.has(type) && type !== 'object' && typeEntry !== undefined)
    yield {
      span: typeEntry.value.span,
      problem: localize`The top level of the schema must have type 'object'.`,
    };
  if (type === 'array' && entryOf(schema, 'items') === undefined)
    yield { span: at, problem: localize`${name} is an array and must have \`items\`.` };
  for (const word of unsupported) {
    const found = entryOf(schema, word);
    if (found !== undefined)
      yield {
        span: found.key.span,
        problem: localize`\`${word}\` is not supported in the schema of a CustomResourceDefinition.`,
      };
  }
  if (isTrue(schema, 'uniqueItems')) {
    const found = entryOf(schema, 'uniqueItems');
    if (found !== undefined)
      yield {
        span: found.key.span,
        problem: localize`\`uniqueItems\` must not be true; use \`x-kubernetes-list-type: set\`.`,
      };
  }
  yield* mapFaults(field);
  yield* listFaults(schema);
  for (const word of ['anyOf', 'allOf', 'oneOf'] as const) {
    const list = childOf(schema, word);
    for (const item of itemsOf(list)) yield* conditionFaults(item, schema);
  }
  const not = childOf(schema, 'not');
  if (not !== undefined) yield* conditionFaults(not, schema);
}

function* mapFaults({ schema, level }: SchemaField): Iterable<BadSchema> {
  const values = entryOf(schema, 'additionalProperties');
  const properties = propertiesOf(schema);
  if (values !== undefined && level === 'root')
    yield {
      span: values.key.span,
      problem: localize`\`additionalProperties\` must not be used at the top level of the schema.`,
    };
  else if (values !== undefined && properties.size > 0 && (values.value.kind === 'map' || isFalse(values)))
    yield {
      span: values.key.span,
      problem: localize`\`additionalProperties\` and \`properties\` are mutually exclusive.`,
    };
  const metadata = level === 'root' ? properties.get('metadata') : undefined;
  if (metadata === undefined) return;
  const isRestricted = (word: string) => !['type', 'properties', 'description', 'default'].includes(word);
  const others =
    metadata.value.kind === 'map' ? metadata.value.entries.filter(({ key }) => isRestricted(key.text)) : [];
  const fields = [...propertiesOf(metadata.value).values()].filter(
    ({ key }) => !/^(?:name|generateName)$/.test(key.text),
  );
  for (const each of fields.slice(0, 1))
    yield {
      span: each.key.span,
      problem: localize`The schema of \`metadata\` must only restrict \`name\` and \`generateName\`.`,
    };
  if (fields.length === 0 && others[0]?.key.text.startsWith('x-'))
    yield {
      span: others[0].key.span,
      problem: localize`The schema of \`metadata\` must only restrict \`name\` and \`generateName\`.`,
    };
}

function isFalse({ value }: MapEntry): boolean {
  return value.kind === 'scalar' && value.type === 'boolean' && value.text === 'false';
}

function* listFaults(schema: MapNode): Iterable<BadSchema> {
  const entry = entryOf(schema, 'x-kubernetes-list-type');
  const listType = textAt(schema, 'x-kubernetes-list-type');
  const keys = entryOf(schema, 'x-kubernetes-list-map-keys');
  if (entry !== undefined && listType !== undefined) {
    const { span } = entry.value;
    const type = textAt(schema, 'type');
    if (!['atomic', 'set', 'map'].includes(listType))
      yield {
        span,
        problem: localize`\`x-kubernetes-list-type\` must be 'atomic', 'set' or 'map', not '${shorten(listType)}'.`,
      };
    if (type !== undefined && types.has(type) && type !== 'array')
      yield { span: entry.key.span, problem: localize`\`x-kubernetes-list-type\` requires type 'array'.` };
    if (listType === 'map' && keys === undefined)
      yield { span, problem: localize`A list of type 'map' must have \`x-kubernetes-list-map-keys\`.` };
  }
  if (keys === undefined) return;
  if (listType !== 'map' && (entry === undefined || listType !== undefined))
    yield {
      span: keys.key.span,
      problem: localize`\`x-kubernetes-list-map-keys\` requires \`x-kubernetes-list-type: map\`.`,
    };
  const items = childOf(schema, 'items');
  const properties = propertiesOf(items);
  const isKnown = items?.kind === 'map' && !items.open && properties.size > 0;
  for (const key of keys.value.kind === 'list' && isKnown ? keys.value.items : []) {
    if (key.kind === 'scalar' && key.pattern === undefined && !properties.has(key.text))
      yield { span: key.span, problem: localize`The items of this list have no field '${shorten(key.text)}'.` };
  }
}

/** Keywords that describe a value, which the API server rejects in `allOf`, `anyOf`, `oneOf` and `not`. */
const describing = ['description', 'default', 'title', 'additionalProperties', 'x-kubernetes-preserve-unknown-fields'];

function* conditionFaults(condition: Node, around: MapNode, depth = 0): Iterable<BadSchema> {
  if (condition.kind !== 'map' || condition.open || depth > 20) return;
  const report = (entry: MapEntry): BadSchema => ({
    span: entry.key.span,
    problem: localize`\`${entry.key.text}\` must be outside of \`anyOf\`, \`allOf\`, \`oneOf\` and \`not\`, which only restrict values.`,
  });
  const type = entryOf(condition, 'type');
  if (type !== undefined && !isTrue(around, 'x-kubernetes-int-or-string')) yield report(type);
  for (const word of describing) {
    const entry = entryOf(condition, word);
    if (entry !== undefined) yield report(entry);
  }
  for (const { value } of propertiesOf(condition).values()) yield* conditionFaults(value, condition, depth + 1);
  const items = childOf(condition, 'items');
  if (items !== undefined) yield* conditionFaults(items, condition, depth + 1);
}

function* selectableFaults({ version, schema }: VersionSchema): Iterable<BadSchema> {
  const list = childOf(version, 'selectableFields');
  if (list?.kind !== 'list' || list.open) return;
  const seen = new Set<string>();
  for (const [index, item] of list.items.entries()) {
    const path = entryOf(item, 'jsonPath')?.value;
    if (path?.kind !== 'scalar' || path.pattern !== undefined) continue;
    const problem = selectableProblem(path.text, schema, seen, index);
    if (problem !== undefined) yield { span: path.span, problem };
    seen.add(path.text);
  }
}

/** The paths of the subresource scale, and the parts of the object to which they must refer. */
const scalePaths = {
  specReplicasPath: ['spec'],
  statusReplicasPath: ['status'],
  labelSelectorPath: ['spec', 'status'],
} as const;

/** Yields paths of the subresource `scale` that the API server rejects, or for which the schema has no field, so that the API server drops or never finds the value. */
function* scaleFaults({ version, schema }: VersionSchema): Iterable<BadSchema> {
  const entry = entryOf(nodeAt(version, 'subresources'), 'scale');
  const scale = entry?.value;
  if (scale?.kind !== 'map' || scale.open) return;
  for (const [field, parts] of Object.entries(scalePaths)) {
    const path = childOf(scale, field);
    if (path === undefined && field !== 'labelSelectorPath')
      yield { span: entry?.key.span ?? scale.span, problem: localize`\`scale\` must have a \`${field}\`.` };
    if (path?.kind !== 'scalar' || path.pattern !== undefined || path.type === 'null' || path.text === '') continue;
    if (!parts.some((part) => path.text.startsWith(`.${part}.`))) {
      const roots = parts.map((part) => `'.${part}.'`).join(localize` or `);
      yield { span: path.span, problem: localize`\`${field}\` must begin with ${roots}, not '${shorten(path.text)}'.` };
      continue;
    }
    const found = fieldAt(path.text, schema);
    if (found === 'missing')
      yield {
        span: path.span,
        problem: localize`The schema has no field '${shorten(path.text)}', so \`${field}\` has no effect.`,
        severity: 'warning',
      };
    else if (
      field === 'labelSelectorPath' &&
      found !== undefined &&
      !['string', undefined].includes(textAt(found, 'type'))
    )
      yield {
        span: path.span,
        problem: localize`\`labelSelectorPath\` must refer to a string, the serialized selector.`,
        severity: 'warning',
      };
  }
}

/** Returns the schema of the field at a path; undefined if it is unknown. */
function fieldAt(path: string, schema: Node): Node | 'missing' | undefined {
  const steps = path.slice(1).split('.');
  if (steps.some((step) => !/^[A-Za-z_][\w-]*$/.test(step))) return undefined;
  let at: Node | undefined = schema;
  for (const step of steps) {
    if (at?.kind !== 'map' || at.open || isTrue(at, 'x-kubernetes-preserve-unknown-fields')) return undefined;
    if (childOf(at, 'properties') === undefined && childOf(at, 'additionalProperties') !== undefined) return undefined;
    at = nodeAt(at, 'properties', step);
    if (at === undefined) return 'missing';
  }
  return at;
}

const maximumSelectable = 8;

function selectableProblem(path: string, schema: Node, seen: ReadonlySet<string>, index: number): string | undefined {
  if (index === maximumSelectable) return localize`A version must have at most ${maximumSelectable} selectable fields.`;
  if (!path.startsWith('.')) return localize`Path '${shorten(path)}' must begin with a dot.`;
  if (seen.has(path)) return localize`Path '${shorten(path)}' is listed twice.`;
  const steps = path.slice(1).split('.');
  if (steps[0] === 'metadata') return localize`A selectable field must not be in \`metadata\`.`;
  const at = fieldAt(path, schema);
  if (at === undefined) return undefined;
  if (at === 'missing') return localize`The schema has no field '${shorten(path)}'.`;
  const type = textAt(at, 'type');
  if (type === undefined || ['string', 'boolean', 'integer'].includes(type)) return undefined;
  return localize`A selectable field must be of type string, boolean or integer, not '${shorten(type)}'.`;
}
