/** How do words come into lines that are easy to read? */

import type { World } from '../environment.ts';

/** Of what is read, not looked up: long lines are hard to follow. */
export function widthIn({ columns = Number.POSITIVE_INFINITY }: World): number {
  return Math.min(100, columns);
}

/** Breaks a text between words; each line begins with a margin. */
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
