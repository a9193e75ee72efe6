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
  /** A text in Calico's selector language. */
  | 'calicoSelector'
  /** A language of another tool (CEL, globs, ...), which is not parsed. */
  | 'other';

/** A language of selectors of pods that differs from Kubernetes. */
export type SelectorLanguage = 'calico' | 'cilium' | 'istio' | 'rules';

/** The meaning of an absent, null or empty selector in a field. `notFiltered`: this selector has no effect; the fields next to it decide. `sameAsAbsent` is allowed only in user-defined entries; the catalogue resolves it, so callers never receive it. */
export type Meaning = 'nothing' | 'all' | 'ownNamespace' | 'notFiltered' | 'invalid' | 'sameAsAbsent' | 'unknown';

/** The namespaces that a selector applies to; `cluster` if the selected objects have no namespace. The paths are relative to the object's root, in the catalogue's notation, and point to the namespace selector, to one or more names, or to a boolean that includes all namespaces. If none of these fields is set, `otherwise` applies (the object's own namespace if `otherwise` is absent), except that the fact on the namespace selector determines the meaning of an absent namespace selector. */
export type Reach =
  | 'own'
  | 'all'
  | 'cluster'
  | 'unknown'
  | {
      readonly namespaceSelectorAt?: string;
      /**
       * The path of a namespace selector that replaces both selectors: without them, all objects in the namespaces that
       * it selects are selected.
       */
      readonly wholeNamespacesAt?: string;
      readonly namesAt?: string;
      readonly anyAt?: string;
      readonly otherwise?: 'own' | 'all';
      /**
       * The namespace in which objects of the kind select from all namespaces, according to the usual installation of
       * the tool.
       */
      readonly allFrom?: string;
    };

/** The condition under which a selector is ignored: the field at a path has the value `is`, or does not have the value `unless`. The path is in the catalogue's notation. */
export type IgnoredWhere = {
  readonly at: string;
  /**
   * Set if, under this condition, the API server creates the selector itself and rejects a selector in the manifest.
   */
  readonly refused?: true;
} & ({ readonly is: string; readonly unless?: never } | { readonly unless: string; readonly is?: never });

/** The kind of an object; `{ group: '*', kind: '*' }` means any object. */
export interface GroupKind {
  /** The API group; '' for the core group. */
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
  /** The dotted path from the object's root; `[]` means every item of a list, `.*` every value of a map. */
  readonly path: string;
  readonly form: SelectorForm;
  /** The kinds that the selector selects; empty if they are unknown or not Kubernetes objects. */
  readonly targets: readonly GroupKind[];
  readonly reach: Reach;
  readonly absent: Meaning;
  readonly null: Meaning;
  readonly empty: Meaning;
  readonly ignored?: IgnoredWhere;
  /**
   * Set if an object without this selector applies to everything that the selector can select, unless one of the fields
   * at these paths is set.
   */
  readonly absentUnless?: readonly string[];
  /**
   * The path of a field whose value determines the selected kind, and the kinds by value in lower case; `targets` is
   * then empty.
   */
  readonly targetsBy?: { readonly at: string; readonly kinds: Readonly<Record<string, GroupKind>> };
  /**
   * The selector that the API server sets if it is missing: the labels of the template, or a generated unique selector
   * (for a Job).
   */
  readonly filledFrom?: 'templateLabels' | 'generated';
  /** The path of the labels that this selector must match, such as `spec.template.metadata.labels` in a Deployment. */
  readonly templateLabelsAt?: string;
  /** Whether the API server rejects the object if the selector does not match the template. */
  readonly mustMatchTemplate: boolean;
  readonly immutable: boolean;
  /**
   * False if matching differs from plain Kubernetes matching (wildcards, keys with a source prefix, annotations): rules
   * on keys and values do not check such a selector.
   */
  readonly plain: boolean;
  /**
   * The language of a selector whose keys have a meaning in another system, which is evaluated: keys of Cilium with the
   * source of the label, the selector language of Calico, or the namespaces and labels of Istio.
   */
  readonly language?: SelectorLanguage;
  /** The role of a selector in a pod or claim specification; absent for any other selector. */
  readonly role?: SelectorRole;
}

