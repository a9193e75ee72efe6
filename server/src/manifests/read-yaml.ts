/** How is one document's text built? The only file that knows a YAML library. */

import { isAlias, isMap, isScalar, isSeq, type Node as LibraryNode, type Pair, parseDocument, type Scalar } from 'yaml';
import type { Span } from '../text/span.ts';
import { type Hole, type Masked, maskPattern, masksWithin, unmask } from './masks.ts';
import { plainType } from './scalar.ts';
import type { ListNode, MapEntry, MapNode, Node, ScalarNode, ScalarStyle } from './tree.ts';

export interface ReadDocument {
  /** Undefined for an empty document. */
  readonly root: Node | undefined;
  /** How many syntax errors it has; the tree holds what could be made out all the same. */
  readonly errors: number;
}

/**
 * Reads one document: the part `span` of a file. `source` is the file's text, `masked` what its templates and
 * placeholders left of it. Never throws; text that nests too deeply to be read is one error and no tree.
 */
export function readYaml(source: string, masked: Masked, span: Span): ReadDocument {
  try {
    const text = masked.text.slice(span.start, span.end);
    const document = parse(text);
    const contents = document.contents;
    if (contents === null) return { root: undefined, errors: document.errors.length };
    const reader = new Reader(source, masked, span.start, openNodes(contents, source, masked, span));
    return { root: reader.node(contents), errors: document.errors.length };
  } catch {
    // The library recurses into nested collections, so that thousands of levels exhaust the stack.
    return { root: undefined, errors: 1 };
  }
}

/** Only strings: which plain scalars are numbers or booleans for Kubernetes is decided by `scalar.ts`. */
const options = {
  schema: 'failsafe',
  uniqueKeys: false,
  strict: false,
  prettyErrors: false,
  logLevel: 'silent',
} as const;

const leadingTabs = /^[ \t]*\t[ \t]*/gm;

function parse(text: string) {
  const document = parseDocument(text, options);
  if (document.errors.length === 0 || !text.includes('\t')) return document;
  // Kubernetes' reader takes tabs as indentation inside flow collections, which the library does not.
  const spaced = parseDocument(
    text.replace(leadingTabs, (blank) => ' '.repeat(blank.length)),
    options,
  );
  return spaced.errors.length === 0 ? spaced : document;
}

class Reader {
  readonly #source: string;
  readonly #masked: Masked;
  readonly #offset: number;
  /** The library's nodes that a template adds to. */
  readonly #open: ReadonlySet<unknown>;
  readonly #anchors = new Map<string, Node>();

  constructor(source: string, masked: Masked, offset: number, open: ReadonlySet<unknown>) {
    this.#source = source;
    this.#masked = masked;
    this.#offset = offset;
    this.#open = open;
  }

  node(node: unknown): Node {
    if (isAlias(node)) return this.#anchors.get(node.source) ?? nullAt(this.#span(node));
    if (isMap(node)) {
      return this.#anchored(
        node.anchor,
        this.#map(node.items, this.#span(node), node.flow === true, this.#open.has(node)),
      );
    }
    if (isSeq(node)) {
      const items = node.items.map((item) => this.node(item));
      const list: ListNode = {
        kind: 'list',
        span: this.#span(node),
        flow: node.flow === true,
        items,
        open: this.#open.has(node),
      };
      return this.#anchored(node.anchor, list);
    }
    if (!isScalar(node)) return nullAt({ start: this.#offset, end: this.#offset });
    return this.#anchored(node.anchor, this.#open.has(node) ? openMap(this.#span(node)) : this.#scalar(node));
  }

  #span(node: LibraryNode): Span {
    const [start, end] = node.range ?? [0, 0, 0];
    return { start: start + this.#offset, end: end + this.#offset };
  }

  #anchored<T extends Node>(anchor: string | undefined, node: T): T {
    if (anchor !== undefined) this.#anchors.set(anchor, node);
    return node;
  }

  #map(pairs: readonly Pair[], span: Span, flow: boolean, open: boolean): MapNode {
    const own: MapEntry[] = [];
    const merged: MapEntry[] = [];
    for (const pair of pairs) {
      const key = this.#key(pair.key, span);
      const value = this.#value(pair, key);
      if (key.style === 'plain' && key.text === '<<') merged.unshift(...mergedEntries(value));
      else own.push({ key, value, merged: false, conditional: this.#isConditional(key.span.start, span.start) });
    }
    return { kind: 'map', span, flow, entries: [...merged, ...own], open };
  }

  #key(key: unknown, map: Span): ScalarNode {
    if (isScalar(key)) return this.#scalar(key);
    const node = this.node(key);
    if (node.kind === 'scalar') return node;
    // A map or list as a key is what an action that was not masked leaves: a key that nobody knows.
    return {
      kind: 'scalar',
      span: { start: map.start, end: map.start },
      text: '',
      style: 'plain',
      type: 'string',
      pattern: '*',
    };
  }

