/** The result of parsing one YAML document: its syntax tree and its syntax errors. */

import type { Node } from './tree.ts';

export interface ReadDocument {
  /** The root of the tree; undefined if the document is empty or could not be parsed. */
  readonly root: Node | undefined;
  /** The syntax errors. In spite of the errors, the tree contains the parts that could be parsed. */
  readonly errors: readonly SyntaxProblem[];
  /** Set if the tree contains the whole text in spite of errors, such as a quote that is not closed. */
  readonly repaired?: true;
  /** The start offset of the document if it is nested too deeply, or if its aliases expand to too many nodes; in this case, there is no tree. */
  readonly tooLargeAt?: number;
}

export interface SyntaxProblem {
  /** The offset of the error in the file. */
  readonly at: number;
  /**
   * The message of the parser without the position, worded as the end of a sentence; empty if the parser failed without
   * a message.
   */
  readonly reason: string;
}

/** The first syntax error of a document. */
export interface FirstError extends SyntaxProblem {
  /** The start offset of the document. */
  readonly document: number;
}
