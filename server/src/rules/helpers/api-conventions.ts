/** Checks the Kubernetes API conventions for the fields of an API: names, units, types, lists, references and conditions. */

import { childOf, entryOf, itemsOf, type Node } from '../../manifests/yaml/tree.ts';
import { localize } from '../../text/localize.ts';
import type { Span } from '../../text/span.ts';
import { isTrue, propertiesOf, type SchemaField, textAt, textsAt } from './schema-fields.ts';
import { shorten } from './sentences.ts';

/** The violation of an API convention by a field. */
export interface Departure {
  readonly span: Span;
  readonly problem: string;
}

/** The top-level fields that Kubernetes itself defines, which are not checked. */
const standard: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

/** Returns the violations of API conventions in all fields of a schema. */
export function departuresOf(fields: readonly SchemaField[]): readonly Departure[] {
  const own = fields.filter(({ path: [first] }) => first === undefined || !standard.has(first));
  return own.flatMap((field) => [
    ...(field.level === 'root' ? ofObject(field) : []),
    ...(field.level === 'field' ? ofName(field) : []),
    ...ofType(field),
    ...ofLists(field),
    ...ofUnion(field),
    ...(field.path[0] === 'status' ? ofStatus(field) : []),
  ]);
}

function nameIn(field: SchemaField): string {
  return field.path.at(-1) ?? '';
}

/** The other top-level fields that are not reported; a field `items` has its own message. */
const inObjects: ReadonlySet<string> = new Set(['spec', 'status', 'items']);

/** Yields the violations of an object with `spec` and `status`: other fields at its top level. */
function* ofObject({ schema }: SchemaField): Iterable<Departure> {
  const properties = propertiesOf(schema);
  const items = properties.get('items');
  if (items !== undefined)
    yield {
      span: items.key.span,
      problem: localize`Only lists have the field \`items\`: \`kubectl\` reads the object as a list.`,
    };
  if (!properties.has('spec') || !properties.has('status')) return;
  for (const [name, { key }] of properties) {
    if (!standard.has(name) && !inObjects.has(name))
      yield { span: key.span, problem: localize`Field '${shorten(name)}' should be in \`spec\` or \`status\`.` };
  }
}

/** Matches the names of numeric fields that contain a duration but do not end with its unit, as they should. */
const durations = /(?:timeout|interval|duration|period|delay|deadline|ttl|age)$/i;

function* ofName(field: SchemaField): Iterable<Departure> {
  const { span } = field.entry.key;
  const name = nameIn(field);
  const shown = localize`Field '${shorten(name)}'`;
  const type = textAt(field.schema, 'type');
  if (!/^[a-z][A-Za-z0-9]*$/.test(name)) yield { span, problem: localize`${shown} should be in camelCase.` };
  if (type === 'boolean' && /^is[A-Z]/.test(name))
    yield {
      span,
      problem: localize`${shown} should not begin with 'is'; name the property itself, for example 'ready'.`,
    };
  if (/[a-z]Timestamp$/.test(name))
    yield { span, problem: localize`${shown} should end with 'Time', not 'Timestamp'.` };
  if ((type === 'integer' || type === 'number') && durations.test(name))
    yield { span, problem: localize`${shown} should contain its unit, for example '${shorten(name)}Seconds'.` };
  if (type === 'string' && (textAt(field.schema, 'format') === 'duration' || /(?:timeout|Duration)$/.test(name)))
    yield {
      span,
      problem: localize`${shown} should be an integer with its unit in the name, not a duration in a string.`,
    };
  if (/[a-z]Ref$/.test(name) && type === 'string')
    yield {
      span,
      problem: localize`${shown} should be an object; for a name alone, use a field '${shorten(name.replace(/(?:Name)?Ref$/, ''))}Name'.`,
    };
  if (/[a-z]Refs$/.test(name) && type !== undefined && type !== 'array')
    yield { span, problem: localize`${shown} should be a list of references.` };
  const abbreviation = wordsOf(name).find((word) => abbreviations.has(word));
  if (abbreviation !== undefined)
    yield { span, problem: localize`${shown} should not contain the abbreviation '${abbreviation}'.` };
  yield* ofReference(field, name);
}

/** Abbreviations that are not commonly understood in the names of API fields. */
const abbreviations: ReadonlySet<string> = new Set('addr cfg cnt ctx grp mgr msg num pwd svc usr val'.split(' '));

/** Returns the words of a name in camelCase, in lower case. */
function wordsOf(name: string): readonly string[] {
  return name.split(/(?=[A-Z])/).map((word) => word.toLowerCase());
}

