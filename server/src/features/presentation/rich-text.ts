/** How is an answer written that editors show: some as Markdown, some as plain text? What a person typed stays as it is. */

import { replaceControls } from '../../text/control-characters.ts';
import type { Place } from '../../text/lines.ts';
import { percentEncode } from '../../text/percent-encoding.ts';
import { code, codeBlock, escapeMarkdown, link } from './markdown.ts';

/** A piece of a line; `text` of every kind may be a person's. */
export type Part =
  | string
  | { readonly kind: 'code' | 'strong' | 'emphasis'; readonly text: string }
  | { readonly kind: 'link'; readonly text: string; readonly target: string }
  | ({ readonly kind: 'command'; readonly text: string } & Command);

/** What only an editor can do. One that does not trust commands in texts shows `text`, or nothing where that is ''. */
type Command =
  | { readonly command: 'copy'; readonly argument: { readonly text: string }; readonly title: string }
  | { readonly command: 'preview'; readonly argument: PreviewPlace; readonly title: string };

interface PreviewPlace {
  readonly uri: string;
  readonly position: Place;
}

export type Line = readonly Part[];

export type Block =
  | { readonly kind: 'paragraph'; readonly line: Line }
  | { readonly kind: 'list'; readonly lines: readonly Line[] }
  | { readonly kind: 'code'; readonly text: string; readonly language: string };

export type RichText = readonly Block[];

/** The commands by which the editor does what it may be asked for in a text. */
export type CommandNames = Readonly<Partial<Record<Command['command'], string>>>;

export function paragraph(...line: Line): Block {
  return { kind: 'paragraph', line };
}

/** A sentence of the engine, in which backticks stand around keys. */
export function sentence(text: string): Line {
  return text
    .split(/(`[^`]*`)/)
    .map((part, index): Part => (index % 2 === 1 ? { kind: 'code', text: part.slice(1, -1) } : part))
    .filter((part) => part !== '');
}

/** The text as Markdown; what is to be done is a link where `commands` names it. */
export function toMarkdown(text: RichText, commands: CommandNames = {}): string {
  return written(text, (part) => markdownOf(part, commands), codeBlock);
}

/** The text for an editor that shows no Markdown: nothing but words. */
export function toPlainText(text: RichText): string {
  return written(text, plainOf, (block) => replaceControls(block, '\n\t'));
}

function written(
  text: RichText,
  write: (part: Part) => string,
  writeCode: (text: string, language: string) => string,
): string {
  const lineOf = (line: Line) => line.map(write).join('').trimEnd();
  let all = '';
  for (const block of text) {
    const isList = block.kind === 'list';
    const shown = isList
      ? block.lines.map((line) => `- ${lineOf(line)}`).join('\n')
      : block.kind === 'code'
        ? writeCode(block.text, block.language)
        : lineOf(block.line);
    // What only an editor that trusts us can do leaves no gap in others.
    if (shown !== '') all += `${all === '' ? '' : isList ? '\n' : '\n\n'}${shown}`;
  }
  return all;
}

function markdownOf(part: Part, commands: CommandNames): string {
  if (typeof part === 'string') return escapeMarkdown(part);
  switch (part.kind) {
    case 'code':
      return code(part.text);
    case 'strong':
      return `**${escapeMarkdown(part.text)}**`;
    case 'emphasis':
      return `*${escapeMarkdown(part.text)}*`;
    case 'link':
      return link(part.text, part.target);
    case 'command': {
      const name = commands[part.command];
      if (name === undefined) return escapeMarkdown(part.text);
      return link(part.title, `command:${name}?${percentEncode(JSON.stringify([part.argument]))}`);
    }
  }
}

function plainOf(part: Part): string {
  return replaceControls((typeof part === 'string' ? part : part.text).replace(/[\t\r\n]+/g, ' '));
}
