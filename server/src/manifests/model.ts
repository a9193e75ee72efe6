/** The model of a file: its objects, and the positions of their labels, selectors and names. */

import type {
  GroupKind,
  LabelField,
  LabelKeyField,
  ReferenceFact,
  SelectorFact,
  TemplateFact,
} from '../engine/catalogue/types.ts';
import type { FieldSelector, LabelSet, NodeSelector, Parsed, Placeholder, Selector, Value } from '../engine/index.ts';
import type { Span } from '../text/span.ts';
import type { CommandWord } from './inline/command-words.ts';
import type { Letters } from './inline/source-map.ts';
import type { Definition } from './kinds/custom-resource-definition.ts';
import type { Mention } from './mentions.ts';
import type { ScalarType } from './yaml/scalar-types.ts';
import type { MapNode, Node, Origin, ScalarStyle } from './yaml/tree.ts';

export interface Manifest {
  readonly objects: readonly ManifestObject[];
  /** The number of its documents without empty ones. */
  readonly documents: number;
  /** The number of its YAML syntax errors. */
  readonly syntaxErrors: number;
  /** Syntax errors may hide objects, or fields of objects. */
  readonly readInPart?: true;
  /** The offset of the first document that is left out because its aliases expand to too many nodes. */
  readonly expandsTooFarAt?: number;
  /** A template writes lines that are not in the file. */
  readonly unresolved?: boolean;
  /** Documents that are not objects and that a kustomization may use: JSON patches, transformers, configurations. */
  readonly trees?: readonly Node[];
  /** Commands and URLs that contain selectors or labels, each with one site; only for open files. */
  readonly inline?: readonly ManifestObject[];
  /** Other words of these commands that have a meaning: paths, for example. */
  readonly words?: readonly CommandWord[];
  /** The sites that the values of its chart fill. */
  readonly valueSites?: readonly ValueSite[];
  /** A template may write objects or labels that are not visible otherwise. */
  readonly obscured?: boolean;
  /** Fields that the API server does not know, and required fields that are missing. */
  readonly faults?: readonly FieldFault[];
  /** The rare terms that it mentions; absent if they were not searched. */
  readonly mentions?: readonly Mention[];
}

/** A fault in the fields of an object; `object` is the offset of its kind. */
export type FieldFault =
  | {
      readonly is: 'unknown';
      readonly object: number;
      /** The path of the map that contains the field, from the object's root, with list indexes; '' for the root. */
      readonly path: string;
      readonly key: Written;
    }
  | {
      readonly is: 'missing';
      readonly object: number;
      /** The path of the map that lacks the field. */
      readonly path: string;
      readonly field: string;
      /** The key of that map; the value of `kind` if it is the root. */
      readonly span: Span;
    }
  /** A document that would be an object of a built-in kind if it had `kind` or `apiVersion`. */
  | {
      readonly is: 'untyped';
      readonly field: 'kind' | 'apiVersion';
      /** The value of the other field. */
      readonly other: Written;
      /** A key that may be a misspelling of the field. */
      readonly near?: Written;
    };

/** A scalar as it is written. */
export interface Written {
  readonly text: string;
  /** The value for the engine: an unknown if a template or placeholder fills it. */
  readonly value: Value;
  readonly type: ScalarType | 'map' | 'list';
  readonly style: ScalarStyle;
  /** The range with the quotes; for a map or list, its start; for a value from another file, the kind of the object. */
  readonly span: Span;
  /** The other file that contains it; absent if it is in the file of the object. */
  readonly origin?: Origin;
  /** The position of each character, for text in a command or a URL that is not a YAML scalar. */
  readonly letters?: Letters;
  /** It has an anchor: aliases may repeat it elsewhere. */
  readonly anchored?: true;
}

