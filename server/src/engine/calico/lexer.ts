/** Splits a selector text of Calico into lexemes. */

import { tableOf } from '../characters.ts';
import { fillPlaceholders, type Placeholder } from '../selector-lexer.ts';

/** `break` is a line break, `bad` any other character that the language does not have outside of strings. */
export type CalicoSymbol =
  | 'end'
  | 'word'
  | 'string'
  | 'unclosed'
  | 'break'
  | 'bad'
  | '('
  | ')'
  | '{'
  | '}'
  | ','
  | '='
  | '=='
  | '!='
  | '!'
  | '&'
  | '&&'
  | '|'
  | '||';

export interface CalicoLexeme {
  readonly symbol: CalicoSymbol;
  readonly start: number;
  readonly end: number;
}

/**
 * Splits the whole text, in linear time; the last lexeme is `end`. Blanks and tabs separate lexemes. The text has no
 * escapes and no comments. A placeholder is a part of the word or string that surrounds it.
 */
export function calicoLexemes(text: string, placeholders: readonly Placeholder[] = []): readonly CalicoLexeme[] {
  const filled = placeholders.length === 0 ? text : fillPlaceholders(text, placeholders);
  const lexemes: CalicoLexeme[] = [];
  let position = 0;
  while (position < filled.length) {
    const character = filled[position] ?? '';
    if (character === ' ' || character === '\t') {
      position++;
      continue;
    }
    const [symbol, end] = lexemeAt(filled, position, character);
    lexemes.push({ symbol, start: position, end });
    position = end;
  }
  lexemes.push({ symbol: 'end', start: text.length, end: text.length });
  return lexemes;
}

function lexemeAt(text: string, start: number, character: string): [CalicoSymbol, number] {
  switch (character) {
    case '(':
    case ')':
    case '{':
    case '}':
    case ',':
      return [character, start + 1];
    case '=':
      return text[start + 1] === '=' ? ['==', start + 2] : ['=', start + 1];
    case '&':
      return text[start + 1] === '&' ? ['&&', start + 2] : ['&', start + 1];
    case '|':
      return text[start + 1] === '|' ? ['||', start + 2] : ['|', start + 1];
    case '!':
      return text[start + 1] === '=' ? ['!=', start + 2] : ['!', start + 1];
    case '"':
    case "'": {
      const close = text.indexOf(character, start + 1);
      return close === -1 ? ['unclosed', text.length] : ['string', close + 1];
    }
    case '\n':
    case '\r':
      return ['break', start + 1];
    default:
      return wordAt(text, start);
  }
}

function wordAt(text: string, start: number): [CalicoSymbol, number] {
  let end = start;
  while (end < text.length && isWordPart(text.charCodeAt(end))) end++;
  if (end > start) return ['word', end];
  while (end < text.length && isBad(text.charCodeAt(end))) end++;
  return ['bad', Math.max(end, start + 1)];
}

const wordParts = tableOf('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./-');
const marks = tableOf(' \t\r\n(){},=&|!"\'');

function isWordPart(unit: number): boolean {
  return wordParts[unit] === 1 || unit === 0xe000;
}

function isBad(unit: number): boolean {
  return !isWordPart(unit) && marks[unit] !== 1;
}
