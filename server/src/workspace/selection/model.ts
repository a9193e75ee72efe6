/** The model of a selection: the matches and near misses of a selector. */

import type { SelectorSite } from '../../manifests/model.ts';
import type { Candidate, ObjectInFile } from '../model.ts';
import type { Scope } from '../scopes/model.ts';

/** An object that a selector matches, or a near miss. Its details are lazy because only a few of thousands of matches in other scopes are ever shown. */
export type Match = Candidate;

export interface Selection {
  /** The matches in the scope of the selector, nearest first. */
  readonly matches: readonly Match[];
  /** Possible matches in the scope of the selector, which depend on an unknown value. */
  readonly maybe: readonly Match[];
  /** Matches in other scopes that may share the cluster. */
  readonly elsewhere: readonly Match[];
  /** Objects in the scope of the selector that almost match, the closest first. Computed lazily. */
  readonly nearMisses: readonly Match[];
  /**
   * Whether the scope of the selector contains an object of a selected kind, even if the selector does not match it.
   */
  readonly hasCompany: boolean;
  /** Whether an object that is in none of these lists may match, because some of its labels are unknown. */
  readonly uncertain: boolean;
  /** Like `uncertain`, but only for objects in the scope of the selector. */
  readonly uncertainHere: boolean;
  /**
   * Whether an object in another scope matches or may match. Computing this is faster than computing all such matches.
   */
  readonly mayMatchOthers: boolean;
}

/** The selection of a selector in one scope that applies it. */
export interface ScopedSelection {
  readonly scope: Scope;
  readonly selection: Selection;
  /** The applied selector. */
  readonly site: SelectorSite;
  /** The object that contains the applied selector. */
  readonly owner: ObjectInFile;
}
