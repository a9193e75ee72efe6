/**
 * How is a document read that is written as most are? In one pass over its characters, straight into the tree. Whatever
 * is unusual (anchors, tags, tabs, quotes over several lines) or wrong is left to the libraries: nothing is read then.
 */

import type { Span } from '../text/span.ts';
import { type TreeBuilder, trimmedEnd } from './build-tree.ts';
import type { Node, ScalarNode } from './tree.ts';

/** The tree of the part `span` of a text; undefined where it holds anything unusual, nothing at all, or an error. */
export function readUsual(text: string, span: Span, builder: TreeBuilder): Node | undefined {
  return unusual.test(text.slice(span.start, span.end)) ? undefined : new Reader(text, span, builder).root();
}

/** What YAML does not allow, and line ends that only very old files have. */
const unusual = /[^\P{Cc}\t\n\r]|[\p{Cs}\u2028\u2029\ufeff\ufffe\uffff]|\r(?!\n)/u;

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const blank = 0x20;
const doubleQuote = 0x22;
const hash = 0x23;
const singleQuote = 0x27;
const plus = 0x2b;
const comma = 0x2c;
const dash = 0x2d;
const colon = 0x3a;
const greater = 0x3e;
const openBracket = 0x5b;
const backslash = 0x5c;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const bar = 0x7c;
const closeBrace = 0x7d;

/** The characters below 128 with which an unquoted scalar may begin, whatever follows. */
const plainStarts = new Uint8Array(128);
for (let code = 0x21; code < 0x7f; code++)
  plainStarts[code] = '!"#%&\'*,-:>?@[]`{|}'.includes(String.fromCharCode(code)) ? 0 : 1;

/** Deeper than manifests nest, and than the libraries read. */
const maximumDepth = 80;

/** No column: there is no more text. */
const ended = -1;

/** Every method that reads something stands at its first character, and gives undefined where it is unusual. */
class Reader {
  readonly #text: string;
  readonly #end: number;
  readonly #builder: TreeBuilder;
  /** What was read of the collections that are still open: the items of each, the keys and values in turn. */
  readonly #open: Node[] = [];
  /** How many these are; what is behind them was closed. */
  #count = 0;
  #at: number;
  /** Of the line's content, after `#goOn`. */
  #column = ended;
  #depth = 0;

  constructor(text: string, { start, end }: Span, builder: TreeBuilder) {
    this.#text = text;
    this.#at = start;
    this.#end = end;
    this.#builder = builder;
  }

  root(): Node | undefined {
    const start = this.#at;
    if (!this.#goOn(start) || this.#column === ended) return undefined;
    // To the libraries, blanks before the text are no indentation.
    if (this.#column > 0 && this.#at === start + this.#column) return undefined;
    const root = this.#node(this.#column, this.#column - 1);
    return this.#column === ended ? root : undefined;
  }

  /** The character at an offset; at the end of the text, a line feed. */
  #code(at: number): number {
    return at < this.#end ? this.#text.charCodeAt(at) : lineFeed;
  }

  /**
   * Goes on to the next line with content; false where something else stands on this one. `lineStart` is given where
   * the content may be in this very line.
   */
  #goOn(lineStart = ended): boolean {
    const text = this.#text;
    const end = this.#end;
    let start = lineStart;
    let at = this.#at;
    for (;;) {
      while (at < end && text.charCodeAt(at) === blank) at++;
      if (at >= end) break;
      const code = text.charCodeAt(at);
      if (code === hash && (start !== ended || text.charCodeAt(at - 1) === blank)) {
        at = text.indexOf('\n', at);
        if (at === -1 || at >= end) break;
      } else if (code === carriageReturn) {
        at++;
      } else if (code !== lineFeed) {
        if (start === ended) return false;
        this.#column = at - start;
        this.#at = at;
        return true;
      }
      if (at >= end) break;
      start = ++at;
    }
    this.#column = ended;
    this.#at = end;
    return true;
  }

