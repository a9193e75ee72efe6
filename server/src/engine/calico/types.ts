/** Types of the syntax tree of Calico's selector language. */

import type { Placeholder } from '../selector-lexer.ts';
import type { Problem, Requirement, Value } from '../types.ts';

/** The role of a token; `unexpected` is a token that is not allowed in its position, and `keyword` is `has`, `all` or `global`. */
export type CalicoRole = 'key' | 'operator' | 'value' | 'open' | 'close' | 'comma' | 'logic' | 'keyword' | 'unexpected';

/** A token of the text. The `text` of a value does not contain its quotes; its span does. */
export interface CalicoToken {
  readonly role: CalicoRole;
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

export type CalicoOperator = '==' | '!=' | 'in' | 'not in' | 'contains' | 'starts with' | 'ends with' | 'has';

/** A condition on one label. */
export interface CalicoComparison {
  readonly kind: 'comparison';
  readonly operator: CalicoOperator;
  readonly key: CalicoToken;
  readonly values: readonly CalicoToken[];
  /** The values, with parts that templates fill in as unknowns, in the order of the text. */
  readonly known: readonly Value[];
  /** The equivalent requirement; absent for `contains`, `starts with`, `ends with` and for empty sets. */
  readonly requirement?: Requirement;
  readonly start: number;
  readonly end: number;
}

/** A node of the tree. Parentheses have no node. */
export type CalicoNode =
  | CalicoComparison
  | { readonly kind: 'all' | 'global'; readonly start: number; readonly end: number }
  | { readonly kind: 'not'; readonly operand: CalicoNode; readonly start: number; readonly end: number }
  | {
      readonly kind: 'and' | 'or';
      readonly operands: readonly CalicoNode[];
      readonly start: number;
      readonly end: number;
    };

/** Replaces the range from `start` to `end` with `text`. */
export interface CalicoFix {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** A problem with its range, and the edit that repairs it, if only one repair is plausible. */
export interface CalicoProblem extends Problem {
  readonly start: number;
  readonly end: number;
  readonly fix?: CalicoFix;
}

export interface CalicoTree {
  readonly text: string;
  /** All tokens in the order of the text. */
  readonly tokens: readonly CalicoToken[];
  /** The comparisons in the order of the text, also those of text with problems. */
  readonly comparisons: readonly CalicoComparison[];
  /** The expression; absent if the text has problems, or is unknown. */
  readonly root?: CalicoNode;
  /** Whether a placeholder outside of a string leaves the meaning of the text unknown. */
  readonly open: boolean;
  readonly problems: readonly CalicoProblem[];
}

export interface CalicoParseOptions {
  /**
   * Whether `global()` is allowed: `alone` in the `namespaceSelector` of a rule, `never` in the other fields of
   * policies, `anywhere` (the default) in the language itself.
   */
  readonly global?: 'anywhere' | 'alone' | 'never';
  readonly placeholders?: readonly Placeholder[];
}
