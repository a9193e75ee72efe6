/** `selector-lens completion`: prints a shell completion script, generated from the table of commands. */

import { loadedRules } from '../../rules/framework/loaded-rules.ts';
import type { World } from '../environment.ts';
import { didYouMean, UsageError } from '../options/arguments.ts';
import type { Arguments, Command, Option } from './command.ts';

const shells = ['bash', 'zsh', 'fish'] as const;

/** Creates the command. It reads the table of commands lazily, because it is itself an entry of the table. */
export function completionOf(commands: () => readonly Command[]): Command {
  return {
    name: 'completion',
    summary: 'Prints a completion script for a shell.',
    operand: { shown: 'SHELL', description: '`bash`, `zsh` or `fish`.', completes: 'shells', most: 1 },
    options: [],
    examples: [
      {
        line: 'source <(selector-lens completion bash)',
        description: 'Enable completion in this shell, or in `~/.bashrc`.',
      },
      {
        line: 'selector-lens completion zsh > ~/.zfunc/_selector-lens',
        description: 'Enable completion in new zsh sessions, if `~/.zfunc` is in `fpath`.',
      },
      {
        line: 'selector-lens completion fish > ~/.config/fish/completions/selector-lens.fish',
        description: 'Enable completion in new fish sessions.',
      },
    ],
    run: (world, given) => Promise.resolve(writeScript(world, given, commands())),
  };
}

function writeScript(world: World, { paths: [shell] }: Arguments, commands: readonly Command[]): number {
  if (shell === undefined) throw new UsageError(`Specify a shell: ${shells.join(', ')}.`);
  const printers = { bash: bashLines, zsh: zshLines, fish: fishLines };
  const known = shells.find((each) => each === shell);
  if (known === undefined)
    throw new UsageError(
      `There is no script for '${shell}', only for ${shells.join(', ')}.${didYouMean(shell, shells)}`,
    );
  for (const line of printers[known](commands)) world.out(line);
  return 0;
}

function operandWords({ operand }: Command): readonly string[] | undefined {
  if (operand?.completes === 'rules') return loadedRules().map(({ id }) => id);
  if (operand?.completes === 'shells') return shells;
  return operand?.completes === 'paths' ? undefined : [];
}

/** Returns the lines of the bash script, which is compatible with bash 3.2 on macOS. Readline treats `=` as a separate word. */
function bashLines(commands: readonly Command[]): readonly string[] {
  const names = commands.map(({ name }) => name).join(' ');
  const values = commands.flatMap(({ name, options }) =>
    options.flatMap((option) => {
      if (option.value === undefined) return [];
      const written = [`--${option.name}`, ...(option.letter === undefined ? [] : [`-${option.letter}`])];
      const patterns = written.map((each) => `${name}:${each}`).join(' | ');
      return [`        ${patterns}) ${bashValue(option)}return ;;`];
    }),
  );
  const words = commands.map((command) => {
    const flags = [...command.options.map(({ name }) => `--${name}`), '--help'].join(' ');
    const operands = operandWords(command);
    const reply = operands === undefined ? '_selector_lens_paths -f' : `_selector_lens_words '${operands.join(' ')}'`;
    return `        ${command.name}) case $word in -*) _selector_lens_words '${flags}' ;; *) ${reply} ;; esac ;;`;
  });
  return [
    '# Completion of selector-lens for bash.',
    '_selector_lens_words() {',
    '    COMPREPLY=($(compgen -W "$1" -- "$word"))',
    '}',
    '_selector_lens_paths() {',
    '    local path',
    '    while IFS= read -r path; do COMPREPLY+=("$path"); done < <(compgen "$1" -- "$word")',
    '}',
    '_selector_lens() {',
    `    local word=$2 before=$3 command=\${COMP_WORDS[1]}`,
    '    COMPREPLY=()',
    '    if [ "$COMP_CWORD" -eq 1 ]; then',
    `        _selector_lens_words '${names} --help --version'`,
    '        return',
    '    fi',
    `    if [ "$word" = = ]; then word=; elif [ "$before" = = ]; then before=\${COMP_WORDS[COMP_CWORD-2]}; fi`,
    '    case "$command:$before" in',
    ...values,
    '    esac',
    '    case "$command" in',
    ...words,
    `        help) _selector_lens_words '${names}' ;;`,
    '    esac',
    '}',
    'complete -o filenames -F _selector_lens selector-lens',
  ];
}

function bashValue({ value, choices }: Option): string {
  if (choices !== undefined) return `_selector_lens_words '${choices.join(' ')}'; `;
  return value === 'DIR' ? '_selector_lens_paths -d; ' : acceptsFile(value) ? '_selector_lens_paths -f; ' : '';
}

/** Whether the placeholder of an option's value denotes a file, or a file or folder. */
function acceptsFile(value: string | undefined): boolean {
  return value === 'FILE' || value === 'PATH';
}

function zshLines(commands: readonly Command[]): readonly string[] {
  const described = commands.map(({ name, summary }) => `    '${name}:${quoted(plain(summary))}'`);
  const cases = commands.flatMap((command) => {
    const specs = command.options.flatMap(zshOption).map((spec) => `'${spec}'`);
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

function zshOption({ name, letter, value, choices, several, description }: Option): readonly string[] {
  const explanation = `[${quoted(plain(description)).replace(/[[\]:]/g, '\\$&')}]`;
  if (value === undefined) return [`--${name}${explanation}`];
  const paths = value === 'DIR' ? '_files -/' : acceptsFile(value) ? '_files' : '';
  const action = choices === undefined ? paths : `(${choices.join(' ')})`;
  const short = letter === undefined ? [] : [`-${letter}+${explanation}:${value}:${action}`];
  return [...short, `${several ? '*' : ''}--${name}=${explanation}:${value}:${action}`];
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

function fishOption({ name, letter, value, choices, description }: Option): string {
  const short = letter === undefined ? '' : ` -s ${letter}`;
  const takes = value === undefined ? '' : fishValue(value, choices);
  return `-l ${name}${short}${takes} -d '${fishText(description)}'`;
}

function fishValue(value: string, choices: Option['choices']): string {
  if (choices !== undefined) return ` -x -a '${choices.join(' ')}'`;
  if (value === 'DIR') return " -x -a '(__fish_complete_directories)'";
  return acceptsFile(value) ? ' -r' : ' -x';
}

function plain(text: string): string {
  return text.replaceAll('`', '');
}

/** Escapes text for single quotes in bash and zsh. */
function quoted(text: string): string {
  return text.replaceAll("'", "'\\''");
}

function fishText(text: string): string {
  return plain(text).replaceAll('\\', '\\\\').replaceAll("'", "\\'");
}
