/** A word of a command, with the parts of it that the shell fills. */

import type { Placeholder } from '../../engine/index.ts';
import { type Letters, part } from './source-map.ts';

/** One word of a command. */
export interface Word {
  readonly letters: Letters;
  /** The placeholders that the shell fills. */
  readonly placeholders: readonly Placeholder[];
}

export type Command = readonly Word[];

/** Returns a word without its first characters. */
export function afterwards({ letters, placeholders }: Word, start: number): Word {
  return {
    letters: part(letters, start, letters.text.length),
    placeholders: placeholders
      .filter((placeholder) => placeholder.start >= start)
      .map((placeholder) => ({ ...placeholder, start: placeholder.start - start, end: placeholder.end - start })),
  };
}
