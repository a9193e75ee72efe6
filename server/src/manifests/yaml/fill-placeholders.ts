/** Adds the output of template actions to the tree of a document. */

import { getOrAdd } from '../../engine/memoize.ts';
import type { Span } from '../../text/span.ts';
import type { BlankedText, Placeholder } from '../placeholders/placeholders.ts';
import {
  type ListNode,
  type MapEntry,
  type MapNode,
  type Node,
  treeSizeAround,
  treeSizeAroundEntries,
  treeSizeOf,
} from './tree.ts';

type Mutable<Type> = { -readonly [Key in keyof Type]: Type[Key] };

/** A copy of a map to which placeholders are added in the order of their positions. */
interface MapDraft {
  readonly map: Mutable<MapNode> & { readonly entries: MapEntry[] };
  /** The index of the last entry of the file before the last placeholder. */
  before: number;
  /** The index of an entry after it, from which the search for the next placeholder continues. */
  next: number;
}

interface ListDraft {
  readonly list: Mutable<ListNode> & { readonly items: Node[] };
  /** The index of the first item that may be after the next placeholder. */
  next: number;
}

/** Returns the index of the last entry of the file before an offset. */
function indexBefore(draft: MapDraft, offset: number): number {
  const { entries } = draft.map;
  for (; draft.next < entries.length; draft.next++) {
    const entry = entries[draft.next];
    if (entry === undefined || entry.merged || entry.rendered) continue;
    if (entry.key.span.start >= offset) break;
    draft.before = draft.next;
  }
  return draft.before;
}

/** The maximum number of nodes in the output of a placeholder that is added to the tree. */
const maximumFilling = 2_000;
/** The maximum number of nodes in the output of all placeholders of a document that is added to the tree. */
const maximumFillings = 100_000;
/** The maximum number of different template parts of a map that can be compared with those of other maps. */
const maximumParts = 100;

/** Adds the code of template parts. Too many parts are as one that cannot be compared, whose code is empty. */
function withParts(parts: readonly string[] = [], more: readonly string[]): readonly string[] {
  const all = [...parts, ...more.filter((part) => !parts.includes(part))];
  return all.length > maximumParts ? [''] : all;
}

function spanOf({ start, end }: Span): Span {
  return { start, end };
}

interface FilledDocument {
  /** The text of the whole file. */
  readonly source: string;
  readonly filling: BlankedText['filling'] | undefined;
  condition(offset: number): Pick<MapEntry, 'conditional' | 'condition'>;
  /** Is called for each node inside of a collection that is replaced. */
  became(node: Node, filled: Node): void;
}

/** Adds placeholders to the tree of one document, in the order of their positions. */
export class Filler {
  readonly #document: FilledDocument;
  /** The collections that contain placeholders, by themselves and by the nodes that they replace. */
  readonly #maps = new Map<MapNode, MapDraft>();
  readonly #lists = new Map<ListNode, ListDraft>();
  #filledSize = 0;

  constructor(document: FilledDocument) {
    this.#document = document;
  }

