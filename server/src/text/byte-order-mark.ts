/** Does a text begin with the mark that says how its bytes are ordered? Windows writes it, and nobody sees it. */

const mark = '\uFEFF';

/** The byte order mark that a text begins with, or the empty string. */
export function byteOrderMark(text: string): string {
  return text.startsWith(mark) ? mark : '';
}
