/** Types of the catalogue's facts on kinds: the paths of labels and selectors, and their meanings. */

import type { Structure } from './structures.ts';

/** The form in which a selector is written in a field. */
export type SelectorForm =
  | 'labelSelector'
  | 'matchLabelsOnly'
  | 'matchExpressionsOnly'
  | 'map'
  | 'nodeSelectorMap'
  | 'nodeSelector'
  | 'nodeSelectorTerm'
  | 'requirements'
  | 'string'
  | 'fieldSelectorString'
  | 'fieldSelectorMap'
  /** A language of another tool (Calico, CEL, globs, ...): we know that it is there and do not read it. */
  | 'other';

/**
 * The meaning of an absent, null or empty selector in a field. `notFiltered`: this selector has no effect, its
 * neighbors decide. `sameAsAbsent` is for entries by hand; the catalogue resolves it, so that callers never get it.
 */
export type Meaning = 'nothing' | 'all' | 'ownNamespace' | 'notFiltered' | 'invalid' | 'sameAsAbsent' | 'unknown';

/**
 * The namespaces that a selector applies to; `cluster` if the selected objects have no namespace. The paths are
 * relative to the object's root, in the catalogue's notation, and point to the namespace selector, to the names (a list
 * or a single one) or to a boolean that includes all namespaces. If none of them is written, `otherwise` applies (own
 * if it is absent too), except that an absent namespace selector has the meaning of its own fact.
 */
export type Reach =
  | 'own'
  | 'all'
  | 'cluster'
  | 'unknown'
  | {
      readonly namespaceSelectorAt?: string;
      readonly namesAt?: string;
      readonly anyAt?: string;
      readonly otherwise?: 'own' | 'all';
      /** The namespace from which it looks into all of them, as its tool is usually installed. */
      readonly allFrom?: string;
    };

/**
 * The condition under which a selector is ignored: another field of the object has this value, or (`unless`) has any
 * other value or is absent. The path is in the catalogue's notation.
 */
export type IgnoredWhere = {
  readonly at: string;
  /** The server makes a selector of its own there, and refuses any other. */
  readonly refused?: true;
} & ({ readonly is: string; readonly unless?: never } | { readonly unless: string; readonly is?: never });

/** The kind of an object; `{ group: '*', kind: '*' }` is any object. */
export interface GroupKind {
  /** '' for the core group. */
  readonly group: string;
  readonly kind: string;
}

/**
 * The purpose of a selector in the specification of a pod or of a volume claim. `affinity` covers all affinity terms,
 * except the pod selectors of anti-affinity, which are `podAntiAffinity`, and preferred node terms.
 */
export type SelectorRole = 'affinity' | 'podAntiAffinity' | 'nodePreference' | 'topologySpread' | 'volumeClaim';

/** One field that contains a selector. */
export interface SelectorFact {
  /** Dotted, from the object's root; `[]` is every item of a list, `.*` every value of a map. */
  readonly path: string;
  readonly form: SelectorForm;
  /** The kinds it selects; empty where they are not known or not Kubernetes objects. */
  readonly targets: readonly GroupKind[];
  readonly reach: Reach;
  readonly absent: Meaning;
  readonly null: Meaning;
  readonly empty: Meaning;
  readonly ignored?: IgnoredWhere;
  /** The server writes a missing selector itself: from the template's labels, or a unique one (a Job's). */
  readonly filledFrom?: 'templateLabels' | 'generated';
  /** Where the labels are that this selector must match: `spec.template.metadata.labels` of a Deployment. */
  readonly templateLabelsAt?: string;
  /** The API server compares the selector with the template and refuses the object when it does not match. */
  readonly mustMatchTemplate: boolean;
  readonly immutable: boolean;
  /**
   * False where matching is not the plain Kubernetes one (wildcards, keys with a source prefix, annotations): rules on
   * keys and values are silent.
   */
  readonly plain: boolean;
  /** Absent for a selector of the object's own. */
  readonly role?: SelectorRole;
}

/** One map of labels or annotations inside an object, apart from its own `metadata`. */
export interface LabelField {
  readonly path: string;
  readonly holds: 'labels' | 'annotations';
  /**
   * What carries them in the cluster, `{ group: '*', kind: '*' }` if objects of several kinds do. Undefined where only
   * its name speaks for the map: it may then hold other things, such as the labels of metrics.
   */
  readonly of?: GroupKind;
}

/**
 * A field from which other objects are created: a pod template, a volume claim template. A kind lists everything that
 * it creates in the end: a CronJob has one template for Jobs and one, inside it, for Pods.
 */
export interface TemplateFact {
  /** Where the template is, '' for the object itself; its labels are at `metadata.labels` below it. */
  readonly path: string;
  readonly makes: GroupKind;
  /** Where the labels are, if not there; '' where the object says none of them (an operator sets them all). */
  readonly labelsAt?: string;
  /** Labels the controller is known to set on what it makes; their values are unknown where null. */
  readonly sets?: Readonly<Record<string, string | null>>;
  /** Those of `sets` whose value is the name of this object. */
  readonly setsName?: readonly string[];
  /** True where what is made carries further labels that no file tells. */
  readonly open: boolean;
}

