/** Escapes text of a workspace for parts of an editor that show plain text. */

import { withoutMarkup } from '../protocol.ts';
import { replaceControls } from '../text/control-characters.ts';

/**
 * Text that an editor shows as it is: names of symbols, titles of CodeLenses, messages.
 * @param text text that may come from a workspace
 * @returns the text with U+FFFD for each control character but line feeds, in which VS Code draws no icon and no link
 */
export function shownText(text: string): string {
  return withoutMarkup(replaceControls(text, '\n'));
}
