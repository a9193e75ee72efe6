/** The result of parsing one YAML document: its tree, and its syntax errors. */

import type { Node } from './tree.ts';

export interface ReadDocument {
  /** Undefined for an empty document. */
  readonly root: Node | undefined;
  /** The syntax errors. The tree contains the parts that could be parsed nevertheless. */
  readonly errors: readonly SyntaxProblem[];
  /** It has errors, but the tree contains the whole text nevertheless: a quote was not closed, for example. */
  readonly repaired?: true;
  /** There is no tree, because aliases expand the document, which begins at this offset, to too many nodes. */
  readonly expandsTooFarAt?: number;
}

/** A syntax error of YAML. */
export interface SyntaxProblem {
  /** An offset into the file. */
  readonly at: number;
  /** The message of the parser without the position, as the end of a sentence; empty if the parser stopped. */
  readonly reason: string;
}
