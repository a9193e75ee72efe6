/** Parses the tables of facts and validates them; problems are reported with file and line. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { scalarMarks } from '../../../server/src/engine/catalogue/structures.ts';
import { byAge } from './by-age.ts';
import { type Columns, problemsOf, type Row } from './columns.ts';
import {
  allTables,
  type EmbedRow,
  embeds,
  type FieldSelectorRow,
  fieldSelectors,
  type ImmutableRow,
  immutable,
  type KeyReferenceRow,
  type KeyRow,
  type KindRow,
  type KindStructureRow,
  keyReferences,
  keys,
  kindStructures,
  kinds,
  type LabelKeyRow,
  type LabelRow,
  labelKeys,
  labels,
  type ProducerRow,
  producers,
  type ReferenceRow,
  references,
  type SelectorRow,
  type StoredFieldRow,
  type StructureRow,
  selectors,
  sources,
  stored,
  structures,
  type Table,
  type TemplateRow,
  type TypeRow,
  templates,
  types,
} from './tables.ts';

export interface Facts {
  readonly kinds: readonly KindRow[];
  readonly types: readonly TypeRow[];
  readonly embeds: readonly EmbedRow[];
  readonly selectors: readonly SelectorRow[];
  readonly labels: readonly LabelRow[];
  readonly templates: readonly TemplateRow[];
  readonly labelKeys: readonly LabelKeyRow[];
  readonly references: readonly ReferenceRow[];
  readonly keyReferences: readonly KeyReferenceRow[];
  readonly producers: readonly ProducerRow[];
  readonly keys: readonly KeyRow[];
  readonly fieldSelectors: readonly FieldSelectorRow[];
  readonly immutable: readonly ImmutableRow[];
  readonly stored: readonly StoredFieldRow[];
  readonly structures: readonly StructureRow[];
  readonly kindStructures: readonly KindStructureRow[];
}

export interface ReadFacts {
  readonly facts: Facts;
  /** `file:line: problem, and allowed values`. */
  readonly problems: readonly string[];
  /** Each file in its canonical form: its lines sorted, with their columns in order. Empty if there are problems. */
  readonly sorted: ReadonlyMap<string, string>;
}

/** A row and its position: `selectors.jsonl:12`. */
interface Placed<R> {
  readonly row: R;
  readonly at: string;
}

/** Gives the text of a file by its name; every table of `allTables` has a file. */
export type ReadText = (fileName: string) => string;

function fileOf(table: Table<Columns>): string {
  return `${table.name}.jsonl`;
}

/** Reads the files of a folder. */
export function textsIn(folder: string): ReadText {
  return (fileName) => readFileSync(join(folder, fileName), 'utf8');
}

