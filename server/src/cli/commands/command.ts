/** What is a command? One entry of the table from which parsing, help, completion and documentation follow. */

import type { World } from '../environment.ts';

export interface Option {
  /** Without its dashes. */
  readonly name: string;
  /** A second name of one letter. */
  readonly letter?: string;
  /** What stands for its value in help: `DIR`. An option without one takes no value. */
  readonly value?: string;
  /** The only values it takes. */
  readonly choices?: readonly string[];
  /** It may be given several times. */
  readonly several?: true;
  /** The command cannot do without it. */
  readonly required?: true;
  readonly says: string;
}

export interface Operand {
  /** As usage shows it: `[PATH...]`. */
  readonly shown: string;
  readonly says: string;
  /** What a shell completes in its place. */
  readonly completes: 'paths' | 'rules' | 'shells' | 'nothing';
  /** At most so many; any number where it is left out. */
  readonly most?: number;
}

interface Example {
  /** A whole command line. */
  readonly line: string;
  readonly says: string;
}

export interface Command {
  readonly name: string;
  /** One sentence. */
  readonly summary: string;
  /** What else a person should know, as paragraphs. */
  readonly details?: readonly string[];
  readonly operand?: Operand;
  readonly options: readonly Option[];
  readonly examples: readonly Example[];
  /** Answers the exit code. */
  run(world: World, given: Arguments): Promise<number>;
}

/** `--selector STRING`, `--pods`, `--format text|json`. */
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
