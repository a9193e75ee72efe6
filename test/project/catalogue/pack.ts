/** Serializes the facts to the small form that is shipped. */

import { parseGroupKind } from '../../../server/src/engine/catalogue/deserialize-kind.ts';
import {
  deserializeTexts,
  HOLDS,
  MEANINGS,
  SELECTOR_FLAGS,
  type SerializedCatalogue,
  type SerializedFields,
  type SerializedKind,
  type SerializedPart,
  type SerializedReference,
  type SerializedSelector,
  type SerializedTemplate,
  serializeNumbers,
  serializeTexts,
  usualPlural,
} from '../../../server/src/engine/catalogue/serialized.ts';
import type { Facts } from './facts.ts';
import { emptyPart, type Part, type Parts, partsByOwner } from './parts.ts';
import type {
  FieldSelectorRow,
  KeyReferenceRow,
  KeyRow,
  KindRow,
  ReferenceRow,
  SelectorRow,
  TemplateRow,
} from './tables.ts';

/** Numbers different values in the order of their first occurrence. */
class Interned<T> {
  readonly values: T[] = [];
  private readonly numbers = new Map<string, number>();

  number(value: T): number {
    const key = JSON.stringify(value);
    let found = this.numbers.get(key);
    if (found === undefined) {
      found = this.values.push(value) - 1;
      this.numbers.set(key, found);
    }
    return found;
  }
}

/** The tables that all kinds share during serialization. */
interface Tables {
  readonly paths: ReadonlyMap<string, number>;
  /** The names of the embedded types; a mount is an index into them. */
  readonly types: readonly string[];
  readonly versions: Interned<string>;
  readonly objects: Interned<string>;
  readonly names: Interned<string>;
  readonly selectors: Interned<SerializedSelector>;
  readonly templates: Interned<SerializedTemplate>;
  readonly sets: Interned<string>;
  readonly references: Interned<SerializedReference>;
}

/** The default rule of custom resources. */
const CUSTOM_NAME = 'dns1123Subdomain 253 0';

/** Serializes all facts, apart from the descriptions of keys. */
export function pack(facts: Facts): SerializedCatalogue {
  const owners = partsByOwner(facts);
  const types = facts.types.map(({ type }) => type);
  const all = [...owners.values()].flatMap(({ facts: part, only }) => [part, ...only.values()]);
  const paths = [...new Set(all.flatMap(pathsOf))].sort();
  const tables: Tables = {
    paths: new Map(paths.map((path, at) => [path, at])),
    types,
    versions: new Interned(),
    objects: new Interned(),
    names: new Interned(),
    selectors: new Interned(),
    templates: new Interned(),
    sets: new Interned(),
    references: new Interned(),
  };
  tables.names.number(CUSTOM_NAME);
  const labeledObjects = new Interned<string>();
  const keys = serializeKeys(facts.keys, labeledObjects);
  const parts = types.map((type) => serializePart(tables, owners.get(type)?.facts ?? emptyPart()));
  const byGroup: Record<string, Record<string, SerializedKind>> = {};
  for (const row of facts.kinds) {
    const { group, kind } = parseGroupKind(row.kind);
    const kinds = byGroup[group] ?? {};
    byGroup[group] = kinds;
    kinds[kind] = serializeKind(tables, kind, row, owners.get(row.kind));
  }
  return {
    paths: serialized(paths, true),
    versions: tables.versions.values,
    objects: tables.objects.values,
    names: tables.names.values,
    selectors: tables.selectors.values,
    templates: tables.templates.values,
    sets: tables.sets.values,
    references: tables.references.values,
    keyReferences: facts.keyReferences.map((row) => serializeKeyReference(tables, row)).join('\n'),
    producers: facts.producers.map(({ note: _, source: _source, ...row }) => row),
    parts,
    kinds: byGroup,
    keys: serialized(keys, false),
    labeledObjects: labeledObjects.values,
    fields: Object.fromEntries(facts.fieldSelectors.map((row) => [row.kind, serializeFields(row)])),
  };
}

/** Serializes texts, and checks that deserialization returns them. */
function serialized(texts: readonly string[], shorten: boolean): string {
  const text = serializeTexts(texts, shorten);
  const wrong = deserializeTexts(text, shorten).find((back, at) => back !== texts[at]);
  if (wrong !== undefined) throw new Error(`A code of the packed form occurs in a text: ${wrong}`);
  return text;
}

function pathsOf(part: Part): string[] {
  return [part.selectors, part.labels, part.templates, part.labelKeys, part.references, part.embeds].flatMap((rows) =>
    rows.map((row) => row.path),
  );
}

