/** Compares API documents with the facts of the catalogue, and proposes rows: for each, the reason. */

import { scalarMarks } from '../../../server/src/engine/catalogue/structures.ts';
import type { ApiDocument, DescribedKind } from './api-documents.ts';
import { byAge } from './by-age.ts';
import type { Facts } from './facts.ts';

/** A row to add, or to write instead of another one. */
export interface Proposal {
  /** The name of the table, such as `kinds`. */
  readonly table: 'kinds' | 'structures' | 'kind-structures' | 'selectors' | 'references';
  readonly row: Readonly<Record<string, unknown>>;
  /** The columns that identify the row that it replaces. */
  readonly replaces?: Readonly<Record<string, unknown>>;
  readonly reason: string;
}

export interface Proposals {
  readonly rows: readonly Proposal[];
  /** What a person must decide: nothing is proposed for it. */
  readonly notes: readonly string[];
  /** The known versions and fields that the document lacks. They stay, because a supported release may serve them. */
  readonly kept: readonly string[];
}

/** Fields whose value names an object, by the end of their name. */
const named: readonly (readonly [end: RegExp, kind: string])[] = [
  [/serviceAccountName$/i, '/ServiceAccount'],
  [/secret(?:Name|Ref\.name)$/i, '/Secret'],
  [/configMap(?:Name|Ref\.name)$/i, '/ConfigMap'],
  [/persistentVolumeClaim(?:Name|Ref\.name)$/i, '/PersistentVolumeClaim'],
  [/service(?:Name|Ref\.name)$/i, '/Service'],
  [/priorityClassName$/i, 'scheduling.k8s.io/PriorityClass'],
  [/runtimeClassName$/i, 'node.k8s.io/RuntimeClass'],
  [/storageClassName$/i, 'storage.k8s.io/StorageClass'],
  [/ingressClassName$/i, 'networking.k8s.io/IngressClass'],
];

const forms: Readonly<Record<string, string>> = {
  'meta.v1.LabelSelector': 'labelSelector',
  'core.v1.NodeSelector': 'nodeSelector',
};

/** Structures that hold only the name of an object. */
const references = /\.(?:LocalObjectReference|SecretReference|TypedLocalObjectReference)$/;

/** Compares a document with the facts. `source` is the name of the source of new rows. */
export function propose(document: ApiDocument, facts: Facts, source: string): Proposals {
  const rows: Proposal[] = [];
  const notes: string[] = [];
  const kept: string[] = [];
  const kinds = new Map(facts.kinds.map((row) => [row.kind, row]));
  for (const described of document.kinds) {
    const known = kinds.get(described.kind);
    if (known === undefined) rows.push(newKind(described, source));
    else {
      const added = described.versions.filter((version) => !known.versions.includes(version));
      const versions = [...known.versions, ...added].toSorted(byAge);
      const replaces = { kind: described.kind };
      if (added.length > 0) {
        rows.push({ table: 'kinds', row: { ...known, versions }, replaces, reason: `served in ${added.join(', ')}` });
        rows.push(...extendedRows(described.kind, known.versions[0], added, facts));
        notes.push(...versionedFacts(described.kind, known.versions[0], added, facts));
      }
      kept.push(...goneVersions(described, known.versions));
    }
  }
  rows.push(...structureRows(document, facts, source, { notes, kept }));
  rows.push(...fieldRows(document, facts, source, notes));
  return { rows, notes, kept };
}

/** Returns rows about the newest known version of a kind that are extended to new versions. */
function extendedRows(
  kind: string,
  newest: string | undefined,
  added: readonly string[],
  facts: Facts,
): readonly Proposal[] {
  return (['selectors', 'references'] as const).flatMap((table) =>
    facts[table].flatMap((row): readonly Proposal[] => {
      const { path, versions } = row;
      if (row.kind !== kind || newest === undefined || versions?.includes(newest) !== true) return [];
      const all = [...added, ...versions].toSorted(byAge);
      const reason = `assumed to hold in ${added.join(', ')} as in ${newest}`;
      return [{ table, row: { ...row, versions: all }, replaces: { kind, path, versions }, reason }];
    }),
  );
}

