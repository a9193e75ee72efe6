/** The tables of facts from which the catalogue is generated: the columns of each, and the order of its lines. */

import {
  type Column,
  type Columns,
  count,
  either,
  flag,
  list,
  optional,
  type Row,
  shape,
  text,
  texts,
  truth,
  word,
} from './columns.ts';

/** One file `<name>.jsonl`, with one row in a line. */
export interface Table<C extends Columns> {
  readonly name: string;
  readonly columns: C;
  /** The columns by which the lines are sorted; two lines must differ in them unless `repeats`. */
  readonly key: readonly string[];
  readonly repeats?: true;
  /** Whether the order of the lines is significant, instead of being that of `key`. */
  readonly ordered?: true;
}

const groupKind = text(
  /^[a-z0-9.-]*\/(?:[A-Za-z0-9]+|\*)$/,
  "a kind such as 'apps/Deployment', or '/Pod' in the core group",
);
const anyKind: Column<string> = {
  allowed: `${groupKind.allowed}, or '*/*' for any object`,
  is: (value): value is string => value === '*/*' || groupKind.is(value),
};
const typeName = text(/^[A-Z][A-Za-z]+$/, 'the name of a type in types.jsonl');
const step = String.raw`(?:[\w/·-]+(?:\[\])*|\*)`;
const path = text(
  new RegExp(`^(?:${step}(?:\\.${step})*)?$`),
  "a path such as 'spec.rules[].selector' ([] is every item of a list, * every key of a map)",
);
const pathAround = text(
  new RegExp(`^(?:\\^{0,2}|>)${step}(?:\\.${step})*$`),
  "a path from the object's root, '^name' for a sibling of the selector, '^^name' for a sibling of its parent, or '>name' for a field inside it",
);
const version = text(/^[a-z][a-z0-9]*$/, "a version such as 'v1beta1'");
const sentence = text(/^\S[^\n\t]*\S$/, 'text without line breaks and tabs');
const value = text(/^[^\n\t]*$/, 'text without line breaks and tabs');
const glob = text(/^[a-z*][a-z0-9*-]*$/, "a name with '*' for any text");
const labelSet = text(
  /^[\w./-]+(?:\??=[\w.*-]*@?[\w.-]*)?$/,
  "'key' (value unknown), 'key=value' with '@' for the name of the object and '*' for any text, or 'key?=value' unless the object has the label",
);
const source = text(/^[\w./-]+(?::[^\n\t]+)?$/, "a source of sources.jsonl, with ':' and a path where there is one");
const immutablePath = text(
  new RegExp(`^${step}(?:\\.${step})*(?:\\[[\\w./-]+\\])?$`),
  "a path such as 'spec.template', with a key that contains dots in brackets at its end: 'metadata.labels[a.b/c]'",
);
const anyScalar: Column<string | number | boolean | readonly string[]> = {
  allowed: 'a text, a number, true, false or a list of texts',
  is: (value): value is string | number | boolean | readonly string[] =>
    ['string', 'number', 'boolean'].includes(typeof value) ||
    (Array.isArray(value) && value.every((each) => typeof each === 'string')),
};
const conditions = list(
  shape({
    of: word('old', 'new', 'both'),
    at: immutablePath,
    is: optional({
      allowed: 'a text, true, false or null',
      is: (each): each is string | boolean | null =>
        each === null || typeof each === 'string' || typeof each === 'boolean',
    }),
    not: optional(sentence),
    equals: optional(immutablePath),
    mentions: optional(sentence),
  }),
);
const meaning = word('nothing', 'all', 'ownNamespace', 'notFiltered', 'invalid', 'unknown');

/** Columns at the end of each line: why the fact is surprising, if it is, and where it is from. */
const origin = { note: optional(sentence), source };

/** The position of a fact: in a kind, or in a type that kinds embed; for all versions, or for some. */
const place = {
  kind: optional(groupKind),
  type: optional(typeName),
  path,
  versions: optional(list(version)),
};
const locationKey = ['kind', 'type', 'path', 'versions'] as const;

export const kinds = {
  name: 'kinds',
  columns: {
    kind: groupKind,
    versions: list(version),
    scope: optional(word('namespaced', 'cluster')),
    plural: optional(text(/^[a-z0-9.-]+$/, 'lower-case letters and digits')),
    shortNames: optional(list(text(/^[a-z0-9-]+$/, "lower-case letters, digits and '-'"))),
    name: optional(
      shape({
        rule: word('dns1123Subdomain', 'dns1123Label', 'dns1035Label', 'pathSegment', 'priorityClass', 'none'),
        maxLength: optional(count),
        childSafeMaxLength: optional(count),
      }),
    ),
    recreate: optional(sentence),
    ...origin,
  },
  key: ['kind'],
} as const satisfies Table<Columns>;

