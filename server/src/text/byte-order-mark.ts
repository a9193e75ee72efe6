/** Recognizes the byte order mark at the start of a text, an invisible character that programs on Windows write. */

const mark = '\uFEFF';

/** Returns the byte order mark at the start of a text, or the empty string if there is none. */
export function byteOrderMark(text: string): string {
  return text.startsWith(mark) ? mark : '';
}
