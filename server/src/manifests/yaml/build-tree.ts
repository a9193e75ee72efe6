/** Builds the syntax tree from the events of a parser. All parsers use this builder, so that they produce identical trees. */

import { localize } from '../../text/localize.ts';
import type { Span } from '../../text/span.ts';
import { branchesOf, maximumNested, regionsAround } from '../placeholders/conditionals.ts';
import {
  assumedText,
  type BlankedText,
  blankPattern,
  blanksWithin,
  isBlanked,
  unmask,
} from '../placeholders/placeholders.ts';
import { withAlternatives } from './alternatives.ts';
import { firstCharacter } from './documents.ts';
import { Filler, isNothing } from './fill-placeholders.ts';
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

/** Builds the tree of one document; `source` is the text of the whole file. */
export class TreeBuilder {
  readonly #source: string;
  readonly #blanked: BlankedText;
  readonly #document: Span;
  /** The number that is added to the offsets that the parser reports. */
  readonly #offset: number;
  readonly #holdsMasks: boolean;
  /**
   * The start of the first entry of the document. Conditional regions that begin before it include the whole document.
   */
  #content: number | undefined;
  #anchors: Map<string, Node> | undefined;
  /** Maps the node of each alias to the node of its anchor, for anchors of empty values. */
  readonly #ofNothing = new Map<Node, Node>();
  /**
   * Maps each node to its replacement that includes the output of placeholders; used only in documents with anchors.
   */
  readonly #filledNodes = new Map<Node, Node>();
  #errors: SyntaxProblem[] | undefined;
  /** The number of entries that merge keys (`<<`) added to maps of the document. */
  #mergedCount = 0;

  /**
   * Creates a builder for a document. Offsets that the parser reports are relative to the start of the document unless
   * `offset` is given.
   */
  constructor(source: string, blanked: BlankedText, document: Span, offset = document.start) {
    this.#source = source;
    this.#blanked = blanked;
    this.#document = document;
    this.#offset = offset;
    this.#holdsMasks = blanked.blanks.length > 0;
  }

