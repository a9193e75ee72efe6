/** Lists names in sentences. */

const mostNames = 4;

/** Joins words with commas and `and`. */
export function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}

/** Joins the first names, and counts the others. */
export function listedNames(names: readonly string[]): string {
  return listed(names.length > mostNames ? [...names.slice(0, mostNames), `${names.length - mostNames} more`] : names);
}
