/** Parses documents in common YAML style in one pass, directly into the tree. It returns no result for invalid documents and for other syntax (tags, tabs, explicit keys), which the library parses. */

import type { Span } from '../../text/span.ts';
import { afterLine, blockText, linesOfBlock, nextPlainLine } from './block-scalar.ts';
import { type TreeBuilder, trimmedEnd } from './build-tree.ts';
import {
  ampersand,
  asterisk,
  bar,
  blank,
  carriageReturn,
  closeBrace,
  closeBracket,
  colon,
  comma,
  dash,
  doubleQuote,
  greater,
  hash,
  holdsUnusual,
  isFlowSign,
  isNameCharacter,
  isSpace,
  lastOfAscii,
  lineFeed,
  openBrace,
  openBracket,
  plus,
  question,
  singleQuote,
  tab,
  zero,
} from './characters.ts';
import { Cursor } from './scanner.ts';
import type { Node, ScalarNode } from './tree.ts';

/** Parses the part `span` of a text; undefined if the part is empty, has an error, or uses syntax that this parser does not support. */
export function parseUsual(text: string, span: Span, builder: TreeBuilder): Node | undefined {
  return new FastYamlParser(text, span, builder).root();
}

/** The maximum nesting depth. Manifests are not nested more deeply, and documents that exceed it are parsed by the libraries. */
const maximumDepth = 80;

/** The value of `#column` at the end of the text. */
const ended = -1;

/** A parser for common YAML. Each parsing method starts at the first character of its element, and returns undefined if the element uses syntax that this parser does not support. */
class FastYamlParser extends Cursor {
  /**
   * The column of the first character that is not a blank, on the line to which `#goOn` advanced; `ended` at the end of
   * the text.
   */
  #column = ended;
  #depth = 0;

  root(): Node | undefined {
    const start = this.at;
    if (!this.#goOn(start) || this.#column === ended) return undefined;
    // The libraries do not treat spaces at the very start of the text as indentation.
    if (this.#column > 0 && this.at === start + this.#column) return undefined;
    const root = this.#node(this.#column, this.#column - 1);
    return this.#column === ended ? root : undefined;
  }

  /**
   * Advances to the next line with content. Returns false if the rest of the current line is not empty. `lineStart` is
   * set if the content may already be on the current line.
   */
  #goOn(lineStart = ended): boolean {
    const text = this.text;
    const end = this.end;
    let start = lineStart;
    let at = this.at;
    for (;;) {
      while (at < end && text.charCodeAt(at) === blank) at++;
      if (at >= end) break;
      const code = text.charCodeAt(at);
      // A comment may follow a quote or a bracket without a blank.
      if (code === hash) {
        const lineEnd = afterLine(text, at, end);
        if (holdsUnusual(text.slice(at, lineEnd))) return false;
        at = lineEnd - 1;
        if (text.charCodeAt(at) !== lineFeed) break;
      } else if (code === carriageReturn) {
        if (!this.endsLineAt(++at)) return false;
      } else if (code !== lineFeed) {
        if (start === ended || code === tab) return false;
        this.#column = at - start;
        this.at = at;
        return true;
      }
      if (at >= end) break;
      start = ++at;
    }
    this.#column = ended;
    this.at = end;
    return true;
  }

  /** Parses the node at a column; the column of its parent is `parent`. Then advances to the line after the node. */
  #node(column: number, parent: number): Node | undefined {
    if (++this.#depth > maximumDepth) return undefined;
    const node = this.#isItem() ? this.#list(column) : this.#mapOrLeaf(column, parent);
    this.#depth--;
    return node;
  }

  #isItem(): boolean {
    return this.code(this.at) === dash && isSpace(this.code(this.at + 1));
  }