/** Yields the violations of fields that refer to other objects by name and namespace. */
function* ofReference({ schema, entry }: SchemaField, name: string): Iterable<Departure> {
  const names = [...propertiesOf(schema).keys()];
  const isReference =
    names.includes('name') &&
    (names.includes('kind') || name.endsWith('Reference')) &&
    names.every((each) => referenceFields.has(each));
  if (isReference && !/(?:Ref|Reference)$/.test(name))
    yield { span: entry.key.span, problem: localize`A reference to an object should be called '${shorten(name)}Ref'.` };
  if (isReference && /[a-z]Reference$/.test(name))
    yield {
      span: entry.key.span,
      problem: localize`A reference to an object should be called '${shorten(name.slice(0, -6))}'.`,
    };
  if (/Ref$/.test(name) && names.includes('namespace'))
    yield {
      span: propertiesOf(schema).get('namespace')?.key.span ?? entry.key.span,
      problem: localize`A reference should stay in the namespace of the object, because namespaces are a security boundary.`,
    };
}

const referenceFields: ReadonlySet<string> = new Set([
  ...['apiVersion', 'apiGroup', 'group', 'version', 'kind', 'resource', 'name', 'namespace', 'uid', 'fieldPath'],
  'resourceVersion',
]);

function* ofType({ schema }: SchemaField): Iterable<Departure> {
  const type = entryOf(schema, 'type');
  if (textAt(schema, 'type') === 'number' && type !== undefined)
    yield {
      span: type.value.span,
      problem: localize`Floating-point values are not stored exactly; use an integer, a string or a quantity.`,
    };
  const format = entryOf(schema, 'format');
  if (format !== undefined && /^uint/.test(textAt(schema, 'format') ?? ''))
    yield {
      span: format.value.span,
      problem: localize`Use a signed integer with \`minimum: 0\`; not all clients support unsigned integers.`,
    };
  const limits = ['format', 'minimum', 'maximum', 'enum', 'multipleOf'];
  if (
    type !== undefined &&
    textAt(schema, 'type') === 'integer' &&
    limits.every((word) => entryOf(schema, word) === undefined)
  )
    yield {
      span: type.value.span,
      problem: localize`An integer should have a \`format\` (\`int32\`, \`int64\`) or bounds.`,
    };
  yield* ofBounds(schema, textAt(schema, 'format') === 'int32' ? 31n : 63n);
  yield* ofConstants(schema);
}

/** Yields the bounds of an integer that its format cannot contain. */
function* ofBounds(schema: Node, bits: bigint): Iterable<Departure> {
  if (textAt(schema, 'type') !== 'integer') return;
  const most = 2n ** bits - 1n;
  for (const name of ['minimum', 'maximum']) {
    const value = childOf(schema, name);
    if (value?.kind !== 'scalar' || value.type !== 'number' || !/^-?\d{1,40}$/.test(value.text)) continue;
    const number = BigInt(value.text);
    if (number > most || number < -most - 1n)
      yield {
        span: value.span,
        problem: localize`\`${name}\` ${value.text} is outside of the range of \`int${bits === 31n ? 32 : 64}\`.`,
      };
  }
}

/** Words that other systems define, so that an API cannot spell them differently: verbs, methods, operating systems and architectures. */
const foreignWords: ReadonlySet<string> = new Set([
  ...['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection', 'use', 'bind', 'escalate'],
  ...['linux', 'windows', 'darwin', 'arm', 'amd64', 'arm64', 'ppc64le', 's390x', 'riscv64', 'x86_64', 'aarch64'],
]);

/** Acronyms that constants contain in capital letters. */
const acronyms: ReadonlySet<string> = new Set(
  'api cpu dns ftp gcp grpc http https icmp ip jwt oidc rbac sctp sql ssh ssl tcp tls udp uid uri url uuid vm'.split(
    ' ',
  ),
);

/** Yields the constants of an enumeration that are not in CamelCase, or that have another style than the others. */
function* ofConstants(schema: Node): Iterable<Departure> {
  const values = textAt(schema, 'type') === 'string' ? itemsOf(childOf(schema, 'enum')) : [];
  const texts = values.map((value) => (value.kind === 'scalar' ? value.text : ''));
  const areWords = texts.some((text) => /[a-z]/.test(text));
  if (texts.every((text) => foreignWords.has(text))) return;
  const wrong = values.flatMap(({ span }, index) => {
    const text = texts[index] ?? '';
    return !isExternal(text) && !isCamelCase(text) ? [{ span, text }] : [];
  });
  const [first, ...others] = wrong;
  if (first !== undefined && others.length >= mostConstants) yield ofMany(first, others);
  for (const [index, { span }] of values.entries()) {
    const text = texts[index] ?? '';
    const isCounted = others.length >= mostConstants && !isCamelCase(text);
    const problem = isExternal(text) || isCounted ? undefined : problemOfConstant(text, areWords);
    if (problem !== undefined) yield { span, problem };
  }
}

/** The maximum number of constants that are not in CamelCase and that are reported each at its own position. */
const mostConstants = 3;

interface Constant {
  readonly span: Span;
  readonly text: string;
}

/** Returns one violation for many constants, which names the first of them. */
function ofMany(first: Constant, others: readonly Constant[]): Departure {
  const named = [first, ...others].slice(0, mostConstants).map(({ text }) => `'${shorten(text)}'`);
  const more = others.length + 1 - named.length;
  return {
    span: first.span,
    problem: localize`${named.join(', ')} and ${more} more should be in CamelCase with an initial capital letter.`,
  };
}

