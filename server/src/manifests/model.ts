/** Types that describe a file: its objects, and the positions of their labels, selectors and names. */

import type { FieldScalar } from '../engine/catalogue/structures.ts';
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
import type { PublishedArtifact } from './gitops/published-artifacts.ts';
import type { ValueSite } from './helm/value-site.ts';
import type { CommandWord } from './inline/paths-and-names.ts';
import type { Letters } from './inline/source-map.ts';
import type { PolicyFacts } from './kinds/created-policies.ts';
import type { Definition } from './kinds/custom-resource-definition.ts';
import type { Mention } from './mentions.ts';
import type { FirstError } from './yaml/parsed-document.ts';
import type { ScalarType } from './yaml/scalar-types.ts';
import type { MapNode, Node, Origin, ScalarStyle } from './yaml/tree.ts';

export interface Manifest {
  readonly objects: readonly ManifestObject[];
  /** The number of nonempty documents in the file. */
  readonly documents: number;
  /** The number of YAML syntax errors in the file. */
  readonly syntaxErrors: number;
  /** The first syntax error of each document, if they are known: not for templates of charts, and not for files from the cache. */
  readonly firstErrors?: readonly FirstError[] | undefined;
  /** Whether syntax errors may hide objects, or fields of objects. */
  readonly readInPart?: true | undefined;
  /** The offset of the first document that is ignored because it is nested too deeply, or because its aliases expand to too many nodes. */
  readonly tooLargeAt?: number | undefined;
  /** Set if template actions may write lines that are not in the file. */
  readonly unresolved?: boolean | undefined;
  /** Documents that are not objects but that a kustomization can use: JSON patches, transformers, configurations. */
  readonly trees?: readonly Node[] | undefined;
  /** Commands and URLs that contain selectors or labels, each as an object with one site; set only for open files. */
  readonly inline?: readonly ManifestObject[];
  /** Other words with a meaning in the commands of the file, such as paths. */
  readonly words?: readonly CommandWord[];
  /** The object fields that the templates of the file fill with values of the chart. */
  readonly valueSites?: readonly ValueSite[] | undefined;
  /** Set if a template may write objects or labels that are not in the file. */
  readonly obscured?: boolean | undefined;
  /** Fields that the API server does not know, and required fields that are missing. */
  readonly faults?: readonly FieldFault[] | undefined;
  /** The rare terms that occur in the file; absent if the file was not searched for them. */
  readonly mentions?: readonly Mention[] | undefined;
  /** The folders that commands in the file publish as artifacts. */
  readonly publishes?: readonly PublishedArtifact[] | undefined;
}

/** A field with a fault. */
interface FaultyField {
  readonly object: number;
  /** The path of the map that contains the field, relative to the object's root, with list indexes; '' for the root. */
  readonly path: string;
  readonly key: Written;
}

/** A rule for the names of parts of an object. */
export type FieldName = 'qualified' | 'dns1123Label' | 'dns1123Subdomain' | 'port' | 'variable';

/** A fault in the fields of an object; `object` is the offset of the `kind` of the object. */
export type FieldFault =
  | (FaultyField & { readonly is: 'unknown' })
  | {
      readonly is: 'missing';
      readonly object: number;
      /** The path of the map from which the field is missing. */
      readonly path: string;
      readonly field: string;
      /** The span of the key of the map from which the field is missing; for the root, the span of the value of `kind`. */
      readonly span: Span;
    }
  /** A field whose value is a list, a map or a scalar instead of the required type; `maps` is a list of maps. */
  | (FaultyField & {
      readonly is: 'type';
      readonly must: 'map' | 'list' | FieldScalar;
      readonly found: Node['kind'];
      /** The scalar that has another type, or the item of a list. */
      readonly wrong?: Written;
      /** Whether `wrong` is an item of the field, which is a list. */
      readonly isItem?: boolean;
    })
  /** A value that the API server rejects: it is none of the allowed texts, outside of a range of integers, or not a valid name. */
  | (FaultyField & {
      readonly is: 'value';
      readonly wrong: Written;
      readonly allowed?: readonly string[];
      readonly range?: readonly [least: string, most: string];
      /** The rule for names that the value breaks. */
      readonly breaks?: FieldName;
    })
  /** A document without `kind` or `apiVersion` that would otherwise be an object of a built-in kind. */
  | {
      readonly is: 'untyped';
      readonly field: 'kind' | 'apiVersion';
      /** The value of the type field that the document has: `kind` or `apiVersion`. */
      readonly other: Written;
      /** A key in the document that may be a misspelling of the missing field. */
      readonly near?: Written;
      readonly setsLabels?: true;
    };

