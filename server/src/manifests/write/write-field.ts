/** Moves whole fields between the maps of a document while preserving their style. */

import type { Edit } from '../../text/edit.ts';
import { contentEndAt, lineEnd } from '../../text/lines.ts';
import type { Span } from '../../text/span.ts';
import { blankManifest } from '../yaml/blank-manifest.ts';
import { parseYaml } from '../yaml/parse-yaml.ts';
import { splitTemplate } from '../yaml/template-documents.ts';
import { childOf, entryOf, type MapEntry, type MapNode, type Node } from '../yaml/tree.ts';

/** A field, and the maps that contain it, from the outermost map to the map of which the field is an entry. */
export interface FieldAt {
  readonly entry: MapEntry;
  readonly maps: readonly MapNode[];
}

/** Returns the field whose key begins at an offset of a file; undefined if its document has syntax errors. */
export function fieldAt(text: string, offset: number): FieldAt | undefined {
  const blanked = blankManifest(text);
  const span = splitTemplate(blanked).find(({ start, end }) => start <= offset && offset < end);
  const { root, errors } = span === undefined ? { root: undefined, errors: [] } : parseYaml(text, blanked, span);
  return root === undefined || errors.length > 0 ? undefined : within(root, offset);
}

function within(root: Node, offset: number): FieldAt | undefined {
  const maps: MapNode[] = [];
  let node: Node | undefined = root;
  while (node !== undefined) {
    if (node.kind === 'scalar') return undefined;
    if (node.kind === 'list') {
      node = node.items.find((item) => contains(item.span, offset));
      continue;
    }
    maps.push(node);
    const entry: MapEntry | undefined = node.entries.findLast(({ key }) => key.span.start <= offset);
    if (entry?.key.span.start === offset) return { entry, maps };
    node = entry !== undefined && contains(entry.value.span, offset) ? entry.value : undefined;
  }
  return undefined;
}

function contains({ start, end }: Span, offset: number): boolean {
  return start <= offset && offset < end;
}

/** Returns the edits that move a field to the end of a different map in its document; undefined if a safe edit is not possible. */
export function moveField(
  text: string,
  { entry, maps }: FieldAt,
  path: readonly string[],
): readonly Edit[] | undefined {
  const [root] = maps;
  const target = path.reduce<Node | undefined>((node, key) => childOf(node, key), root);
  const source = maps.at(-1);
  if (target?.kind !== 'map' || source === undefined || source.flow || target.flow || target.open) return undefined;
  if (entryOf(target, entry.key.text) !== undefined || entry.merged || entry.conditional) return undefined;
  const lines = linesOf(text, entry);
  const [first] = target.entries;
  const last = target.entries.at(-1);
  if (lines === undefined || first === undefined || last === undefined || last === entry) return undefined;
  if (text.slice(lines.start, lines.end).includes('\t') || last.merged || first.merged) return undefined;
  const from = columnOf(text, entry.key.span.start);
  const to = columnOf(text, first.key.span.start);
  const moved = text
    .slice(lines.start, lines.end)
    .split('\n')
    .map((line) => (line.trim() === '' ? line : ' '.repeat(to) + line.slice(Math.min(from, indentOf(line)))));
  const at = contentEndAt(text, trimmedEnd(text, last.value.span));
  const removed = { start: lines.start, end: lines.end + breakAt(text, lines.end) };
  // The field is already at the end of the target map, except for its indentation.
  if (at >= lines.start && at <= removed.end) return [{ span: lines, text: moved.join('\n') }];
  // The last line of a file may have no line break.
  const isLast = removed.end === lines.end;
  const start = isLast ? text.slice(0, lines.start).replace(/\r?\n$/, '').length : lines.start;
  return [
    { span: { start: at, end: at }, text: `${lineEnd(text)}${moved.join('\n')}` },
    { span: { start, end: removed.end }, text: '' },
  ].toSorted((one, other) => one.span.start - other.span.start);
}

/** Returns the edit that replaces a field with the entries of the map that it contains; undefined if a safe edit is not possible. */
export function liftEntries(text: string, { entry, maps }: FieldAt): Edit | undefined {
  const { key, value } = entry;
  const outer = maps.at(-1);
  if (value.kind !== 'map' || value.open || entry.conditional || value.entries.length === 0) return undefined;
  if (value.entries.some((each) => outer !== undefined && entryOf(outer, each.key.text) !== undefined))
    return undefined;
  if (value.flow) {
    const inner = text
      .slice(value.span.start + 1, value.span.end - 1)
      .trim()
      .replace(/,$/, '');
    const isAlone = outer?.flow === true;
    if (inner.includes('\n') || (!isAlone && value.entries.length > 1)) return undefined;
    return { span: { start: key.span.start, end: value.span.end }, text: inner };
  }
  const [first] = value.entries;
  const lines = linesOf(text, entry);
  if (lines === undefined || first === undefined || first.merged) return undefined;
  const by = columnOf(text, first.key.span.start) - columnOf(text, key.span.start);
  const start = text.lastIndexOf('\n', first.key.span.start - 1) + 1;
  const lifted = text
    .slice(start, lines.end)
    .split('\n')
    .map((line) => line.slice(Math.min(by, indentOf(line))));
  return { span: lines, text: lifted.join('\n') };
}

/** Returns the length of the line break at an offset. */
function breakAt(text: string, offset: number): number {
  if (text.startsWith('\r\n', offset)) return 2;
  return text[offset] === '\n' ? 1 : 0;
}

/** Returns the span of the lines of a field, without the last line break; undefined if these lines also contain anything else. */
function linesOf(text: string, { key, value }: MapEntry): Span | undefined {
  const start = text.lastIndexOf('\n', key.span.start - 1) + 1;
  if (text.slice(start, key.span.start).trim() !== '' || value.span.start < key.span.start) return undefined;
  const last = trimmedEnd(text, value.span);
  const end = contentEndAt(text, last);
  return /^\s*(?:#[^\n]*)?$/.test(text.slice(last, end)) ? { start, end } : undefined;
}

/** Returns the end of a value without its last line breaks, which the span of a block scalar includes. */
export function trimmedEnd(text: string, { start, end }: Span): number {
  let last = end;
  while (last > start && /[\r\n]/.test(text[last - 1] ?? '')) last--;
  return last;
}

function columnOf(text: string, offset: number): number {
  return offset - (text.lastIndexOf('\n', offset - 1) + 1);
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}
