/** A word of a command, with the parts of it that the shell fills. */

import type { Hole } from '../../engine/index.ts';
import { type Letters, part } from './source-map.ts';

/** One word of a command. */
export interface Word {
  readonly letters: Letters;
  /** The placeholders that the shell fills. */
  readonly holes: readonly Hole[];
}

export type Command = readonly Word[];

/** Returns a word without its first characters. */
export function afterwards({ letters, holes }: Word, start: number): Word {
  return {
    letters: part(letters, start, letters.text.length),
    holes: holes
      .filter((hole) => hole.start >= start)
      .map((hole) => ({ ...hole, start: hole.start - start, end: hole.end - start })),
  };
}