export interface ManifestObject {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly kindSpan: Span;
  readonly name?: Written;
  readonly generateName?: Written;
  readonly namespace?: Written;
  /** The range from its first key to its last value. */
  readonly span: Span;
  /** Its own labels; absent if it has no `metadata.labels`. */
  readonly labels?: LabelSite;
  /** Every map of labels or annotations in it, including its own. */
  readonly labelSites: readonly LabelSite[];
  readonly selectorSites: readonly SelectorSite[];
  readonly templates: readonly TemplateSite[];
  readonly labelKeySites: readonly LabelKeySite[];
  /** Labels that an OpenShift Template adds to all its objects. */
  readonly inherited: readonly LabelEntry[];
  /** The name of the OpenShift Template that contains it; for a Template, its own name. */
  readonly template?: string;
  /** Labels that the API server adds to it, with its name as their value. */
  readonly nameLabels?: readonly string[];
  /** Keys in metadata, label maps, selectors and the maps that contain these, which a later duplicate key replaces. */
  readonly repeated?: readonly RepeatedKey[];
  /** The keys in the document at which a second or later object begins, because the `---` before the key is missing. */
  readonly joined?: readonly Written[];
  /** The object represents values that templates write, and is not applied itself. */
  readonly inValues?: true;
  /** A template writes labels of the object, or more objects, that are not in the file. */
  readonly obscured?: true;
  /** The ports that the containers of a pod declare. */
  readonly ports?: ContainerPorts;
  /** The images of a pod. */
  readonly images?: readonly string[];
  /** For a Service: its ports, and the ports of pods that they target. */
  readonly servicePorts?: readonly ServicePort[];
  /** For a network policy: its `spec`. */
  readonly policySpec?: Node;
  /** For a GitOps object: its `spec`, without fields that have no effect on what it builds. */
  readonly gitopsSpec?: Node;
  /** For a ConfigMap or Secret whose keys are all names of variables: its content; values of Secrets are unknown. */
  readonly variables?: MapNode;
  /** The conditions under which the template of a chart contains it, the outermost first: `if .Values.ingress`. */
  readonly conditions?: readonly string[];
  /** For a network policy: a template decides whether it exists. */
  readonly isOptional?: true;
  /** For a pod: the kind and name of the object that controls it. */
  readonly controller?: Controller;
  /** Ports that it refers to by name. */
  readonly targetPorts?: readonly Written[];
  /** For an autoscaler: the workload that it scales. */
  readonly scaleTarget?: ScaleTarget;
  /** The names of other objects in it, without those in labels and annotations. */
  readonly references?: readonly ReferenceSite[];
  /** The keys of a ConfigMap or Secret, or of the one that its controller creates. */
  readonly dataKeys?: DataKeys;
  /** For an Istio DestinationRule: the names of its subsets. */
  readonly subsets?: readonly Written[];
  /** For a ReferenceGrant: what it allows. */
  readonly grant?: Grant;
  /** The values by which field selectors can select it; unknown ones are absent. */
  readonly fieldValues?: FieldValues;
  /** The Services to which an Ingress or a route sends requests. */
  readonly backends?: readonly Backend[];
  /** The kind that it defines. */
  readonly defines?: Definition;
  /** The folder whose objects it recreates if the API server rejects an update; '' for all. */
  readonly forcedFolder?: string;
  /** The files that it names as inputs of a test. */
  readonly triesOut?: readonly string[];
  /** Facts that patches of a kustomization need in addition to labels and selectors. */
  readonly marks?: readonly Mark[];
  /**
   * Only documents that the API server stores are objects; configuration of tools (kubeadm, kind, skaffold, ...) is
   * not.
   */
  readonly forCluster: boolean;
  /** It is a command and not an object: it queries the cluster and has no namespace. */
  readonly inline?: true;
}

/** Values of fields that field selectors can select by. An absent field has a default, or is empty. */
export type FieldValues = Readonly<Record<string, Value>>;

/** A port of a Service; unknown properties are absent. */
export interface ServicePort {
  readonly name?: string;
  readonly protocol: string;
  readonly port: number;
  /** A number or the name of a port. */
  readonly target: number | string;
}

/** An owner of a pod with `controller: true`. */
export interface Controller {
  readonly kind: string;
  readonly name: string;
}

/** The workload that an autoscaler names. */
export interface ScaleTarget {
  readonly kind: string;
  /** Undefined if the reference does not name one. */
  readonly group?: string;
  readonly name: Written;
}

