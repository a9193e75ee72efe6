/** The description of a well-known key, as Markdown. */

import type { KeyFact } from '../../engine/catalogue/types.ts';
import { code, escapeMarkdown } from './markdown.ts';

/** Returns Markdown that describes a label key: its meaning, an example and, if it is deprecated, its replacement. */
export function aboutKey(fact: KeyFact): string {
  const example = fact.example === undefined ? '' : `\n\nFor example ${code(fact.example)}.`;
  const instead = fact.replacement === undefined ? '' : `\n\nUse ${code(fact.replacement)} instead.`;
  return `${escapeMarkdown(fact.description)}.${example}${instead}`;
}
