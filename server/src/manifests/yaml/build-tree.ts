/** Builds the syntax tree from the events of a parser. All parsers use it, so that they produce the same trees. */

import { localize } from '../../text/localize.ts';
import type { Span } from '../../text/span.ts';
import {
  assumedText,
  type BlankedText,
  blankPattern,
  blanksWithin,
  isBlanked,
  type Placeholder,
  unmask,
} from '../placeholders/placeholders.ts';
import { firstCharacter } from './documents.ts';
import type { SyntaxProblem } from './parsed-document.ts';
import { plainType } from './scalar-types.ts';
import {
  holdsTwice,
  type ListNode,
  type MapEntry,
  type MapNode,
  maximumTreeSize,
  type Node,
  type ScalarNode,
  type ScalarStyle,
  treeSizeAround,
  treeSizeAroundEntries,
  treeSizeOf,
} from './tree.ts';

const noErrors: readonly SyntaxProblem[] = [];

/** Builds the tree of one document of a file: `source` is the whole file. */
export class TreeBuilder {
  readonly #source: string;
  readonly #blanked: BlankedText;
  readonly #document: Span;
  /** The number that is added to all offsets from the parser. */
  readonly #offset: number;
  readonly #holdsMasks: boolean;
  /** The start of the first entry. Regions that begin before it apply to the whole document. */
  #content: number | undefined;
  #anchors: Map<string, Node> | undefined;
  /** The anchored node of each alias whose anchor has no content, by the node of the alias. */
  readonly #ofNothing = new Map<Node, Node>();
  /** Nodes that include the output of placeholders, by the original node; used only in documents with anchors. */
  readonly #filledNodes = new Map<Node, Node>();
  #errors: SyntaxProblem[] | undefined;
  /** The number of entries that `<<` added to maps of the document. */
  #mergedCount = 0;

  /** Offsets from the parser are relative to the document's first character, unless `offset` is given. */
  constructor(source: string, blanked: BlankedText, document: Span, offset = document.start) {
    this.#source = source;
    this.#blanked = blanked;
    this.#document = document;
    this.#offset = offset;
    this.#holdsMasks = blanked.blanks.length > 0;
  }

