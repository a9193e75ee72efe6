/** The model of a selection: the matches and near misses of a selector. */

import type { SelectorSite } from '../../manifests/model.ts';
import type { Candidate, ObjectInFile } from '../model.ts';
import type { Scope } from '../scopes/model.ts';

/**
 * An object that a selector matches, or a near miss. Its details are lazy: of thousands of matches elsewhere, only a
 * few are ever shown.
 */
export type Match = Candidate;

export interface Selection {
  /** In the selector's scope, nearest first. */
  readonly matches: readonly Match[];
  /** In the selector's scope; the match depends on an unknown value. */
  readonly maybe: readonly Match[];
  /** In other scopes that may share the cluster. */
  readonly elsewhere: readonly Match[];
  /** Objects in the selector's scope that almost match, the nearest misses first. Computed lazily. */
  readonly nearMisses: readonly Match[];
  /** An object of a selected kind is in its scope, matched or not. */
  readonly hasCompany: boolean;
  /** An object that is not listed above may match, because its labels are unknown in part. */
  readonly uncertain: boolean;
  /** An object elsewhere matches or may match: faster than computing all of them. */
  readonly mayMatchOthers: boolean;
}

/** The selection of a selector in one scope that applies it. */
export interface ScopedSelection {
  readonly scope: Scope;
  readonly selection: Selection;
  /** The applied selector. */
  readonly site: SelectorSite;
  /** Its applied object. */
  readonly owner: ObjectInFile;
}
