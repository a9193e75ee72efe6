/** Types of the engine's arguments and results: values, label sets, selectors, requirements and problems. */

/**
 * A value that the files do not determine: a Helm expression, a `${VAR}`. Equal ids mean equal values. `pattern` has
 * the known parts, `*` for any text: `web-*` for `web-${ENV}`. It can rule a value out and never confirms one, and so can
 * `oneOf`, the only possible values. The value is not necessarily valid.
 */
export interface Unknown {
  readonly unknown: string;
  readonly pattern?: string;
  readonly oneOf?: readonly string[];
  /**
   * The default, which applies unless a user sets a different value. It does not affect answers; explanations mention
   * it.
   */
  readonly assumed?: Value;
}

export type Value = string | Unknown;

/** Known labels; `open` means that there may be further keys. */
export interface LabelSet {
  readonly labels: Readonly<Record<string, Value>>;
  readonly open?: boolean;
  /** The keys whose labels something else may add or change, such as an admission policy; `*` for all keys. */
  readonly changeable?: readonly string[];
}

/** A three-valued answer: *maybe* if an unknown value or an open set leaves it undecided. */
export type Answer = 'yes' | 'no' | 'maybe';

export type Operator = '=' | '==' | '!=' | 'in' | 'notin' | 'exists' | '!' | 'gt' | 'lt';

/** One condition on one key. `exists` and `!` have no values; `in` and `notin` have at least one value; all other operators have exactly one. */
export interface Requirement {
  readonly key: string;
  readonly operator: Operator;
  readonly values: readonly Value[];
}

/**
 * A label selector. Requirements are ANDed and ordered by key, as Kubernetes orders them. `open` means that there may
 * be further, unknown requirements (for example one whose key is a template), so such a selector never certainly
 * matches.
 */
export type Selector =
  | { readonly kind: 'everything' }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'all'; readonly requirements: readonly Requirement[]; readonly open?: boolean };

export interface FieldRequirement {
  readonly field: string;
  readonly operator: '=' | '!=';
  readonly value: Value;
}

/** A field selector. Its requirements are ANDed; without requirements, it matches everything. */
export interface FieldSelector {
  readonly requirements: readonly FieldRequirement[];
}

export interface NodeSelectorTerm {
  /** The index of the term in its list. */
  readonly index: number;
  readonly labels: readonly Requirement[];
  readonly fields: readonly FieldRequirement[];
  /** Whether some requirements of the term are unknown. */
  readonly open?: boolean;
}

/** A node selector. Its terms are ORed, and the requirements of a term are ANDed; without terms, it matches no node. */
export interface NodeSelector {
  readonly terms: readonly NodeSelectorTerm[];
}

/** One entry of `preferredDuringSchedulingIgnoredDuringExecution`: it adds `weight` if `term` matches. */
export interface PreferredTerm {
  readonly weight: number;
  readonly term: NodeSelectorTerm;
}

/** The structured form of a label selector in manifests. */
export interface LabelSelector {
  readonly matchLabels?: Readonly<Record<string, Value>>;
  readonly matchExpressions?: readonly LabelSelectorRequirement[];
}

export interface LabelSelectorRequirement {
  readonly key: string;
  readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist';
  readonly values?: readonly Value[];
}

/** The form of a node selector term in manifests. */
export interface NodeSelectorTermSource {
  readonly matchExpressions?: readonly NodeSelectorRequirement[];
}

export interface NodeSelectorRequirement {
  readonly key: string;
  readonly operator: LabelSelectorRequirement['operator'] | 'Gt' | 'Lt';
  readonly values?: readonly Value[];
}

/** Stable codes of problems. Messages may change, but codes do not. */
export type ProblemCode =
  | 'key-too-many-slashes'
  | 'prefix-empty'
  | 'prefix-too-long'
  | 'prefix-syntax'
  | 'name-empty'
  | 'name-too-long'
  | 'name-syntax'
  | 'value-too-long'
  | 'value-syntax'
  | 'value-not-integer'
  | 'annotations-too-large'
  | 'name-reserved'
  | 'requirement-expected'
  | 'key-expected'
  | 'operator-expected'
  | 'operator-case'
  | 'value-expected'
  | 'list-expected'
  | 'list-not-closed'
  | 'unexpected-text'
  | 'not-with-operator'
  | 'escape-syntax'
  | 'wrong-type'
  | 'operator-unknown'
  | 'values-required'
  | 'values-forbidden'
  | 'value-count'
  | 'weight-range'
  | 'field-required'
  | 'field-conflict'
  | 'value-unsupported'
  | 'port-syntax'
  | 'port-range'
  | 'cidr-syntax'
  | 'cidr-range'
  | 'not-expressible'
  | 'selector-too-long'
  | 'string-not-closed'
  | 'quotes-missing'
  | 'parenthesis-not-closed'
  | 'line-break'
  | 'global-not-allowed';

/**
 * One fault. Problems of a text have `start` and `end` (UTF-16 offsets in that text); problems of a structured value
 * have `path`.
 */
export interface Problem {
  readonly code: ProblemCode;
  readonly message: string;
  readonly start?: number;
  readonly end?: number;
  readonly path?: Path;
  /** Values that are valid instead. */
  readonly options?: readonly string[];
}

export type Path = readonly (string | number)[];

/** A parsed value, or the problems that prevented parsing; `partial` is the valid part of the value. */
export type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problems: readonly Problem[]; readonly partial?: T };

/** Whether a value is an unknown instead of a string. */
export function isUnknown(value: unknown): value is Unknown {
  return typeof value === 'object' && value !== null && 'unknown' in value && typeof value.unknown === 'string';
}
