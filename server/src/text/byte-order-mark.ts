/** Recognizes the byte order mark at the start of a text, an invisible character that programs on Windows write. */

const mark = '\uFEFF';

/** The byte order mark at the start of a text, or the empty string. */
export function byteOrderMark(text: string): string {
  return text.startsWith(mark) ? mark : '';
}