/** A field whose value is a label key: `topologyKey`, `matchLabelKeys[]`. */
export interface LabelKeyField {
  readonly path: string;
  /** The kind of the labeled objects. */
  readonly of?: GroupKind;
  /**
   * How the key is a part of the value: as in the downward API (`metadata.labels['app']`), or as in kustomize's
   * replacements (`metadata.labels.app`), or as Prometheus names labels (`__meta_kubernetes_pod_label_app`), in which
   * other characters than letters and digits are `_`, or as in the JSONPath of a command (`app\.kubernetes\.io/name`),
   * or where only letters, digits and `_` can be written. Absent if the key is the whole value.
   */
  readonly form?: 'fieldPath' | 'replacementPath' | 'prometheus' | 'jsonpath' | 'word';
}

export type NameRule = 'dns1123Subdomain' | 'dns1123Label' | 'dns1035Label' | 'pathSegment';

/** One field that the API server accepts in a field selector. */
export interface FieldFact {
  readonly field: string;
  readonly type: string;
  readonly values?: readonly string[];
  readonly note?: string;
}

/** The fields that a field selector may use for one kind. */
export interface FieldsFact {
  readonly fields: readonly FieldFact[];
  /** Old spellings and what they stand for. */
  readonly aliases: Readonly<Record<string, string>>;
}

export interface KindFact {
  readonly group: string;
  readonly kind: string;
  readonly versions: readonly string[];
  /** Undefined where nobody told us. */
  readonly namespaced?: boolean;
  readonly selectors: readonly SelectorFact[];
  readonly labels: readonly LabelField[];
  readonly templates: readonly TemplateFact[];
  readonly labelKeys: readonly LabelKeyField[];
  /** Labels that the API server puts on the object itself; their value is its name. */
  readonly nameLabels?: readonly string[];
  readonly name?: { readonly rule: NameRule; readonly maxLength?: number; readonly childSafeMaxLength?: number };
  readonly plural?: string;
  readonly shortNames?: readonly string[];
  /** Its objects bring pods of which they do not tell: those of the manifests in a repository, a chart, an operator. */
  readonly installs?: 'manifests' | 'pods';
  /** Only a definition in the workspace speaks of it: what its selectors mean and what else it makes is not known. */
  readonly learned?: true;
}

/** One well-known label or annotation key. */
export interface KeyFact {
  /** With `*` where any text may stand, if `pattern` is true. */
  readonly key: string;
  readonly pattern: boolean;
  readonly type: 'label' | 'annotation' | 'both' | 'taint';
  readonly status: string;
  readonly description: string;
  /** Kinds that carry it; empty: any. */
  readonly kinds: readonly string[];
  readonly example?: string;
  readonly values?: readonly string[];
  readonly replacement?: string;
  /** The value is itself a selector, or the key of a label. */
  readonly valueIs?: 'selector' | 'labelKey';
}

/** A map to which a template adds further entries. */
export interface OpenMap {
  /** For a person. */
  readonly unknown: string;
  readonly entries: Readonly<Record<string, unknown>>;
}

/** A change of an immutable field. */
export interface ImmutableChange {
  /** The field as the API server names it, for example `spec.selector`. */
  readonly path: string;
  /** The first difference: keys and numbers of list items, from the object's root. */
  readonly at: readonly (string | number)[];
  /** The API server's words. */
  readonly message: string;
  /** What deleting the object and creating it again does, as a clause: `its pods are deleted and start again`. */
  readonly recreate: string;
}

export interface Catalogue {
  /**
   * The facts on a kind, or undefined for a kind nobody knows. `version` chooses where facts differ between versions.
   */
  kind(group: string, version: string, kind: string): KindFact | undefined;
  /** The facts on a well-known key; a few keys mean different things as a label (preferred) and as an annotation. */
  key(key: string, as?: 'label' | 'annotation'): KeyFact | undefined;
  /** Every well-known key, recommended ones first. */
  keys(): readonly KeyFact[];
  /** The fields a field selector may name; of a kind that has no list of its own, the two that every kind has. */
  fields(group: string, kind: string): FieldsFact;
  /** The kinds that kubectl may mean by a word: a kind, a plural, a short name, each with or without `.group`. */
  named(word: string): readonly GroupKind[];
  /**
   * What the API server rejects of an update from one manifest to another one, both as plain objects whose parts may be
   * unknown (`Unknown`, `OpenMap`): certain changes alone. None for another object. `kubernetesVersion` (`1.31`) counts
   * if it is older than the release that made a field free.
   */
  immutableChanges(old: unknown, fresh: unknown, kubernetesVersion?: string): readonly ImmutableChange[];
  /** The changes that the API server accepts and undoes. */
  ignoredChanges(old: unknown, fresh: unknown): readonly Pick<ImmutableChange, 'path' | 'at'>[];
  /** Whether a kind has fields that cannot change, beside those of every kind. */
  hasImmutableFields(group: string, kind: string): boolean;
  /** Whether what is at a path decides which fields of a kind cannot change, as the type of a Service does. */
  decidesImmutability(group: string, kind: string, path: string): boolean;
  /** Whether what is at a path (in the catalogue's notation) cannot change, at least under some condition. */
  isImmutable(group: string, kind: string, path: string): boolean;
  /** All fields of a kind; undefined if they are not known. */
  structure(group: string, version: string, kind: string): Structure | undefined;
  /** The kinds of an API version whose fields are known. */
  kindsOf(apiVersion: string): readonly string[];
  /** Their structures. */
  structuresOf(apiVersion: string): readonly Structure[];
  /** The fields of the metadata of every object. */
  metadata(): Structure | undefined;
}
