/** The result of parsing one YAML document: its tree, and its syntax errors. */

import type { Node } from './tree.ts';

export interface ReadDocument {
  /** The root of the tree; undefined for an empty document. */
  readonly root: Node | undefined;
  /** The syntax errors. Even if there are errors, the tree contains the parts that could be parsed. */
  readonly errors: readonly SyntaxProblem[];
  /** Whether the tree contains the whole text although there are errors, for example a quote that is not closed. */
  readonly repaired?: true;
  /** The start offset of the document if aliases expand it to too many nodes. There is no tree then. */
  readonly expandsTooFarAt?: number;
}

/** A YAML syntax error. */
export interface SyntaxProblem {
  /** The offset of the error in the file. */
  readonly at: number;
  /** The message of the parser without the position, worded as the end of a sentence; empty if the parser stopped. */
  readonly reason: string;
}
