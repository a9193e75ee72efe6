/** How is Markdown written, and what a person typed shown in it? */

/** Text of the user for the middle of a line of Markdown, shown as it is: no markup, no HTML, no link of its own. */
export function escapeMarkdown(text: string): string {
  return text
    .replace(/[\r\n]+/g, ' ')
    .replace(/[\\`*_[\]<>&~|@]/g, '\\$&')
    .replace(/:(?=\/\/)|(?<=www)\./gi, '\\$&')
    .replace(/^\s*[#+=-]/, (mark) => `\\${mark.trimStart()}`)
    .replace(/^\s*(\d+)([.)])/, '$1\\$2');
}

/** Text of the user as inline code, whatever backticks it holds. */
export function code(text: string): string {
  const shown = text.replace(/[\r\n]+/g, ' ');
  const longest = Math.max(0, ...[...shown.matchAll(/`+/g)].map((run) => run[0].length));
  const fence = '`'.repeat(longest + 1);
  return longest === 0 ? `${fence}${shown}${fence}` : `${fence} ${shown} ${fence}`;
}

/** Text of the user as a block of code. */
export function codeBlock(text: string, language: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map((run) => run[0].length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}

/** A link; `target` is a URI. */
export function link(text: string, target: string): string {
  return `[${escapeMarkdown(text)}](<${target.replace(/[<>]/g, encodeURIComponent)}>)`;
}

/** A sentence of the engine, in which backticks stand around keys: those stay code, all else is shown as it is. */
export function sentenceMarkdown(sentence: string): string {
  return sentence
    .split(/(`[^`]*`)/)
    .map((part, index) => (index % 2 === 1 ? part : escapeMarkdown(part)))
    .join('');
}
