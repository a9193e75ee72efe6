/** Maps every character in the value of a YAML scalar to its position in the file, across quotes, escapes and line breaks. */

import type { ScalarNode } from '../yaml/tree.ts';
import { LetterList, type Letters, verbatim } from './source-map.ts';

/** Returns the value of a scalar, as far as it is relevant for commands, with the position of each character; `text` is the text of the file. */
export function scalarLetters(text: string, { span, style }: ScalarNode): Letters {
  const { start, end } = span;
  if (style === 'block') return blockLetters(text, start, end);
  const quotes = style === 'plain' ? 0 : 1;
  const inside = text.slice(start + quotes, end - quotes);
  if (style === 'plain' && !inside.includes('\n')) return verbatim(inside, start);
  if (style === 'single' && !/['\n]/.test(inside)) return verbatim(inside, start + 1);
  if (style === 'double' && !/[\\\n]/.test(inside)) return verbatim(inside, start + 1);
  return flowLetters(text, start + quotes, end - quotes, style);
}

/** Returns the lines of a literal or folded block scalar without their indentation. In a folded block, adjacent lines are joined. */
function blockLetters(text: string, start: number, end: number): Letters {
  const list = new LetterList();
  const folded = text[start] === '>';
  let at = text.indexOf('\n', start) + 1;
  let indent = -1;
  while (at > 0 && at < end) {
    const next = text.indexOf('\n', at);
    const last = next === -1 || next > end ? end : next;
    const stop = text[last - 1] === '\r' && last > at ? last - 1 : last;
    const line = text.slice(at, stop);
    const own = line.length - line.trimStart().length;
    if (indent === -1 && line.trim() !== '') indent = own;
    const skipped = Math.min(own, Math.max(indent, 0));
    addPiece(list, text, at + skipped, stop);
    if (last < end) list.add(folded && line.trim() !== '' && own <= indent ? ' ' : '\n', stop, last + 1);
    at = last + 1;
  }
  return list;
}

function addPiece(list: LetterList, text: string, start: number, end: number): void {
  list.copy(verbatim(text), start, end);
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '0': '\0', e: '\u001b', N: '\u0085' };
const codes: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };

/** Returns the value of a plain or quoted scalar that spans several lines or contains escapes. */
function flowLetters(text: string, start: number, end: number, style: ScalarNode['style']): Letters {
  const list = new LetterList();
  let at = start;
  while (at < end) {
    const character = text[at] ?? '';
    if (character === '\n' || character === '\r') {
      const next = at + (/^[\r\n\t ]*/.exec(text.slice(at, Math.min(end, at + 1_000)))?.[0].length ?? 1);
      list.add(' ', at, next);
      at = next;
    } else if (style === 'single' && character === "'") {
      list.add("'", at, at + 2);
      at += 2;
    } else if (style === 'double' && character === '\\') {
      at = addEscape(list, text, at);
    } else {
      list.add(character, at, at + 1);
      at++;
    }
  }
  return list;
}

/** Appends the character that an escape sequence in a double-quoted scalar represents (none for an escaped line break), and returns the end offset of the sequence. */
function addEscape(list: LetterList, text: string, at: number): number {
  const letter = text[at + 1] ?? '';
  if (letter === '\n' || letter === '\r')
    return at + (/^\\\r?\n[\t ]*/.exec(text.slice(at, at + 1_000))?.[0].length ?? 2);
  const length = Object.hasOwn(codes, letter) ? (codes[letter] ?? 0) : 0;
  const code = length === 0 ? Number.NaN : Number.parseInt(text.slice(at + 2, at + 2 + length), 16);
  const end = at + 2 + length;
  if (Number.isNaN(code)) list.add(Object.hasOwn(escapes, letter) ? (escapes[letter] ?? letter) : letter, at, at + 2);
  else list.add(code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd', at, end);
  return Number.isNaN(code) ? at + 2 : end;
}
