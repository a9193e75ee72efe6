/**
 * The interface of a command: an entry of the table from which parsing, help, completion and documentation are
 * generated.
 */

import type { World } from '../environment.ts';

export interface Option {
  /** The name of the option without its leading dashes. */
  readonly name: string;
  readonly letter?: string;
  /**
   * The placeholder for the option's value in the help, such as `DIR`. An option without a placeholder has no value.
   */
  readonly value?: string;
  /** The allowed values; any value if absent. */
  readonly choices?: readonly string[];
  readonly several?: true;
  readonly required?: true;
  readonly description: string;
  /** The description of the input of a tool, if it differs from the description of the option. */
  readonly input?: string;
}

export interface Operand {
  /** The operands as the usage line shows them, for example `[PATH...]`. */
  readonly shown: string;
  readonly description: string;
  /** The kind of operands that shell completion suggests. */
  readonly completes: 'paths' | 'rules' | 'shells' | 'nothing';
  /** The maximum number of operands; unlimited if absent. */
  readonly most?: number;
}

/** Describes a command as a tool for agents. The tool answers with the JSON output of the command. */
export interface ToolFacts {
  /** When to use the tool, in one or two sentences for a language model. */
  readonly use: string;
  /**
   * The names of the command's options that the tool supports. An option that the command requires is required by the
   * tool as well.
   */
  readonly options: readonly string[];
  /** The descriptions of the operands by their names, if the operands are not a list of paths. The first operand is required. */
  readonly operands?: Readonly<Record<string, string>>;
  /** The lists in the answer that are shortened to a limit. */
  readonly lists: readonly string[];
  /**
   * The keys that the answer contains only on request: keys with free text, and keys whose values follow from other
   * keys.
   */
  readonly details?: readonly string[];
  /**
   * For a command that reads proposed file contents from the operand `-`: the description of this input, written for a
   * language model.
   */
  readonly proposal?: string;
}

interface Example {
  readonly line: string;
  readonly description: string;
}

export interface Command {
  readonly name: string;
  readonly summary: string;
  /** Further documentation, as paragraphs. */
  readonly details?: readonly string[];
  readonly operand?: Operand;
  readonly options: readonly Option[];
  readonly examples: readonly Example[];
  /** How agents call the command; absent for a command that is not a tool. */
  readonly tool?: ToolFacts;
  /** Whether the command evaluates no rules, so that it does not load them. */
  readonly evaluatesNoRules?: true;
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
  /** The values of the options that can be repeated, by option name. */
  readonly lists: ReadonlyMap<string, readonly string[]>;
  readonly flags: ReadonlySet<string>;
}
