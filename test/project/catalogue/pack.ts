/** How do the gathered facts become one small text? */

import {
  HOLDS,
  joinPath,
  MEANINGS,
  type PackedCatalogue,
  type PackedFields,
  type PackedKind,
  type PackedPart,
  type PackedSelector,
  type PackedTemplate,
  packNumbers,
  packTexts,
  SELECTOR_FLAGS,
  unpackTexts,
  usualPlural,
} from '../../../server/src/engine/catalogue/packed.ts';
import type { GroupKind } from '../../../server/src/engine/catalogue/types.ts';
import type { Facts, FieldsEntry, WellKnownEntry } from './facts.ts';
import { PARTS } from './parts.ts';
import type { KindRecord, LabelRow, PartRecord, SelectorRow, TemplateRow } from './records.ts';
import { keyPattern, keyType } from './words.ts';

/** Gives each different value a number, in the order in which they come. */
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

/** What is shared by all kinds while they are packed. */
interface Tables {
  readonly paths: ReadonlyMap<string, number>;
  readonly versions: Interned<string>;
  readonly objects: Interned<string>;
  readonly names: Interned<string>;
  readonly selectors: Interned<PackedSelector>;
  readonly templates: Interned<PackedTemplate>;
  readonly sets: Interned<string>;
}

/** The rule of every custom resource that asks for nothing else. */
const CUSTOM_NAME = 'dns1123Subdomain 253 0';

const PART_NAMES = Object.keys(PARTS);

/** Packs everything. */
export function pack(kinds: readonly KindRecord[], facts: Facts): PackedCatalogue {
  const trimmed = kinds.map((kind) => ({ ...kind, facts: withoutMounted(kind.facts) })).sort(byName);
  const paths = [...new Set([...Object.values(PARTS), ...trimmed.flatMap(partsOf)].flatMap(pathsOf))].sort();
  const tables: Tables = {
    paths: new Map(paths.map((path, at) => [path, at])),
    versions: new Interned(),
    objects: new Interned(),
    names: new Interned(),
    selectors: new Interned(),
    templates: new Interned(),
    sets: new Interned(),
  };
  tables.names.number(CUSTOM_NAME);
  const carriers = new Interned<string>();
  const keys = packKeys(facts.wellKnown, carriers);
  const parts = Object.values(PARTS).map((part) => packPart(tables, part));
  const byGroup: Record<string, Record<string, PackedKind>> = {};
  for (const kind of trimmed) {
    byGroup[kind.group] ??= {};
    const group = byGroup[kind.group];
    if (group) group[kind.kind] = packKind(tables, kind);
  }
  return {
    paths: packed(paths, true),
    versions: tables.versions.values,
    objects: tables.objects.values,
    names: tables.names.values,
    selectors: tables.selectors.values,
    templates: tables.templates.values,
    sets: tables.sets.values,
    parts,
    kinds: byGroup,
    keys: packed(keys, false),
    carriers: carriers.values,
    fields: Object.fromEntries(facts.fields.map((entry) => [`${entry.group}/${entry.kind}`, packFields(entry)])),
  };
}

/** Packs texts, and makes sure that they come back as they were. */
function packed(texts: readonly string[], shorten: boolean): string {
  const text = packTexts(texts, shorten);
  const wrong = unpackTexts(text, shorten).find((back, at) => back !== texts[at]);
  if (wrong !== undefined) throw new Error(`A code of the packed form occurs in a text: ${wrong}`);
  return text;
}

function byName(a: GroupKind, b: GroupKind): number {
  const [left, right] = [`${a.group}/${a.kind}`, `${b.group}/${b.kind}`];
  return left < right ? -1 : left > right ? 1 : 0;
}

function partsOf(kind: KindRecord): PartRecord[] {
  return [kind.facts, ...kind.only.values()];
}

function pathsOf(part: PartRecord): string[] {
  return [part.selectors, part.labels, part.templates, part.labelKeys, part.mounts].flatMap((rows) =>
    rows.map((row) => row.path),
  );
}

/** Leaves out the rows that a mounted part says in the same words; what differs stays and stands before the part. */
function withoutMounted(part: PartRecord): PartRecord {
  const mounted = {
    selectors: new Set<string>(),
    labels: new Set<string>(),
    templates: new Set<string>(),
    labelKeys: new Set<string>(),
  };
  const visit = (inner: PartRecord, base: string) => {
    const at = <T extends { readonly path: string }>(row: T): T => ({ ...row, path: joinPath(base, row.path) });
    for (const row of inner.selectors) mounted.selectors.add(spell(at(row)));
    for (const row of inner.labels) for (const each of eachLabel(at(row))) mounted.labels.add(each);
    for (const row of inner.templates) mounted.templates.add(spell(at(row)));
    for (const row of inner.labelKeys) mounted.labelKeys.add(joinPath(base, row.path));
    for (const mount of inner.mounts) visit(PARTS[mount.part] ?? never(mount.part), joinPath(base, mount.path));
  };
  for (const mount of part.mounts) visit(PARTS[mount.part] ?? never(mount.part), mount.path);
  return {
    selectors: part.selectors.filter((row) => !mounted.selectors.has(spell(row))),
    labels: part.labels.filter((row) => !eachLabel(row).every((each) => mounted.labels.has(each))),
    templates: part.templates.filter((row) => !mounted.templates.has(spell(row))),
    labelKeys: part.labelKeys.filter((row) => !mounted.labelKeys.has(row.path)),
    mounts: part.mounts,
  };
}

function never(part: string): never {
  throw new Error(`The facts name a type that parts.ts does not describe: ${part}`);
}

