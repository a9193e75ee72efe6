/** Rich text for editors, rendered as Markdown or as plain text. Text from a workspace is never interpreted as markup. */

import { replaceControls } from '../../text/control-characters.ts';
import type { Position } from '../../text/lines.ts';
import { percentEncode } from '../../text/percent-encoding.ts';
import { code, codeBlock, escapeMarkdown, link } from './markdown.ts';

/** A part of a line; `text` of every kind may come from a workspace. */
export type Part =
  | string
  | { readonly kind: 'code' | 'strong' | 'emphasis'; readonly text: string }
  | { readonly kind: 'link'; readonly text: string; readonly target: string }
  | ({ readonly kind: 'command'; readonly text: string } & Command);

/** An editor command. An editor that does not support command links shows `text` instead, which may be empty. */
type Command =
  | { readonly command: 'copy'; readonly argument: { readonly text: string }; readonly title: string }
  | { readonly command: 'preview' | 'explain'; readonly argument: DocumentPosition; readonly title: string };

interface DocumentPosition {
  readonly uri: string;
  readonly position: Position;
}

export type Line = readonly Part[];

export type Block =
  | { readonly kind: 'paragraph'; readonly line: Line }
  | { readonly kind: 'list'; readonly lines: readonly Line[] }
  | { readonly kind: 'table'; readonly head: readonly string[]; readonly rows: readonly (readonly Line[])[] }
  | { readonly kind: 'code'; readonly text: string; readonly language: string }
  | { readonly kind: 'rule' };

export type RichText = readonly Block[];

/** Returns text that is shown as code. */
export function inlineCode(text: string): Part {
  return { kind: 'code', text };
}

/** The names of the editor commands to which text can link. */
export type CommandNames = Readonly<Partial<Record<Command['command'], string>>>;

export function paragraph(...line: Line): Block {
  return { kind: 'paragraph', line };
}

/** Returns an answer with details below a rule line, because a small hover shows only its beginning. The details precede those that are already below a rule line. */
export function withDetails(answer: RichText, details: RichText): RichText {
  if (details.length === 0 || answer.length === 0) return [...answer, ...details];
  const rule = answer.findIndex(({ kind }) => kind === 'rule');
  if (rule === -1) return [...answer, { kind: 'rule' }, ...details];
  return [...answer.slice(0, rule + 1), ...details, ...answer.slice(rule + 1)];
}

/** Converts a sentence in which backticks enclose keys to the parts of a line. */
export function sentence(text: string): Line {
  return text
    .split(/(`[^`]*`)/)
    .map((part, index): Part => (index % 2 === 1 ? { kind: 'code', text: part.slice(1, -1) } : part))
    .filter((part) => part !== '');
}

/** Renders the text as Markdown; a command becomes a link if `commands` contains its name. */
export function toMarkdown(text: RichText, commands: CommandNames = {}, writeLink = link): string {
  const write = (part: Part) => markdownOf(part, commands, writeLink);
  return written(text, { write, writeCode: codeBlock, writeTable, rule: '***' });
}

/** Renders the text as plain text, for an editor that does not support Markdown. */
export function toPlainText(text: RichText): string {
  const writeCode = (block: string) => replaceControls(block, '\n\t');
  return written(text, { write: plainOf, writeCode, writeTable: writeRows, rule: '---' });
}

interface Writer {
  write(part: Part): string;
  writeCode(text: string, language: string): string;
  writeTable(head: readonly string[], rows: readonly (readonly string[])[]): string;
  readonly rule: string;
}

/** Writes a table of Markdown. A bar would end a cell even in code, where it cannot be a character reference. Hovers of VS Code leave no space between cells. */
function writeTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  const spaced = (cells: readonly string[]) =>
    line([...cells.slice(0, -1).map((cell) => `${cell}&emsp;`), ...cells.slice(-1)]);
  return [line(head.map(escapeMarkdown)), line(head.map(() => ':--')), ...rows.map(spaced)].join('\n');
}

/** Writes each row of a table as a line of a list. */
function writeRows(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return rows
    .map((cells) => `- ${cells.map((cell, at) => (at === 0 ? cell : `${head[at] ?? ''}: ${cell}`)).join('; ')}`)
    .join('\n');
}

function written(text: RichText, { write, writeCode, writeTable, rule }: Writer): string {
  const lineOf = (line: Line) => joined(line).map(write).join('').trimEnd();
  let all = '';
  const shownBlock = (block: Block) => {
    switch (block.kind) {
      case 'list':
        return block.lines.map((line) => `- ${lineOf(line)}`).join('\n');
      case 'table':
        return writeTable(
          block.head,
          block.rows.map((row) => row.map(lineOf)),
        );
      case 'code':
        return writeCode(block.text, block.language);
      case 'rule':
        return rule;
      case 'paragraph':
        return lineOf(block.line);
    }
  };
  for (const block of text) {
    const isList = block.kind === 'list';
    const shown = shownBlock(block);
    // A block is empty if the editor does not support its command; an empty block leaves no gap.
    if (shown !== '') all += `${all === '' ? '' : isList ? '\n' : '\n\n'}${shown}`;
  }
  return all;
}

/** Returns a line in which adjacent texts are one part, because two texts can be markup only together: `/` and `/host`. */
function joined(line: Line): Line {
  const parts: Part[] = [];
  for (const part of line) {
    const last = parts.at(-1);
    if (typeof part === 'string' && typeof last === 'string') parts[parts.length - 1] = last + part;
    else parts.push(part);
  }
  return parts;
}

function markdownOf(part: Part, commands: CommandNames, writeLink: typeof link): string {
  if (typeof part === 'string') return escapeMarkdown(part);
  switch (part.kind) {
    case 'code':
      return code(part.text);
    case 'strong':
      return `**${escapeMarkdown(part.text)}**`;
    case 'emphasis':
      return `*${escapeMarkdown(part.text)}*`;
    case 'link':
      return writeLink(part.text, part.target);
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
