/** The model of a selection: what a selector matches, and what it almost matches. */

import type { SelectorSite } from '../../manifests/model.ts';
import type { Candidate, ObjectInFile } from '../model.ts';
import type { Scope } from '../scopes/model.ts';

/**
 * An object that a selector matches, or a near miss. Its details are lazy: of thousands of matches elsewhere, few are
 * ever shown.
 */
export type Match = Candidate;

export interface Selection {
  /** In the selector's scope, nearest first. */
  readonly matches: readonly Match[];
  /** In the selector's scope, where something that no file tells decides. */
  readonly maybe: readonly Match[];
  /** In other scopes that may share the cluster. */
  readonly elsewhere: readonly Match[];
  /** In the selector's scope, not matched, with what separates them; the least first. Found when first asked for. */
  readonly nearMisses: readonly Match[];
  /** Something of a kind that it selects is in its scope, matched or not. */
  readonly hasCompany: boolean;
  /** Something that is not named above may match all the same, since too little is known of its labels. */
  readonly uncertain: boolean;
  /** Something elsewhere matches, or it is doubtful: quicker than to ask for all that does. */
  readonly mayMatchOthers: boolean;
}

/** The selection of a selector in one scope that applies it. */
export interface ScopedSelection {
  readonly scope: Scope;
  readonly selection: Selection;
  /** The selector as it is applied. */
  readonly site: SelectorSite;
  /** Its object as it is applied. */
  readonly owner: ObjectInFile;
}