/** One map of labels or annotations inside an object, outside the object's own `metadata`. */
export interface LabelField {
  readonly path: string;
  readonly holds: 'labels' | 'annotations';
  /**
   * The kind of the labeled objects in the cluster; `{ group: '*', kind: '*' }` for objects of several kinds. Undefined
   * if only the name of the field suggests labels: the map may then contain other data, such as the labels of metrics.
   */
  readonly of?: GroupKind;
}

/**
 * A field from which other objects are created: a pod template, a volume claim template. A kind lists everything that
 * it creates, directly or indirectly: a CronJob has one template for Jobs and, inside it, one for Pods.
 */
export interface TemplateFact {
  /** The path of the template, '' for the object itself; its labels are at `metadata.labels` below it. */
  readonly path: string;
  readonly makes: GroupKind;
  /**
   * The path of the labels, if it is not `metadata.labels`; '' if the object does not contain any of the labels (an
   * operator sets them all).
   */
  readonly labelsAt?: string;
  /** Labels that the controller is known to set on the created objects; null for an unknown value. */
  readonly sets?: Readonly<Record<string, string | null>>;
  /** Keys in `sets` whose value is the name of this object. */
  readonly setsName?: readonly string[];
  /** Values of keys in `sets` that contain the name of this object, as `@`; `*` represents any text. */
  readonly setsDerived?: Readonly<Record<string, string>>;
  /** Keys in `sets` that are set only if the object does not have the label itself. */
  readonly setsDefault?: readonly string[];
  /** True if the created objects have further labels that no file contains. */
  readonly open: boolean;
  /** A field with the globs of its values for which the object creates nothing in its namespace. */
  readonly unless?: { readonly at: string; readonly values: readonly string[] };
}

/** A field whose value is a label key: `topologyKey`, `matchLabelKeys[]`. */
export interface LabelKeyField {
  readonly path: string;
  /** The kind of the labeled objects. */
  readonly of?: GroupKind;
  /**
   * The form in which the key is a part of the value; absent if the key is the whole value:
   * - `fieldPath`: the downward API (`metadata.labels['app']`).
   * - `replacementPath`: kustomize's replacements (`metadata.labels.app`).
   * - `prometheus`: a label name of Prometheus (`__meta_kubernetes_pod_label_app`), in which every character except
   *   letters and digits becomes `_`.
   * - `jsonpath`: the JSONPath of a command (`app\.kubernetes\.io/name`).
   * - `word`: only letters, digits and `_` can be written.
   */
  readonly form?: 'fieldPath' | 'replacementPath' | 'prometheus' | 'jsonpath' | 'word';
}

/**
 * A field whose value names another object. All other paths are in the catalogue's notation, from the object's root.
 */