  /** Adds a placeholder to a node. The placeholder belongs to the innermost collection at the column of its output. */
  withHole(node: Node, placeholder: Placeholder): Node {
    if (node.kind === 'map') return this.#mapWithHole(node, placeholder);
    if (node.kind === 'scalar') return node;
    const draft = getOrAdd(this.#lists, node, () => ({ list: { ...node, items: [...node.items] }, next: 0 }));
    const { list } = draft;
    this.#lists.set(list, draft);
    while ((list.items[draft.next]?.span.start ?? Number.POSITIVE_INFINITY) < placeholder.start) draft.next++;
    const index = draft.next - 1;
    const item = list.items[index];
    if (item === undefined || placeholder.indent < this.#column(item.span.start)) list.open = true;
    else {
      list.items[index] = this.withHole(item, placeholder);
      list.span = around(list, placeholder);
      this.#document.became(item, list.items[index]);
    }
    return list;
  }

  #mapWithHole(node: MapNode, placeholder: Placeholder): MapNode {
    const draft = this.#draftOf(node);
    const { map } = draft;
    const index = indexBefore(draft, placeholder.start);
    const entry = map.entries[index];
    const first = map.entries[0];
    if (first !== undefined && index === -1 && !first.rendered && this.#isBelow(placeholder, first))
      return this.#continued(map, placeholder);
    if (entry === undefined || placeholder.indent <= this.#column(entry.key.span.start)) {
      const list = entry === undefined ? undefined : this.#listAt(placeholder, entry);
      if (entry === undefined || list === undefined) return this.#filled(map, index + 1, placeholder);
      // The output may consist of items of the list, or of entries of the map.
      map.entries[index] = { ...entry, value: { ...list, open: true } };
      map.open = true;
      map.parts = withParts(map.parts, ['']);
    } else {
      const value = isNothing(entry.value)
        ? this.#filled(emptyMap(entry.key.span.end), 0, placeholder)
        : this.withHole(entry.value, placeholder);
      this.#document.became(entry.value, value);
      map.entries[index] = { ...entry, value };
    }
    map.span = around(map, placeholder);
    return map;
  }

  #draftOf(node: MapNode): MapDraft {
    const draft = getOrAdd(this.#maps, node, () => ({
      map: { ...node, entries: [...node.entries] },
      before: -1,
      next: 0,
    }));
    this.#maps.set(draft.map, draft);
    return draft;
  }

  /** Returns the list in an entry to which the unknown output of a placeholder may add items, because the items begin in the column of the key. */
  #listAt(placeholder: Placeholder, { key, value }: MapEntry): ListNode | undefined {
    if (value.kind !== 'list' || value.flow) return undefined;
    const column = this.#column(key.span.start);
    if (placeholder.indent !== column || this.#column(value.span.start) !== column) return undefined;
    return this.#document.filling?.(placeholder) === undefined ? value : undefined;
  }

  /** Whether the output of a placeholder begins to the left of an entry after it, so that the entry is a part of the output's last value. */
  #isBelow({ start, indent }: Placeholder, { key }: MapEntry): boolean {
    return key.span.start > start && this.#column(key.span.start) > indent;
  }

  /** Returns the map that a placeholder writes, with the entries of `node` in its last value. The indentation of nested maps in the output is unknown, so in them, the entries could be anywhere. */
  #continued(node: MapNode, placeholder: Placeholder): MapNode {
    const { entries: written, treeSize, ...outer } = this.#filled(emptyMap(node.span.start), 0, placeholder);
    const last = written.at(-1);
    if (last?.value.kind !== 'map') return { ...outer, entries: written, treeSize, open: true, parts: [''] };
    const { value } = last;
    const isKnown = !last.conditional && value.entries.every((entry) => entry.value.kind === 'scalar');
    const entries = [...value.entries, ...node.entries];
    const continued: MapNode = isKnown
      ? { ...value, entries, treeSize: treeSizeAroundEntries(entries, false) }
      : withOpenEnd(value);
    const all = written.with(-1, { ...last, value: continued });
    return { ...outer, span: around(node, placeholder), entries: all, treeSize: treeSizeAroundEntries(all, false) };
  }

  /** Returns the map with the output of a placeholder inserted at its position, if the output is known. */
  #filled(node: MapNode, at: number, placeholder: Placeholder): MapNode {
    const filling = this.#document.filling?.(placeholder);
    const condition = this.#document.condition(placeholder.start);
    const draft = this.#draftOf(node);
    const { map } = draft;
    map.span =
      map.entries.length === 0 && map.span.end <= placeholder.start ? spanOf(placeholder) : around(map, placeholder);
    this.#filledSize += filling === undefined ? 0 : treeSizeOf(filling).size;
    if (filling === undefined || treeSizeOf(filling).size > maximumFilling || this.#filledSize > maximumFillings) {
      const part = placeholder.written === undefined ? '' : joined(condition.condition, placeholder.written.code);
      map.open = true;
      map.parts = withParts(map.parts, [part]);
      return map;
    }
    const entries = filling.entries.map((entry): MapEntry => {
      if (!condition.conditional) return entry;
      const own = joined(condition.condition, entry.condition ?? '');
      return { ...entry, conditional: true, condition: own || (condition.condition ?? '') };
    });
    const parts = withParts(
      map.parts,
      (filling.parts ?? []).map((part) => joined(condition.condition, part)),
    );
    map.entries.splice(at, 0, ...entries);
    if (at <= draft.next) draft.next += entries.length;
    map.open ||= filling.open;
    if (parts.length > 0) map.parts = parts;
    return map;
  }

  #column(offset: number): number {
    return offset - (this.#document.source.lastIndexOf('\n', offset - 1) + 1);
  }
}

/** Returns the span of a collection, extended to a placeholder that adds entries to it. */
function around({ span }: Node, placeholder: Placeholder): Span {
  return { start: Math.min(span.start, placeholder.start), end: Math.max(span.end, placeholder.end) };
}

/** Adds a condition to the code of a template part. The empty code of a part that cannot be compared remains empty. */
function joined(condition: string | undefined, part: string): string {
  return condition === undefined || part === '' ? part : `${condition}, ${part}`;
}

/** Returns a copy of a map in which the last value may have more entries, on each level. */
function withOpenEnd(map: MapNode): MapNode {
  const last = map.entries.at(-1);
  const entries =
    last?.value.kind === 'map' ? map.entries.with(-1, { ...last, value: withOpenEnd(last.value) }) : map.entries;
  return { ...map, entries, open: true, parts: [...(map.parts ?? []), ''] };
}

/** Whether a node is an empty value. */
export function isNothing(node: Node): boolean {
  return node.kind === 'scalar' && node.type === 'null' && node.text === '';
}

function emptyMap(offset: number): MapNode {
  const treeSize = treeSizeAround([], false);
  return { kind: 'map', span: { start: offset, end: offset }, flow: false, entries: [], open: false, treeSize };
}
