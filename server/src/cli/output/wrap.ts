/** Wraps text into lines of a readable width. */

import type { World } from '../environment.ts';

/** Returns the line width for prose, in columns: at most 100, since long lines are hard to follow. */
export function widthIn({ columns = Number.POSITIVE_INFINITY }: World): number {
  return Math.min(100, columns);
}

/** Wraps words into lines; the first line begins with the margin `first`, each further line with `next`. */
export function wrapped(words: readonly string[], first: string, next: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = first;
  let isEmpty = true;
  for (const word of words) {
    if (!isEmpty && line.length + 1 + word.length > width) {
      lines.push(line);
      line = next;
      isEmpty = true;
    }
    line += isEmpty ? word : ` ${word}`;
    isEmpty = false;
  }
  return [...lines, line];
}
