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
  /** The path of the field, from the root of the object. */
  readonly at: string;
  /** The value that the field must have; null means that the field has no value. */
  readonly is?: string | boolean | null;
  readonly not?: string;
  /** The path of a different field: the condition is true if the value is set and both fields have equal values. */
  readonly equals?: string;
  /** A string that must occur in the value, or in a key or value inside it. */
  readonly mentions?: string;
}

export interface ImmutableFact {
  readonly path: string;
  /** The API versions in which the fact holds; absent if it holds in all versions. */
  readonly versions?: readonly string[];
  readonly compare: ImmutableComparison;
  /** Fields below the path that may change. */
  readonly except?: readonly string[];
  /** For fields in `except`: the first Kubernetes release in which the field may change. */
  readonly exceptSince?: Readonly<Record<string, string>>;
  /** Fields below the path that may be added. */
  readonly mayBeAdded?: readonly string[];
  /**
   * The fact holds if all of these conditions are true and, if `unless` is set, at least one condition in `unless` is
   * false.
   */
  readonly when?: readonly ImmutableCondition[];
  readonly unless?: readonly ImmutableCondition[];
  /** The message of the API server; absent for an ignored change. */
  readonly message?: string;
}

/** The default of a field, and the form in which the API server stores its value. */
export interface StoredFact {
  /** The value that the API server uses for an absent field. */
  readonly default?: string | number | boolean | readonly string[];
  /** The path of a different field; the default applies only if that field is absent. */
  readonly unless?: string;
  /**
   * `dropped`: the field is not stored. `filled`: an absent field gets a value that no file contains. `quantity`:
   * values are compared by amount; `filledQuantity`: both. `struct`: an empty map differs from an absent one. `kept`:
   * the removal of a value has no effect; `fixed`: its change has no effect either.
   */
  readonly stored?: 'dropped' | 'filled' | 'quantity' | 'filledQuantity' | 'struct' | 'kept' | 'fixed';
  /** The name of a field beside it that has the same meaning: an absent value is its value. */
  readonly alias?: string;
}

export type StoredRow = readonly [path: string, fact: StoredFact];

export interface ImmutableKind {
  readonly immutable: readonly ImmutableFact[];
  readonly stored?: readonly StoredRow[];
  /** The fields that have a shared type. The facts of this type apply below the path of the field. */
  readonly embeds?: readonly (readonly [path: string, type: string])[];
  /** The consequence of deleting and recreating an object of this kind. */
  readonly recreate?: string;
}

export interface ImmutableData {
  /** The facts by `group/kind`; kind `*` in group `*` has the facts that apply to every kind. */
  readonly kinds: Readonly<Record<string, ImmutableKind>>;
  /** The facts by the name of the shared type. */
  readonly types: Readonly<Record<string, readonly StoredRow[]>>;
}