  #value(pair: Pair, key: ScalarNode): Node {
    if (this.#open.has(pair)) return openMap({ start: key.span.end, end: key.span.end });
    if (pair.value === null || pair.value === undefined) return nullAt({ start: key.span.end, end: key.span.end });
    return this.node(pair.value);
  }

  #scalar(node: Scalar): ScalarNode {
    const raw = this.#span(node);
    const style = styles[node.type ?? 'PLAIN'] ?? 'plain';
    const span = style === 'block' ? { start: raw.start, end: Math.max(raw.start, raw.end - 1) } : raw;
    const cooked = typeof node.value === 'string' ? node.value : '';
    const pattern = maskPattern(cooked);
    const text = pattern === undefined ? cooked : unmask(cooked, this.#source, masksWithin(this.#masked.masks, raw));
    const typed = style !== 'plain' || node.tag === 'tag:yaml.org,2002:str' || pattern !== undefined;
    const type = typed ? 'string' : plainType(cooked);
    return { kind: 'scalar', span, text, style, type, ...(pattern === undefined ? {} : { pattern }) };
  }

  /** An entry is conditional where a region that began inside its map holds it. */
  #isConditional(offset: number, mapStart: number): boolean {
    return this.#masked.conditionals.some(
      (region) => region.start > mapStart && region.start <= offset && offset < region.end,
    );
  }
}

const styles: Readonly<Record<string, ScalarStyle>> = {
  PLAIN: 'plain',
  QUOTE_SINGLE: 'single',
  QUOTE_DOUBLE: 'double',
  BLOCK_LITERAL: 'block',
  BLOCK_FOLDED: 'block',
};

function nullAt(span: Span): ScalarNode {
  return { kind: 'scalar', span, text: '', style: 'plain', type: 'null' };
}

function openMap(span: Span): MapNode {
  return { kind: 'map', span, flow: false, entries: [], open: true };
}

/** What `<<` brings in: the entries of a map, or of a list of maps of which the first wins. */
function mergedEntries(value: Node): MapEntry[] {
  if (value.kind === 'map') return value.entries.map((entry) => ({ ...entry, merged: true }));
  if (value.kind === 'list')
    return value.items.toReversed().flatMap((item) => (item.kind === 'map' ? mergedEntries(item) : []));
  return [];
}

/**
 * The collections into which the template's holes write, and the pairs and empty scalars that a hole fills: a hole
 * belongs to the innermost collection whose column its output has.
 */
function openNodes(root: LibraryNode, source: string, masked: Masked, span: Span): ReadonlySet<unknown> {
  const open = new Set<unknown>();
  const column = (offset: number) => {
    const at = offset + span.start;
    return at - (source.lastIndexOf('\n', at - 1) + 1);
  };
  for (const hole of masked.holes) {
    if (hole.offset < span.start || hole.offset >= span.end) continue;
    const target = holeTarget(root, { offset: hole.offset - span.start, indent: hole.indent }, column);
    if (target !== undefined) open.add(target);
  }
  return open;
}

function holeTarget(root: LibraryNode, hole: Hole, column: (offset: number) => number): unknown {
  let node: unknown = root;
  for (;;) {
    if (isMap(node)) {
      const pair: Pair | undefined = node.items.findLast((item) => startOf(item.key) < hole.offset);
      if (pair === undefined || hole.indent <= column(startOf(pair.key))) return node;
      const value: unknown = pair.value;
      if (isEmpty(value)) return isScalar(value) ? value : pair;
      node = value;
    } else if (isSeq(node)) {
      const item: unknown = node.items.findLast((each) => startOf(each) < hole.offset);
      if (item === undefined || hole.indent < column(startOf(item))) return node;
      node = item;
    } else {
      return undefined;
    }
  }
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || (isScalar(value) && value.type === 'PLAIN' && value.value === '');
}

function startOf(node: unknown): number {
  if (isScalar(node) || isMap(node) || isSeq(node) || isAlias(node)) return node.range?.[0] ?? 0;
  return 0;
}
