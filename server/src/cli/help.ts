/** What does a person read who asks for help? Made from the table of commands. */

import { type Command, shownOption } from './command.ts';
import { plain } from './paint.ts';

export function usageOf({ name, operand, options }: Command): string {
  const flags = options.map((option) => (option.required ? shownOption(option) : `[${shownOption(option)}]`));
  return ['selector-lens', name, ...(operand === undefined ? [] : [operand.shown]), ...flags].join(' ');
}

/** About all commands. */
export function helpLines(commands: readonly Command[]): readonly string[] {
  const width = Math.max(...commands.map(({ name }) => name.length));
  return [
    'Kubernetes labels and selectors: what is wrong, and who selects whom.',
    '',
    'Usage: selector-lens COMMAND [OPTION...]',
    '',
    ...commands.map(({ name, summary }) => `  selector-lens ${name.padEnd(width)}  ${summary}`),
    '',
    '  selector-lens --version',
    '',
    "'selector-lens COMMAND --help' shows the options of a command, with examples.",
    ...exitCodes,
  ];
}

/** About one command. */
export function commandHelp(command: Command): readonly string[] {
  const { summary, details = [], operand, options, examples } = command;
  const rows = [
    ...(operand === undefined ? [] : [[operand.shown, operand.says] as const]),
    ...options.map((option) => [optionWords(option), option.says] as const),
    ['-h, --help', 'Show this.'] as const,
  ];
  return [
    ...wrapped(usageOf(command), '', '    '),
    '',
    ...wrapped(plain(summary), '', ''),
    ...details.flatMap((paragraph) => ['', ...wrapped(plain(paragraph), '', '')]),
    '',
    ...rows.flatMap(([words, says]) => [`  ${words}`, ...wrapped(plain(says), '      ', '      ')]),
    '',
    'Examples:',
    ...examples.flatMap(({ line, says }) => ['', ...wrapped(plain(says), '  # ', '  # '), `  ${line}`]),
    '',
    ...exitCodes,
  ];
}

const exitCodes = ['Exit code 0: nothing to complain about; 1: findings; 2: the command could not be run.'];

function optionWords(option: Command['options'][number]): string {
  return `${option.letter === undefined ? '' : `-${option.letter}, `}${shownOption(option)}`;
}

const width = 100;

/** Breaks a text between words. */
function wrapped(text: string, first: string, next: string): readonly string[] {
  const lines: string[] = [];
  let line = first;
  let isEmpty = true;
  for (const word of text.split(' ')) {
    if (!isEmpty && line.length + 1 + word.length > width) {
      lines.push(line);
      line = next;
      isEmpty = true;
    }
    line += isEmpty ? word : ` ${word}`;
    isEmpty = false;
  }
  return [...lines, line];
}
