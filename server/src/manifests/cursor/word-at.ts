/** Finds the word of a command under the cursor, if it is neither a selector nor a label. */

import { type Span, touches } from '../../text/span.ts';
import type { CommandWord } from '../inline/command-words.ts';
import type { Manifest } from '../model.ts';

/** The range of a word. */
export function wordSpan({ letters }: CommandWord): Span {
  return { start: letters.startOf(0), end: letters.endOf(letters.text.length - 1) };
}

/** Returns the word at an offset; undefined if there is none. */
export function wordAt({ words = [] }: Manifest, offset: number): CommandWord | undefined {
  return words.find((word) => touches(wordSpan(word), offset));
}