/** A Service that an object names. */
export interface Backend {
  /** The path of the map that names the Service. */
  readonly path: string;
  readonly name: Written;
  /** Absent if the Service is in the namespace of the object. */
  readonly namespace?: Written;
}

/** A mutable version of a type whose many objects are built field by field, because copies would double the cost. */
export type Making<T> = { -readonly [Key in keyof T]: T[Key] };

/** A node on the path to a label or selector that has no meaning by itself, but decides the effect of a patch. */
export interface Mark {
  readonly path: string;
  /** A null; the value of `$patch`; the length of a list; a text that identifies an item of a list. */
  readonly is: 'null' | 'delete' | 'replace' | 'merge' | number | { readonly text: string };
}

/** A key that is repeated in the same map: the last one wins. */
export interface RepeatedKey {
  readonly key: Written;
  /** The range of key and value; absent if the value is elsewhere. */
  readonly span?: Span;
  /** The map is written with braces. */
  readonly flow: boolean;
  /** The key that wins. */
  readonly winner: Written;
  /** Both have equal values, so that removing either of them loses nothing. */
  readonly equal: boolean;
}

/** A map of labels or annotations. */
export interface LabelSite {
  /** From the object's root, with list indexes: `spec.template.metadata.labels`. */
  readonly path: string;
  readonly place: LabelField;
  /** The key `labels` or `annotations`. */
  readonly keySpan: Span;
  readonly span: Span;
  readonly entries: readonly LabelEntry[];
  /** A template adds entries that are not in the file. */
  readonly open: boolean;
  /**
   * The code of the parts that a template adds; equal parts are equal entries, and the empty text is not equal to any
   * part.
   */
  readonly parts?: readonly string[];
  /** The value of the field if it is certainly not a map: a scalar other than null, or a list. */
  readonly notMap?: NotMap;
}

/** A scalar or list instead of a map. */
export interface NotMap {
  readonly type: Written['type'];
  /** The text of a scalar; empty for a list. */
  readonly text: string;
  readonly span: Span;
}

export interface LabelEntry {
  readonly key: Written;
  readonly value: Written;
  /** The entry is written elsewhere: it comes from a merge key, or from the chart. */
  readonly merged: boolean;
  /** Its key or value comes from the chart: the file contains an action here. */
  readonly rendered?: true;
  /** A template decides whether it exists. */
  readonly conditional: boolean;
}

/** A template of other objects: its labels are what selectors match. */
export interface TemplateSite {
  readonly path: string;
  readonly fact: TemplateFact;
  readonly span: Span;
  readonly labels?: LabelSite;
  /** The ports that the containers of a pod template declare. */
  readonly ports?: ContainerPorts;
  /** Its images, unless a template decides them. */
  readonly images?: readonly string[];
  /** The values by which field selectors can select the created objects; unknown ones are absent. */
  readonly fieldValues?: FieldValues;
}

/** The named ports of a pod's containers. */
export interface ContainerPorts {
  readonly names: readonly string[];
  /** A template adds ports that are not in the file. */
  readonly open: boolean;
  /** The pod's `hostNetwork` and the ports of its containers; absent if it has none of these. */
  readonly network?: Node;
}

export interface SelectorSite {
  readonly path: string;
  readonly fact: SelectorFact;
  /** The key of the field. */
  readonly keySpan: Span;
  /** The value of the field; if the value is null, the key. */
  readonly span: Span;
  /**
   * `ignored`: another field disables the selector. `absent`: the selector is not written and nevertheless selects
   * everything; its spans are those of the object's kind.
   */
  readonly state: 'null' | 'empty' | 'present' | 'ignored' | 'absent';
  /** The labels of the pod template, which the API server uses if the selector is absent, null or empty. */
  readonly defaults?: LabelSet;
  /** The selector is null, and its network policy peer has no other selector, so the peer selects nothing. */
  readonly aloneInPeer?: true;
  /** The entries of `matchLabels`, or of the map itself. */
  readonly entries: readonly LabelEntry[];
  /** The items of `matchExpressions`; for a node selector, of all its terms. */
  readonly expressions: readonly Expression[];
  /** The text of the selector if it is written as one string, such as `app=web`. */
  readonly text?: Written;
  /** A template adds requirements that are not in the file. */
  readonly open: boolean;
  /** The placeholders in its text. */
  readonly placeholders?: readonly Placeholder[];
  /** The parts that a template adds, if they can be compared with those that it adds to labels. */
  readonly parts?: readonly string[];
  /** The value as plain data, with unknowns for strings that a template fills. */
  readonly data: unknown;
  /** The selector, in the form that the fact defines; absent for unsupported forms. Parsed on first access. */
  readonly selector?: Parsed<Selector> | undefined;
  readonly nodeSelector?: Parsed<NodeSelector> | undefined;
  readonly fieldSelector?: Parsed<FieldSelector> | undefined;
  /** The namespaces that are listed next to it, if the fact's reach has a field for names. */
  readonly namespaces?: NamespaceNames;
  /** For a preferred node selector term: the weight next to it. */
  readonly weight?: Value;
}

