/** Runs a command line: finds the command, parses its arguments, and returns the exit code. */

import { commands } from './commands/all.ts';
import type { Arguments } from './commands/command.ts';
import type { World } from './environment.ts';
import { loadRules } from './load-rules.ts';
import { didYouMean, readArguments, UsageError } from './options/arguments.ts';
import { commandHelp, helpLines } from './output/help.ts';
import { writeTo } from './output/output-file.ts';
import { tame } from './output/terminal-escape.ts';
import { widthIn } from './output/wrap.ts';

/**
 * Runs a command line (without the name of the program) and returns the exit code: 0, 1 for findings, 2 for failures.
 */
export async function run(words: readonly string[], world: World): Promise<number> {
  try {
    return await runWords(words, world);
  } catch (error) {
    world.status?.(undefined);
    const message = error instanceof Error ? error.message : String(error);
    const bug = error instanceof UsageError ? '' : 'This should not happen, please report it: ';
    world.err(`selector-lens: ${tame(bug + message.replaceAll(/[\r\n]+/g, ' '))}`);
    return 2;
  }
}

async function runWords([name, ...rest]: readonly string[], world: World): Promise<number> {
  if (name === undefined) {
    for (const line of helpLines(commands, widthIn(world))) world.err(line);
    return 2;
  }
  if (name === '--version' || name === '-V') {
    world.out(world.version);
    return 0;
  }
  const isHelp = name === '--help' || name === '-h' || name === 'help';
  if (isHelp && rest[0] === undefined) return show(world, helpLines(commands, widthIn(world)));
  const wanted = isHelp ? (rest[0] ?? '') : name;
  const command = commands.find((each) => each.name === wanted);
  if (command === undefined) {
    const hint = didYouMean(
      wanted,
      commands.map((each) => each.name),
    );
    throw new UsageError(`Unknown command '${wanted}'.${hint === '' ? " 'selector-lens --help' lists all." : hint}`);
  }
  const options = rest.includes('--') ? rest.slice(0, rest.indexOf('--')) : rest;
  if (isHelp || options.includes('--help') || options.includes('-h'))
    return show(world, commandHelp(command, widthIn(world)));
  if (command.evaluatesNoRules !== true) await loadRules();
  const given = readArguments(rest, command);
  const output = given.values.get('output');
  const runIn = (where: World) => command.run(colored(where, given), given);
  return output === undefined ? runIn(world) : writeTo(output, world, runIn);
}

/** Returns the environment with the colors that `--color` requests, regardless of standard output. */
function colored(world: World, { values }: Arguments): World {
  const wanted = values.get('color');
  return wanted === 'always' || wanted === 'never' ? { ...world, colours: wanted === 'always' } : world;
}

function show(world: World, lines: readonly string[]): number {
  for (const line of lines) world.out(line);
  return 0;
}
