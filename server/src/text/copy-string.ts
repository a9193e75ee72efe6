/** Copies strings, so that a small part of a large text does not keep the whole text in memory. */

/** A copy of a text with its own storage. A slice of a file's text would keep the whole file in memory. */
export function ownText(text: string): string {
  return JSON.parse(JSON.stringify(text));
}