export interface ReferenceFact {
  readonly path: string;
  /** The kinds that the reference may name, the default first; empty if `kindAt` alone determines the kind. */
  readonly targets: readonly GroupKind[];
  /** The path of the field with the kind of the named object. */
  readonly kindAt?: string;
  /**
   * The kinds that the field can name. The list is complete for built-in kinds and for the groups of the listed kinds.
   * Absent if it is unknown which kinds the field can name.
   */
  readonly accepts?: readonly GroupKind[];
  /** The path of the field with the group, or the `apiVersion`, of the named object. */
  readonly groupAt?: string;
  /**
   * The path of the field with the namespace of the named object; if it is absent, the object is in the namespace of
   * the referring object.
   */
  readonly namespaceAt?: string;
  /**
   * The kind that a ReferenceGrant must allow in `from`, if the named object is in a different namespace; absent if no
   * grant is needed.
   */
  readonly grantedTo?: GroupKind;
  /** The path of the boolean that allows the named object to be missing. */
  readonly optionalAt?: string;
  /** The path of the field with the port of the Service. */
  readonly portAt?: string;
  /** The paths of the fields with the keys that are read from the ConfigMap or Secret. */
  readonly keysAt?: readonly string[];
  /**
   * The form of the value, if it is not a plain name: `namespace/name` (or a name), the DNS name of a Service, names
   * separated by commas, the name of a claim template, from which the names of claims are derived, or the host in a
   * text, which a pod resolves in its own namespace. In policies, a name may be a pattern with `*` and `?`, a service
   * account may be written as `NAMESPACE/NAME` or as a principal of Istio, and a host may be outside of the cluster;
   * none of these names must exist.
   */
  readonly form?:
    | 'namespacedName'
    | 'dns'
    | 'list'
    | 'claim'
    | 'host'
    | 'kubernetescrd'
    | 'pattern'
    | 'account'
    | 'meshHost';
  /** Set if the referring object, or its controller, creates the object with this name. */
  readonly creates?: true;
  /** Set if the pods of the referring object are created from the template of the named object. */
  readonly runs?: true;
  /** The paths of the fields in the same object that contain the allowed names. */
  readonly local?: readonly string[];
  /** Set if the value names a container, port or subset of the target instead of an object. */
  readonly part?: 'container' | 'port' | 'subset';
  /** Set if only the name of the field suggests a reference. */
  readonly guessed?: true;
}

/** A label or annotation whose value names an object. */
export interface KeyReference extends Pick<ReferenceFact, 'form'> {
  readonly key: string;
  readonly on: 'label' | 'annotation';
  /** The kinds of objects on which the value has this meaning; absent if it has this meaning on all kinds. */
  readonly kinds?: readonly string[];
  readonly to: readonly GroupKind[];
}

/** Objects that the controller of a kind creates. */
export interface ProducerFact {
  readonly makes: GroupKind;
  /**
   * The names of the created objects, with `@` for the name of the creating object and `*` for any text. The name `@`
   * alone is a default: it does not apply if a field that creates such an object has a value.
   */
  readonly names: readonly string[];
  /** The keys that the created ConfigMap or Secret always has. */
  readonly keys?: readonly string[];
  /** The paths of fields that contain further keys; a path that ends with `*` refers to the keys of a map. */
  readonly keysAt?: readonly string[];
}

export type NameRule = 'dns1123Subdomain' | 'dns1123Label' | 'dns1035Label' | 'pathSegment' | 'priorityClass';

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
  /** Alternative field names, each with the field that it refers to. */
  readonly aliases: Readonly<Record<string, string>>;
}

export interface KindFact {
  readonly group: string;
  readonly kind: string;
  readonly versions: readonly string[];
  /** Whether objects of the kind have a namespace; undefined if unknown. */
  readonly namespaced?: boolean;
  readonly selectors: readonly SelectorFact[];
  readonly labels: readonly LabelField[];
  readonly templates: readonly TemplateFact[];
  readonly labelKeys: readonly LabelKeyField[];
  readonly references: readonly ReferenceFact[];
  /** The objects that the controller of the kind creates. */
  readonly producers?: readonly ProducerFact[];
  /** Labels that the API server itself sets on the object, with the object's name as their value. */
  readonly nameLabels?: readonly string[];
  readonly name?: { readonly rule: NameRule; readonly maxLength?: number; readonly childSafeMaxLength?: number };
  readonly plural?: string;
  readonly shortNames?: readonly string[];
  /** The categories of resources to which the kind belongs, such as `all` of `kubectl get all`. */
  readonly categories?: readonly string[];
  /** The fields that a definition in the workspace makes available to field selectors. */
  readonly selectableFields?: readonly string[];
  /**
   * Set if objects of this kind create pods that are not in the manifests: pods from the manifests of a repository,
   * from a chart or from an operator.
   */
  readonly installs?: 'manifests' | 'pods';
  /**
   * Set if all facts are from a definition in the workspace: the meaning of the kind's selectors and the objects that
   * it creates are unknown.
   */
  readonly learned?: true;
}

