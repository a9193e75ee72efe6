/** Generates the documentation of the command line from the tables of commands and formats. */

import { type Command, type Option, shownOption } from '../commands/command.ts';
import type { CheckFormat } from '../formats/format.ts';
import { usageOf } from './help.ts';

export function commandLinePage(commands: readonly Command[]): string {
  return commands.map(section).join('\n');
}

/** Returns the Markdown list of the formats of `check`. */
export function formatsList(formats: readonly CheckFormat[]): string {
  return formats.map(({ name, description }) => `- \`${name}\`: ${description}\n`).join('');
}

function section(command: Command): string {
  const { name, summary, details = [], operand, options, examples } = command;
  const rows = [
    ...(operand === undefined ? [] : [`| \`${operand.shown}\` | ${cell(operand.description)} |`]),
    ...options.map((option) => `| ${optionCell(option)} | ${cell(option.description)} |`),
  ];
  return [
    `## ${name}`,
    '',
    summary,
    ...details.flatMap((paragraph) => ['', paragraph]),
    '',
    '```sh',
    usageOf(command),
    '```',
    '',
    ...(rows.length === 0 ? [] : ['| Argument or option | Description |', '| --- | --- |', ...rows, '']),
    '```sh',
    ...examples.flatMap(({ line, description }) => [`# ${description}`, line]),
    '```',
    '',
  ].join('\n');
}

function optionCell(option: Option): string {
  const words = [...(option.letter === undefined ? [] : [`-${option.letter}`]), shownOption(option)];
  return words.map((word) => `\`${cell(word)}\``).join(', ');
}

/** Escapes vertical bars, which would end a table cell in Markdown. */
function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}
