/** Lists names in sentences, and begins sentences. */

import { shownText } from '../../manifests/shown-name.ts';

const mostNames = 4;

/** Joins words with commas and a conjunction. */
export function listed(words: readonly string[], conjunction = 'and'): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} ${conjunction} ${words.at(-1)}`;
}

/** Joins the first names, and counts the others. */
export function listedNames(names: readonly string[]): string {
  const shown = names.length > mostNames ? [...names.slice(0, mostNames), `${names.length - mostNames} more`] : names;
  return listed(shown);
}

/** Joins the first phrases, and counts the others. */
export function listedPhrases(phrases: readonly string[]): string {
  const more = phrases.length - mostNames;
  return [...phrases.slice(0, mostNames), ...(more > 0 ? [`${more} more`] : [])].join('; ');
}

export function capitalized(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** Returns the kind and name of an object for people: of an evaluated expression in the name, its source. */
export function shownObject(kind: string, name: string): string {
  return `${kind}/${shownText(name)}`;
}