export const types = {
  name: 'types',
  columns: { type: typeName, ...origin },
  key: ['type'],
  ordered: true,
} as const satisfies Table<Columns>;

export const embeds = {
  name: 'embeds',
  columns: { ...place, embeds: typeName, ...origin },
  key: [...locationKey, 'embeds'],
} as const satisfies Table<Columns>;

export const selectors = {
  name: 'selectors',
  columns: {
    ...place,
    form: word(
      ...([
        'labelSelector',
        'matchLabelsOnly',
        'matchExpressionsOnly',
        'map',
        'nodeSelectorMap',
        'nodeSelector',
      ] as const),
      ...(['nodeSelectorTerm', 'requirements', 'string', 'fieldSelectorString', 'fieldSelectorMap', 'other'] as const),
      ...(['ciliumEndpoint', 'calicoSelector'] as const),
    ),
    targets: list(anyKind),
    reach: either(
      word('own', 'all', 'cluster', 'unknown'),
      shape({
        namespaceSelectorAt: optional(pathAround),
        wholeNamespacesAt: optional(pathAround),
        namesAt: optional(pathAround),
        anyAt: optional(pathAround),
        otherwise: optional(word('own', 'all')),
        allFrom: optional(text(/^[a-z0-9-]+$/, 'a namespace')),
      }),
    ),
    language: optional(word('istio')),
    absent: meaning,
    null: optional(meaning),
    empty: meaning,
    filledFrom: optional(word('templateLabels', 'generated')),
    templateLabelsAt: optional(path),
    ignored: optional(
      shape({
        at: pathAround,
        is: optional(text(/^[\w-]+$/, 'a word')),
        unless: optional(text(/^[\w-]+$/, 'a word')),
        refused: optional(flag),
      }),
    ),
    absentUnless: optional(list(pathAround)),
    targetsBy: optional(shape({ at: pathAround, kinds: texts })),
    mustMatchTemplate: optional(flag),
    immutable: optional(flag),
    plain: optional({ allowed: 'false, or left out', is: (each): each is false => each === false }),
    ...origin,
  },
  key: locationKey,
} as const satisfies Table<Columns>;

export const labels = {
  name: 'labels',
  columns: { ...place, holds: word('labels', 'annotations', 'both'), of: optional(anyKind), ...origin },
  key: locationKey,
} as const satisfies Table<Columns>;

export const templates = {
  name: 'templates',
  columns: {
    ...place,
    makes: groupKind,
    labelsAt: optional(path),
    sets: optional(list(labelSet)),
    open: truth,
    unless: optional(shape({ at: path, values: list(glob) })),
    ...origin,
  },
  key: locationKey,
  // A path may create objects of several kinds, or several objects.
  repeats: true,
} as const satisfies Table<Columns>;

export const labelKeys = {
  name: 'label-keys',
  columns: { ...place, of: optional(anyKind), ...origin },
  key: locationKey,
} as const satisfies Table<Columns>;

/** A field of a reference: a path around it. */
const besideIt = optional(pathAround);
const referenceForm = word('namespacedName', 'dns', 'list', 'claim', 'kubernetescrd', 'pattern', 'account', 'meshHost');

export const references = {
  name: 'references',
  columns: {
    ...place,
    to: list(anyKind),
    ...{ kindAt: besideIt, groupAt: besideIt, namespaceAt: besideIt, optionalAt: besideIt, portAt: besideIt },
    grantedTo: optional(groupKind),
    keysAt: optional(list(pathAround)),
    accepts: optional(list(groupKind)),
    form: optional(referenceForm),
    creates: optional(flag),
    runs: optional(flag),
    local: optional(list(path)),
    part: optional(word('container', 'port', 'subset')),
    ...origin,
  },
  key: locationKey,
} as const satisfies Table<Columns>;

export const keyReferences = {
  name: 'key-references',
  columns: {
    key: text(/^[^\s/]+(?:\/[^\s/]+)?$/, 'a label or annotation key'),
    on: word('label', 'annotation'),
    kinds: optional(list(text(/^[A-Za-z]+$/, 'the name of a kind'))),
    to: list(groupKind),
    form: optional(referenceForm),
    ...origin,
  },
  key: ['key', 'on'],
} as const satisfies Table<Columns>;

export const producers = {
  name: 'producers',
  columns: {
    kind: groupKind,
    makes: groupKind,
    names: list(text(/^[@\w.*-]+$/, "the name of an object, with '@' for that of its maker and '*' for any text")),
    keys: optional(list(text(/^[\w.-]+$/, 'the key of a ConfigMap or Secret'))),
    keysAt: optional(list(path)),
    ...origin,
  },
  key: ['kind', 'makes'],
} as const satisfies Table<Columns>;