function isCamelCase(text: string): boolean {
  return /^[A-Z][A-Za-z0-9]*$/.test(text);
}

/** Whether another system defines a constant, or none of its characters can be a capital letter: `TLSv1.2`, `0644`, `arm64`. */
function isExternal(text: string): boolean {
  return !/[A-Za-z]/.test(text) || /\d\.\d/.test(text) || foreignWords.has(text);
}

function problemOfConstant(text: string, areWords: boolean): string | undefined {
  if (!isCamelCase(text))
    return localize`Value '${shorten(text)}' should be in CamelCase with an initial capital letter.`;
  if (/^[A-Z]{6,}$/.test(text) && areWords)
    return localize`Value '${shorten(text)}' should be in CamelCase, as other values are; only acronyms are in capital letters.`;
  const isAcronym = /^[A-Z][a-z]+$/.test(text) && acronyms.has(text.toLowerCase());
  return isAcronym
    ? localize`Value '${text}' should be '${text.toUpperCase()}': acronyms are in capital letters.`
    : undefined;
}

/** Yields the violations of unions, which are maps of which `oneOf` allows one field: they should have a discriminator, and optional fields. */
function* ofUnion({ schema, entry }: SchemaField): Iterable<Departure> {
  const properties = propertiesOf(schema);
  const members = itemsOf(childOf(schema, 'oneOf')).map((each) => textsAt(each, 'required'));
  if (members.length < 2 || members.some((names) => names.length !== 1)) return;
  const names = members.flat();
  if (!names.every((name) => properties.has(name))) return;
  const isDiscriminator = (constants: readonly string[]) => {
    const known = constants.map((each) => each.toLowerCase());
    return names.every((name) => known.includes(name.toLowerCase()));
  };
  if (![...properties.values()].some(({ value }) => isDiscriminator(textsAt(value, 'enum'))))
    yield {
      span: entry.key.span,
      problem: localize`A union should have a discriminator: a field such as \`type\` whose values name the other fields.`,
    };
  for (const required of textsAt(schema, 'required').filter((name) => names.includes(name)))
    yield {
      span: properties.get(required)?.key.span ?? entry.key.span,
      problem: localize`Field '${shorten(required)}' of a union should be optional.`,
    };
}

/** Yields the violations of maps of objects, which should be lists of objects with names, and of required fields that have defaults. */
function* ofLists({ schema, level, entry }: SchemaField): Iterable<Departure> {
  if (level === 'value' && propertiesOf(schema).size > 0)
    yield { span: entry.key.span, problem: localize`A map of objects should be a list of objects with a \`name\`.` };
  const properties = propertiesOf(schema);
  for (const name of textsAt(schema, 'required')) {
    const value = entryOf(properties.get(name)?.value, 'default');
    if (value !== undefined)
      yield {
        span: value.key.span,
        problem: localize`Field '${shorten(name)}' is listed in \`required\`, but its default makes it optional.`,
      };
  }
}

function* ofStatus(field: SchemaField): Iterable<Departure> {
  const { schema, path, level, entry } = field;
  if (path.length === 1 && level === 'field') {
    const properties = propertiesOf(schema);
    if (properties.has('conditions') && !properties.has('observedGeneration'))
      yield { span: entry.key.span, problem: localize`A status with conditions should have \`observedGeneration\`.` };
  }
  if (path.length !== 2 || level !== 'field') return;
  if (path[1] === 'phase')
    yield { span: entry.key.span, problem: localize`The \`phase\` pattern is deprecated; use conditions.` };
  if (path[1] === 'conditions') yield* ofConditions(field);
}

const conditionFields = ['type', 'status', 'reason', 'message', 'lastTransitionTime'];

function* ofConditions({ schema, entry }: SchemaField): Iterable<Departure> {
  const { span } = entry.key;
  if (textAt(schema, 'type') !== 'array') {
    yield { span, problem: localize`Conditions should be a list of objects.` };
    return;
  }
  const keys = textsAt(schema, 'x-kubernetes-list-map-keys');
  if (textAt(schema, 'x-kubernetes-list-type') !== 'map' || keys.join() !== 'type')
    yield { span, problem: localize`Conditions should be a list of type 'map' with the key \`type\`.` };
  const items = childOf(schema, 'items');
  const properties = propertiesOf(items);
  if (items === undefined || isTrue(items, 'x-kubernetes-preserve-unknown-fields')) return;
  const missing = conditionFields.filter((name) => !properties.has(name));
  if (missing.length > 0)
    yield {
      span,
      problem: localize`A condition should have the fields ${missing.map((name) => `\`${name}\``).join(', ')}.`,
    };
  const status = properties.get('status');
  const values = textsAt(status?.value, 'enum');
  if (status !== undefined && values.length > 0 && values.toSorted().join() !== 'False,True,Unknown')
    yield { span: status.key.span, problem: localize`The status of a condition should be True, False or Unknown.` };
}
