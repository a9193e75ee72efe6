/** A word of a command, with the parts that the shell expands. */

import type { Placeholder } from '../../engine/index.ts';
import { type Letters, part } from './source-map.ts';

export interface Word {
  readonly letters: Letters;
  /** The parts of the word that the shell expands. */
  readonly placeholders: readonly Placeholder[];
}

export type Command = readonly Word[];

/** Returns the part of a word from an index to the end of the word. */
export function afterwards({ letters, placeholders }: Word, start: number): Word {
  return {
    letters: part(letters, start, letters.text.length),
    placeholders: placeholders
      .filter((placeholder) => placeholder.start >= start)
      .map((placeholder) => ({ ...placeholder, start: placeholder.start - start, end: placeholder.end - start })),
  };
}