  /** Builds a scalar with the value `cooked`. The range must include the quotes, or the header of a block scalar. */
  scalar(start: number, end: number, cooked: string, style: ScalarStyle, tag?: string): ScalarNode {
    const span = this.#span(start, end);
    if (this.#holdsMasks && isBlanked(cooked)) return this.#maskedScalar(span, cooked, style);
    const isTyped = tag === undefined ? style === 'plain' : typingTags.has(tag);
    const type = isTyped ? plainType(cooked) : 'string';
    if (isTyped && tag !== undefined) return { kind: 'scalar', span, text: cooked, style, type, tagged: true };
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

  /**
   * Returns the errors that parsers do not report: aliases without an anchor, merge keys (`<<`) whose values cannot be
   * merged, and keys that are maps or lists.
   */
  get errors(): readonly SyntaxProblem[] {
    return this.#errors ?? noErrors;
  }

  #report(at: number, reason: string): void {
    this.#errors ??= [];
    this.#errors.push({ at, reason });
  }

  /** Builds the null node for an empty value at an offset. */
  nothing(at: number): ScalarNode {
    return nothingAt(at + this.#offset);
  }

  /**
   * Builds the null node for an empty list item, positioned after the previous item `above` or, if there is none, after
   * the first character of the list, which begins at `start`.
   */
  noItem(above: Node | undefined, start: number): ScalarNode {
    return nothingAt(Math.max(above?.span.end ?? 0, start + 1 + this.#offset));
  }

  /** Builds a list. `end` is the end of a flow collection; a block collection ends with its last item. */
  list(items: readonly Node[], start: number, end: number | undefined): ListNode {
    const last = items.at(-1)?.span.end ?? start + this.#offset;
    const span = { start: start + this.#offset, end: end === undefined ? last : end + this.#offset };
    return { kind: 'list', span, flow: end !== undefined, items, open: false, treeSize: treeSizeAround(items, false) };
  }

  /**
   * Builds a map. The array `nodes` contains alternating keys and values from the index `first` up to the index
   * `beyond` (exclusive).
   */
  map(
    nodes: readonly (Node | undefined)[],
    start: number,
    end: number | undefined,
    first = 0,
    beyond = nodes.length,
  ): MapNode {
    // The array is created with its final length, because a growing array reserves more memory than most maps need.
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
          if (this.#blanked.mergesInOrder) count = withoutKeys(own, count, added);
        }
        continue;
      }
      const below = treeSizeOf(value);
      size += below.size;
      if (below.depth >= depth) depth = below.depth + 1;
      repeats ||= below.repeats;
      isTyped ||= key.type !== 'string';
      if (isConditional) {
        const condition = this.#condition(key.span.start);
        const inBranch = withoutOtherBranches(value, key.span.start, this.#blanked.conditionals);
        own[count++] = { key, value: this.#withoutCertainItems(inBranch, condition), merged: false, ...condition };
      } else own[count++] = { key, value, merged: false, conditional: false };
    }
    if (count < own.length) own.length = count;
    const span = { start: from, end: end === undefined ? last : end + this.#offset };
    const flow = end !== undefined;
    const isRepeated = holdsTwice(own, isTyped);
    repeats ||= isRepeated;
    // In output, the template was executed: what an unknown condition chooses is found there.
    const isChosen = isConditional && isRepeated && this.#blanked.mergesInOrder !== true;
    const alternatives = isChosen ? withAlternatives(own) : own;
    if (merged === undefined)
      return { kind: 'map', span, flow, entries: alternatives, open: false, treeSize: { size, depth, repeats } };
    const entries = [...lastOfEach(merged.toReversed().flat()), ...alternatives];
    const around = treeSizeAroundEntries(entries, repeats);
    const treeSize = { ...around, size: Math.max(size, around.size) };
    return { kind: 'map', span, flow, entries, open, ...(open && { parts: [''] }), treeSize };
  }

  /** Returns a list in which empty maps that have a condition of their own are open, since they have no entries that could have the condition. */
  #withoutCertainItems(value: Node, { condition }: Pick<MapEntry, 'condition'>): Node {
    if (value.kind !== 'list') return value;
    const isUncertain = (item: Node) =>
      item.kind === 'map' && item.entries.length === 0 && this.#condition(item.span.start).condition !== condition;
    if (!value.items.some(isUncertain)) return value;
    return { ...value, items: value.items.map((item) => (isUncertain(item) ? { ...item, open: true } : item)) };
  }

  /**
   * Returns the entries that a merge key (`<<`) adds; undefined if the document would contain too many merged entries.
   */
  #merged(value: Node): readonly MapEntry[] | undefined {
    const { start, end } = this.#document;
    this.#mergedCount += entriesToMerge(value);
    return this.#mergedCount > maximumTreeSize(end - start) ? undefined : mergedEntries(value);
  }

  /**
   * Whether a placeholder in the document precedes an offset. Entries that are merged at this offset may then be
   * incomplete.
   */
  #hasHoleAbove(offset: number): boolean {
    return blanksWithin(this.#blanked.placeholders, { start: this.#document.start, end: offset }).length > 0;
  }

  anchor<T extends Node>(name: string | undefined, node: T): T {
    if (name === undefined || name === '') return node;
    this.#anchors ??= new Map();
    const anchored: T = node.kind === 'scalar' ? { ...node, anchored: true } : node;
    this.#anchors.set(name, anchored);
    return anchored;
  }

  /**
   * Builds the node of an alias. For a collection, the result is the anchored node itself, so that spans refer to the
   * anchored text; for a scalar, the result has the position of the alias. If the anchor is unknown, the result is a
   * null node.
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
   * Adds the output of placeholders to the tree. Each placeholder marks the collection to which it adds entries as
   * open.
   */
  finish(root: Node): Node {
    const placeholders = blanksWithin(this.#blanked.placeholders, this.#document);
    if (placeholders.length === 0) return root;
    const filler = new Filler({
      source: this.#source,
      filling: this.#blanked.filling,
      condition: (offset) => this.#condition(offset),
      became: (node, filled) => {
        if (this.#anchors !== undefined && filled !== node) this.#filledNodes.set(node, filled);
      },
    });
    const node = placeholders.reduce((filled, each) => filler.withHole(filled, each), root);
    return this.#filledNodes.size === 0 ? node : this.#shown(node, new Map());
  }

  /** Replaces aliases whose anchored collections were changed by placeholders with the changed collections. */
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
   * Returns the condition of an entry, which depends on the conditional regions that contain it. Regions that do not
   * begin inside of the document's content are ignored.
   */
  #condition(offset: number): Pick<MapEntry, 'conditional' | 'condition'> {
    const content = this.#contentStart();
    const around = regionsAround(this.#blanked.conditionals, offset, maximumNested);
    const regions = around.filter(({ start }) => start > content);
    const [first] = regions;
    if (first === undefined) return { conditional: false };
    const conditions = regions.map(({ condition }) => condition);
    // The outermost of these regions identifies those that are left out.
    if (regions.length === maximumNested) conditions.push(String(first.start));
    return { conditional: true, condition: conditions.join(', ') };
  }

  #contentStart(): number {
    const { inner, text } = this.#blanked;
    this.#content ??= inner
      ? -1
      : (firstCharacter(text, { start: this.#document.start, end: text.length }) ?? text.length);
    return this.#content;
  }
}

const blockHeader = /[|>][-+0-9]{0,3}(?:[ \t]+#|[ \t]*$)/m;

/** The tags for which Kubernetes determines the type of a scalar from its text, even if it is quoted. A scalar with any other tag is a string. */
const typingTags: ReadonlySet<string> = new Set(
  ['bool', 'int', 'float', 'null'].map((type) => `tag:yaml.org,2002:${type}`),
);

function nothingAt(offset: number): ScalarNode {
  return { kind: 'scalar', span: { start: offset, end: offset }, text: '', style: 'plain', type: 'null' };
}

/** Whether a key is certainly a map or list, which no Kubernetes decoder accepts; false if it may be a placeholder in braces. */
function isCertainlyNoKey(key: Node): boolean {
  if (key.kind === 'map') return key.entries.some(({ value }) => value.kind !== 'scalar' || value.type !== 'null');
  return key.kind === 'list' && (!key.flow || key.items.length > 1);
}

/** Returns a scalar with unknown text that replaces a key that is a map or list, such as a placeholder in braces. */
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

/** Removes from the first `count` entries of a list those whose keys others have; returns the number of the remaining ones. */
function withoutKeys(entries: MapEntry[], count: number, others: readonly MapEntry[]): number {
  const keys = new Set(others.map(({ key }) => key.text));
  const kept = entries.slice(0, count).filter(({ key }) => !keys.has(key.text));
  for (const [index, entry] of kept.entries()) entries[index] = entry;
  return kept.length;
}

/** Whether a value can be merged with `<<`. A template action or placeholder can stand for any value. */
function canMerge(value: Node): boolean {
  if (value.kind === 'list') return value.items.every((item) => item.kind === 'map');
  return value.kind === 'map' || value.pattern !== undefined;
}

/** Returns the number of entries that a merge key adds, including duplicates. */
function entriesToMerge(value: Node): number {
  if (value.kind === 'map') return value.entries.length;
  if (value.kind !== 'list') return 0;
  return value.items.reduce((sum, item) => sum + (item.kind === 'map' ? item.entries.length : 0), 1);
}

/** Returns the entries that a merge key adds: the entries of a map, or of all maps in a list. If maps in a list have the same key, the first map takes precedence. */
function mergedEntries(value: Node): MapEntry[] {
  if (value.kind === 'map') return value.entries.map((entry) => ({ ...entry, merged: true }));
  if (value.kind !== 'list') return [];
  return lastOfEach(value.items.toReversed().flatMap((item) => (item.kind === 'map' ? mergedEntries(item) : [])));
}

/** Keeps only the entry that takes precedence for each key. Otherwise, the size would double each time that a map merges another map twice. */
function lastOfEach(entries: readonly MapEntry[]): MapEntry[] {
  const byKey = new Map<string, MapEntry>();
  for (const entry of entries) {
    const { text, pattern, span } = entry.key;
    byKey.set(pattern === undefined ? text : `${span.start} ${text}`, entry);
  }
  return byKey.size === entries.length ? [...entries] : [...byKey.values()];
}

/** Returns the end offset of the text between `start` and `end` without trailing white space. */
export function trimmedEnd(text: string, start: number, end: number): number {
  let at = end;
  while (at > start && /\s/.test(text[at - 1] ?? '')) at--;
  return at;
}

/** Returns the value of a key without the content in other branches of the blocks that contain the key. After `else`, such content belongs to an outer collection, even if it is indented more deeply than the last entry before `else`. */
function withoutOtherBranches(value: Node, key: number, conditionals: BlankedText['conditionals']): Node {
  if (value.kind === 'scalar' || value.flow) return value;
  const { end } = value.span;
  const others = regionsAround(conditionals, key)
    .filter((region) => region.end < end)
    .flatMap(({ block }) => branchesOf(conditionals, block))
    .filter(({ start }) => start > key && start < end);
  return others.length === 0 ? value : withoutRegions(value, others);
}

/** Returns a collection without the entries and items that begin in some regions. A collection that loses any of them is open. */
function withoutRegions(node: Node, regions: readonly Span[]): Node {
  if (node.kind === 'scalar' || node.flow) return node;
  const isOutside = (offset: number) => !regions.some(({ start, end }) => start <= offset && offset < end);
  if (node.kind === 'list') {
    const items = node.items.filter((item) => isOutside(item.span.start));
    const open = node.open || items.length < node.items.length;
    return { ...node, open, items: items.map((item) => withoutRegions(item, regions)) };
  }
  const entries = node.entries.filter(({ key, merged }) => merged || isOutside(key.span.start));
  const open = node.open || entries.length < node.entries.length;
  return { ...node, open, entries: entries.map((each) => ({ ...each, value: withoutRegions(each.value, regions) })) };
}
