/** Types of the facts on fields that are immutable after creation, as in `immutable-data.generated.ts`. */

/**
 * How the API server compares two values of a field:
 * - `equal`: by structure.
 * - `set`: as a list whose order has no effect.
 * - `firstItem`: only the first item of a list, if both lists have one.
 * - `prefix`: items may only be added at the end.
 * - `onceSet`: a value that is set cannot change.
 * - `kept`: an absent new value means the old value.
 * - `address`: as `kept`, and an absent old address was allocated.
 * - `flag`: true stays true.
 * - `notSmaller`: a quantity may grow.
 * - `ignored`: no change is rejected, and the old value stays.
 * - `removalIgnored`: the removal of a value is not rejected, and the old value stays.
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
 * A condition on the object before the update (`old`), after it (`new`), or both. Besides the path, exactly one
 * property is set.
 */
export interface ImmutableCondition {
  readonly of: 'old' | 'new' | 'both';
  /** Path from the object's root. */
  readonly at: string;
  /** The value equals this one; null means no value. */
  readonly is?: string | boolean | null;
  readonly not?: string;
  /** The value is set and equals the value at another path. */
  readonly equals?: string;
  /** The value contains this text. */
  readonly mentions?: string;
}

export interface ImmutableFact {
  readonly path: string;
  /** The API versions in which the fact holds; absent if it holds in all of them. */
  readonly versions?: readonly string[];
  readonly compare: ImmutableComparison;
  /** Fields below the path that may change. */
  readonly except?: readonly string[];
  /** For fields in `except`: the Kubernetes release since which the field may change. */
  readonly exceptSince?: Readonly<Record<string, string>>;
  /** Fields below the path that may be added. */
  readonly mayBeAdded?: readonly string[];
  /** The fact holds if all of these are true, and if not all of `unless` are. */
  readonly when?: readonly ImmutableCondition[];
  readonly unless?: readonly ImmutableCondition[];
  /** The message of the API server; absent for an ignored change. */
  readonly message?: string;
}

/** How the API server stores a field, present or absent. */
export interface StoredFact {
  /** The value of an absent field. */
  readonly default?: string | number | boolean | readonly string[];
  /** Another field; the default holds only if that field is absent. */
  readonly unless?: string;
  /**
   * `dropped`: the field is not stored. `filled`: an absent field gets a value that no file contains. `quantity`:
   * values are compared by amount; `filledQuantity`: both. `struct`: an empty map differs from an absent one.
   */
  readonly stored?: 'dropped' | 'filled' | 'quantity' | 'filledQuantity' | 'struct';
}

export type StoredRow = readonly [path: string, fact: StoredFact];

export interface ImmutableKind {
  readonly immutable: readonly ImmutableFact[];
  readonly stored?: readonly StoredRow[];
  /** The shared types that the value contains, with further facts. */
  readonly embeds?: readonly (readonly [path: string, type: string])[];
  /** The consequence of deleting and recreating such an object. */
  readonly recreate?: string;
}

export interface ImmutableData {
  /** By `group/kind`; kind `*` in group `*` has the facts that every kind shares. */
  readonly kinds: Readonly<Record<string, ImmutableKind>>;
  /** By the name of a shared type. */
  readonly types: Readonly<Record<string, readonly StoredRow[]>>;
}
