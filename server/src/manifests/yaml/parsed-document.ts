/** What the readers of YAML make of one document: its tree, and its syntax errors. */

import type { Node } from './tree.ts';

export interface ReadDocument {
  /** Undefined for an empty document. */
  readonly root: Node | undefined;
  /** The tree holds what could be made out in spite of them. */
  readonly errors: readonly SyntaxProblem[];
  /** It has errors, and the tree holds all that is written in spite of them: a quote was not closed, for example. */
  readonly repaired?: true;
  /** There is no tree, because aliases expand the document, which begins at this offset, to too many nodes. */
  readonly expandsTooFarAt?: number;
}

/** A syntax error of YAML. */
export interface SyntaxProblem {
  /** An offset into the file. */
  readonly at: number;
  /** What the parser says without the position, as the end of a sentence; empty if the parser gave up. */
  readonly reason: string;
}
