/** Validates the input of a tool, and converts it to the arguments of its command. */

import type { Arguments } from '../cli/commands/command.ts';
import { didYouMean, UsageError } from '../cli/options/arguments.ts';
import { inputName, itemLimits, mostWords, type Tool } from './tools.ts';

export interface ToolInput {
  readonly given: Arguments;
  /** The maximum number of items in each list; undefined if the caller set none. */
  readonly limit: number | undefined;
  readonly details: boolean;
  /** The text that the command reads from standard input. */
  readonly standardInput?: string;
}

/** The maximum length of a string in an input, in UTF-16 units. */
const longestWord = 4_000;

/** The maximum total length of the proposed file contents, in UTF-16 units. */
const longestProposal = 2_000_000;

/** Converts an input to arguments. Throws a UsageError if it does not conform to the schema. */
export function readInput(tool: Tool, input: unknown): ToolInput {
  const values = new Map<string, string>([['format', 'json']]);
  const lists = new Map<string, readonly string[]>();
  const flags = new Set<string>();
  const known = new Map(recordOf(input));
  const take = (name: string) => {
    const value = known.get(name);
    known.delete(name);
    return value ?? undefined;
  };
  for (const name of tool.inputSchema.required)
    if (known.get(name) === undefined || known.get(name) === null)
      throw new UsageError(`The input '${name}' must be given.`);
  for (const name of tool.facts.options) {
    const key = inputName(name);
    const value = take(key);
    if (value === undefined) continue;
    const schema = tool.inputSchema.properties[key];
    if (schema?.type === 'boolean') {
      if (booleanOf(key, value)) flags.add(name);
    } else if (schema?.type === 'array') lists.set(name, checkedChoices(key, wordsOf(key, value), schema.items?.enum));
    else {
      const [word = ''] = checkedChoices(key, [wordOf(key, value)], schema?.enum);
      values.set(name, word);
    }
  }
  const operands = Object.keys(tool.facts.operands ?? {}).flatMap((name) => {
    const value = take(name);
    return value === undefined ? [] : [wordOf(name, value)];
  });
  const paths = take('paths');
  const files = tool.facts.proposal === undefined ? undefined : proposalOf(take('files'));
  const limit = take('limit');
  const details = take('details');
  const [unknown] = known.keys();
  if (unknown !== undefined) {
    const hint = didYouMean(unknown, Object.keys(tool.inputSchema.properties));
    throw new UsageError(`The tool '${tool.name}' has no input '${unknown}'.${hint}`);
  }
  return {
    given: {
      paths: files !== undefined ? ['-'] : paths === undefined ? operands : wordsOf('paths', paths),
      values,
      lists,
      flags,
    },
    limit: limit === undefined ? undefined : limitOf(limit),
    details: details !== undefined && booleanOf('details', details),
    ...(files !== undefined && { standardInput: files }),
  };
}

function recordOf(input: unknown): readonly (readonly [string, unknown])[] {
  if (input === undefined || input === null) return [];
  if (typeof input !== 'object' || Array.isArray(input)) throw new UsageError('The input must be an object.');
  return Object.entries(input);
}

function booleanOf(name: string, value: unknown): boolean {
  if (typeof value !== 'boolean') throw new UsageError(`The input '${name}' must be true or false.`);
  return value;
}

function wordOf(name: string, value: unknown): string {
  const word = typeof value === 'number' ? String(value) : value;
  if (typeof word !== 'string') throw new UsageError(`The input '${name}' must be a text.`);
  if (word.length > longestWord) throw new UsageError(`The input '${name}' is longer than ${longestWord} characters.`);
  return word;
}

function wordsOf(name: string, value: unknown): readonly string[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (list.length > mostWords) throw new UsageError(`The input '${name}' has more than ${mostWords} items.`);
  return list.map((each) => wordOf(name, each));
}

function checkedChoices(
  name: string,
  words: readonly string[],
  choices: readonly string[] | undefined,
): readonly string[] {
  const wrong = words.find((each) => choices !== undefined && !choices.includes(each));
  if (wrong === undefined || choices === undefined) return words;
  throw new UsageError(`The input '${name}' must be one of ${choices.join(', ')}.${didYouMean(wrong, choices)}`);
}

function limitOf(value: unknown): number {
  const { most } = itemLimits;
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 1 || value > most)
    throw new UsageError(`The input 'limit' must be a whole number from 1 to ${most}.`);
  return value;
}

/** Returns the proposed file contents as the JSON that the command reads from standard input. */
function proposalOf(value: unknown): string {
  if (!Array.isArray(value)) throw new UsageError("The input 'files' must be a list.");
  if (value.length > mostWords) throw new UsageError(`The input 'files' has more than ${mostWords} items.`);
  const text = JSON.stringify({ files: value });
  if (text.length > longestProposal)
    throw new UsageError(`The proposed texts are longer than ${longestProposal} characters.`);
  return text;
}