/** One well-known label or annotation key. */
export interface KeyFact {
  /** The key, in which `*` matches any text if `pattern` is true. */
  readonly key: string;
  readonly pattern: boolean;
  readonly type: 'label' | 'annotation' | 'both' | 'taint';
  readonly status: string;
  /** Kinds that have the key; empty means any kind. */
  readonly kinds: readonly string[];
  readonly values?: readonly string[];
  readonly replacement?: string;
  /** The number of its description. */
  readonly number: number;
  /** Set if the value is itself a selector or a label key. */
  readonly valueIs?: 'selector' | 'labelKey';
}

/** A map to which a template adds further entries. */
export interface OpenMap {
  /** The reason why further entries are unknown, as text for a user. */
  readonly unknown: string;
  readonly entries: Readonly<Record<string, unknown>>;
}

/** A change of an immutable field. */
export interface ImmutableChange {
  /** The field as the API server names it, for example `spec.selector`. */
  readonly path: string;
  /** The path from the object's root to the first difference: keys and list indexes. */
  readonly at: readonly (string | number)[];
  /** The message of the API server. */
  readonly message: string;
  /** The consequence of deleting and recreating the object, as a clause: `its pods are deleted and recreated`. */
  readonly recreate: string;
}

export interface Catalogue {
  /**
   * Returns the facts on a kind, or undefined for an unknown kind. `version` selects among facts that differ between
   * versions.
   */
  kind(group: string, version: string, kind: string): KindFact | undefined;
  /**
   * Returns the facts on a well-known key; a few keys mean different things as a label (preferred) and as an
   * annotation.
   */
  key(key: string, as?: 'label' | 'annotation'): KeyFact | undefined;
  /** Returns the labels and annotations whose values name objects, by their keys. */
  keyReferences(): ReadonlyMap<string, readonly KeyReference[]>;
  /** Returns every well-known key, the recommended labels first. */
  keys(): readonly KeyFact[];
  /**
   * Returns the fields that a field selector may name. A kind without a list of its own has the two fields that every
   * kind has.
   */
  fields(group: string, kind: string): FieldsFact;
  /**
   * Returns the kinds that a word can refer to in kubectl: a kind, a plural or a short name, each with or without
   * `.group`.
   */
  named(word: string): readonly GroupKind[];
  /**
   * Returns the changes that the API server certainly rejects in an update from one manifest to another, both as plain
   * objects whose parts may be unknown (`Unknown`, `OpenMap`). The result is empty if the manifests describe different
   * objects. If a field may change only since a release that is newer than `kubernetesVersion` (`1.31`), the field is
   * immutable.
   */
  immutableChanges(old: unknown, fresh: unknown, kubernetesVersion?: string): readonly ImmutableChange[];
  /** Returns the changes that the API server accepts and reverts. */
  ignoredChanges(old: unknown, fresh: unknown): readonly Pick<ImmutableChange, 'path' | 'at'>[];
  /** Whether a kind has immutable fields in addition to those that every kind has. */
  hasImmutableFields(group: string, kind: string): boolean;
  /** Whether the value at a path affects which fields of a kind are immutable, as the type of a Service does. */
  decidesImmutability(group: string, kind: string, path: string): boolean;
  /** Whether the value at a path (in the catalogue's notation) cannot change, at least under some condition. */
  isImmutable(group: string, kind: string, path: string): boolean;
  /** Returns all fields of a kind; undefined if they are not known. */
  structure(group: string, version: string, kind: string): Structure | undefined;
  /** Returns the kinds of an API version whose fields are known. */
  kindsOf(apiVersion: string): readonly string[];
  /** Returns the structures of the kinds of an API version. */
  structuresOf(apiVersion: string): readonly Structure[];
  /** Returns the fields of `metadata`, which every object has. */
  metadata(): Structure | undefined;
}
