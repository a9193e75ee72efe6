/** What is said of a well-known key? */

import type { KeyFact } from '../../engine/catalogue/types.ts';
import { code, escapeMarkdown } from './markdown.ts';

/** Its meaning, an example, and what to write in the place of a key that is outdated; Markdown. */
export function aboutKey(fact: KeyFact): string {
  const example = fact.example === undefined ? '' : `\n\nFor example ${code(fact.example)}.`;
  const instead = fact.replacement === undefined ? '' : `\n\nUse ${code(fact.replacement)} instead.`;
  return `${escapeMarkdown(fact.description)}.${example}${instead}`;
}
