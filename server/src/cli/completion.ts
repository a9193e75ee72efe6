/** `selector-lens completion`: what makes a shell complete commands and options? A script, made from the table. */

import { allRules } from '../rules/all.ts';
import { type Arguments, didYouMean, UsageError } from './arguments.ts';
import type { Command, Option } from './command.ts';
import type { World } from './world.ts';

const shells = ['bash', 'zsh', 'fish'] as const;

/** Needs the other commands, which it is one of. */
export function completionOf(commands: () => readonly Command[]): Command {
  return {
    name: 'completion',
    summary: 'Writes a script that makes a shell complete commands, options and rules.',
    operand: { shown: 'SHELL', says: '`bash`, `zsh` or `fish`.', completes: 'shells', most: 1 },
    options: [],
    examples: [
      { line: 'source <(selector-lens completion bash)', says: 'For this shell; or write it into `~/.bashrc`.' },
      {
        line: 'selector-lens completion zsh > ~/.zfunc/_selector-lens',
        says: 'For every zsh to come, where `~/.zfunc` is in its `fpath`.',
      },
      {
        line: 'selector-lens completion fish > ~/.config/fish/completions/selector-lens.fish',
        says: 'For every fish to come.',
      },
    ],
    run: (world, given) => Promise.resolve(writeScript(world, given, commands())),
  };
}

function writeScript(world: World, { paths: [shell] }: Arguments, commands: readonly Command[]): number {
  if (shell === undefined) throw new UsageError(`A shell must be named: ${shells.join(', ')}.`);
  const writers = { bash: bashLines, zsh: zshLines, fish: fishLines };
  const known = shells.find((each) => each === shell);
  if (known === undefined)
    throw new UsageError(
      `There is no script for '${shell}', only for ${shells.join(', ')}.${didYouMean(shell, shells)}`,
    );
  for (const line of writers[known](commands)) world.out(line);
  return 0;
}

function operandWords({ operand }: Command): readonly string[] | undefined {
  if (operand?.completes === 'rules') return allRules.map(({ id }) => id);
  if (operand?.completes === 'shells') return shells;
  return operand?.completes === 'paths' ? undefined : [];
}

/** What an option takes that is a path: the shell completes it. */
function takesPath({ value }: Option): boolean {
  return value === 'DIR' || value === 'FILE';
}

function bashLines(commands: readonly Command[]): readonly string[] {
  const names = commands.map(({ name }) => name).join(' ');
  const cases = commands.flatMap((command) => {
    const { name, options } = command;
    const values = options.flatMap((option) =>
      option.choices === undefined
        ? []
        : [
            `        ${name}:--${option.name}) COMPREPLY=($(compgen -W '${option.choices.join(' ')}' -- "$word")); return ;;`,
          ],
    );
    const free = options.filter((option) => option.value !== undefined && option.choices === undefined);
    const paths = free
      .filter(takesPath)
      .map((option) => `        ${name}:--${option.name}) COMPREPLY=($(compgen -f -- "$word")); return ;;`);
    const others = free
      .filter((option) => !takesPath(option))
      .map((option) => `        ${name}:--${option.name}) return ;;`);
    return [...values, ...paths, ...others];
  });
  const words = commands.map((command) => {
    const flags = [...command.options.map(({ name }) => `--${name}`), '--help'].join(' ');
    const operands = operandWords(command);
    const reply =
      operands === undefined
        ? 'COMPREPLY=($(compgen -f -- "$word"))'
        : `COMPREPLY=($(compgen -W '${operands.join(' ')}' -- "$word"))`;
    return `        ${command.name}) case $word in -*) COMPREPLY=($(compgen -W '${flags}' -- "$word")) ;; *) ${reply} ;; esac ;;`;
  });
  return [
    '# Completion of selector-lens for bash.',
    '_selector_lens() {',
    '    local word=$2 before=$3 command',
    '    read -r _ command _ <<<"$COMP_LINE"',
    '    COMPREPLY=()',
    '    if [ "$COMP_CWORD" -eq 1 ]; then',
    `        COMPREPLY=($(compgen -W '${names} --help --version' -- "$word"))`,
    '        return',
    '    fi',
    '    case "$command:$before" in',
    ...cases,
    '    esac',
    '    case "$command" in',
    ...words,
    '    esac',
    '}',
    'complete -o filenames -F _selector_lens selector-lens',
  ];
}