  #list(column: number): Node | undefined {
    const start = this.at;
    const first = this.count;
    let last = start + 1;
    do {
      const item = this.#item(column, last);
      if (item === undefined || this.#column > column) return undefined;
      this.hold(item);
      last = Math.max(last, item.span.end);
    } while (this.#column === column && this.#isItem());
    return this.closedList(first, start, undefined);
  }

  #item(column: number, last: number): Node | undefined {
    const start = this.at++;
    const anchor = this.#anchor();
    if (anchor === undefined) return undefined;
    if (!this.endsLine()) {
      const item = this.#node(column + this.at - start, column);
      // The anchor of `- &name key: value` belongs to the key.
      if (anchor !== '' && item?.kind !== 'scalar' && item?.flow !== true) return undefined;
      return item && this.builder.anchor(anchor, item);
    }
    if (!this.#goOn()) return undefined;
    if (this.#column > column) return this.#anchored(anchor, this.#node(this.#column, column));
    return anchor === '' ? this.builder.nothing(last) : undefined;
  }

  #mapOrLeaf(column: number, parent: number): Node | undefined {
    const start = this.at;
    const code = this.code(start);
    if (code === doubleQuote || code === singleQuote) {
      const node = this.quoted(code);
      if (node === undefined) return undefined;
      const end = this.at;
      this.skipBlanks();
      if (this.code(this.at) === colon) {
        // A key must end on its line.
        return this.text.slice(start, end).includes('\n') ? undefined : this.#map(column, start, node);
      }
      return this.#goOn() ? node : undefined;
    }
    if (code === asterisk) {
      const node = this.#alias();
      this.skipBlanks();
      if (this.code(this.at) === colon) return node?.kind === 'scalar' ? this.#map(column, start, node) : undefined;
      return node && this.#goOn() ? node : undefined;
    }
    if (!this.startsPlain(code)) return this.#leaf(code, parent);
    const end = this.plainEnd();
    if (end === undefined) return undefined;
    if (this.code(this.at) === colon) return this.#map(column, start, this.plainScalar(start, end));
    return this.#plain(start, end, parent);
  }

  /** Parses a map, starting at the colon after its first key. */
  #map(column: number, start: number, firstKey: ScalarNode): Node | undefined {
    const first = this.count;
    let key: ScalarNode | undefined = firstKey;
    do {
      if (this.code(this.at) !== colon || !isSpace(this.code(++this.at))) break;
      const value = this.#value(column, key.span.end);
      if (value === undefined || this.#column > column) return undefined;
      this.hold(key);
      this.hold(value);
      if (this.#column < column) return this.closedMap(first, start, undefined);
      key = this.#key();
    } while (key !== undefined);
    // The text is not a key, so it may continue the value of the previous key, which this parser does not support.
    return undefined;
  }

  /** Parses a key, and stops at the colon after it. */
  #key(): ScalarNode | undefined {
    const start = this.at;
    const code = this.code(start);
    if (code === doubleQuote || code === singleQuote) {
      const key = this.quoted(code);
      const isOnLine = !this.text.slice(start, this.at).includes('\n');
      this.skipBlanks();
      return isOnLine ? key : undefined;
    }
    if (code === asterisk) {
      const key = this.#aliasKey();
      this.skipBlanks();
      return key;
    }
    const end = this.startsPlain(code) ? this.plainEnd() : undefined;
    return end === undefined ? undefined : this.plainScalar(start, end);
  }

  /** Parses a value, starting after the colon; `keyEnd` is the end of the key. */
  #value(column: number, keyEnd: number): Node | undefined {
    const anchor = this.#anchor();
    if (anchor === undefined) return undefined;
    if (!this.endsLine()) return this.#anchored(anchor, this.#valueOnLine(column));
    if (!this.#goOn()) return undefined;
    if (this.#column > column) return this.#anchored(anchor, this.#node(this.#column, column));
    if (this.#column === column && this.#isItem()) return this.#anchored(anchor, this.#nestedList(column));
    return anchor === '' ? this.builder.nothing(keyEnd) : undefined;
  }

  #valueOnLine(column: number): Node | undefined {
    const start = this.at;
    const code = this.code(start);
    if (!this.startsPlain(code)) return this.#leaf(code, column);
    const end = this.plainEnd();
    return end === undefined ? undefined : this.#plain(start, end, column);
  }

  #anchored(name: string, node: Node | undefined): Node | undefined {
    return node && this.builder.anchor(name, node);
  }

  /** Parses the anchor before a node, and the blanks around it. Returns its name, or an empty text if there is no anchor. */
  #anchor(): string | undefined {
    this.skipBlanks();
    if (this.code(this.at) !== ampersand) return '';
    const name = this.#name();
    this.skipBlanks();
    return name;
  }