  /** Builds a scalar with the value `cooked`. The range includes the quotes, or the header of a block scalar. */
  scalar(start: number, end: number, cooked: string, style: ScalarStyle, tag?: string): ScalarNode {
    const span = this.#span(start, end);
    if (this.#holdsMasks && isBlanked(cooked)) return this.#maskedScalar(span, cooked, style);
    const isTyped = tag === undefined ? style === 'plain' : typingTags.has(tag);
    const type = isTyped ? plainType(cooked) : 'string';
    return { kind: 'scalar', span, text: cooked, style, type };
  }

  #maskedScalar(span: Span, cooked: string, style: ScalarStyle): ScalarNode {
    const blanks = blanksWithin(this.#blanked.blanks, span);
    const text = unmask(cooked, this.#source, blanks);
    const pattern = blankPattern(cooked, blanks);
    if (blanks.every((blank) => blank.text !== undefined) && pattern === text)
      return { kind: 'scalar', span, text, style, type: 'string', rendered: true };
    const assumed = assumedText(text, this.#blanked.assumed);
    return { kind: 'scalar', span, text, style, type: 'string', pattern, ...(assumed !== undefined && { assumed }) };
  }

  /** Returns errors that parsers do not report: unknown aliases, and `<<` with values that cannot be merged. */
  get errors(): readonly SyntaxProblem[] {
    return this.#errors ?? noErrors;
  }

  #report(at: number, reason: string): void {
    this.#errors ??= [];
    this.#errors.push({ at, reason });
  }

  /** Builds the node of an empty value. */
  nothing(at: number): ScalarNode {
    return nothingAt(at + this.#offset);
  }

  /** Builds the node of an empty item, after the previous item of a list that begins at `start`. */
  noItem(above: Node | undefined, start: number): ScalarNode {
    return nothingAt(Math.max(above?.span.end ?? 0, start + 1 + this.#offset));
  }

  /** Builds a list. `end` is the end of a flow collection; a block collection ends with its last item. */
  list(items: readonly Node[], start: number, end: number | undefined): ListNode {
    const last = items.at(-1)?.span.end ?? start + this.#offset;
    const span = { start: start + this.#offset, end: end === undefined ? last : end + this.#offset };
    return { kind: 'list', span, flow: end !== undefined, items, open: false, treeSize: treeSizeAround(items, false) };
  }

  /** Builds a map. `nodes` contains alternating keys and values, from index `first` to `beyond` (exclusive). */
  map(
    nodes: readonly (Node | undefined)[],
    start: number,
    end: number | undefined,
    first = 0,
    beyond = nodes.length,
  ): MapNode {
    // The array has its final length: a growing array would allocate more capacity than most maps need.
    const own = new Array<MapEntry>((beyond - first + 1) >> 1);
    let count = 0;
    let merged: (readonly MapEntry[])[] | undefined;
    const from = start + this.#offset;
    let last = from;
    let size = 1;
    let depth = 1;
    let repeats = false;
    let isTyped = false;
    let open = false;
    const isConditional = this.#blanked.conditionals.length > 0;
    for (let index = first; index < beyond; index += 2) {
      const keyNode = nodes[index];
      if (keyNode === undefined) continue;
      if (isCertainlyNoKey(keyNode)) this.#report(keyNode.span.start, localize`a key must not be a map or list`);
      const key = keyNode.kind === 'scalar' ? keyNode : unknownKey(keyNode.span);
      const value = (index + 1 < beyond ? nodes[index + 1] : undefined) ?? nothingAt(key.span.end);
      last = Math.max(last, key.span.end, value.span.start >= key.span.end ? value.span.end : 0);
      if (key.style === 'plain' && key.text === '<<') {
        if (!canMerge(value) && !this.#ofNothing.has(value))
          this.#report(key.span.start, localize`the value of '<<' must be a mapping or a list of mappings`);
        open ||= this.#hasHoleAbove(key.span.start);
        const added = this.#merged(value);
        if (added === undefined) size = Number.POSITIVE_INFINITY;
        else {
          merged ??= [];
          merged.push(added);
        }
        continue;
      }
      const below = treeSizeOf(value);
      size += below.size;
      if (below.depth >= depth) depth = below.depth + 1;
      repeats ||= below.repeats;
      isTyped ||= key.type !== 'string';
      if (isConditional) own[count++] = { key, value, merged: false, ...this.#condition(key.span.start) };
      else own[count++] = { key, value, merged: false, conditional: false };
    }
    if (count < own.length) own.length = count;
    const span = { start: from, end: end === undefined ? last : end + this.#offset };
    const flow = end !== undefined;
    repeats ||= holdsTwice(own, isTyped);
    if (merged === undefined)
      return { kind: 'map', span, flow, entries: own, open: false, treeSize: { size, depth, repeats } };
    const entries = [...lastOfEach(merged.toReversed().flat()), ...own];
    const around = treeSizeAroundEntries(entries, repeats);
    const treeSize = { ...around, size: Math.max(size, around.size) };
    return { kind: 'map', span, flow, entries, open, ...(open && { parts: [''] }), treeSize };
  }

  /**
   * Returns the entries that `<<` adds; undefined if the document would merge more entries than the maximum tree size.
   */
  #merged(value: Node): readonly MapEntry[] | undefined {
    const { start, end } = this.#document;
    this.#mergedCount += entriesToMerge(value);
    return this.#mergedCount > maximumTreeSize(end - start) ? undefined : mergedEntries(value);
  }

  /** Whether a placeholder precedes an offset, so that merged entries may be incomplete. */
  #hasHoleAbove(offset: number): boolean {
    return this.#blanked.placeholders.some(
      (placeholder) => this.#document.start <= placeholder.offset && placeholder.offset < offset,
    );
  }

  anchor<T extends Node>(name: string | undefined, node: T): T {
    if (name === undefined || name === '') return node;
    this.#anchors ??= new Map();
    const anchored: T = node.kind === 'scalar' ? { ...node, anchored: true } : node;
    this.#anchors.set(name, anchored);
    return anchored;
  }

  /**
   * Builds the node of an alias. A collection is the node of the anchor, so that spans point to the written text; a
   * scalar has the position of the alias. If the anchor is unknown, the node is null.
   */
  alias(name: string, start: number, end: number): Node {
    const anchored = this.#anchors?.get(name);
    if (anchored === undefined) this.#report(start + this.#offset, localize`unknown anchor '${name}'`);
    const node = anchored ?? this.nothing(start);
    if (node.kind !== 'scalar') return node;
    const { anchored: _, ...scalar } = node;
    const shown: ScalarNode = { ...scalar, span: this.#span(start, end), style: 'plain' };
    if (isNothing(node) && this.#blanked.placeholders.length > 0) this.#ofNothing.set(shown, node);
    return shown;
  }

  /**
   * Returns the tree with the output of placeholders. Each placeholder opens the collection to which it adds entries.
   */
  finish(root: Node): Node {
    const { start, end } = this.#document;
    let node = root;
    for (const placeholder of this.#blanked.placeholders) {
      if (placeholder.offset >= start && placeholder.offset < end) node = this.#withHole(node, placeholder);
    }
    return this.#filledNodes.size === 0 ? node : this.#shown(node, new Map());
  }

  /** Replaces aliases with the collections that placeholders changed. */
  #shown(node: Node, done: Map<Node, Node>): Node {
    const before = done.get(node);
    if (before !== undefined) return before;
    let last = this.#ofNothing.get(node) ?? node;
    for (let next = this.#filledNodes.get(last); next !== undefined; next = this.#filledNodes.get(last)) last = next;
    const shown = last.kind === 'scalar' ? node : this.#shownInside(last, done);
    done.set(node, shown);
    return shown;
  }

  #shownInside(node: MapNode | ListNode, done: Map<Node, Node>): Node {
    if (node.kind === 'list') return { ...node, items: node.items.map((item) => this.#shown(item, done)) };
    const entries = node.entries.map((entry) => ({ ...entry, value: this.#shown(entry.value, done) }));
    return { ...node, entries };
  }

  /** Returns the offset of the `|` or `>` of a block scalar whose lines begin at `start`. */
  headerOf(start: number): number {
    const at = start + this.#offset;
    const line = this.#source.lastIndexOf('\n', at - 2) + 1;
    const header = blockHeader.exec(this.#blanked.text.slice(line, at));
    return header === null ? start : line + header.index - this.#offset;
  }

  #span(start: number, end: number): Span {
    return { start: start + this.#offset, end: end + this.#offset };
  }

  /**
   * Returns the condition of an entry. An entry is conditional if it is in a region that begins inside its document.
   */
  #condition(offset: number): Pick<MapEntry, 'conditional' | 'condition'> {
    const content = this.#contentStart();
    const regions = this.#blanked.conditionals.filter(
      (region) => region.start > content && region.start <= offset && offset < region.end,
    );
    if (regions.length === 0) return { conditional: false };
    return { conditional: true, condition: regions.map(({ condition }) => condition).join(', ') };
  }

  #contentStart(): number {
    const { inner, text } = this.#blanked;
    this.#content ??= inner
      ? -1
      : (firstCharacter(text, { start: this.#document.start, end: text.length }) ?? text.length);
    return this.#content;
  }

  /** Returns a node with a placeholder, which belongs to the innermost collection at the column of its output. */
  #withHole(node: Node, placeholder: Placeholder): Node {
    if (node.kind === 'map') {
      const index = node.entries.findLastIndex(
        (entry) => !entry.merged && !entry.rendered && entry.key.span.start < placeholder.offset,
      );
      const entry = node.entries[index];
      if (entry === undefined || placeholder.indent <= this.#column(entry.key.span.start))
        return this.#filled(node, index + 1, placeholder);
      const value = isNothing(entry.value)
        ? this.#filled(emptyMap(entry.key.span.end), 0, placeholder)
        : this.#withHole(entry.value, placeholder);
      this.#became(entry.value, value);
      return { ...node, span: around(node, placeholder), entries: node.entries.with(index, { ...entry, value }) };
    }
    if (node.kind === 'list') {
      const index = node.items.findLastIndex((item) => item.span.start < placeholder.offset);
      const item = node.items[index];
      if (item === undefined || placeholder.indent < this.#column(item.span.start)) return { ...node, open: true };
      const filled = this.#withHole(item, placeholder);
      this.#became(item, filled);
      return { ...node, span: around(node, placeholder), items: node.items.with(index, filled) };
    }
    return node;
  }

  #became(node: Node, filled: Node): void {
    if (this.#anchors !== undefined && filled !== node) this.#filledNodes.set(node, filled);
  }

  /** Returns the map with the known output of a placeholder at its position. */
  #filled(node: MapNode, at: number, placeholder: Placeholder): MapNode {
    const filling = this.#blanked.filling?.(placeholder);
    const condition = this.#condition(placeholder.offset);
    const span =
      node.entries.length === 0 && node.span.end <= placeholder.span.start
        ? placeholder.span
        : around(node, placeholder);
    if (filling === undefined || treeSizeOf(filling).size > maximumFilling) {
      const part = placeholder.written === undefined ? '' : joined(condition.condition, placeholder.written.code);
      return { ...node, span, open: true, parts: [...(node.parts ?? []), part] };
    }
    const entries = filling.entries.map((entry): MapEntry => {
      if (!condition.conditional) return entry;
      return { ...entry, conditional: true, condition: joined(condition.condition, entry.condition ?? '') };
    });
    const parts = [...(node.parts ?? []), ...(filling.parts ?? []).map((part) => joined(condition.condition, part))];
    return {
      ...node,
      span,
      entries: node.entries.toSpliced(at, 0, ...entries),
      open: node.open || filling.open,
      ...(parts.length > 0 && { parts }),
    };
  }

  #column(offset: number): number {
    return offset - (this.#source.lastIndexOf('\n', offset - 1) + 1);
  }
}

const blockHeader = /[|>][-+0-9]{0,3}(?:[ \t]+#|[ \t]*$)/m;

/** The tags with which Kubernetes determines the type of a scalar from its text, even in quotes. With any other tag, the scalar is a string. */
const typingTags: ReadonlySet<string> = new Set(
  ['bool', 'int', 'float', 'null'].map((type) => `tag:yaml.org,2002:${type}`),
);

function nothingAt(offset: number): ScalarNode {
  return { kind: 'scalar', span: { start: offset, end: offset }, text: '', style: 'plain', type: 'null' };
}

function isNothing(node: Node): boolean {
  return node.kind === 'scalar' && node.type === 'null' && node.text === '';
}

function emptyMap(offset: number): MapNode {
  const treeSize = treeSizeAround([], false);
  return { kind: 'map', span: { start: offset, end: offset }, flow: false, entries: [], open: false, treeSize };
}

/** Returns the span of a collection, including the placeholders that write into it. */
function around({ span }: Node, placeholder: Placeholder): Span {
  return { start: Math.min(span.start, placeholder.span.start), end: Math.max(span.end, placeholder.span.end) };
}

/** The maximum number of nodes in the output of a placeholder. */
const maximumFilling = 2_000;

/** Combines a condition with a part. A part that cannot be compared remains incomparable under any condition. */
function joined(condition: string | undefined, part: string): string {
  return condition === undefined || part === '' ? part : `${condition}, ${part}`;
}

/** Whether a key is certainly a map or list, which no Kubernetes decoder accepts; false if it can be a placeholder in braces. */
function isCertainlyNoKey(key: Node): boolean {
  if (key.kind === 'map') return key.entries.some(({ value }) => value.kind !== 'scalar' || value.type !== 'null');
  return key.kind === 'list' && (!key.flow || key.items.length > 1);
}

/** Returns an unknown key for a map or list in place of a key, which results from an action that was not masked. */
function unknownKey(span: Span): ScalarNode {
  return {
    kind: 'scalar',
    span: { start: span.start, end: span.start },
    text: '',
    style: 'plain',
    type: 'string',
    pattern: '*',
  };
}

/** Whether `<<` accepts a value. A mask can represent any value. */
function canMerge(value: Node): boolean {
  if (value.kind === 'list') return value.items.every((item) => item.kind === 'map');
  return value.kind === 'map' || value.pattern !== undefined;
}

/** Returns the number of entries that `<<` adds, including duplicates. */
function entriesToMerge(value: Node): number {
  if (value.kind === 'map') return value.entries.length;
  if (value.kind !== 'list') return 0;
  return value.items.reduce((sum, item) => sum + (item.kind === 'map' ? item.entries.length : 0), 1);
}

/** Returns the entries that `<<` adds: the entries of a map, or of a list of maps. In a list, earlier maps win. */
function mergedEntries(value: Node): MapEntry[] {
  if (value.kind === 'map') return value.entries.map((entry) => ({ ...entry, merged: true }));
  if (value.kind !== 'list') return [];
  return lastOfEach(value.items.toReversed().flatMap((item) => (item.kind === 'map' ? mergedEntries(item) : [])));
}

/** Returns only the winning entry of each key: otherwise, maps that merge each other twice would double in size. */
function lastOfEach(entries: readonly MapEntry[]): MapEntry[] {
  const byKey = new Map<string, MapEntry>();
  for (const entry of entries) {
    const { text, pattern, span } = entry.key;
    byKey.set(pattern === undefined ? text : `${span.start} ${text}`, entry);
  }
  return byKey.size === entries.length ? [...entries] : [...byKey.values()];
}

/** Returns the end of the text from `start` to `end` without trailing white space. */
export function trimmedEnd(text: string, start: number, end: number): number {
  let at = end;
  while (at > start && /\s/.test(text[at - 1] ?? '')) at--;
  return at;
}
