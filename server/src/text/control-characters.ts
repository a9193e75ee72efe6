/** Replaces characters that have an effect instead of a visible shape: control characters, bidirectional marks, lone surrogates. */

const controls = /[\p{Cc}\p{Surrogate}\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/gu;

/**
 * Replaces every control character, every mark of the writing direction and every lone surrogate.
 * @param text text that may come from a workspace
 * @param kept characters that stay, for example `'\n'` in a text of several lines
 * @returns the text with U+FFFD in their place, one for one
 */
export function replaceControls(text: string, kept = ''): string {
  if (/^[ -~]*$/.test(text)) return text;
  return text.replace(controls, (character) => (kept.includes(character) ? character : '\uFFFD'));
}