/** Names the other tables with rows about the newest known version of a kind only. */
function versionedFacts(
  kind: string,
  newest: string | undefined,
  added: readonly string[],
  facts: Facts,
): readonly string[] {
  const tables = ['labels', 'templates', 'labelKeys', 'keyReferences', 'producers', 'immutable'] as const;
  const isOfNewest = (row: { readonly kind?: string; readonly versions?: readonly string[] }) =>
    row.kind === kind && newest !== undefined && row.versions?.includes(newest) === true;
  const concerned = tables.filter((table) => facts[table].some(isOfNewest));
  if (concerned.length === 0) return [];
  return [`${kind}: rows of ${concerned.join(', ')} hold in ${newest}: do they hold in ${added.join(', ')}, too?`];
}

function newKind({ kind, versions, scope, plural, shortNames }: DescribedKind, source: string): Proposal {
  const usual = `${kind.split('/')[1]?.toLowerCase()}s`;
  const row = {
    kind,
    versions,
    ...(scope && { scope }),
    ...(plural !== undefined && plural !== usual && { plural }),
    ...(shortNames && { shortNames }),
    source,
  };
  return { table: 'kinds', row, reason: `a new kind, in ${versions.join(', ')}` };
}

function goneVersions({ kind, versions }: DescribedKind, known: readonly string[]): readonly string[] {
  const gone = known.filter((version) => !versions.includes(version));
  return gone.length === 0 ? [] : [`${kind} ${gone.join(' ')}`];
}

/** Rows of `structures` and `kind-structures`, for documents whose structures have names. */
function structureRows(
  document: ApiDocument,
  facts: Facts,
  source: string,
  { notes, kept }: { readonly notes: string[]; readonly kept: string[] },
): readonly Proposal[] {
  const known = new Map(facts.structures.map((row) => [row.structure, row]));
  const rows: Proposal[] = [];
  const reached = [...document.structures].filter(([name]) => !name.includes('@'));
  for (const [structure, { fields, texts }] of reached) {
    const row = known.get(structure);
    if (row === undefined) {
      const isWanted = reached.some(([, each]) => each.fields.some((field) => targetOf(field) === structure));
      const isKind = document.kinds.some(({ structures }) => [...structures.values()].includes(structure));
      if ((isWanted || isKind) && !/List$/.test(structure))
        rows.push({ table: 'structures', row: { structure, fields, source }, reason: 'a new structure' });
      continue;
    }
    const before = new Set(row.fields.map(nameOf));
    const added = fields.filter((field) => !before.has(nameOf(field)));
    const now = new Set(fields.map(nameOf));
    const removed = row.fields.map(nameOf).filter((name) => !now.has(name));
    if (added.length > 0) {
      const all = [...row.fields, ...added].toSorted();
      rows.push({
        table: 'structures',
        row: { ...row, fields: all },
        replaces: { structure },
        reason: `new fields: ${added.map(nameOf).join(', ')}`,
      });
    }
    kept.push(...removed.map((name) => `${structure}.${name}`));
    for (const field of added)
      if (/immutable|cannot be (?:updated|changed)/i.test(texts.get(nameOf(field)) ?? ''))
        notes.push(`${structure}.${nameOf(field)} seems to be immutable: see immutable.jsonl.`);
  }
  const linked = new Set(facts.kindStructures.map(({ kind, version }) => `${kind} ${version}`));
  for (const { kind, structures } of document.kinds)
    for (const [version, structure] of structures)
      if (!structure.includes('@') && !linked.has(`${kind} ${version}`))
        rows.push({
          table: 'kind-structures',
          row: { kind, version, structure, source },
          reason: 'its fields are checked',
        });
  return rows;
}

