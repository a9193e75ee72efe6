/** Scans YAML in common style: characters, plain scalars on a single line, and quoted scalars. */

import type { Span } from '../../text/span.ts';
import type { TreeBuilder } from './build-tree.ts';
import {
  backslash,
  blank,
  carriageReturn,
  colon,
  dash,
  doubleQuote,
  hash,
  holdsUnusual,
  isSpace,
  lastOfAscii,
  lineFeed,
  plainStarts,
  question,
  singleQuote,
  tab,
} from './characters.ts';
import { characterOf, escapeSequence } from './escapes.ts';
import type { Node, ScalarNode } from './tree.ts';

/** Scans the part `span` of a text. Parsing methods start at the first character of an element and stop after its last character. */
export class Cursor {
  protected readonly text: string;
  protected readonly end: number;
  protected readonly builder: TreeBuilder;
  protected at: number;
  /** The nodes that were parsed for open collections: the items of lists, or alternating keys and values of maps. */
  readonly #open: Node[] = [];
  /** The number of valid nodes in `#open`; nodes after them belong to collections that are already closed. */
  protected count = 0;

  constructor(text: string, { start, end }: Span, builder: TreeBuilder) {
    this.text = text;
    this.at = start;
    this.end = end;
    this.builder = builder;
  }

  protected hold(node: Node): void {
    this.#open[this.count++] = node;
  }

  /** Returns the code of the character at an offset; at the end of the text, a line feed. */
  protected code(at: number): number {
    return at < this.end ? this.text.charCodeAt(at) : lineFeed;
  }

