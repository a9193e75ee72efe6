/** Combines the rows of several tables into the shipped data about immutable fields. */

import type {
  ImmutableData,
  ImmutableFact,
  ImmutableKind,
  StoredRow,
} from '../../../server/src/engine/catalogue/immutable-facts.ts';
import type { Facts } from './facts.ts';
import type { StoredFieldRow } from './tables.ts';

/** Returns the shipped data about immutable fields. */
export function immutableDataOf(facts: Pick<Facts, 'immutable' | 'stored' | 'embeds' | 'kinds'>): ImmutableData {
  const names = new Set(facts.stored.flatMap(({ type }) => type ?? []));
  const types = Object.fromEntries(
    [...names].map((type) => [type, facts.stored.filter((row) => row.type === type).map(storedRow)]),
  );
  const kinds = [...new Set(facts.immutable.map(({ kind }) => kind))].map((kind) => {
    const rows = facts.immutable.filter((row) => row.kind === kind);
    const immutable = rows.map(({ kind: _, source: _source, note: _note, ...fact }): ImmutableFact => fact);
    const stored = facts.stored.filter((row) => row.kind === kind).map(storedRow);
    const embeds = embeddedIn(facts, { kind }, '').filter(
      ([path, type]) => types[type] !== undefined && rows.some((row) => isWithin(path, row.path)),
    );
    const recreate = facts.kinds.find((row) => row.kind === kind)?.recreate;
    const known: ImmutableKind = {
      immutable,
      ...(stored.length > 0 && { stored }),
      ...(embeds.length > 0 && { embeds }),
      ...(recreate !== undefined && { recreate }),
    };
    return [kind, known] as const;
  });
  return { kinds: Object.fromEntries(kinds), types };
}

function storedRow({ path, default: value, unless, stored, alias }: StoredFieldRow): StoredRow {
  return [
    path,
    {
      ...(value !== undefined && { default: value }),
      ...(unless !== undefined && { unless }),
      ...(stored !== undefined && { stored }),
      ...(alias !== undefined && { alias }),
    },
  ];
}

/** The types that are embedded in a kind, also by other types, with their paths. */
function embeddedIn(
  facts: Pick<Facts, 'embeds'>,
  owner: { readonly kind: string } | { readonly type: string },
  base: string,
): readonly (readonly [path: string, type: string])[] {
  const isOwn = (row: Facts['embeds'][number]) => ('kind' in owner ? row.kind === owner.kind : row.type === owner.type);
  const all = facts.embeds.filter(isOwn).flatMap(({ path, embeds: type }) => {
    const at = base === '' ? path : `${base}.${path}`;
    return [[at, type] as const, ...embeddedIn(facts, { type }, at)];
  });
  return [...new Map(all.map((each) => [each.join(' '), each])).values()];
}

function isWithin(path: string, around: string): boolean {
  return path === around || path.startsWith(`${around}.`);
}
