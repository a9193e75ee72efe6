/** Calls a tool: runs its command in an environment that cannot write files, and returns its answer as text. */

import type { Named, World } from '../cli/environment.ts';
import { loadRules } from '../cli/load-rules.ts';
import { UsageError } from '../cli/options/arguments.ts';
import { isWithin } from '../workspace/uri.ts';
import { answerText, errorText } from './answer.ts';
import { readInput } from './tool-input.ts';
import { itemLimits, type Tool, tools } from './tools.ts';

export interface ToolAnswer {
  readonly text: string;
  /** Whether the input was invalid or the question could not be answered. */
  readonly isError: boolean;
}

/** The environment of tools: a command-line environment that is limited to some folders. */
export interface ToolWorld {
  readonly world: World;
  /** Canonical URIs of the folders that the client opened; paths outside of them are refused. */
  readonly roots: readonly string[];
  /** Returns the time in milliseconds since an arbitrary moment. */
  now(): number;
}

/** The duration in milliseconds after which a call ends at its next pause. A server ends calls without a pause after one minute. */
const longestCall = 50_000;

/** The reason why a path is refused. */
export const outside = 'it is outside of the folders that are open';

/** Calls a tool by its name. Failures are returned as answers, so that the agent can correct its input. */
export async function callTool(place: ToolWorld, name: string, input: unknown): Promise<ToolAnswer> {
  const tool = tools.find((each) => each.name === name);
  try {
    if (tool === undefined) throw new UsageError(`There is no tool '${name}'.`);
    return { text: await answerOf(tool, place, input), isError: false };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const why = error instanceof UsageError ? message : `This should not happen, please report it: ${message}`;
    return { text: errorText(inputsIn(why, tool)), isError: true };
  }
}

/** Returns a message of a command in which the options that are inputs of the tool have the names of the inputs. */
function inputsIn(message: string, tool: Tool | undefined): string {
  const inputs = tool?.inputSchema.properties ?? {};
  return message.replaceAll(/(option )?'--([a-z-]{1,40})'/g, (whole, word: string | undefined, option: string) => {
    const input = option.replaceAll('-', '_');
    return Object.hasOwn(inputs, input) ? `${word === undefined ? '' : 'input '}'${input}'` : whole;
  });
}

async function answerOf(tool: Tool, { world, roots, now }: ToolWorld, input: unknown): Promise<string> {
  const [root] = roots;
  if (root === undefined) throw new UsageError('No folder is open.');
  const { given, limit, details, standardInput } = readInput(tool, input);
  const notes: string[] = [];
  let value: object | undefined;
  let totals: Readonly<Record<string, number>> | undefined;
  const end = now() + longestCall;
  const inside: World = {
    ...world,
    currentFolder: root,
    colours: false,
    files: {
      ...world.files,
      pause() {
        if (now() > end)
          throw new UsageError('This takes too long: name fewer paths, or repeat the call; a check then continues.');
        return world.files.pause();
      },
    },
    locate: async (path) => within(roots, await world.locate(path)),
    write: () => Promise.resolve('tools do not write files'),
    serveEditor: () => Promise.reject(new UsageError('A tool cannot start a server.')),
    serveAgents: () => Promise.reject(new UsageError('A tool cannot start a server.')),
    readStandardInput: () =>
      Promise.resolve(standardInput === undefined ? { skipped: 'there is none' } : { text: standardInput }),
    mostItems: limit ?? itemLimits.usual,
    take(result, lengths) {
      value = result;
      totals = lengths;
    },
    out() {},
    err: (line) => notes.push(line.replace(/^selector-lens: /, '')),
  };
  const usesPaths = tool.inputSchema.properties['paths'] !== undefined;
  const paths =
    usesPaths && given.paths.length === 0 && roots.length > 1 && !given.lists.has('scope') ? roots : given.paths;
  if (tool.command.evaluatesNoRules !== true) await loadRules();
  const code = await tool.command.run(inside, { ...given, paths });
  if (value === undefined) throw new UsageError(notes.join(' ') || `The command ended with ${code}.`);
  const shown = notes.map((each) => inputsIn(each, tool));
  return answerText(tool.facts, { value, totals, notes: shown, limit, details });
}

/** Returns the path, marked as unreadable if it is outside of the roots or is a link that points outside. */
function within(roots: readonly string[], named: Named | undefined): Named | undefined {
  if (named === undefined || named.kind === 'unreadable') return named;
  const isInside = [named.uri, named.real ?? named.uri].every((uri) => roots.some((root) => isWithin(uri, root)));
  return isInside ? named : { kind: 'unreadable', reason: outside };
}