/** Rows about new fields that are selectors or names of objects. */
function fieldRows(document: ApiDocument, facts: Facts, source: string, notes: string[]): readonly Proposal[] {
  const known = new Map(facts.structures.map((row) => [row.structure, new Set(row.fields.map(nameOf))]));
  const kinds = new Map(facts.kinds.map(({ kind, versions }) => [kind, versions]));
  const types = new Set(facts.types.map(({ type }) => type));
  const stated = new Set([...facts.selectors, ...facts.references].map((row) => `${ownerOf(row)} ${row.path}`));
  const rows = new Map<string, Proposal>();
  const add = (owner: string, path: string, field: string) => {
    const key = `${owner} ${path}`;
    const column = types.has(owner) ? { type: owner } : { kind: owner };
    const target = targetOf(field);
    const form =
      forms[target ?? ''] ??
      (target !== undefined || !/^(?:node|pod)?selector$/i.test(nameOf(field))
        ? undefined
        : /^nodeSelector$/i.test(nameOf(field))
          ? 'nodeSelectorMap'
          : 'map');
    const path2 = target !== undefined && references.test(target) ? `${path}.name` : path;
    const to = named.find(([end]) => end.test(path2))?.[1];
    if (stated.has(key) || rows.has(key) || stated.has(`${owner} ${path2}`)) return;
    if (form !== undefined) {
      const unknown = { targets: [], reach: 'unknown', absent: 'unknown', empty: 'unknown' };
      const reason = 'a new selector; its meaning is unknown until a person has read the code';
      rows.set(key, { table: 'selectors', row: { ...column, path, form, ...unknown, source }, reason });
    } else if (to !== undefined)
      rows.set(key, {
        table: 'references',
        row: { ...column, path: path2, to: [to], source },
        reason: `names a ${to}`,
      });
    else if (path2 !== path) notes.push(`${owner} ${path2} names an object of an unknown kind: see references.jsonl.`);
  };
  for (const { kind, structures } of document.kinds) {
    for (const [version, structure] of structures) {
      const isNewVersion = kinds.get(kind)?.includes(version) !== true;
      walk(document, structure, types, isNewVersion, (owner, path, holder, field, isInNew) => {
        const fields = known.get(holder);
        const isNew = fields === undefined ? isInNew || holder.includes('@') : !fields.has(nameOf(field));
        if (isNew) add(owner ?? kind, path, field);
        return isNew;
      });
    }
  }
  return [...rows.values()];
}

/** Visits a field. `isInNew` states whether the field that holds it, or its version, is new. Returns whether the field is new. */
type Visit = (owner: string | undefined, path: string, holder: string, field: string, isInNew: boolean) => boolean;

/** The maximum number of fields on a path. */
const deepest = 12;

/** Visits each field below a structure; below a shared type, with the type as its owner and the path from there. */
function walk(
  document: ApiDocument,
  root: string,
  types: ReadonlySet<string>,
  isNewVersion: boolean,
  visit: Visit,
): void {
  const done = new Set<string>();
  const visitAll = (
    structure: string,
    owner: string | undefined,
    prefix: string,
    depth: number,
    above: readonly string[],
    isInNew: boolean,
  ) => {
    const key = `${owner} ${prefix} ${structure}`;
    if (depth > deepest || above.includes(structure) || done.has(key)) return;
    done.add(key);
    for (const field of document.structures.get(structure)?.fields ?? []) {
      const mark = targetOf(field) === undefined ? '' : field.charAt(nameOf(field).length);
      const path = `${prefix}${nameOf(field)}${mark === '+' ? '[]' : mark === '*' ? '.*' : ''}`;
      const isNew = visit(owner, path, structure, field, isInNew);
      const target = targetOf(field);
      if (target === undefined || path === 'metadata' || path === 'status') continue;
      const type = target.split('.').at(-1) ?? '';
      if (types.has(type)) visitAll(target, type, '', depth + 1, [...above, structure], isNew);
      else visitAll(target, owner, `${path}.`, depth + 1, [...above, structure], isNew);
    }
  };
  visitAll(root, undefined, '', 0, [], isNewVersion);
}

function ownerOf(row: { readonly kind?: string; readonly type?: string }): string {
  return row.kind ?? row.type ?? '';
}

function nameOf(field: string): string {
  return /^[^=+*]+/.exec(field)?.[0] ?? field;
}

function targetOf(field: string): string | undefined {
  const target = /[=+*](.+)$/.exec(field)?.[1];
  return target === undefined || Object.hasOwn(scalarMarks, target) ? undefined : target;
}