  #alias(): Node | undefined {
    const start = this.at;
    const name = this.#name();
    return name === undefined ? undefined : this.builder.alias(name, start, this.at);
  }

  #aliasKey(): ScalarNode | undefined {
    const key = this.#alias();
    return key?.kind === 'scalar' ? key : undefined;
  }

  /** Parses the name of an anchor or alias, starting at its sign. */
  #name(): string | undefined {
    const start = ++this.at;
    while (isNameCharacter(this.code(this.at))) this.at++;
    const following = this.code(this.at);
    if (this.at === start || !(isSpace(following) || following === colon || isFlowSign(following))) return undefined;
    return this.text.slice(start, this.at);
  }

  /** Parses a list that is the value of a key. Its items may be in the same column as the key. */
  #nestedList(column: number): Node | undefined {
    if (++this.#depth > maximumDepth) return undefined;
    const list = this.#list(column);
    this.#depth--;
    return list;
  }

  /** Parses a value that is not a map, a list, or a plain scalar with several lines. */
  #leaf(code: number, parent: number): Node | undefined {
    if (code === bar || code === greater) return this.#blockScalar(parent);
    const node = code === doubleQuote || code === singleQuote ? this.quoted(code) : this.#flowOrAlias(code);
    return node !== undefined && this.#goOn() ? node : undefined;
  }

  /**
   * Parses the remaining lines of a plain scalar after its first line: all following lines that are indented more than
   * `parent`.
   */
  #plain(start: number, end: number, parent: number): Node | undefined {
    let stop = this.at;
    const sign = this.code(stop);
    if (sign === colon) return undefined;
    if (!this.#goOn()) return undefined;
    if (this.#column <= parent || sign === hash) return this.plainScalar(start, end);
    const text = this.text;
    const pieces = [text.slice(start, end)];
    let last = end;
    while (this.code(stop) !== hash) {
      const below = nextPlainLine(text, { start: stop, end: this.end }, parent);
      if (below === undefined) break;
      this.at = below.at;
      const next = this.plainEnd();
      if (next === undefined || this.code(this.at) === colon) return undefined;
      pieces.push(below.empty === 0 ? ' ' : '\n'.repeat(below.empty), text.slice(below.at, next));
      last = next;
      stop = this.at;
    }
    this.at = stop;
    if (holdsUnusual(text.slice(start, stop))) return undefined;
    return this.#goOn() ? this.builder.scalar(start, last, pieces.join(''), 'plain') : undefined;
  }

  /** Parses a block scalar: its header (`|` or `>`), and all following lines that are indented more than `parent`. */
  #blockScalar(parent: number): Node | undefined {
    const header = this.at++;
    const folded = this.text.charCodeAt(header) === greater;
    const chomping = this.#chomping();
    const digit = this.code(this.at) - zero;
    const isGiven = digit > 0 && digit < 10;
    if (isGiven) this.at++;
    const sign = chomping ?? this.#chomping();
    this.skipBlanks();
    if (!this.endsLine()) return undefined;
    const start = afterLine(this.text, this.at, this.end);
    const lines = linesOfBlock(
      this.text,
      { start, end: this.end },
      parent,
      isGiven ? Math.max(parent, 0) + digit : undefined,
    );
    if (lines === undefined || holdsUnusual(this.text.slice(this.at, lines.end))) return undefined;
    this.at = lines.end;
    const end = trimmedEnd(this.text, start, lines.end);
    // Parsing continues at the start of the line after the scalar.
    if (!this.#goOn(lines.end)) return undefined;
    return this.builder.scalar(header, end, blockText(lines.lines, folded, sign), 'block');
  }

  #flowOrAlias(code: number): Node | undefined {
    if (code === asterisk) return this.#alias();
    return code === openBrace || code === openBracket ? this.#flow(code) : undefined;
  }

  #chomping(): number | undefined {
    const code = this.code(this.at);
    if (code !== dash && code !== plus) return undefined;
    this.at++;
    return code;
  }

  /** Parses a flow map or flow list. Its lines may have any indentation. */
  #flow(open: number): Node | undefined {
    if (++this.#depth > maximumDepth) return undefined;
    const node = open === openBrace ? this.#flowMap() : this.#flowList();
    this.#depth--;
    return node;
  }

  #flowMap(): Node | undefined {
    const start = this.at++;
    const first = this.count;
    for (;;) {
      if (!this.#skipInFlow()) return undefined;
      if (this.code(this.at) === closeBrace) break;
      const keyStart = this.at;
      const key = this.code(keyStart) === asterisk ? this.#aliasKey() : this.#flowScalar();
      if (key === undefined || this.text.slice(keyStart, this.at).includes('\n')) return undefined;
      if (!this.#skipInFlow()) return undefined;
      let value: Node | undefined;
      if (this.code(this.at) === colon) {
        this.at++;
        if (!this.#skipInFlow()) return undefined;
        const code = this.code(this.at);
        if (code !== comma && code !== closeBrace) {
          value = this.#flowNode();
          if (value === undefined) return undefined;
        }
      }
      this.hold(key);
      this.hold(value ?? this.builder.nothing(key.span.end));
      if (!this.#skipInFlow()) return undefined;
      if (this.code(this.at) === closeBrace) break;
      if (this.code(this.at++) !== comma) return undefined;
    }
    return this.closedMap(first, start, ++this.at);
  }

  #flowList(): Node | undefined {
    const start = this.at++;
    const first = this.count;
    for (;;) {
      if (!this.#skipInFlow()) return undefined;
      if (this.code(this.at) === closeBracket) break;
      const item = this.#flowNode();
      if (item === undefined || !this.#skipInFlow()) return undefined;
      this.hold(item);
      if (this.code(this.at) === closeBracket) break;
      if (this.code(this.at++) !== comma) return undefined;
    }
    return this.closedList(first, start, ++this.at);
  }

  /** Skips blanks, tabs, line breaks and comments. Returns false at the end of the text. */
  #skipInFlow(): boolean {
    const text = this.text;
    for (; this.at < this.end; this.at++) {
      const code = text.charCodeAt(this.at);
      if (code === carriageReturn) {
        if (!this.endsLineAt(this.at + 1)) return false;
      } else if (code === hash) {
        const lineEnd = afterLine(text, this.at, this.end);
        if (holdsUnusual(text.slice(this.at, lineEnd))) return false;
        this.at = lineEnd - 1;
      } else if (code !== blank && code !== tab && code !== lineFeed) return true;
    }
    return false;
  }

  #flowNode(): Node | undefined {
    const anchor = this.#anchor();
    if (anchor === undefined) return undefined;
    const code = this.code(this.at);
    const isPlainOrQuoted = code !== asterisk && code !== openBrace && code !== openBracket;
    return this.#anchored(anchor, isPlainOrQuoted ? this.#flowScalar() : this.#flowOrAlias(code));
  }

  /**
   * Parses a scalar in a flow collection. A plain scalar ends on its line, before the character that ends the entry.
   */
  #flowScalar(): ScalarNode | undefined {
    const text = this.text;
    const start = this.at;
    const code = this.code(start);
    if (code === doubleQuote || code === singleQuote) return this.quoted(code);
    if (!this.startsPlain(code, true)) return undefined;
    let at = start;
    let last = at;
    let isOdd = false;
    for (; at < this.end; at++) {
      const each = text.charCodeAt(at);
      if (each === blank) continue;
      if (isFlowSign(each)) break;
      // A bracket, a comma or a brace after the colon does not make it the end of a key for Kubernetes.
      if (each === colon && isSpace(this.code(at + 1))) break;
      if (each === question) return undefined;
      if (each === hash && text.charCodeAt(at - 1) === blank) break;
      if (each < blank) {
        if (each === lineFeed || each === carriageReturn) break;
        return undefined;
      }
      if (each >= lastOfAscii) isOdd = true;
      last = at + 1;
    }
    if (isOdd && holdsUnusual(text.slice(start, last))) return undefined;
    this.at = at;
    if (isSpace(this.code(at)) && !this.#endsBelow(at)) return undefined;
    return this.plainScalar(start, last);
  }

  /**
   * Whether a plain scalar at the end of a line in a flow collection is complete: the next character after white space
   * is a comma or a closing bracket.
   */
  #endsBelow(lineEnd: number): boolean {
    let at = lineEnd;
    while (at < this.end && isSpace(this.text.charCodeAt(at))) at++;
    const code = this.code(at);
    return code === comma || code === closeBrace || code === closeBracket;
  }
}