function serializePart(tables: Tables, part: Part): SerializedPart {
  const { objects } = tables;
  const path = (row: { readonly path: string }) => tables.paths.get(row.path) ?? 0;
  const of = (row: { readonly of?: string }) => (row.of === undefined ? 0 : 1 + objects.number(row.of));
  const listed = <T extends { readonly path: string }>(rows: readonly T[], what: (row: T) => number) => {
    let previous = 0;
    return [...rows]
      .sort((a, b) => path(a) - path(b))
      .flatMap((row) => {
        const distance = path(row) - previous;
        previous = path(row);
        return [distance, what(row)];
      });
  };
  const lists = [
    listed(part.selectors, (row) => tables.selectors.number(serializeSelector(tables, row))),
    listed(part.labels, (row) => HOLDS[row.holds] + 3 * of(row)),
    listed(part.templates, (row) => tables.templates.number(serializeTemplate(tables, row))),
    listed(part.labelKeys, of),
    listed(part.embeds, (row) => tables.types.indexOf(row.embeds)),
    listed(part.references, (row) => tables.references.number(serializeReference(tables, row))),
  ];
  return lists.map(serializeNumbers).join(' ').trimEnd();
}

function serializeSelector(tables: Tables, row: SelectorRow): SerializedSelector {
  const letter = (word: string) => Object.entries(MEANINGS).find(([, meaning]) => meaning === word)?.[0] ?? '?';
  const { ignored } = row;
  const flags =
    (row.mustMatchTemplate ? SELECTOR_FLAGS.mustMatchTemplate : 0) +
    (row.immutable ? SELECTOR_FLAGS.immutable : 0) +
    (row.plain === false ? SELECTOR_FLAGS.notPlain : 0) +
    (row.filledFrom === 'templateLabels' ? SELECTOR_FLAGS.fillsLabels : 0) +
    (row.filledFrom === 'generated' ? SELECTOR_FLAGS.generates : 0) +
    (ignored?.refused ? SELECTOR_FLAGS.refused : 0) +
    (row.form === 'ciliumEndpoint' ? SELECTOR_FLAGS.cilium : 0) +
    (row.language === 'istio' ? SELECTOR_FLAGS.istio : 0);
  return {
    f: row.form === 'ciliumEndpoint' ? 'labelSelector' : row.form,
    ...(row.targets.length > 0 ? { t: row.targets.map((target) => tables.objects.number(target)) } : {}),
    ...(row.reach === 'unknown' ? {} : { r: serializeReach(row.reach) }),
    m: letter(row.absent) + letter(row.null ?? row.absent) + letter(row.empty),
    ...(flags > 0 ? { x: flags } : {}),
    ...(row.templateLabelsAt === undefined ? {} : { l: row.templateLabelsAt }),
    ...(row.absentUnless === undefined ? {} : { u: row.absentUnless }),
    ...(row.targetsBy === undefined ? {} : { k: serializeTargets(tables, row.targetsBy) }),
    ...(ignored ? { i: `${ignored.at}${ignored.is === undefined ? '!=' : '='}${ignored.is ?? ignored.unless}` } : {}),
  };
}

function serializeTargets(
  tables: Tables,
  { at, kinds }: NonNullable<SelectorRow['targetsBy']>,
): NonNullable<SerializedSelector['k']> {
  const numbers = Object.entries(kinds).map(([value, kind]) => [value, tables.objects.number(kind)] as const);
  return [at, Object.fromEntries(numbers)];
}

function serializeReach(reach: SelectorRow['reach']): string | readonly string[] {
  if (typeof reach === 'string') return reach;
  const { namespaceSelectorAt = '', namesAt = '', anyAt = '', otherwise = '', allFrom = '' } = reach;
  const { wholeNamespacesAt = '' } = reach;
  const columns = [namespaceSelectorAt, namesAt, anyAt, otherwise, allFrom, wholeNamespacesAt];
  return columns.slice(0, columns.findLastIndex((column) => column !== '') + 1);
}

function serializeTemplate(tables: Tables, row: TemplateRow): SerializedTemplate {
  return {
    m: tables.objects.number(row.makes),
    ...(row.labelsAt === undefined ? {} : { l: row.labelsAt }),
    ...(row.sets ? { s: row.sets.map((label) => tables.sets.number(label)) } : {}),
    ...(row.open ? { open: 1 } : {}),
    ...(row.unless === undefined ? {} : { u: [row.unless.at, ...row.unless.values].join(' ') }),
  };
}

