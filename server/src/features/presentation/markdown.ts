/** Builds Markdown in which text from a workspace is never interpreted as markup. Renderers decode different characters: VS Code's hovers (marked) remove backslashes inside the text of a link and parse it again, and VS Code's preview (markdown-it) detects URLs after it has decoded character references. Therefore, characters with a meaning in Markdown are written as character references, never with a backslash, and URLs are split by a zero-width space. */

import { replaceControls } from '../../text/control-characters.ts';
import { percentEncode } from '../../text/percent-encoding.ts';

const zeroWidthSpace = '\u200B';

/** Matches most names, words and paths, which contain nothing to escape. */
const withoutMarkup = /^(?!.*(?:www\.|\/\/|\bgh-\d|\b[0-9a-f]{40})) ?[a-z(:;,'"\u2014][a-z0-9 .,:;()'"\u2014/-]*$/i;

/** Escapes text for any position in a line of Markdown, so that it creates no markup, HTML, links, or mentions of users or issues. The text can come from a workspace; the result is a single line. */
export function escapeMarkdown(text: string): string {
  if (withoutMarkup.test(text)) return text;
  return (
    singleLine(text)
      // Four spaces at the start of a line would begin a code block.
      .replace(/^\s+/, ' ')
      .replace(/\/(?=\/)|www(?=\.)|#(?=\d)|\bgh(?=-\d)/gi, `$&${zeroWidthSpace}`)
      .replace(/\b[0-9a-f]{40}/gi, splitId)
      .replaceAll('@', `${zeroWidthSpace}@${zeroWidthSpace}`)
      .replace(/[\\`*[\]<>&~|$]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])|^ ?[#+=-]/g, (mark) => references(mark))
      .replace(/^( ?\d+)([.)])/, (_, number: string, mark: string) => number + references(mark))
  );
}

/** Formats text as inline code, even if it contains backticks. */
export function code(text: string): string {
  // In Markdown, two adjacent backticks are literal text, not empty code.
  const shown = singleLine(text) || ' ';
  if (!shown.includes('`')) return `\`${shown}\``;
  const longest = Math.max(...[...shown.matchAll(/`+/g)].map((run) => run[0].length));
  const fence = '`'.repeat(longest + 1);
  return `${fence} ${shown} ${fence}`;
}

/** Formats text as a code block, even if it contains backticks. */
export function codeBlock(text: string, language: string): string {
  const shown = replaceControls(text, '\n\t');
  const longest = Math.max(2, ...[...shown.matchAll(/`+/g)].map((run) => run[0].length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${shown}\n${fence}`;
}

/** Returns a link that shows `text`. Characters of the URI `target` that are invalid in a URI or have a meaning in Markdown are percent-encoded. */
export function link(text: string, target: string): string {
  return `[${escapeMarkdown(text)}](<${replaceControls(target).replace(/[^\w.:/?#%=,;@+-]/gu, percentEncoded)}>)`;
}

/** Returns a link to a line of a file. */
export function linkToLine(text: string, path: string, line: number): string {
  return link(text, `${path}#L${line}`);
}

/** Converts a sentence in which backticks enclose keys: the keys stay inline code, and all other text is escaped. */
export function sentenceMarkdown(sentence: string): string {
  return sentence
    .split(/(`[^`]*`)/)
    .map((part, index) => (index % 2 === 1 ? code(part.slice(1, -1)) : part === '' ? '' : escapeMarkdown(part)))
    .join('');
}

function singleLine(text: string): string {
  return replaceControls(/[\t\r\n]/.test(text) ? text.replace(/[\t\r\n]+/g, ' ') : text);
}

/** Splits the id of a commit into parts that are too short to be links to the commit. */
function splitId(id: string): string {
  return id.replace(/.{6}/g, `$&${zeroWidthSpace}`);
}

/** Returns numeric character references, which no renderer interprets as markup. */
function references(text: string): string {
  return text.replace(/[^ ]/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Percent-encodes a character, even if `percentEncode` leaves it unchanged. */
function percentEncoded(character: string): string {
  const encoded = percentEncode(character);
  return encoded === character ? `%${character.charCodeAt(0).toString(16).toUpperCase()}` : encoded;
}