  /** What stands at a column, in what stands at the column `parent`; goes on to the line after it. */
  #node(column: number, parent: number): Node | undefined {
    if (++this.#depth > maximumDepth) return undefined;
    const node = this.#isItem() ? this.#list(column) : this.#mapOrLeaf(column, parent);
    this.#depth--;
    return node;
  }

  #closedMap(first: number, start: number, end: number | undefined): Node {
    const map = this.#builder.map(this.#open, start, end, first, this.#count);
    this.#count = first;
    return map;
  }

  #closedList(first: number, start: number, end: number | undefined): Node {
    const list = this.#builder.list(this.#open.slice(first, this.#count), start, end);
    this.#count = first;
    return list;
  }

  #isItem(): boolean {
    return this.#code(this.#at) === dash && isSpace(this.#code(this.#at + 1));
  }

  #list(column: number): Node | undefined {
    const start = this.#at;
    const first = this.#count;
    let last = start + 1;
    do {
      const item = this.#item(column, last);
      if (item === undefined || this.#column > column) return undefined;
      this.#open[this.#count++] = item;
      last = Math.max(last, item.span.end);
    } while (this.#column === column && this.#isItem());
    return this.#closedList(first, start, undefined);
  }

  #item(column: number, last: number): Node | undefined {
    const start = this.#at++;
    this.#skipBlanks();
    if (!this.#endsLine()) return this.#node(column + this.#at - start, column);
    if (!this.#goOn()) return undefined;
    return this.#column > column ? this.#node(this.#column, column) : this.#builder.nothing(last);
  }

  #skipBlanks(): void {
    while (this.#at < this.#end && this.#text.charCodeAt(this.#at) === blank) this.#at++;
  }

  /** Nothing more stands on the line, or a comment. */
  #endsLine(): boolean {
    const code = this.#code(this.#at);
    if (code === hash) return this.#text.charCodeAt(this.#at - 1) === blank;
    return code === lineFeed || code === carriageReturn;
  }

  #mapOrLeaf(column: number, parent: number): Node | undefined {
    const start = this.#at;
    const code = this.#code(start);
    if (code === doubleQuote || code === singleQuote) {
      const node = this.#quoted(code);
      if (node === undefined) return undefined;
      this.#skipBlanks();
      if (this.#code(this.#at) === colon) return this.#map(column, start, node);
      return this.#goOn() ? node : undefined;
    }
    if (!this.#startsPlain(code)) return this.#leaf(code, parent);
    const end = this.#plainEnd();
    if (end === undefined) return undefined;
    if (this.#code(this.#at) === colon) return this.#map(column, start, this.#plainScalar(start, end));
    return this.#plain(start, end, parent);
  }

  /** Stands at the colon after the first key. */
  #map(column: number, start: number, firstKey: ScalarNode): Node | undefined {
    const first = this.#count;
    let key: ScalarNode | undefined = firstKey;
    do {
      if (this.#code(this.#at) !== colon || !isSpace(this.#code(++this.#at))) return undefined;
      const value = this.#value(column, key.span.end);
      if (value === undefined || this.#column > column) return undefined;
      this.#open[this.#count++] = key;
      this.#open[this.#count++] = value;
      if (this.#column < column) return this.#closedMap(first, start, undefined);
      key = this.#key();
    } while (key !== undefined);
    return undefined;
  }

  /** Stops behind the key, at its colon. */
  #key(): ScalarNode | undefined {
    const start = this.#at;
    const code = this.#code(start);
    if (code === doubleQuote || code === singleQuote) {
      const key = this.#quoted(code);
      this.#skipBlanks();
      return key;
    }
    const end = this.#startsPlain(code) ? this.#plainEnd() : undefined;
    return end === undefined ? undefined : this.#plainScalar(start, end);
  }

  /** Stands behind the colon; `keyEnd` is where the key ends. */
  #value(column: number, keyEnd: number): Node | undefined {
    this.#skipBlanks();
    if (this.#endsLine()) {
      if (!this.#goOn()) return undefined;
      if (this.#column > column) return this.#node(this.#column, column);
      return this.#column === column && this.#isItem() ? this.#nestedList(column) : this.#builder.nothing(keyEnd);
    }
    const start = this.#at;
    const code = this.#code(start);
    if (!this.#startsPlain(code)) return this.#leaf(code, column);
    const end = this.#plainEnd();
    return end === undefined ? undefined : this.#plain(start, end, column);
  }

  /** The items of a key may stand in its own column. */
  #nestedList(column: number): Node | undefined {
    if (++this.#depth > maximumDepth) return undefined;
    const list = this.#list(column);
    this.#depth--;
    return list;
  }

  /** A value that is no map, list or plain scalar in lines of its own. */
  #leaf(code: number, parent: number): Node | undefined {
    if (code === bar || code === greater) return this.#blockScalar(parent);
    const node =
      code === doubleQuote || code === singleQuote
        ? this.#quoted(code)
        : code === openBrace || code === openBracket
          ? this.#flow(code, parent + 1)
          : undefined;
    return node !== undefined && this.#goOn() ? node : undefined;
  }

  #startsPlain(code: number): boolean {
    if (code === dash) return !isSpace(this.#code(this.#at + 1));
    return code >= 128 || plainStarts[code] === 1;
  }

  #plainScalar(start: number, end: number): ScalarNode {
    return this.#builder.scalar(start, end, this.#text.slice(start, end), 'plain');
  }

  /** Where the text of a plain scalar ends in its line. Stops at the colon of a key, at a comment, or at the line's end. */
  #plainEnd(): number | undefined {
    const text = this.#text;
    const end = this.#end;
    let at = this.#at;
    let last = at;
    for (; at < end; at++) {
      const code = text.charCodeAt(at);
      if (code === blank) continue;
      if (code <= colon) {
        if (code === colon && isSpace(this.#code(at + 1))) break;
        if (code === hash && text.charCodeAt(at - 1) === blank) break;
        if (code < blank) {
          if (code === lineFeed || code === carriageReturn) break;
          return undefined;
        }
      }
      last = at + 1;
    }
    this.#at = at;
    return last;
  }

  /** A plain scalar whose first line was read: all lines that are indented more than `parent` belong to it. */
  #plain(start: number, end: number, parent: number): Node | undefined {
    if (this.#code(this.#at) === colon) return undefined;
    const pieces = [this.#text.slice(start, end)];
    let last = end;
    let stop = this.#at;
    while (this.#code(stop) !== hash) {
      const below = this.#goesOnBelow(stop, parent);
      if (below === undefined) break;
      const next = this.#plainEnd();
      if (next === undefined || this.#code(this.#at) === colon) return undefined;
      pieces.push(below.empty === 0 ? ' ' : '\n'.repeat(below.empty), this.#text.slice(below.at, next));
      last = next;
      stop = this.#at;
    }
    this.#at = stop;
    const cooked = pieces.length === 1 ? pieces[0] : pieces.join('');
    return this.#goOn() ? this.#builder.scalar(start, last, cooked ?? '', 'plain') : undefined;
  }

  /** The next line of a plain scalar whose line ends at an offset, and how many empty ones are before it. Stands there. */
  #goesOnBelow(lineEnd: number, parent: number): { readonly at: number; readonly empty: number } | undefined {
    let start = this.#afterLine(lineEnd);
    for (let empty = 0; start < this.#end; empty++) {
      let at = start;
      while (at < this.#end && this.#text.charCodeAt(at) === blank) at++;
      const code = this.#code(at);
      if (code !== lineFeed && code !== carriageReturn) {
        if (code === hash || at - start <= parent) return undefined;
        this.#at = at;
        return { at, empty };
      }
      start = this.#afterLine(at);
    }
    return undefined;
  }

  #afterLine(at: number): number {
    const found = this.#text.indexOf('\n', at);
    return found === -1 ? this.#end : Math.min(found + 1, this.#end);
  }

  /** A quoted scalar that ends in its line. */
  #quoted(quote: number): ScalarNode | undefined {
    const text = this.#text;
    const start = this.#at;
    let escapes = false;
    let at = start + 1;
    for (; ; at++) {
      const code = this.#code(at);
      if (code === lineFeed || code === carriageReturn) return undefined;
      if (code === quote) {
        if (quote === doubleQuote || this.#code(at + 1) !== singleQuote) break;
        escapes = true;
        at++;
      } else if (code === backslash && quote === doubleQuote) {
        escapes = true;
        at++;
      }
    }
    const end = at + 1;
    this.#at = end;
    if (quote === singleQuote) {
      const inner = text.slice(start + 1, at);
      return this.#builder.scalar(start, end, escapes ? inner.replaceAll("''", "'") : inner, 'single');
    }
    const cooked = escapes ? unescaped(text.slice(start, end)) : text.slice(start + 1, at);
    return cooked === undefined ? undefined : this.#builder.scalar(start, end, cooked, 'double');
  }

  /** `|` or `>`, and the lines below that are indented more than `parent`. */
  #blockScalar(parent: number): Node | undefined {
    const text = this.#text;
    const folded = text.charCodeAt(this.#at++) === greater;
    const chomping = this.#code(this.#at);
    if (chomping === dash || chomping === plus) this.#at++;
    this.#skipBlanks();
    if (!this.#endsLine()) return undefined;
    const start = this.#afterLine(this.#at);
    const lines: string[] = [];
    let indent = -1;
    let widest = 0;
    let at = start;
    while (at < this.#end) {
      let first = at;
      while (first < this.#end && text.charCodeAt(first) === blank) first++;
      const column = first - at;
      const code = this.#code(first);
      const isEmpty = code === lineFeed || code === carriageReturn;
      // What the last line's blanks belong to is not worth knowing.
      if (first === this.#end && column > 0) return undefined;
      if (indent === -1 && isEmpty) widest = Math.max(widest, column);
      else if (indent === -1) {
        if (column <= parent || column < widest) return undefined;
        indent = column;
      } else if (!isEmpty && column < indent) break;
      const next = this.#afterLine(first);
      const lineEnd = endOfLine(text, first, next);
      lines.push(indent === -1 ? '' : text.slice(Math.min(at + indent, lineEnd), lineEnd));
      at = next;
    }
    if (indent === -1) return undefined;
    this.#at = at;
    const end = trimmedEnd(text, start, at);
    // The line after it is looked at as a whole.
    return this.#goOn(at) ? this.#builder.scalar(start, end, blockText(lines, folded, chomping), 'block') : undefined;
  }

  /** A map in braces or a list in brackets; its lines are indented at least by `indent`. */
  #flow(open: number, indent: number): Node | undefined {
    if (++this.#depth > maximumDepth) return undefined;
    const node = open === openBrace ? this.#flowMap(indent) : this.#flowList(indent);
    this.#depth--;
    return node;
  }

  #flowMap(indent: number): Node | undefined {
    const start = this.#at++;
    const first = this.#count;
    for (;;) {
      if (!this.#skipInFlow(indent)) return undefined;
      if (this.#code(this.#at) === closeBrace) break;
      const key = this.#flowScalar();
      if (key === undefined || !this.#skipInFlow(indent)) return undefined;
      let value: Node | undefined;
      if (this.#code(this.#at) === colon) {
        this.#at++;
        if (!this.#skipInFlow(indent)) return undefined;
        const code = this.#code(this.#at);
        if (code !== comma && code !== closeBrace) {
          value = this.#flowNode(indent);
          if (value === undefined) return undefined;
        }
      }
      this.#open[this.#count++] = key;
      this.#open[this.#count++] = value ?? this.#builder.nothing(key.span.end);
      if (!this.#skipInFlow(indent)) return undefined;
      if (this.#code(this.#at) === closeBrace) break;
      if (this.#code(this.#at++) !== comma) return undefined;
    }
    return this.#closedMap(first, start, ++this.#at);
  }

  #flowList(indent: number): Node | undefined {
    const start = this.#at++;
    const first = this.#count;
    for (;;) {
      if (!this.#skipInFlow(indent)) return undefined;
      if (this.#code(this.#at) === closeBracket) break;
      const item = this.#flowNode(indent);
      if (item === undefined || !this.#skipInFlow(indent)) return undefined;
      this.#open[this.#count++] = item;
      if (this.#code(this.#at) === closeBracket) break;
      if (this.#code(this.#at++) !== comma) return undefined;
    }
    return this.#closedList(first, start, ++this.#at);
  }

  /** Blanks and line ends; false at the end of the text and before a line that is not indented as it must be. */
  #skipInFlow(indent: number): boolean {
    const text = this.#text;
    let start = -1;
    for (; this.#at < this.#end; this.#at++) {
      const code = text.charCodeAt(this.#at);
      if (code === lineFeed) start = this.#at + 1;
      else if (code !== blank && code !== carriageReturn) return start === -1 || this.#at - start >= indent;
    }
    return false;
  }

  #flowNode(indent: number): Node | undefined {
    const code = this.#code(this.#at);
    return code === openBrace || code === openBracket ? this.#flow(code, indent) : this.#flowScalar();
  }

  /** A scalar in a flow collection. A plain one ends in its line, before what ends an entry. */
  #flowScalar(): ScalarNode | undefined {
    const text = this.#text;
    const start = this.#at;
    const code = this.#code(start);
    if (code === doubleQuote || code === singleQuote) return this.#quoted(code);
    if (!this.#startsPlain(code) || (code === dash && isFlowSign(this.#code(start + 1)))) return undefined;
    let at = start;
    let last = at;
    for (; at < this.#end; at++) {
      const each = text.charCodeAt(at);
      if (each === blank) continue;
      if (isFlowSign(each)) break;
      if (each === colon) {
        const following = this.#code(at + 1);
        if (isSpace(following) || isFlowSign(following)) break;
      }
      if (each === hash && text.charCodeAt(at - 1) === blank) return undefined;
      if (each < blank) {
        if (each === lineFeed || each === carriageReturn) break;
        return undefined;
      }
      last = at + 1;
    }
    this.#at = at;
    if (isSpace(this.#code(at)) && !this.#endsBelow(at)) return undefined;
    return this.#plainScalar(start, last);
  }

  /** After a plain scalar at the end of its line: the entry ends before anything is added to it. */
  #endsBelow(lineEnd: number): boolean {
    let at = lineEnd;
    while (at < this.#end && isSpace(this.#text.charCodeAt(at))) at++;
    const code = this.#code(at);
    return code === comma || code === closeBrace || code === closeBracket;
  }
}

function isSpace(code: number): boolean {
  return code === blank || code === lineFeed || code === carriageReturn || code === 0x09;
}

function isFlowSign(code: number): boolean {
  return code === comma || code === openBracket || code === closeBracket || code === openBrace || code === closeBrace;
}

/** The offset of the line's end, before what ends it; `next` is where the next line begins. */
function endOfLine(text: string, start: number, next: number): number {
  let end = next;
  if (end > start && text.charCodeAt(end - 1) === lineFeed) end--;
  if (end > start && text.charCodeAt(end - 1) === carriageReturn) end--;
  return end;
}

/** JSON and YAML have these in common. */
const plainEscapes = /^"(?:[^\\\t]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"$/;

function unescaped(quoted: string): string | undefined {
  return plainEscapes.test(quoted) ? String(JSON.parse(quoted)) : undefined;
}

/** The lines of a block scalar, without their indentation, as one text. */
function blockText(lines: readonly string[], folded: boolean, chomping: number): string {
  const pieces: string[] = [];
  let empty = 0;
  let isFirst = true;
  let wasDeeper = false;
  for (const line of lines) {
    if (line === '') {
      empty++;
      continue;
    }
    const isDeeper = line.startsWith(' ') || line.startsWith('\t');
    const breaks = isFirst ? empty : folded && !isDeeper && !wasDeeper ? empty : empty + 1;
    pieces.push(breaks === 0 && !isFirst ? ' ' : '\n'.repeat(breaks), line);
    [empty, isFirst, wasDeeper] = [0, false, isDeeper];
  }
  if (chomping === plus) pieces.push('\n'.repeat(empty + 1));
  else if (chomping !== dash) pieces.push('\n');
  return pieces.join('');
}
