/**
 * Serializes the fields of the built-in kinds: one line for each different structure, then one for each API version.
 */

import { scalarMarks } from '../../../server/src/engine/catalogue/structures.ts';
import type { KindStructureRow, StructureRow } from './tables.ts';

/** The text that `openStructures` parses. Structures with equal fields are stored once. */
export function serializeStructures(structures: readonly StructureRow[], kinds: readonly KindStructureRow[]): string {
  const rows = new Map(structures.map((row) => [row.structure, row]));
  const numbers = numberStructures(structures);
  const lines = new Map<number, string>();
  for (const [name, number] of numbers) lines.set(number, lineOf(rows.get(name), numbers));
  const byVersion = new Map<string, string[]>();
  for (const { kind, version, structure } of kinds) {
    const [group = '', name = ''] = kind.split('/');
    const apiVersion = group === '' ? version : `${group}/${version}`;
    const number = (numbers.get(structure) ?? 0).toString(36);
    byVersion.set(apiVersion, [...(byVersion.get(apiVersion) ?? []), `${name}=${number}`]);
  }
  const structureLines = [...lines].toSorted(([a], [b]) => a - b).map(([, line]) => line);
  const kindLines = [...byVersion].map(([apiVersion, names]) => `${apiVersion} ${names.join(' ')}`).toSorted();
  return [structureLines.length.toString(36), ...structureLines, ...kindLines].join('\n');
}

function lineOf(row: StructureRow | undefined, numbers: ReadonlyMap<string, number>): string {
  const required = row?.required ?? [];
  return (row?.fields ?? [])
    .map((field) => {
      const [, name = '', how = '', structure = ''] = /^([^=+*]*)([=+*]?)(.*)$/.exec(field) ?? [];
      const scalar = isScalar(structure) ? scalarMarks[structure] : undefined;
      const number = how === '' ? '' : (scalar ?? (numbers.get(structure) ?? 0).toString(36));
      return `${name}${required.includes(name) ? '!' : ''}${how}${number}`;
    })
    .join(' ');
}

function isScalar(name: string): name is keyof typeof scalarMarks {
  return Object.hasOwn(scalarMarks, name);
}

/** Numbers for structures: equal if the structures, and all nested ones, have equal fields. */
function numberStructures(structures: readonly StructureRow[]): ReadonlyMap<string, number> {
  let classes = new Map(structures.map(({ structure }) => [structure, 0]));
  let count = 0;
  // Structures are split into classes until another round finds no more differences.
  for (;;) {
    const byLine = new Map<string, number>();
    const next = new Map<string, number>();
    for (const row of structures) {
      const line = lineOf(row, classes);
      const number = byLine.get(line) ?? byLine.size;
      byLine.set(line, number);
      next.set(row.structure, number);
    }
    classes = next;
    if (byLine.size === count) return classes;
    count = byLine.size;
  }
}
