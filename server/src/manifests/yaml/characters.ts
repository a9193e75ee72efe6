/** The character codes that are significant in YAML. */

export const tab = 0x09;
export const lineFeed = 0x0a;
export const carriageReturn = 0x0d;
export const blank = 0x20;
export const doubleQuote = 0x22;
export const hash = 0x23;
export const ampersand = 0x26;
export const singleQuote = 0x27;
export const asterisk = 0x2a;
export const plus = 0x2b;
export const comma = 0x2c;
export const dash = 0x2d;
export const zero = 0x30;
export const colon = 0x3a;
export const greater = 0x3e;
export const question = 0x3f;
export const openBracket = 0x5b;
export const backslash = 0x5c;
export const closeBracket = 0x5d;
export const openBrace = 0x7b;
export const bar = 0x7c;
export const closeBrace = 0x7d;
/** The code of the last ASCII character; larger codes may need special treatment. */
export const lastOfAscii = 0x7f;

const unusual = /[^\P{Cc}\t\n\r]|[\p{Cs}\u2028\u2029\ufeff\ufffe\uffff]|\r(?!\n)/u;

/** Whether a text contains characters that YAML does not allow, or obsolete line breaks such as a single carriage return. */
export function holdsUnusual(text: string): boolean {
  return unusual.test(text);
}

/** A table of the ASCII characters that can begin a plain scalar regardless of the next character. */
export const plainStarts = new Uint8Array(128);
for (let code = 0x21; code < 0x7f; code++)
  plainStarts[code] = '!"#%&\'*,-:>?@[]`{|}'.includes(String.fromCharCode(code)) ? 0 : 1;

/** Whether a character is a space, a tab or a line ending. */
export function isSpace(code: number): boolean {
  return code === blank || code === lineFeed || code === carriageReturn || code === tab;
}

/** Whether a character is significant anywhere inside of braces and brackets. */
export function isFlowSign(code: number): boolean {
  return code === comma || code === openBracket || code === closeBracket || code === openBrace || code === closeBrace;
}

/** Whether a character may be part of the name of an anchor: letters, digits, `-` and `_`. */
export function isNameCharacter(code: number): boolean {
  const isLetter = (code | 32) >= 97 && (code | 32) <= 122;
  return isLetter || (code >= 48 && code <= 57) || code === dash || code === 95;
}