/** A scalar with its value, its notation and its position in the file. */
export interface Written {
  readonly text: string;
  /** The value that the engine evaluates; an unknown value if it comes from a template or placeholder. */
  readonly value: Value;
  readonly type: ScalarType | 'map' | 'list';
  readonly style: ScalarStyle;
  /**
   * The range, including quotes. For a map or list, the range of its start; for a value from a different file, the
   * range of the object's `kind`.
   */
  readonly span: Span;
  /** The position in the file from which the scalar comes; absent if this is the file of the object. */
  readonly origin?: Origin;
  /** The position of each character, for text in a command or a URL that is not a YAML scalar. */
  readonly letters?: Letters;
  /** Set if the scalar has an anchor, so that aliases can repeat it in other places. */
  readonly anchored?: true;
  /** Set if a tag such as `!!bool` determines the type. */
  readonly tagged?: true;
  /** The known text that a controller overwrites with this scalar, if it differs. */
  readonly replaced?: string;
}

export interface ManifestObject extends PolicyFacts {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly kindSpan: Span;
  readonly name?: Written;
  readonly generateName?: Written;
  readonly namespace?: Written;
  /** The range from the object's first key to its last value. */
  readonly span: Span;
  /** The object's own labels; absent if it has no `metadata.labels`. */
  readonly labels?: LabelSite;
  /** All maps of labels or annotations in the object, including `labels`. */
  readonly labelSites: readonly LabelSite[];
  readonly selectorSites: readonly SelectorSite[];
  readonly templates: readonly TemplateSite[];
  readonly labelKeySites: readonly LabelKeySite[];
  /** The labels that an OpenShift Template adds to all of its objects. */
  readonly inherited: readonly LabelEntry[];
  /** The name of the OpenShift Template that contains the object; for a Template, its own name. */
  readonly template?: string;
  /** Labels that the API server adds to the object, with the name of the object as their value. */
  readonly nameLabels?: readonly string[];
  /**
   * Keys that are overridden by a later duplicate key: in metadata, in label maps, in selectors, and in maps that
   * contain any of these.
   */
  readonly repeated?: readonly RepeatedKey[];
  /** The keys at which further objects begin in the same document, because the `---` before them is missing. */
  readonly joined?: readonly Written[];
  /** Set if the object represents values of a chart and is not applied itself. */
  readonly inValues?: true;
  /** Set if a template may generate labels of the object, or additional objects, that are not in the file. */
  readonly obscured?: true;
  /** For a pod: the ports that its containers declare. */
  readonly ports?: ContainerPorts;
  /** For a pod: the images of its containers. */
  readonly images?: readonly string[];
  /** For a Service: its ports, and the ports of pods that they target. */
  readonly servicePorts?: readonly ServicePort[];
  /** Set if `servicePorts` may lack ports, or names of ports, that depend on a template. */
  readonly servicePortsOpen?: true;
  /** For a network policy: its `spec`. */
  readonly policySpec?: Node;
  /** For a GitOps object: its `spec`, without fields that do not affect the manifests that it renders. */
  readonly gitopsSpec?: Node;
  /** For a ConfigMap or Secret whose keys are all valid variable names: its content. Values of Secrets are unknown. */
  readonly variables?: MapNode;
  /**
   * For an object in a chart: the conditions of the template under which the object exists, outermost first, such as
   * `if .Values.ingress`.
   */
  readonly conditions?: readonly string[];
  /** For a network policy of any system: set if a template determines whether the policy exists. */
  readonly isOptional?: true;
  /** For a pod: the kind and name of the object that controls it. */
  readonly controller?: Controller;
  /** For a Service: the ports of pods that it targets by name. */
  readonly targetPorts?: readonly Written[];
  readonly scaleTarget?: ScaleTarget;
  /** References to other objects by name, except in labels and annotations. */
  readonly references?: readonly ReferenceSite[];
  /** Set if a reference to a part of the object itself, such as a volume, names no part of it. */
  readonly lacksPart?: true;
  /** Set if two containers, volumes, ports or mounts of the object may have the same name. */
  readonly repeatsNames?: true;
  /** Whether a pod of the object has fields such as `hostAliases`, which affect how it resolves the names of hosts. */
  readonly resolvesHosts?: true;
  /** For a ConfigMap, a Secret or an object whose controller creates one: the keys of the ConfigMap or Secret. */
  readonly dataKeys?: DataKeys;
  /** For an Istio DestinationRule: the names of its subsets. */
  readonly subsets?: readonly Written[];
  readonly grant?: Grant;
  /** The values of the fields that field selectors support; unknown values are absent. */
  readonly fieldValues?: FieldValues;
  /** The Services to which an Ingress or a route sends requests. */
  readonly backends?: readonly Backend[];
  /** For a CustomResourceDefinition: the kind that it defines. */
  readonly defines?: Definition;
  /**
   * For a Flux Kustomization: the folder whose objects Flux recreates if the API server rejects an update; the empty
   * string represents the whole repository.
   */
  readonly forcedFolder?: string;
  /** For a test: the input files that it specifies. */
  readonly triesOut?: readonly string[];
  /** Facts that are needed in addition to labels and selectors in order to apply kustomize patches to the object. */
  readonly marks?: readonly Mark[];
  /** For a patch: the fields that it replaces, as JSON pointers; absent if they are unknown. */
  readonly replacedFields?: readonly string[];
  /** Whether the document is an object that the API server stores, rather than the configuration of a tool. */
  readonly forCluster: boolean;
  /**
   * Set if this represents a command rather than an object: a command queries the cluster, and is not in a namespace.
   */
  readonly inline?: true;
}

