/** A quick test for texts that may hold selectors in commands or URLs: most hold none, and need not be parsed for them. */

import { nextMention } from './tools.ts';

const flags = /--[\w.-]{0,60}(?:selector|-filter)[=\s"']|Selector["']?[:=]/;

/** True for every text in whose scalars, comments, commands or URLs a selector may be written. */
export function mayHoldSelectors(text: string): boolean {
  return nextMention(text, 0) !== -1 || flags.test(text);
}