  protected closedMap(first: number, start: number, end: number | undefined): Node {
    const map = this.builder.map(this.#open, start, end, first, this.count);
    this.count = first;
    return map;
  }

  protected closedList(first: number, start: number, end: number | undefined): Node {
    const list = this.builder.list(this.#open.slice(first, this.count), start, end);
    this.count = first;
    return list;
  }

  protected skipBlanks(): void {
    while (this.at < this.end && this.text.charCodeAt(this.at) === blank) this.at++;
  }

  /** Whether the rest of the line, from the current position, is empty or a comment. */
  protected endsLine(): boolean {
    const code = this.code(this.at);
    if (code === hash) return this.text.charCodeAt(this.at - 1) === blank;
    return code === lineFeed || code === carriageReturn;
  }

  /** Whether the line feed at an offset is the second character of a line break that begins with a carriage return. */
  protected endsLineAt(at: number): boolean {
    return at < this.end && this.text.charCodeAt(at) === lineFeed;
  }

  protected startsPlain(code: number, isInFlow = false): boolean {
    if (code !== dash && code !== colon && code !== question) return code >= 128 || plainStarts[code] === 1;
    return !isSpace(this.code(this.at + 1)) && (code === dash || !isInFlow);
  }

  protected plainScalar(start: number, end: number): ScalarNode {
    return this.builder.scalar(start, end, this.text.slice(start, end), 'plain');
  }

  /**
   * Returns the end offset of a plain scalar on its line. The scalar ends before the colon of a key, a comment, or the
   * end of the line.
   */
  protected plainEnd(): number | undefined {
    const text = this.text;
    const end = this.end;
    const start = this.at;
    let at = start;
    let isOdd = false;
    for (; at < end; at++) {
      const code = text.charCodeAt(at);
      if (code > colon) {
        if (code >= lastOfAscii) isOdd = true;
      } else if (code === colon) {
        if (isSpace(this.code(at + 1))) break;
      } else if (code < blank) {
        if (code === lineFeed || code === carriageReturn) break;
        return undefined;
      } else if (code === hash && text.charCodeAt(at - 1) === blank) break;
    }
    this.at = at;
    while (at > start && text.charCodeAt(at - 1) === blank) at--;
    return isOdd && holdsUnusual(text.slice(start, at)) ? undefined : at;
  }

  /** Parses a quoted scalar. Its lines may have any indentation. */
  protected quoted(quote: number): ScalarNode | undefined {
    const text = this.text;
    const start = this.at;
    let escapes = false;
    let isOdd = false;
    let at = start + 1;
    for (; ; at++) {
      const code = this.code(at);
      if (code < blank && code !== tab) return this.#quotedLines(quote);
      if (code >= lastOfAscii) isOdd = true;
      else if (code === quote) {
        if (quote === doubleQuote || this.code(at + 1) !== singleQuote) break;
        escapes = true;
        at++;
      } else if (code === backslash && quote === doubleQuote) {
        if (isLineBreak(this.code(at + 1))) return this.#quotedLines(quote);
        escapes = true;
        at++;
      }
    }
    const end = at + 1;
    if (isOdd && holdsUnusual(text.slice(start, end))) return undefined;
    this.at = end;
    if (quote === singleQuote) {
      const inner = text.slice(start + 1, at);
      return this.builder.scalar(start, end, escapes ? inner.replaceAll("''", "'") : inner, 'single');
    }
    const cooked = escapes ? unescaped(text.slice(start, end)) : text.slice(start + 1, at);
    return cooked === undefined ? undefined : this.builder.scalar(start, end, cooked, 'double');
  }

  /** Parses a quoted scalar with several lines, and folds its line breaks. */
  #quotedLines(quote: number): ScalarNode | undefined {
    const text = this.text;
    const start = this.at;
    const isDouble = quote === doubleQuote;
    let inner = '';
    // The part of the line that is not in `inner` yet, and its end without trailing white space.
    let from = start + 1;
    let last = from;
    let at = from;
    for (;;) {
      const code = this.code(at);
      const escaped = code === backslash && isDouble ? this.code(at + 1) : undefined;
      if (isLineBreak(escaped ?? code)) {
        const next = this.#nextQuotedLine(escaped === undefined ? at : at + 1);
        if (next === undefined) return undefined;
        inner += text.slice(from, escaped === undefined ? last : at);
        inner += next.empty === 0 && escaped === undefined ? ' ' : (isDouble ? '\\n' : '\n').repeat(next.empty);
        at = from = last = next.at;
      } else if (escaped === blank) {
        inner += text.slice(from, at);
        from = at + 1;
        at = last = at + 2;
      } else if (escaped !== undefined) at = last = at + 2;
      else if (code === quote) {
        if (isDouble || this.code(at + 1) !== singleQuote) break;
        inner += text.slice(from, ++at);
        from = last = ++at;
      } else if (code < blank && code !== tab) return undefined;
      else {
        at++;
        if (code !== blank && code !== tab) last = at;
      }
    }
    inner += text.slice(from, at);
    const end = at + 1;
    if (holdsUnusual(text.slice(start, end))) return undefined;
    const cooked = isDouble ? unescaped(`"${inner}"`) : inner;
    if (cooked === undefined) return undefined;
    this.at = end;
    return this.builder.scalar(start, end, cooked, isDouble ? 'double' : 'single');
  }

  /** Returns the start of the text on the next line that is not empty, and the number of empty lines before it. */
  #nextQuotedLine(lineEnd: number): { readonly at: number; readonly empty: number } | undefined {
    let breaks = 0;
    for (let at = lineEnd; at < this.end; at++) {
      const code = this.text.charCodeAt(at);
      if (code === lineFeed) breaks++;
      else if (code === carriageReturn) {
        if (!this.endsLineAt(at + 1)) return undefined;
      } else if (code !== blank && code !== tab) return { at, empty: breaks - 1 };
    }
    return undefined;
  }
}

function isLineBreak(code: number): boolean {
  return code === lineFeed || code === carriageReturn;
}

/** Returns the value of a double-quoted string on one line; undefined if Kubernetes does not know one of its escape sequences. */
function unescaped(quoted: string): string | undefined {
  const inner = quoted.slice(1, -1);
  let isKnown = true;
  const value = inner.replace(escapeSequence, (_, sequence: string) => {
    const character = characterOf(sequence);
    isKnown &&= character !== undefined;
    return character ?? '';
  });
  return isKnown ? value : undefined;
}