/** The values of fields that field selectors support, by path. A field that is absent has its default value, or is empty. */
export type FieldValues = Readonly<Record<string, Value>>;

/** A port of a Service; unknown properties are absent. */
export interface ServicePort {
  readonly name?: string;
  readonly protocol: string;
  readonly port: number;
  /** The target port of the pods, as a number or a name. */
  readonly target: number | string;
}

/** The owner of a pod that has `controller: true`. */
export interface Controller {
  readonly kind: string;
  readonly name: string;
}

/** The workload to which an autoscaler refers. */
export interface ScaleTarget {
  readonly kind: string;
  /** The API group; undefined if the reference does not specify a group. */
  readonly group?: string;
  readonly name: Written;
}

/** A Service to which an object refers. */
export interface Backend {
  /** The path of the map that contains the name of the Service. */
  readonly path: string;
  readonly name: Written;
  /** The namespace of the Service; absent if it is the namespace of the object. */
  readonly namespace?: Written;
}

/** A mutable version of a type. Objects of such types are built field by field, because there are many and copying them would double the cost. */
export type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

/** A node on the path to a label or selector that determines the effect of a patch but is not a label or selector itself. */
export interface Mark {
  readonly path: string;
  /**
   * The effect of the node: `null`, the value of `$patch`, the length of a list, or the text that identifies a list
   * item or names a namespace.
   */
  readonly is: 'null' | 'delete' | 'replace' | 'merge' | number | { readonly text: string; readonly pattern?: string };
}