/** Parses and validates all tables; never throws because of the content of a file. */
export function readFacts(readText: ReadText): ReadFacts {
  const problems: string[] = [];
  const read = <C extends Columns>(table: Table<C>) => readTable(table, readText(fileOf(table)), problems);
  const rows = {
    ...{ kinds: read(kinds), types: read(types), embeds: read(embeds), selectors: read(selectors) },
    ...{ labels: read(labels), templates: read(templates), labelKeys: read(labelKeys) },
    ...{ references: read(references), keyReferences: read(keyReferences), producers: read(producers) },
    ...{ keys: read(keys), fieldSelectors: read(fieldSelectors), sources: read(sources) },
    ...{ immutable: read(immutable), stored: read(stored) },
    ...{ structures: read(structures), kindStructures: read(kindStructures) },
  };
  const knownKinds = new Map(rows.kinds.map(({ row }) => [row.kind, row]));
  const knownTypes = rows.types.map(({ row }) => row.type);
  const report = (at: string, what: string) => void problems.push(`${at}: ${what}`);
  for (const { row, at } of rows.kinds) {
    if (!isSorted(row.versions))
      report(at, `versions must be newest first: ${[...row.versions].sort(byAge).join(', ')}`);
  }
  for (const table of [rows.selectors, rows.labels, rows.templates, rows.labelKeys, rows.references, rows.embeds]) {
    for (const { row, at } of table) checkOwner(row, knownKinds, knownTypes, (what) => report(at, what));
  }
  for (const { row, at } of rows.producers) checkOwner(row, knownKinds, knownTypes, (what) => report(at, what));
  for (const { row, at } of rows.stored) checkOwner(row, knownKinds, knownTypes, (what) => report(at, what));
  for (const { row, at } of rows.immutable) checkImmutable(row, knownKinds, (what) => report(at, what));
  for (const { row, at } of rows.embeds) checkEmbedded(row, knownTypes, (what) => report(at, what));
  for (const { row, at } of rows.selectors) checkSelector(row, (what) => report(at, what));
  const names = new Set(rows.structures.map(({ row }) => row.structure));
  const mentioned = [
    ...rows.structures.flatMap(({ row, at }) => row.fields.map((field) => ({ name: field.split(/[=+*]/)[1], at }))),
    ...rows.kindStructures.map(({ row, at }) => ({ name: row.structure, at })),
  ];
  for (const { name, at } of mentioned) {
    if (name !== undefined && !names.has(name) && !Object.hasOwn(scalarMarks, name))
      report(at, `structure '${name}' has no line in structures.jsonl`);
  }
  const knownSources = new Set(rows.sources.map(({ row }) => row.source));
  const { sources: _, ...others } = rows;
  for (const { row, at } of Object.values<readonly Placed<{ readonly source: string }>[]>(others).flat()) {
    const name = row.source.split(':', 1)[0] ?? '';
    if (!knownSources.has(name)) report(at, `source '${name}' has no line in sources.jsonl`);
  }
  const plain = <R>(placed: readonly Placed<R>[]): readonly R[] => placed.map(({ row }) => row);
  return {
    facts: {
      ...{ kinds: plain(rows.kinds), types: plain(rows.types), embeds: plain(rows.embeds) },
      ...{ selectors: plain(rows.selectors), labels: plain(rows.labels), templates: plain(rows.templates) },
      ...{ references: plain(rows.references), keyReferences: plain(rows.keyReferences) },
      ...{ producers: plain(rows.producers) },
      ...{ labelKeys: plain(rows.labelKeys), keys: plain(rows.keys), fieldSelectors: plain(rows.fieldSelectors) },
      ...{ immutable: plain(rows.immutable), stored: plain(rows.stored) },
      ...{ structures: plain(rows.structures), kindStructures: plain(rows.kindStructures) },
    },
    problems,
    sorted: new Map(problems.length > 0 ? [] : allTables.map((table) => sortedFile(table, readText(fileOf(table))))),
  };
}

/** The rows of one file; lines that are not rows are reported and left out. */
function readTable<C extends Columns>(table: Table<C>, text: string, problems: string[]): readonly Placed<Row<C>>[] {
  const seen = new Map<string, number>();
  return linesOf(text).flatMap(({ line, number }) => {
    const at = `${fileOf(table)}:${number}`;
    const parsed = parse(line);
    if (parsed === undefined) {
      problems.push(`${at}: not JSON: a line must be one JSON object`);
      return [];
    }
    const wrong = problemsOf(table.columns, parsed.value);
    problems.push(...wrong.map((what) => `${at}: ${what}`));
    if (wrong.length > 0 || !isRow(table.columns, parsed.value)) return [];
    for (const key of table.repeats ? [] : claimsOf(table, parsed.value)) {
      const before = seen.get(key);
      if (before !== undefined) problems.push(`${at}: '${key}' is already on line ${before}`);
      else seen.set(key, number);
    }
    return [{ row: parsed.value, at }];
  });
}

function isRow<C extends Columns>(columns: C, value: unknown): value is Row<C> {
  return problemsOf(columns, value).length === 0;
}

function linesOf(text: string): readonly { readonly line: string; readonly number: number }[] {
  return text.split('\n').flatMap((line, index) => (line.trim() === '' ? [] : [{ line, number: index + 1 }]));
}

function parse(line: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(line) };
  } catch {
    return undefined;
  }
}

/** The values of the key columns, in order. */
function keyOf(table: Table<Columns>, row: Readonly<Record<string, unknown>>): readonly string[] {
  return table.key.map((name) => {
    const value = row[name];
    return Array.isArray(value) ? value.join(' ') : String(value ?? '');
  });
}

