/**
 * Builds Markdown in which text from a workspace is never interpreted as markup.
 *
 * Renderers differ in the characters that they decode: VS Code's hovers (marked) remove backslashes inside the text of
 * a link and parse it again, and VS Code's preview (markdown-it) finds addresses after character references were
 * decoded. So characters with a meaning in Markdown are written as character references, never with a backslash, and
 * addresses are split by a zero-width space.
 */

import { replaceControls } from '../../text/control-characters.ts';
import { percentEncode } from '../../text/percent-encoding.ts';

const zeroWidthSpace = '\u200B';

/**
 * Escapes text for the middle or the start of a line of Markdown: no markup, no HTML, no link, no mention of a user or
 * an issue.
 * @param text text from a workspace, or a sentence of ours
 * @returns one line
 */
export function escapeMarkdown(text: string): string {
  return (
    singleLine(text)
      // Four blanks at the start of a line would begin a code block.
      .replace(/^\s+/, ' ')
      .replace(/\/(?=\/)|www(?=\.)|#(?=\d)/gi, `$&${zeroWidthSpace}`)
      .replaceAll('@', `${zeroWidthSpace}@${zeroWidthSpace}`)
      .replace(/[\\`*[\]<>&~|$]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])|^ ?[#+=-]/g, (mark) => references(mark))
      .replace(/^( ?\d+)([.)])/, (_, number: string, mark: string) => number + references(mark))
  );
}

/** Formats text as inline code, whatever backticks it contains. */
export function code(text: string): string {
  // Two backticks without text between them are not code, but two backticks.
  const shown = singleLine(text) || ' ';
  const longest = Math.max(0, ...[...shown.matchAll(/`+/g)].map((run) => run[0].length));
  const fence = '`'.repeat(longest + 1);
  return longest === 0 ? `${fence}${shown}${fence}` : `${fence} ${shown} ${fence}`;
}

/** Formats text as a block of code, whatever backticks it contains. */
export function codeBlock(text: string, language: string): string {
  const shown = replaceControls(text, '\n\t');
  const longest = Math.max(2, ...[...shown.matchAll(/`+/g)].map((run) => run[0].length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${shown}\n${fence}`;
}

/**
 * A link.
 * @param text the shown text
 * @param target a URI; characters that a URI cannot contain, or with a meaning in Markdown, are percent-encoded
 */
export function link(text: string, target: string): string {
  return `[${escapeMarkdown(text)}](<${replaceControls(target).replace(/[^\w.:/?#%=,;@+-]/gu, percentEncoded)}>)`;
}

/** Converts a sentence of the engine, in which backticks enclose keys: these stay code, the rest is escaped. */
export function sentenceMarkdown(sentence: string): string {
  return sentence
    .split(/(`[^`]*`)/)
    .map((part, index) => (index % 2 === 1 ? code(part.slice(1, -1)) : part === '' ? '' : escapeMarkdown(part)))
    .join('');
}

function singleLine(text: string): string {
  return replaceControls(text.replace(/[\t\r\n]+/g, ' '));
}

/** Numeric character references, which no renderer interprets as markup. */
function references(text: string): string {
  return text.replace(/[^ ]/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Encodes a character, also one that `percentEncode` leaves unchanged. */
function percentEncoded(character: string): string {
  const encoded = percentEncode(character);
  return encoded === character ? `%${character.charCodeAt(0).toString(16).toUpperCase()}` : encoded;
}