/** A key that occurs more than once in a map. The last occurrence takes precedence. */
export interface RepeatedKey {
  readonly key: Written;
  /** The range of the key and its value; absent if the value is not located after the key, as for an alias. */
  readonly span?: Span;
  /** Whether the map is a flow map, which is written with braces. */
  readonly flow: boolean;
  /** The last occurrence of the key, whose value is used. */
  readonly winner: Written;
  /** Whether both keys have equal values, so that either of them can be removed safely. */
  readonly equal: boolean;
}

/** A map of labels or annotations. */
export interface LabelSite {
  /** The path from the root of the object, with list indexes, such as `spec.template.metadata.labels`. */
  readonly path: string;
  readonly place: LabelField;
  /** The span of the key `labels` or `annotations`. */
  readonly keySpan: Span;
  readonly span: Span;
  readonly entries: readonly LabelEntry[];
  /** Whether a template may add entries that are not in the file. */
  readonly open: boolean;
  /**
   * The template code of the parts that a template adds. Parts with the same code contain the same entries; a part with
   * empty code cannot be compared with any part.
   */
  readonly parts?: readonly string[];
  /** The value of the field if it is certainly not a map: a scalar other than null, or a list. */
  readonly notMap?: NotMap;
}

/** A scalar or list in a field that must be a map. */
export interface NotMap {
  readonly type: Written['type'];
  /** The text of the scalar; an empty string for a list. */
  readonly text: string;
  readonly span: Span;
}

export interface LabelEntry {
  readonly key: Written;
  readonly value: Written;
  /** Whether the entry does not have its own lines in the map: it comes from a merge key, or from the chart. */
  readonly merged: boolean;
  /** Set if the chart provides the key or value, and the file contains a template action instead. */
  readonly rendered?: true;
  /** Whether a condition in a template determines if the entry exists. */
  readonly conditional: boolean;
}

/** A template from which other objects are created. Selectors can match the labels of the template. */
export interface TemplateSite {
  readonly path: string;
  readonly fact: TemplateFact;
  readonly span: Span;
  readonly labels?: LabelSite;
  /** The ports that the containers of a pod template declare. */
  readonly ports?: ContainerPorts;
  /** The images of the pod template, except images that depend on a placeholder or template action. */
  readonly images?: readonly string[];
  /**
   * For the objects that are created from the template: the values of the fields that field selectors support; unknown
   * values are absent.
   */
  readonly fieldValues?: FieldValues;
}

/** The named ports of a pod's containers. */
export interface ContainerPorts {
  readonly names: readonly string[];
  /** Whether a template may add ports that are not in the file. */
  readonly open: boolean;
  /**
   * The fields of the pod that affect its network: `hostNetwork` and the ports of its containers; absent if neither is
   * set.
   */
  readonly network?: Node;
}

export interface SelectorSite {
  readonly path: string;
  readonly fact: SelectorFact;
  /** The span of the key of the field that contains the selector. */
  readonly keySpan: Span;
  /** The range of the field's value, or of its key if the value is null. */
  readonly span: Span;
  /**
   * The state of the selector. `ignored`: a different field disables the selector. `absent`: the field is missing,
   * which means that the selector selects everything; its spans are then the spans of the object's `kind`.
   */
  readonly state: 'null' | 'empty' | 'present' | 'ignored' | 'absent';
  /** The labels of the pod template, which the API server uses as the selector if it is absent, null or empty. */
  readonly defaults?: LabelSet | undefined;
  /** Set if the selector is null and the only selector in its network policy peer, which then selects nothing. */
  readonly aloneInPeer?: true | undefined;
  /** The entries of `matchLabels`; if the selector is a plain map of labels, the entries of this map. */
  readonly entries: readonly LabelEntry[];
  /** The items of `matchExpressions`; for a node selector, the requirements in all of its terms. */
  readonly expressions: readonly Expression[];
  /** The selector string, if the selector is written as a single string such as `app=web`. */
  readonly text?: Written | undefined;
  /** Whether a template may add requirements that are not in the file. */
  readonly open: boolean;
  /** The placeholders in the selector string. */
  readonly placeholders?: readonly Placeholder[] | undefined;
  /**
   * The template code of the parts that a template adds; absent if they cannot be compared with the parts that it adds
   * to labels.
   */
  readonly parts?: readonly string[] | undefined;
  /** The value as plain data; strings that a template fills are unknown values. */
  readonly data: unknown;
  /** The selector, parsed on first access in the form that the catalogue defines for its field; absent for unsupported forms. */
  readonly selector?: Parsed<Selector> | undefined;
  readonly nodeSelector?: Parsed<NodeSelector> | undefined;
  readonly fieldSelector?: Parsed<FieldSelector> | undefined;
  /** The namespaces that are listed next to the selector, if the catalogue defines a field for their names. */
  readonly namespaces?: NamespaceNames | undefined;
  /** For a term of a preferred node affinity: its weight. */
  readonly weight?: Value | undefined;
}

