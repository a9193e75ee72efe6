/** One of the two trees of manifests that a command compares. */

import type { Session } from '../../session.ts';
import type { Side } from '../../workspace/base.ts';
import type { PathSelection } from '../paths/path-selection.ts';

export interface Tree {
  readonly session: Session;
  readonly side: Side;
  /** The compared part of the tree. */
  readonly selection: PathSelection;
  /** The URI of the folder or file that the command line names. */
  readonly root: string;
  /** The files that were not read, or only in part because of syntax errors, relative to the root. */
  readonly skipped: readonly string[];
  /** Whether a configuration that applies to the tree is broken. */
  readonly isFaulty: boolean;
  /**
   * Whether the tree was not read completely: a file was skipped, or a kustomization uses files outside of the tree.
   */
  readonly isPartial: boolean;
  /** Sentences about files that the tree uses and that are not in it. */
  readonly missing?: readonly string[];
}
