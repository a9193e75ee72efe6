/** Escapes text for terminals and logs, so that no part of it is interpreted as a command, and colors it if colors are supported. */

const codes = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, blue: 34, cyan: 36 } as const;

export type Style = keyof typeof codes;

export type Colorize = (text: string, ...styles: readonly Style[]) => string;

/** Returns a function that applies styles; without support for colors, it returns the text unchanged. */
export function colorizer(colours: boolean): Colorize {
  if (!colours) return (text) => text;
  return (text, ...styles) => {
    if (text === '') return '';
    const start = styles.map((style) => `\u001B[${codes[style]}m`).join('');
    return `${start}${text}\u001B[0m`;
  };
}

/** Control characters, and characters that change the direction of text. Tabs are harmless and are not replaced. */
const unsafe = /[\p{Cc}\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/gu;

/** The start of commands that a CI system recognizes anywhere in a line: `##[`, `##vso[`, `##teamcity[`. */
const ciCommand = /##(?=[a-z]*\[)/gi;

/** Escapes text from a workspace, so that it is a single line without terminal control sequences and CI commands. */
export function tame(text: string): string {
  return text.replaceAll(ciCommand, '#\uFF03').replaceAll(unsafe, (character) => {
    const code = character.codePointAt(0) ?? 0;
    if (code === 9) return character;
    return code < 32 ? String.fromCodePoint(0x2400 + code) : '\uFFFD';
  });
}

/** Escapes a path at the start of a line, where GitHub Actions interprets `::` as a command. */
export function tamePath(path: string): string {
  return tame(/^\s*::/.test(path) ? `./${path}` : path);
}

/** Escapes a whole line that may begin with text from a workspace. */
export function tameLine(line: string): string {
  return tame(line).replace(/^(\s*):(?=:)/, '$1\uFF1A');
}

/**
 * Serializes a value as indented JSON, which contains nothing that `tame` would change and parses to the same value.
 */
export function tameJson(value: unknown): string {
  return JSON.stringify(value, null, 2)
    .replaceAll(ciCommand, '#\\u0023')
    .replaceAll(/[\u007F-\u009F\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/g, (character) => {
      return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
    });
}

/** Returns the width of a character in a terminal, in columns: 0, 1 or 2. */
export function widthOf(character: string): number {
  if (/^\p{M}|^\u200D|^\uFE0F/u.test(character)) return 0;
  return /^[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6]|^\p{Emoji_Presentation}/u.test(
    character,
  )
    ? 2
    : 1;
}

/** Converts Markdown to plain text: backticks become quotes. */
export function plain(text: string): string {
  return text.replaceAll('`', "'");
}
