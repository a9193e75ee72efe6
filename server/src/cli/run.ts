/** A terminal is asking: which command is it, and what does it answer? */

import { type Arguments, type OptionKind, readArguments, UsageError } from './arguments.ts';
import { checkOptions, runCheck } from './check.ts';
import { matchOptions, runMatch } from './match.ts';
import type { World } from './world.ts';

interface Command {
  readonly options: Readonly<Record<string, OptionKind>>;
  readonly usage: string;
  readonly summary: string;
  run(world: World, given: Arguments): Promise<number>;
}

const commands: Readonly<Record<string, Command>> = {
  check: {
    options: checkOptions,
    usage: 'check [PATH...] [--format text|json] [--severity hint|information|warning|error] [--root DIR]',
    summary: 'Shows what is wrong with labels and selectors; exits with 1 where something reaches the severity.',
    run: runCheck,
  },
  match: {
    options: matchOptions,
    usage:
      'match --selector STRING [PATH...] [--kind KIND] [--namespace NAME] [--pods] [--format text|json] [--root DIR]',
    summary: 'Lists the objects that a selector takes; with --pods, what makes pods that it takes.',
    run: runMatch,
  },
};

/** Runs one command line (without the program's name), and answers the exit code: 0, 1 for findings, 2 for what cannot be run. */
export async function run(words: readonly string[], world: World): Promise<number> {
  const [name, ...rest] = words;
  if (name === undefined) {
    for (const line of helpLines()) world.err(line);
    return 2;
  }
  if (name === '--help' || name === '-h' || name === 'help') {
    for (const line of helpLines()) world.out(line);
    return 0;
  }
  if (name === '--version') {
    world.out(world.version);
    return 0;
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  try {
    if (command === undefined) throw new UsageError(`There is no command '${name}'.`);
    const options = rest.includes('--') ? rest.slice(0, rest.indexOf('--')) : rest;
    if (options.includes('--help') || options.includes('-h')) {
      world.out(`selector-lens ${command.usage}\n\n${command.summary}`);
      return 0;
    }
    return await command.run(world, readArguments(rest, command.options));
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const bug = error instanceof UsageError ? '' : 'This should not happen, please report it: ';
    world.err(`selector-lens: ${bug}${message.replaceAll(/[\r\n]+/g, ' ')}`);
    return 2;
  }
}

function helpLines(): readonly string[] {
  const lines = Object.values(commands).map(({ usage, summary }) => `  selector-lens ${usage}\n      ${summary}`);
  return [
    'Kubernetes labels and selectors: what is wrong, and who selects whom.',
    '',
    ...lines,
    '',
    '  selector-lens --version',
  ];
}
