/**
 * The interface of a command: an entry of the table from which parsing, help, completion and documentation are
 * generated.
 */

import type { World } from '../environment.ts';

export interface Option {
  /** The name without its dashes. */
  readonly name: string;
  /** A second name of one letter. */
  readonly letter?: string;
  /** The placeholder of its value in help: `DIR`. An option without one has no value. */
  readonly value?: string;
  /** The allowed values; any value if absent. */
  readonly choices?: readonly string[];
  /** Whether the option can be repeated. */
  readonly several?: true;
  /** Whether the command requires the option. */
  readonly required?: true;
  readonly description: string;
}

export interface Operand {
  /** The text in the usage line: `[PATH...]`. */
  readonly shown: string;
  readonly description: string;
  /** The kind of words that a shell completes. */
  readonly completes: 'paths' | 'rules' | 'shells' | 'nothing';
  /** The maximum number of operands; unlimited if absent. */
  readonly most?: number;
}

/** A command as a tool of agents, which answers with the JSON of the command. */
export interface ToolFacts {
  /** When to use the tool, in one or two sentences for a language model. */
  readonly use: string;
  /** The names of the options that the tool has; a required one is required in the tool as well. */
  readonly options: readonly string[];
  /** The names of the operands if they are not a list of paths. */
  readonly operands?: readonly string[];
  /** The lists in the answer that are shortened to a limit. */
  readonly lists: readonly string[];
  /** The keys that the answer contains only on request: free text, and what other keys imply. */
  readonly details?: readonly string[];
  /** The operand `-` of the command is this input, described for a language model: texts by path. */
  readonly proposal?: string;
}

interface Example {
  /** The complete command line. */
  readonly line: string;
  readonly description: string;
}

export interface Command {
  readonly name: string;
  /** A summary of one sentence. */
  readonly summary: string;
  /** Further documentation, as paragraphs. */
  readonly details?: readonly string[];
  readonly operand?: Operand;
  readonly options: readonly Option[];
  readonly examples: readonly Example[];
  /** How agents call the command; absent for a command that is not a tool. */
  readonly tool?: ToolFacts;
  /** Runs the command and returns the exit code. */
  run(world: World, given: Arguments): Promise<number>;
}

/** Formats an option for usage lines: `--selector STRING`, `--pods`, `--format text|json`. */
export function shownOption({ name, value, choices }: Option): string {
  if (value === undefined) return `--${name}`;
  return `--${name} ${choices === undefined ? value : choices.join('|')}`;
}

export interface Arguments {
  readonly paths: readonly string[];
  readonly values: ReadonlyMap<string, string>;
  /** The values of options that may be given several times. */
  readonly lists: ReadonlyMap<string, readonly string[]>;
  readonly flags: ReadonlySet<string>;
}