/** A row as text, whatever the order of its fields. */
function spell(row: object): string {
  return JSON.stringify(Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function eachLabel(row: LabelRow): readonly string[] {
  return row.holds === 'both' ? [`${row.path}.labels`, `${row.path}.annotations`] : [row.path];
}

function packPart(tables: Tables, part: PartRecord): PackedPart {
  const { objects } = tables;
  const path = (row: { readonly path: string }) => tables.paths.get(row.path) ?? 0;
  const of = (row: { readonly of?: GroupKind }) => (row.of ? 1 + objectNumber(objects, row.of) : 0);
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
    listed(part.selectors, (row) => tables.selectors.number(packSelector(tables, row))),
    listed(part.labels, (row) => HOLDS[row.holds] + 3 * of(row)),
    listed(part.templates, (row) => tables.templates.number(packTemplate(tables, row))),
    listed(part.labelKeys, of),
    listed(part.mounts, (row) => PART_NAMES.indexOf(row.part)),
  ];
  return lists.map(packNumbers).join(' ').trimEnd();
}

function objectNumber(objects: Interned<string>, object: GroupKind): number {
  return objects.number(`${object.group}/${object.kind}`);
}

function packSelector(tables: Tables, row: SelectorRow): PackedSelector {
  const letter = (word: string) => Object.entries(MEANINGS).find(([, meaning]) => meaning === word)?.[0] ?? '?';
  const flags =
    (row.mustMatchTemplate ? SELECTOR_FLAGS.mustMatchTemplate : 0) +
    (row.immutable ? SELECTOR_FLAGS.immutable : 0) +
    (row.plain ? 0 : SELECTOR_FLAGS.notPlain) +
    (row.filledFrom === 'templateLabels' ? SELECTOR_FLAGS.fillsLabels : 0) +
    (row.filledFrom === 'generated' ? SELECTOR_FLAGS.generates : 0) +
    (row.refused ? SELECTOR_FLAGS.refused : 0);
  return {
    f: row.form,
    ...(row.targets.length > 0 ? { t: row.targets.map((target) => objectNumber(tables.objects, target)) } : {}),
    ...(row.reach === 'unknown' ? {} : { r: row.reach }),
    m: letter(row.absent) + letter(row.null) + letter(row.empty),
    ...(flags > 0 ? { x: flags } : {}),
    ...(row.templateLabelsAt === undefined ? {} : { l: row.templateLabelsAt }),
    ...(row.ignored === undefined ? {} : { i: row.ignored }),
  };
}

function packTemplate(tables: Tables, row: TemplateRow): PackedTemplate {
  return {
    m: objectNumber(tables.objects, row.makes),
    ...(row.labelsAt === undefined ? {} : { l: row.labelsAt }),
    ...(row.sets ? { s: row.sets.map((label) => tables.sets.number(label)) } : {}),
    ...(row.open ? { open: 1 } : {}),
  };
}

function packKind(tables: Tables, kind: KindRecord): PackedKind {
  const facts = packPart(tables, kind.facts);
  const only = [...kind.only].map(
    ([versions, part]) => [tables.versions.number(versions), packPart(tables, part)] as const,
  );
  const usual = kind.plural === undefined || kind.plural === usualPlural(kind.kind);
  const columns: PackedKind = [
    tables.versions.number(kind.versions.join(' ')),
    kind.namespaced === undefined ? 0 : kind.namespaced ? 1 : 2,
    facts === '' ? 0 : facts,
    usual ? 0 : (kind.plural ?? 0),
    kind.shortNames && kind.shortNames.length > 0 ? kind.shortNames.join(' ') : 0,
    kind.name === undefined ? 0 : tables.names.number(kind.name),
    only.length > 0 ? only : 0,
  ];
  const last = columns.findLastIndex((column) => column !== 0);
  return columns.slice(0, Math.max(1, last + 1)) as unknown as PackedKind; // the columns that are left out are optional
}

const TYPE_LETTERS = { label: 'l', annotation: 'a', both: 'b', taint: 't' } as const;

function packKeys(entries: readonly WellKnownEntry[], carriers: Interned<string>): string[] {
  const lines = entries.flatMap((entry) => {
    const type = keyType(entry.type);
    if (type === undefined) return [];
    const pattern = entry.pattern === true;
    const kinds = entry.kinds.filter((kind) => kind !== '*');
    const columns = [
      pattern ? keyPattern(entry.key) : entry.key,
      TYPE_LETTERS[type] + (pattern ? '*' : '') + (entry.valueIsSelector ? 's' : entry.valueIsLabelKey ? 'k' : ''),
      entry.status === 'stable' ? '' : entry.status,
      entry.description,
      kinds.length === 0 ? '' : carriers.number(kinds.join(',')),
      entry.example ?? '',
      (entry.values ?? []).join(','),
      entry.replacement ?? '',
    ].map((column) => String(column).replaceAll(/[\t\n]+/g, ' '));
    while (columns[columns.length - 1] === '') columns.pop();
    return [columns.join('\t')];
  });
  return [...new Set(lines)].sort();
}

function packFields(entry: FieldsEntry): PackedFields {
  const fields = entry.fields.map((field): PackedFields['f'][number] => {
    if (typeof field === 'string') return [field];
    const { type = '', values, note } = field;
    if (note !== undefined) return [field.field, type, values ?? [], note];
    if (values) return [field.field, type, values];
    return type === '' || type === 'string' ? [field.field] : [field.field, type];
  });
  return { f: fields, ...(entry.aliases ? { a: entry.aliases } : {}) };
}
