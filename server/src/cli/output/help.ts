/** Formats the help of the command line and of each command, from the table of commands. */

import { type Command, shownOption } from '../commands/command.ts';
import { plain } from './terminal-escape.ts';
import { wrapped } from './wrap.ts';

/** Returns the usage line of a command: `selector-lens check [PATH...]`. */
export function usageOf(command: Command): string {
  return usageWords(command).join(' ');
}

/** Returns the words of a usage line. An option and its value are one word, so that no line break separates them. */
function usageWords({ name, operand, options }: Command): readonly string[] {
  const flags = options.map((option) => (option.required ? shownOption(option) : `[${shownOption(option)}]`));
  return ['selector-lens', name, ...(operand === undefined ? [] : [operand.shown]), ...flags];
}

/** Formats the help of all commands, in lines of at most `width` columns. */
export function helpLines(commands: readonly Command[], width: number): readonly string[] {
  const longest = Math.max(...commands.map(({ name }) => name.length));
  const aside = ' '.repeat('  selector-lens '.length + longest + 2);
  return [
    'Checks and explains Kubernetes labels and selectors.',
    '',
    'Usage: selector-lens COMMAND [OPTION...]',
    '',
    ...commands.flatMap(({ name, summary }) =>
      wrapped(summary.split(' '), `  selector-lens ${name.padEnd(longest)}  `, aside, width),
    ),
    '',
    '  selector-lens --version, -V',
    '',
    "'selector-lens COMMAND --help' shows the options of a command, with examples.",
    ...exitCodes(width),
  ];
}

export function commandHelp(command: Command, width: number): readonly string[] {
  const { summary, details = [], operand, options, examples } = command;
  const rows = [
    ...(operand === undefined ? [] : [[operand.shown, operand.description] as const]),
    ...options.map((option) => [optionWords(option), option.description] as const),
    ['-h, --help', 'Show this help.'] as const,
  ];
  const text = (description: string, margin: string) => wrapped(plain(description).split(' '), margin, margin, width);
  return [
    ...wrapped(usageWords(command), '', '    ', width),
    '',
    ...text(summary, ''),
    ...details.flatMap((paragraph) => ['', ...text(paragraph, '')]),
    '',
    ...rows.flatMap(([words, description]) => [`  ${words}`, ...text(description, '      ')]),
    '',
    'Examples:',
    ...examples.flatMap(({ line, description }) => ['', ...text(description, '  # '), `  ${line}`]),
    '',
    ...exitCodes(width),
  ];
}

function exitCodes(width: number): readonly string[] {
  const description = 'Exit codes: 0 no findings, 1 findings, 2 the command failed.';
  return wrapped(description.split(' '), '', '', width);
}

function optionWords(option: Command['options'][number]): string {
  return `${option.letter === undefined ? '' : `-${option.letter}, `}${shownOption(option)}`;
}
