/** Escapes workspace text for parts of an editor that display plain text. */

import { withoutMarkup } from '../protocol.ts';
import { replaceControls } from '../text/control-characters.ts';

/**
 * Escapes text that an editor shows unchanged: names of symbols, titles of CodeLenses, messages.
 * @param text text that may come from a workspace
 * @returns the text with U+FFFD for each control character except line feeds, in which VS Code renders no icon and no
 * link
 */
export function shownText(text: string): string {
  return withoutMarkup(replaceControls(text, '\n'));
}