function serializeKeyReference({ objects }: Tables, row: KeyReferenceRow): string {
  const { key, on, to, form, kinds = [] } = row;
  const columns = [key, on, to.map((kind) => objects.number(kind)).join(','), form ?? '', kinds.join(',')];
  return columns.slice(0, columns.findLastIndex((column) => column !== '') + 1).join('\t');
}

function serializeReference(tables: Tables, row: ReferenceRow): SerializedReference {
  const {
    kindAt,
    groupAt,
    namespaceAt,
    optionalAt,
    portAt,
    grantedTo,
    keysAt,
    accepts,
    form,
    creates,
    runs,
    local,
    part,
  } = row;
  return {
    t: row.to.map((kind) => tables.objects.number(kind)),
    ...(kindAt !== undefined && { k: kindAt }),
    ...(groupAt !== undefined && { g: groupAt }),
    ...(namespaceAt !== undefined && { n: namespaceAt }),
    ...(optionalAt !== undefined && { o: optionalAt }),
    ...(portAt !== undefined && { p: portAt }),
    ...(grantedTo !== undefined && { r: tables.objects.number(grantedTo) }),
    ...(keysAt !== undefined && { d: keysAt }),
    ...(accepts !== undefined && { a: accepts.map((kind) => tables.objects.number(kind)) }),
    ...(form !== undefined && { f: form }),
    ...(creates && { c: 1 }),
    ...(runs && { runs: 1 }),
    ...(local !== undefined && { l: local }),
    ...(part !== undefined && { part }),
  };
}

function serializeKind(tables: Tables, kind: string, row: KindRow, parts: Parts | undefined): SerializedKind {
  const facts = serializePart(tables, parts?.facts ?? emptyPart());
  const only = [...(parts?.only ?? [])].map(
    ([versions, part]) => [tables.versions.number(versions), serializePart(tables, part)] as const,
  );
  const { plural = usualPlural(kind), shortNames = [], name } = row;
  const columns: SerializedKind = [
    tables.versions.number(row.versions.join(' ')),
    row.scope === undefined ? 0 : row.scope === 'namespaced' ? 1 : 2,
    facts === '' ? 0 : facts,
    plural === usualPlural(kind) ? 0 : plural,
    shortNames.length > 0 ? shortNames.join(' ') : 0,
    name ? tables.names.number(`${name.rule} ${name.maxLength ?? 0} ${name.childSafeMaxLength ?? 0}`) : 0,
    only.length > 0 ? only : 0,
  ];
  const last = columns.findLastIndex((column) => column !== 0);
  return columns.slice(0, Math.max(1, last + 1)) as unknown as SerializedKind; // the omitted columns are optional
}

const TYPE_LETTERS = { label: 'l', annotation: 'a', both: 'b', taint: 't' } as const;

function serializeKeys(rows: readonly KeyRow[], labeledObjects: Interned<string>): string[] {
  return inOrder(rows).map((row) =>
    lineOf([
      row.key,
      typeCode(row),
      row.status ?? '',
      row.kinds ? labeledObjects.number(row.kinds.join(',')) : '',
      (row.values ?? []).join(','),
      row.replacement ?? '',
    ]),
  );
}

/** Serializes the description and the example of each well-known key, in the order of the keys. */
export function packDescriptions({ keys }: Facts): string {
  return inOrder(keys)
    .map((row) => lineOf([row.description, row.example ?? '']))
    .join('\n');
}

function inOrder(rows: readonly KeyRow[]): readonly KeyRow[] {
  const rank = (row: KeyRow) => `${row.key}\t${typeCode(row)}`;
  return [...rows].sort((a, b) => (rank(a) < rank(b) ? -1 : 1));
}

function typeCode({ type, pattern, valueIs }: KeyRow): string {
  const suffix = valueIs === undefined ? '' : valueIs === 'selector' ? 's' : 'k';
  return TYPE_LETTERS[type] + (pattern ? '*' : '') + suffix;
}

/** Joins columns without the empty ones at the end. */
function lineOf(columns: readonly (string | number)[]): string {
  return columns.slice(0, columns.findLastIndex((column) => column !== '') + 1).join('\t');
}

function serializeFields({ fields, aliases }: FieldSelectorRow): SerializedFields {
  const serializedFields = fields.map(({ field, type = 'string', values, note }): SerializedFields['f'][number] => {
    if (note !== undefined) return [field, type, values ?? [], note];
    if (values) return [field, type, values];
    return type === 'string' ? [field] : [field, type];
  });
  return { f: serializedFields, ...(aliases ? { a: aliases } : {}) };
}
