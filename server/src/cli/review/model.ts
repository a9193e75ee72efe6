/** The model of a review: what a change of manifests means. */

import type { Named } from '../objects/compared-names.ts';
import type { Cause } from './causes.ts';
import type { ChangedField } from './changed-fields.ts';

export type SectionId =
  | 'refused'
  | 'lost'
  | 'gained'
  | 'opened'
  | 'stopped'
  | 'closed'
  | 'unmatched'
  | 'started'
  | 'broken'
  | 'kept'
  | 'recreation'
  | 'expectations'
  | 'recreated'
  | 'restarts'
  | 'definitions'
  | 'added'
  | 'removed'
  | 'owners';

/** A statement about one or several objects that a change concerns in the same way. */
export interface Statement {
  /** A sentence with a period at the end. */
  readonly text: string;
  /** Sentences that follow, to which the position of the cause does not belong. */
  readonly more?: string;
  /** The number of changes that the sentence describes; 0 if another sentence counts them. */
  readonly count: number;
  /** The scopes or namespaces in which the change occurs, if there are several. */
  readonly places?: readonly string[];
  readonly cause?: Cause;
  /** The keys of the Services that have no endpoints afterwards. */
  readonly emptied?: readonly string[];
  /** Whether these Services have endpoints until the pods are replaced. */
  readonly isAfterRollout?: boolean;
  /** The keys of the monitors whose namespace network policies deny. */
  readonly denied?: readonly string[];
  /** The keys of the workloads to which every pod can connect afterwards. */
  readonly opened?: readonly string[];
  /** Whether the sentence holds only once removed objects are deleted from the cluster: their removal from the manifests deletes them only if a tool prunes them. */
  readonly isAfterDeletion?: boolean;
}

export interface Section {
  readonly id: SectionId;
  readonly title: string;
  /** The count and the noun, as the verdict contains them. */
  readonly summary: string;
  readonly count: number;
  /** Which of the items hold only once removed objects are deleted from the cluster. */
  readonly afterDeletion?: 'all' | 'some';
  readonly items: readonly Statement[];
}

/** What a change means. */
export interface Review {
  readonly sections: readonly Section[];
  readonly added: readonly Named[];
  readonly removed: readonly Named[];
  /** The objects of which only fields without a meaning for selectors changed, by the kind of field. */
  readonly otherFields: Readonly<Record<ChangedField, number>>;
  /** Statements about changes without a meaning for selectors. */
  readonly notes: readonly Statement[];
  /** The sentence that says that nothing changes in meaning, or what follows from the sections; with a period. */
  readonly verdict: string;
  readonly isComplete: boolean;
  /** What was evaluated: `3 objects in 2 overlays`. */
  readonly evaluated: string;
  /** A sentence about the parts that are complete, if some are not. */
  readonly coverage: string | undefined;
  /** The names of the parts that are not evaluated, and that the change certainly does not change: `chart redis (2)`. */
  readonly unchanged: readonly string[];
  /** Sentences about what is not evaluated. */
  readonly notEvaluated: readonly string[];
}
