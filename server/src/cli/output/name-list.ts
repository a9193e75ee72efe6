/** Lists names in a message, up to a number and a length. */

/** The maximum number of characters in a list, so that a message is not shortened inside of a name; at least one name is listed. */
const longestList = 600;

/** Lists the first names, and the number of the others: `a, b and 3 more`. */
export function nameList(names: readonly string[], most: number): string {
  const shown = names.slice(0, most);
  while (shown.length > 1 && shown.join(', ').length > longestList) shown.pop();
  const left = names.length - shown.length;
  return `${shown.join(', ')}${left > 0 ? ` and ${left} more` : ''}`;
}
