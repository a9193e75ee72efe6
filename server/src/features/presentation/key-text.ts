/** The description of a well-known key, as Markdown. */

import { describeKey } from '../../engine/catalogue/key-descriptions.ts';
import type { KeyFact } from '../../engine/catalogue/types.ts';
import { code, escapeMarkdown } from './markdown.ts';

/** Returns Markdown that describes a label key: its meaning, an example and, if it is deprecated, its replacement. */
export function aboutKey(fact: KeyFact): string {
  const { description, example: value } = describeKey(fact);
  const example = value === undefined ? '' : `\n\nFor example ${code(value)}.`;
  const instead = fact.replacement === undefined ? '' : `\n\nUse ${code(fact.replacement)} instead.`;
  return `${escapeMarkdown(description)}.${example}${instead}`;
}
