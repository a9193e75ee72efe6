/** The base state of a workspace for comparisons: the state at HEAD, or in another tree. */

import type { Catalogue } from '../engine/catalogue/types.ts';
import type { Workspace } from './model.ts';

/** One of two states of a workspace. */
export interface Side {
  readonly workspace: Workspace;
  catalogueOf(uri: string): Catalogue;
  /** The text of a file, as far as it is at hand. */
  textOf(uri: string): string | undefined;
}

/** The earlier state. Files have the same URIs in both states. */
export interface Base {
  /** As a person calls it: `HEAD`. */
  readonly name: string;
  readonly side: Side;
  /** The text that a file has now, where that is at hand and no editor shows it. */
  textNow(uri: string): string | undefined;
  /** The files that may differ; absent if all may. */
  readonly changed?: ReadonlySet<string>;
}