export const keys = {
  name: 'keys',
  columns: {
    key: text(/^[^\s/]+(?:\/[^\s/]+)?$/, "a label or annotation key, with '*' for any text if `pattern` is true"),
    pattern: optional(flag),
    type: word('label', 'annotation', 'both', 'taint'),
    status: optional(
      word(
        ...(['recommended', 'beta', 'alpha', 'experimental', 'deprecated', 'removed', 'non-functional'] as const),
        ...(['nonexistent', 'internal', 'reserved', 'convention', 'ecosystem', 'unknown'] as const),
      ),
    ),
    description: sentence,
    kinds: optional(list(text(/^[^,\n\t]+$/, 'the name of a kind'))),
    example: optional(value),
    values: optional(list(value)),
    replacement: optional(value),
    valueIs: optional(word('selector', 'labelKey')),
    ...origin,
  },
  key: ['key', 'type'],
  // A few keys mean different things on different kinds.
  repeats: true,
} as const satisfies Table<Columns>;

export const fieldSelectors = {
  name: 'field-selectors',
  columns: {
    kind: anyKind,
    fields: list(
      shape({
        field: path,
        type: optional(word('enum', 'bool', 'int')),
        values: optional(list(value)),
        note: optional(sentence),
      }),
    ),
    aliases: optional(texts),
    ...origin,
  },
  key: ['kind'],
} as const satisfies Table<Columns>;

export const immutable = {
  name: 'immutable',
  columns: {
    kind: anyKind,
    path: immutablePath,
    versions: optional(list(version)),
    compare: word(
      ...(['equal', 'set', 'firstItem', 'prefix', 'onceSet', 'kept', 'address', 'flag', 'notSmaller'] as const),
      ...(['ignored', 'removalIgnored'] as const),
    ),
    except: optional(list(path)),
    exceptSince: optional(texts),
    mayBeAdded: optional(list(path)),
    when: optional(conditions),
    unless: optional(conditions),
    message: optional(sentence),
    ...origin,
  },
  key: ['kind', 'path', 'compare'],
  // A field may have another fact under another condition.
  repeats: true,
} as const satisfies Table<Columns>;

export const stored = {
  name: 'stored',
  columns: {
    kind: optional(groupKind),
    type: optional(typeName),
    path,
    default: optional(anyScalar),
    unless: optional(path),
    stored: optional(word('dropped', 'filled', 'quantity', 'filledQuantity', 'struct', 'kept', 'fixed')),
    alias: optional(path),
    ...origin,
  },
  key: ['kind', 'type', 'path'],
} as const satisfies Table<Columns>;

const structureName = text(/^[\w.]+$/, 'the name of a structure');
const fieldName = text(/^[$\w-]+$/, 'the name of a field');

export const structures = {
  name: 'structures',
  columns: {
    structure: structureName,
    fields: list(
      text(
        /^[$\w-]+(?:[=+*][\w.]+)?$/,
        "a field: its name, and a structure or the type of a scalar after '=' if its value is one, '+' if each item is, or '*' if each value of a map is",
      ),
    ),
    required: optional(list(fieldName)),
    ...origin,
  },
  key: ['structure'],
} as const satisfies Table<Columns>;

export const kindStructures = {
  name: 'kind-structures',
  columns: { kind: groupKind, version, structure: structureName, ...origin },
  key: ['kind', 'version'],
} as const satisfies Table<Columns>;

export const sources = {
  name: 'sources',
  columns: {
    source: text(/^[\w./-]+$/, 'a repository or another name without spaces'),
    about: optional(sentence),
    commit: optional(text(/^[0-9a-f]+$/, 'a commit')),
    date: optional(text(/^\d{4}-\d\d-\d\d$/, 'a date')),
  },
  key: ['source'],
} as const satisfies Table<Columns>;

export const allTables: readonly Table<Columns>[] = [
  ...[kinds, types, embeds, selectors, labels, templates, labelKeys, keys, fieldSelectors],
  ...[references, keyReferences, producers],
  ...[immutable, stored, structures, kindStructures, sources],
];

export type KindRow = Row<typeof kinds.columns>;
export type TypeRow = Row<typeof types.columns>;
export type EmbedRow = Row<typeof embeds.columns>;
export type SelectorRow = Row<typeof selectors.columns>;
export type LabelRow = Row<typeof labels.columns>;
export type TemplateRow = Row<typeof templates.columns>;
export type LabelKeyRow = Row<typeof labelKeys.columns>;
export type ReferenceRow = Row<typeof references.columns>;
export type KeyReferenceRow = Row<typeof keyReferences.columns>;
export type ProducerRow = Row<typeof producers.columns>;
export type KeyRow = Row<typeof keys.columns>;
export type FieldSelectorRow = Row<typeof fieldSelectors.columns>;
export type ImmutableRow = Row<typeof immutable.columns>;
export type StoredFieldRow = Row<typeof stored.columns>;
export type StructureRow = Row<typeof structures.columns>;
export type KindStructureRow = Row<typeof kindStructures.columns>;
