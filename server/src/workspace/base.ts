/** The base state of a workspace for comparisons: the state at HEAD, or in another tree. */

import type { Catalogue } from '../engine/catalogue/types.ts';
import type { Workspace } from './model.ts';

/** A state of a workspace. */
export interface State {
  readonly workspace: Workspace;
  catalogueOf(uri: string): Catalogue;
}

/** One of two states that are compared. */
export interface Side extends State {
  /** Returns the text of a file; undefined if the text is not in memory. */
  textOf(uri: string): string | undefined;
  /** Returns an id of the content of a file, which is equal for equal contents, without reading it; undefined if it is unknown. */
  idOf?(uri: string): string | undefined;
}

/** Whether a file certainly has the same content in two states. */
export function hasSameText(one: Side, other: Side, uri: string): boolean {
  const id = one.idOf?.(uri);
  if (id !== undefined && id === other.idOf?.(uri)) return true;
  const text = one.textOf(uri);
  return text !== undefined && text === other.textOf(uri);
}

/** The earlier state. Files have the same URIs in both states. */
export interface Base {
  /** The name for display: `HEAD`. */
  readonly name: string;
  readonly side: Side;
  /** Returns the current text of a file that is in memory and not open in an editor. */
  textNow(uri: string): string | undefined;
  /** The files that may differ; absent if any file may differ. */
  readonly changed?: ReadonlySet<string>;
  /**
   * An object that is identical for all bases of a client, so that results that were cached for an earlier base can be
   * reused.
   */
  readonly client?: object;
}