/** The part of a selector site from which the referenced labels can be determined. */
export type SpeakingSite = Pick<SelectorSite, 'fact' | 'entries' | 'expressions' | 'text'>;

/** The namespaces to which a selector applies, if the object lists them. */
export interface NamespaceNames {
  readonly names: readonly Value[];
  /** Whether the selector applies to all namespaces. */
  readonly any: boolean | 'unknown';
  /** Whether a template may add names that are not in the file. */
  readonly open: boolean;
  /** Whether the field contains a name instead of a list of names. */
  readonly isSingle?: true;
}

/** A field or argument that contains the key of a label: a `topologyKey`, an item of `matchLabelKeys`, a `fieldPath`, an output column. */
export interface LabelKeySite {
  readonly path: string;
  readonly place: LabelKeyField;
  /** The label key, with its own range. */
  readonly key: Written;
  /** The whole value of the field, if the key is only a part of it. */
  readonly text?: Written;
}

/** A field that refers by name to a different object, or to a part of an object such as a container, port or volume. */
export interface ReferenceSite {
  readonly path: string;
  readonly fact: ReferenceFact;
  /** The name of the object or part, with its own range in the value of the field. */
  readonly name: Written;
  /** The kind and the group that the reference specifies. */
  readonly kind?: string;
  readonly group?: string;
  /** The namespace that the reference specifies. */
  readonly namespace?: Written;
  /** The keys of the ConfigMap or Secret that are used. */
  readonly keys?: readonly Written[];
  /** Set if the reference is optional, so that the referenced object need not exist. */
  readonly optional?: true;
}

/** The keys of a ConfigMap or Secret. */
export interface DataKeys {
  readonly keys: readonly Written[];
  /** Whether there may be more keys, which are not in the file. */
  readonly open: boolean;
  /** Set if these are all keys that a generator adds to an object, which may have more keys. */
  readonly areAdded?: true;
}

/** The objects that may refer to objects in the namespace of a ReferenceGrant, and the objects to which they may refer. */
export interface Grant {
  readonly from: readonly GrantPart[];
  readonly to: readonly GrantPart[];
  /** Whether parts of the grant depend on a template. */
  readonly open: boolean;
}

/** An item in the lists `from` and `to` of a ReferenceGrant. */
export interface GrantPart {
  readonly group: Value;
  readonly kind?: Value;
  /** In `from`: the namespace of the referring objects. */
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

/** A labeled object that a selector can match: an object with its own labels, or an object that is created from a template in it. */
export interface LabeledObject {
  readonly target: GroupKind;
  /** The path of the template from which the object is created; undefined for the object in the file itself. */
  readonly via?: string;
  readonly site?: LabelSite;
  readonly labels: Readonly<Record<string, Value>>;
  readonly open: boolean;
  /** The template code of the parts that a template adds to the labels. */
  readonly parts?: readonly string[];
  /**
   * Whether the object may have additional labels that only its controller knows. An uncertain match of such an object
   * is not reported without other evidence.
   */
  readonly guessed: boolean;
}
