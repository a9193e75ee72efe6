/** Splits a selector text into lexemes. */

import { tableOf } from './characters.ts';

/**
 * A placeholder: a part of a selector text that is unknown, such as `${ENV}`. Equal ids mean equal texts. Placeholders
 * are in the order of the text and do not overlap.
 */
export interface Placeholder {
  readonly start: number;
  readonly end: number;
  readonly id: string;
}

/** The end of the text, a word (key, value, `in` or `notin`), or a symbol. */
export type Lexeme = 'end' | 'word' | ',' | '(' | ')' | '!' | '=' | '==' | '!=' | '<' | '>';

/** A private-use character that replaces placeholders. It is scanned as a part of a word, but no valid word contains it. */
const filler = '\ue000';

/**
 * Scans a text from left to right, one lexeme at a time, exactly as the `Lexer` of k8s.io/apimachinery/pkg/labels:
 * white space is space, tab, CR and LF; U+0000 ends the lexeme before it and is dropped, or ends the whole text if it
 * is at the start of a lexeme; all characters that are neither white space nor symbols are parts of words.
 */
export class SelectorLexer {
  readonly text: string;
  /** The text with its placeholders replaced, so that no character in them is scanned as a symbol. */
  readonly #filled: string;
  #position = 0;
  /** The current lexeme and its span in the text. */
  lexeme: Lexeme = 'end';
  start = 0;
  end = 0;

  constructor(text: string, placeholders: readonly Placeholder[]) {
    this.text = text;
    this.#filled = placeholders.length === 0 ? text : fillPlaceholders(text, placeholders);
    this.next();
  }

  /** Advances to the next lexeme. */
  next(): void {
    const text = this.#filled;
    let position = this.#position;
    while (position < text.length && isSpace(text.charCodeAt(position))) position++;
    this.start = position;
    if (position >= text.length || text.charCodeAt(position) === 0) {
      this.lexeme = 'end';
      this.end = position;
      this.#position = text.length;
      return;
    }
    const symbol = symbolAt(text, position);
    if (symbol) {
      this.lexeme = symbol;
      position += symbol.length;
    } else {
      this.lexeme = 'word';
      while (position < text.length && isWordPart(text.charCodeAt(position))) position++;
    }
    this.end = position;
    this.#position = text.charCodeAt(position) === 0 ? position + 1 : position;
  }
}

const spaces = tableOf(' \t\r\n');
const wordEnds = tableOf(' \t\r\n\0=!<>(),');

function isSpace(unit: number): boolean {
  return spaces[unit] === 1;
}

function isWordPart(unit: number): boolean {
  return wordEnds[unit] !== 1;
}

/** Returns the symbol that begins at `position`, scanned greedily: `==` and `!=` before `=` and `!`. */
function symbolAt(text: string, position: number): Exclude<Lexeme, 'end' | 'word'> | undefined {
  const character = text[position];
  switch (character) {
    case '=':
      return text[position + 1] === '=' ? '==' : '=';
    case '!':
      return text[position + 1] === '=' ? '!=' : '!';
    case ',':
    case '(':
    case ')':
    case '<':
    case '>':
      return character;
    default:
      return undefined;
  }
}

/** Returns a text in which the letters of each placeholder are replaced by a letter for private use. */
export function fillPlaceholders(text: string, placeholders: readonly Placeholder[]): string {
  let filled = '';
  for (const placeholder of placeholders) {
    filled += text.slice(filled.length, placeholder.start);
    filled += filler.repeat(Math.max(0, Math.min(placeholder.end, text.length) - filled.length));
  }
  return filled + text.slice(filled.length);
}