/** The parts of a selector that refer to labels. */
export type SpeakingSite = Pick<SelectorSite, 'fact' | 'entries' | 'expressions' | 'text'>;

/** The namespaces that a selector covers, if the object lists them. */
export interface NamespaceNames {
  readonly names: readonly Value[];
  /** It covers all namespaces. */
  readonly any: boolean | 'unknown';
  /** A template adds names that are not in the file. */
  readonly open: boolean;
}

/** A reference to a label by its key: a `topologyKey`, an item of `matchLabelKeys`, a `fieldPath`, a column. */
export interface LabelKeySite {
  readonly path: string;
  readonly place: LabelKeyField;
  /** The key, with its own range. */
  readonly key: Written;
  /** The whole value, if the key is only a part of it. */
  readonly text?: Written;
}

/** The name of another object in a field, or a part of it: a container, a port, a volume. */
export interface ReferenceSite {
  readonly path: string;
  readonly fact: ReferenceFact;
  /** The name alone, if the value has other parts. */
  readonly name: Written;
  /** The kind, and the group, that the object names. */
  readonly kind?: string;
  readonly group?: string;
  /** The namespace that the object names. */
  readonly namespace?: Written;
  /** The keys that it reads from the ConfigMap or Secret. */
  readonly keys?: readonly Written[];
  /** The object that it names need not exist. */
  readonly optional?: true;
}

/** The keys of a ConfigMap or Secret. */
export interface DataKeys {
  readonly keys: readonly Written[];
  /** It may have other keys, which are not in the file. */
  readonly open: boolean;
}

/** The objects that may refer to objects in the namespace of a ReferenceGrant, and the objects to which they may refer. */
export interface Grant {
  readonly from: readonly GrantPart[];
  readonly to: readonly GrantPart[];
  /** A template decides on parts of it. */
  readonly open: boolean;
}

/** An item in the lists of a ReferenceGrant. */
export interface GrantPart {
  readonly group: Value;
  readonly kind?: Value;
  /** In `from`: the namespace of the objects. */
  readonly namespace?: Value;
  /** In `to`: the name of the object; absent for all objects of the kind. */
  readonly name?: Value;
}

/** One item of `matchExpressions`. */
export interface Expression {
  readonly span: Span;
  readonly key?: Written;
  readonly operator?: Written;
  readonly values: readonly Written[];
}

/**
 * A labeled object that a selector can match: an object by its own labels, or an object that one of its templates
 * creates.
 */
export interface LabeledObject {
  readonly target: GroupKind;
  /** The template's path; undefined for the object itself. */
  readonly via?: string;
  readonly site?: LabelSite;
  readonly labels: Readonly<Record<string, Value>>;
  readonly open: boolean;
  /** The code of the parts that a template adds to the labels. */
  readonly parts?: readonly string[];
  /**
   * Only the controller knows the other labels, so an uncertain match is not reported unless there is other evidence.
   */
  readonly guessed: boolean;
}

/** A part of an object that a template fills with a value. */
export interface ValueSite {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** The path of the filled part; `[]` for an item of a list. */
  readonly path: readonly string[];
  /** The path of the value, relative to `.Values`. */
  readonly value: readonly string[];
  /** The template iterates over its entries and writes each of them, so values that are not strings are not faults. */
  readonly looped?: true;
}