function zshLines(commands: readonly Command[]): readonly string[] {
  const described = commands.map(({ name, summary }) => `    '${name}:${quoted(plain(summary))}'`);
  const cases = commands.flatMap((command) => {
    const specs = command.options.map((option) => `'${zshOption(option)}'`);
    const words = operandWords(command);
    const operand = words === undefined ? "'*:file:_files'" : `'1:word:(${words.join(' ')})'`;
    const all = [...specs, "'--help[show help]'", ...(command.operand === undefined ? [] : [operand])];
    return [`    ${command.name})`, `      _arguments ${all.join(' \\\n        ')}`, '      ;;'];
  });
  return [
    '#compdef selector-lens',
    '# Completion of selector-lens for zsh.',
    '_selector_lens() {',
    '  local -a commands',
    '  commands=(',
    ...described,
    '  )',
    '  if (( CURRENT == 2 )); then',
    "    _describe 'command' commands",
    "    _values 'option' '--help' '--version'",
    '    return',
    '  fi',
    '  local command=$words[2]',
    '  shift words',
    '  (( CURRENT-- ))',
    '  case $command in',
    ...cases,
    '  esac',
    '}',
    'if [ "$funcstack[1]" = "_selector-lens" ]; then _selector_lens "$@"; else compdef _selector_lens selector-lens; fi',
  ];
}

function zshOption(option: Option): string {
  const says = quoted(plain(option.says)).replace(/[[\]:]/g, '\\$&');
  if (option.value === undefined) return `--${option.name}[${says}]`;
  const action = option.choices === undefined ? (takesPath(option) ? '_files' : '') : `(${option.choices.join(' ')})`;
  return `--${option.name}=[${says}]:${option.value}:${action}`;
}

function fishLines(commands: readonly Command[]): readonly string[] {
  const none = '__fish_use_subcommand';
  return [
    '# Completion of selector-lens for fish.',
    ...commands.map(({ name, summary }) => {
      return `complete -c selector-lens -f -n ${none} -a ${name} -d '${fishText(summary)}'`;
    }),
    `complete -c selector-lens -f -n ${none} -l help -d 'Show help'`,
    `complete -c selector-lens -f -n ${none} -l version -d 'Show the version'`,
    ...commands.flatMap((command) => {
      const seen = `-n '__fish_seen_subcommand_from ${command.name}'`;
      const words = operandWords(command);
      return [
        ...command.options.map((option) => `complete -c selector-lens ${seen} ${fishOption(option)}`),
        `complete -c selector-lens ${seen} -l help -d 'Show help'`,
        ...(words === undefined ? [] : [`complete -c selector-lens ${seen} -f -a '${words.join(' ')}'`]),
      ];
    }),
  ];
}

function fishOption({ name, letter, value, choices, says }: Option): string {
  const short = letter === undefined ? '' : ` -s ${letter}`;
  const takes = value === undefined ? '' : choices === undefined ? ' -r' : ` -x -a '${choices.join(' ')}'`;
  return `-l ${name}${short}${takes} -d '${fishText(says)}'`;
}

function plain(text: string): string {
  return text.replaceAll('`', '');
}

/** Within single quotes of bash and zsh. */
function quoted(text: string): string {
  return text.replaceAll("'", "'\\''");
}

function fishText(text: string): string {
  return plain(text).replaceAll('\\', '\\\\').replaceAll("'", "\\'");
}
