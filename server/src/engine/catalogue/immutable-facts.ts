/** Types of the facts on fields that are immutable after creation, as in `immutable-data.generated.ts`. */

/**
 * How the API server compares two values of a field. `equal`: by structure. `set`: a list whose order is of no effect.
 * `firstItem`: only the first item of a list, if both have one. `prefix`: items may only be added at the end.
 * `onceSet`: what is there stays. `kept`: an absent value is that of before. `address`: `kept`, and an absent address
 * of before was allocated. `flag`: true stays true. `notSmaller`: a quantity may grow. `ignored`: nothing is rejected,
 * and the value of before stays; `removalIgnored`: the same of a value that is taken away.
 */
type ImmutableComparison =
  | 'equal'
  | 'set'
  | 'firstItem'
  | 'prefix'
  | 'onceSet'
  | 'kept'
  | 'address'
  | 'flag'
  | 'notSmaller'
  | 'ignored'
  | 'removalIgnored';

/**
 * A condition on the object before the update (`old`), after it (`new`), or both. Exactly one of the other columns is
 * set.
 */
export interface ImmutableCondition {
  readonly of: 'old' | 'new' | 'both';
  /** From the object's root. */
  readonly at: string;
  /** The value is this one; null is no value. */
  readonly is?: string | boolean | null;
  readonly not?: string;
  /** The value is there and equals that at another path. */
  readonly equals?: string;
  /** The text stands somewhere in the value. */
  readonly mentions?: string;
}

export interface ImmutableFact {
  readonly path: string;
  /** Where the fact holds in some versions only. */
  readonly versions?: readonly string[];
  readonly compare: ImmutableComparison;
  /** Fields below the path that may change. */
  readonly except?: readonly string[];
  /** Of these, the release of Kubernetes that made a field free. */
  readonly exceptSince?: Readonly<Record<string, string>>;
  /** Fields below the path that may be added. */
  readonly mayBeAdded?: readonly string[];
  /** The fact holds if all of these are true, and if not all of `unless` are. */
  readonly when?: readonly ImmutableCondition[];
  readonly unless?: readonly ImmutableCondition[];
  /** The API server's words; those of an ignored change are missing. */
  readonly message?: string;
}

/** How the API server stores a field, present or absent. */
export interface StoredFact {
  /** The value of an absent field. */
  readonly default?: string | number | boolean | readonly string[];
  /** Another field without which alone the default holds. */
  readonly unless?: string;
  /**
   * `dropped`: the field is not kept. `filled`: an absent field gets a value that no file shows. `quantity`: it is
   * compared by its amount; `filledQuantity`: both. `struct`: an empty map is another value than none.
   */
  readonly stored?: 'dropped' | 'filled' | 'quantity' | 'filledQuantity' | 'struct';
}

export type StoredRow = readonly [path: string, fact: StoredFact];

export interface ImmutableKind {
  readonly immutable: readonly ImmutableFact[];
  readonly stored?: readonly StoredRow[];
  /** The shared types in it, of which more is known. */
  readonly embeds?: readonly (readonly [path: string, type: string])[];
  /** What deleting and creating such an object again does. */
  readonly recreate?: string;
}

export interface ImmutableData {
  /** By `group/kind`; that of every kind is a kind of its own, `*` in a group `*`. */
  readonly kinds: Readonly<Record<string, ImmutableKind>>;
  /** By the name of a shared type. */
  readonly types: Readonly<Record<string, readonly StoredRow[]>>;
}