/** The keys that no other row may have: the key columns, separately for each version. */
function claimsOf(table: Table<Columns>, row: Readonly<Record<string, unknown>>): readonly string[] {
  const versions = row['versions'];
  const each = table.key.includes('versions') && Array.isArray(versions) ? versions : [undefined];
  return each.map((version) => {
    const parts = table.key.map((name) => (name === 'versions' ? version : row[name]));
    return parts.filter((part) => part !== undefined).join(' ');
  });
}

/** A file whose lines are rows, with the lines sorted and the columns in the order of the table. */
function sortedFile(table: Table<Columns>, text: string): readonly [fileName: string, text: string] {
  const rows = linesOf(text).map(({ line }) => {
    const row: Readonly<Record<string, unknown>> = JSON.parse(line);
    const columns = Object.keys(table.columns).filter((name) => Object.hasOwn(row, name));
    return {
      key: keyOf(table, row),
      line: JSON.stringify(Object.fromEntries(columns.map((name) => [name, row[name]]))),
    };
  });
  const lines = (table.ordered ? rows : rows.toSorted((a, b) => compare(a.key, b.key))).map(({ line }) => `${line}\n`);
  return [fileOf(table), lines.join('')];
}

function compare(a: readonly string[], b: readonly string[]): number {
  const at = a.findIndex((part, index) => part !== b[index]);
  return at < 0 ? 0 : (a[at] ?? '') < (b[at] ?? '') ? -1 : 1;
}

function isSorted(versions: readonly string[]): boolean {
  return versions.every((each, index) => index === 0 || byAge(versions[index - 1] ?? '', each) < 0);
}

/** A fact is about a known kind, in versions of that kind, or about a type that kinds embed. */
function checkOwner(
  { kind, type, versions }: Pick<SelectorRow, 'kind' | 'type' | 'versions'>,
  knownKinds: ReadonlyMap<string, KindRow>,
  knownTypes: readonly string[],
  report: (what: string) => void,
): void {
  if ((kind === undefined) === (type === undefined))
    report("exactly one of the columns 'kind' and 'type' must be there");
  const known = kind === undefined ? undefined : knownKinds.get(kind);
  if (kind !== undefined && known === undefined) report(`kind '${kind}' has no line in kinds.jsonl; add one first`);
  if (type !== undefined && !knownTypes.includes(type)) {
    report(`type '${type}' has no line in types.jsonl; allowed: ${knownTypes.join(', ')}`);
  }
  if (versions !== undefined && type !== undefined) report("a fact about a type cannot have 'versions'");
  const allowed = known?.versions ?? [];
  for (const version of known === undefined ? [] : (versions ?? [])) {
    if (allowed.includes(version)) continue;
    report(`version '${version}' is not a version of ${kind}; allowed: ${allowed.join(', ')}`);
  }
}

/** An embedded type must come before the types that embed it, so that no type embeds itself. */
function checkEmbedded({ type, embeds: embedded }: EmbedRow, known: readonly string[], report: (what: string) => void) {
  const until = type === undefined ? known.length : known.indexOf(type);
  if (known.slice(0, until).includes(embedded)) return;
  report(
    `embeds '${embedded}'; allowed: ${known.slice(0, until).join(', ') || 'nothing'} (of types.jsonl, before '${type}')`,
  );
}

function checkSelector({ ignored }: SelectorRow, report: (what: string) => void): void {
  if (ignored && (ignored.is === undefined) === (ignored.unless === undefined)) {
    report("ignored must have exactly one of 'is' and 'unless'");
  }
}

function checkImmutable(
  { kind, versions, compare, message, when = [], unless = [] }: ImmutableRow,
  knownKinds: ReadonlyMap<string, KindRow>,
  report: (what: string) => void,
): void {
  if (kind !== '*/*') checkOwner({ kind, ...(versions && { versions }) }, knownKinds, [], report);
  if (compare.toLowerCase().endsWith('ignored') !== (message === undefined))
    report("a change that is rejected must have a 'message', and one that is ignored must have none");
  for (const { is, not, equals, mentions } of [...when, ...unless]) {
    const described = [is, not, equals, mentions].filter((each) => each !== undefined);
    if (described.length !== 1) report("a condition must have exactly one of 'is', 'not', 'equals' and 'mentions'");
  }
}
