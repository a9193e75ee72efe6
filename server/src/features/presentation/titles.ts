/** The length of the titles of CodeLenses. */

/** The maximum number of characters of a title. */
export const maximumTitle = 60;

/** Returns the first text that is short enough; otherwise the last one, shortened. The parts of a text are joined. */
export function fitting(texts: readonly (readonly (string | undefined)[])[], most = maximumTitle): string {
  const joined = texts.map((parts) => parts.filter((part) => part !== undefined).join('; '));
  const text = joined.find(({ length }) => length > 0 && length <= most) ?? joined.at(-1) ?? '';
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}
