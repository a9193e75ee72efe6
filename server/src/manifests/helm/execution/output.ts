/** Collects the output of a template, with the position in the template that wrote each part. */

import type { Span } from '../../../text/span.ts';
import { textAsCode } from '../actions.ts';
import { hasEntries } from '../output.ts';
import { escaped, unescaped } from './template-value.ts';

/** A part of the output: literal text of the template, or the output of an action. */
interface Piece {
  readonly text: string;
  /** The position of literal text in the template; for the output of an action, the span of the action. */
  readonly source: Span;
  readonly isLiteral: boolean;
}

/** The output of a template. Actions remain in it for values that are not known; known braces are escaped. */
export class TemplateOutput {
  readonly pieces: Piece[] = [];
  #length = 0;

  /** The length of the output, in UTF-16 code units. */
  get length(): number {
    return this.#length;
  }

  /** Adds literal text, which starts at an offset of the template. */
  literal(text: string, start: number): void {
    this.#add({ text: escaped(text), source: { start, end: start + text.length }, isLiteral: true });
  }

  written(text: string, source: Span): void {
    this.#add({ text, source, isLiteral: false });
  }

  append(other: TemplateOutput): void {
    for (const piece of other.pieces) this.#add(piece);
  }

  #add(piece: Piece): void {
    if (piece.text === '') return;
    this.pieces.push(piece);
    this.#length += piece.text.length;
  }

  get text(): string {
    return this.pieces.map(({ text }) => text).join('');
  }

  /** Adds a block of which it is unknown whether it is executed. Its actions are on lines of their own if the block writes lines. */
  block(condition: string, then: TemplateOutput, otherwise: TemplateOutput, source: Span): void {
    const [thenText, otherText] = [then.text, otherwise.text];
    if (thenText.trim() === '' && otherText.trim() === '') {
      this.append(then);
      return;
    }
    const before = this.#lastLine();
    const isBlank = before.trim() === '';
    const writesLines = (text: string) => text.includes('\n') || (isBlank && hasEntries(text));
    if (!writesLines(thenText) && !writesLines(otherText)) {
      const [yes, no] = [textAsCode(unescaped(thenText)), textAsCode(unescaped(otherText))];
      // In parentheses, the condition does not begin a block.
      this.written(`{{ (${condition}): ${yes} else: ${no} }}`, source);
      return;
    }
    const indent = isBlank ? before : '';
    const branch = (output: TemplateOutput, text: string) => {
      if (!text.startsWith('\n')) this.written(`\n${indent}`, source);
      this.append(output);
    };
    this.written(`\n{{ ${condition} }}`, source);
    branch(then, thenText);
    if (otherText.trim() !== '') {
      this.written('\n{{ else }}', source);
      branch(otherwise, otherText);
    }
    this.written(`\n{{ end }}\n${indent}`, source);
  }

  /** Removes the last document, which may be cut off. */
  dropLastDocument(): void {
    let left = Math.max(this.text.lastIndexOf('\n---'), 0);
    const all = this.pieces.splice(0);
    this.#length = 0;
    for (const piece of all) {
      this.#add({ ...piece, text: piece.text.slice(0, left) });
      left = Math.max(left - piece.text.length, 0);
    }
  }

  #lastLine(): string {
    let line = '';
    for (let at = this.pieces.length - 1; at >= 0; at--) {
      const { text } = this.pieces[at] ?? { text: '' };
      const end = text.lastIndexOf('\n');
      line = text.slice(end + 1) + line;
      if (end !== -1) break;
    }
    return line;
  }
}

/** Converts spans of the output to spans of the template. */
export class SourceMap {
  readonly #pieces: readonly Piece[];
  readonly #starts: readonly number[];

  constructor({ pieces }: TemplateOutput) {
    this.#pieces = pieces;
    let at = 0;
    this.#starts = pieces.map(({ text }) => {
      at += text.length;
      return at - text.length;
    });
  }

  span({ start, end }: Span): Span {
    const from = this.#position(start, false);
    const to = start === end ? from : this.#position(end, true);
    return { start: Math.min(from, to), end: Math.max(from, to) };
  }

  /** Whether a span of the output contains no output of an action. */
  isLiteral({ start, end }: Span): boolean {
    for (let at = this.#pieceAt(start); (this.#starts[at] ?? end) < end; at++)
      if (this.#pieces[at]?.isLiteral === false) return false;
    return true;
  }

  #position(offset: number, isEnd: boolean): number {
    const at = this.#pieceAt(isEnd ? offset - 1 : offset);
    const piece = this.#pieces[at];
    if (piece === undefined) return 0;
    if (!piece.isLiteral) return isEnd ? piece.source.end : piece.source.start;
    return Math.min(piece.source.start + offset - (this.#starts[at] ?? 0), piece.source.end);
  }

  /** Returns the index of the piece that contains a position of the output. */
  #pieceAt(offset: number): number {
    let low = 0;
    let high = this.#starts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#starts[middle] ?? 0) <= offset) low = middle + 1;
      else high = middle;
    }
    return Math.max(low - 1, 0);
  }
}
