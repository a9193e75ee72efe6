/** Formats counts with their nouns. */

/** Formats a count: `1 error`, `2 errors`, `3 information`. */
export function counted(count: number, word: string): string {
  return `${count} ${count === 1 || word === 'information' ? word : `${word}s`}`;
}
