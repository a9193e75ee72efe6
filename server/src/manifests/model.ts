/** What does a file say? Its objects, and where each of their labels, selectors and names is written. */

import type { GroupKind, LabelKeyPlace, LabelPlace, SelectorFact, TemplateFact } from '../engine/catalogue/types.ts';
import type { FieldSelector, Hole, LabelSet, NodeSelector, Parsed, Selector, Value } from '../engine/index.ts';
import type { Span } from '../text/span.ts';
import type { Letters } from './inline/source-map.ts';
import type { Definition } from './kinds/custom-resource-definition.ts';
import type { Mention } from './mentions.ts';
import type { ScalarType } from './yaml/scalar-types.ts';
import type { Node, Origin, ScalarStyle } from './yaml/tree.ts';

export interface Manifest {
  readonly objects: readonly ManifestObject[];
  /** How many documents it holds, empty ones left out. */
  readonly documents: number;
  /** How many syntax errors its YAML has. */
  readonly syntaxErrors: number;
  /** Syntax errors may hide objects, or fields of them. */
  readonly readInPart?: true;
  /** The offset of the first document that is left out because its aliases expand to too many nodes. */
  readonly expandsTooFarAt?: number;
  /** A template writes lines of it that the file does not show. */
  readonly unresolved?: boolean;
  /** Documents that are no objects and that a kustomization may use: JSON patches, transformers, configurations. */
  readonly trees?: readonly Node[];
  /** Commands and URLs with selectors or labels in them, each with one site; known of open files alone. */
  readonly inline?: readonly ManifestObject[];
  /** What of it the values of its chart fill. */
  readonly valueSites?: readonly ValueSite[];
  /** Among them may be objects or labels of which nothing else tells. */
  readonly obscured?: boolean;
  /** Fields that the API server does not know, and required fields that are missing. */
  readonly faults?: readonly FieldFault[];
  /** What few texts speak of; absent where nobody looked. */
  readonly mentions?: readonly Mention[];
}

/** What is wrong with the fields of an object; `object` is the offset of its kind. */
export type FieldFault =
  | {
      readonly is: 'unknown';
      readonly object: number;
      /** Of the map that contains the field, from the object's root, with the numbers of list items; '' for the root. */
      readonly path: string;
      readonly key: Written;
    }
  | {
      readonly is: 'missing';
      readonly object: number;
      /** Of the map in which the field is missing. */
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
      /** A key that may be the field, misspelled. */
      readonly near?: Written;
    };

/** A scalar as it was typed. */
export interface Written {
  readonly text: string;
  /** The same as the engine takes it: an unknown where a template or placeholder fills it. */
  readonly value: Value;
  readonly type: ScalarType | 'map' | 'list';
  readonly style: ScalarStyle;
  /** With the quotes; of a map or list, where it begins. Of what another file wrote, the kind of the object. */
  readonly span: Span;
  /** The other file that wrote it; absent where the object's own file did. */
  readonly origin?: Origin;
  /** Where each character is written: of what stands in a command or a URL, and is no scalar of YAML. */
  readonly letters?: Letters;
  /** It has an anchor: aliases may show it in other places. */
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
  /** From its first key to its last value. */
  readonly span: Span;
  /** Its own labels; absent where it has no `metadata.labels`. */
  readonly labels?: LabelSite;
  /** Every map of labels or annotations in it, its own among them. */
  readonly labelSites: readonly LabelSite[];
  readonly selectorSites: readonly SelectorSite[];
  readonly templates: readonly TemplateSite[];
  readonly labelKeySites: readonly LabelKeySite[];
  /** Labels that an OpenShift Template puts on everything it holds. */
  readonly inherited: readonly LabelEntry[];
  /** The name of the OpenShift Template that holds it; of a Template its own. */
  readonly template?: string;
  /** Labels that the API server puts on it; their value is its name. */
  readonly nameLabels?: readonly string[];
  /** Keys of its metadata, label maps and selectors, and of what holds them, that a later one replaces. */
  readonly repeated?: readonly RepeatedKey[];
  /** The keys of the document at which another object begins, because `---` is missing before them. */
  readonly joined?: readonly Written[];
  /** It stands for what templates make of values: nothing of it is applied by itself. */
  readonly inValues?: true;
  /** A template writes labels of it, or more objects, that the file does not show. */
  readonly obscured?: true;
  /** Of a pod: what its containers declare. */
  readonly ports?: ContainerPorts;
  /** Of a Service: its ports, and the ports of pods to which it sends. */
  readonly servicePorts?: readonly ServicePort[];
  /** Of a network policy: its `spec`. */
  readonly policySpec?: Node;
  /** Of a network policy: a template decides whether it exists. */
  readonly isOptional?: true;
  /** Of a pod: the kind and name of the object that controls it. */
  readonly controller?: Controller;
  /** Ports that it asks for by name. */
  readonly targetPorts?: readonly Written[];
  /** Of an autoscaler: the workload that it scales. */
  readonly scaleTarget?: ScaleTarget;
  /** The kind that it defines. */
  readonly defines?: Definition;
  /** The files that it names as what a test tries out. */
  readonly triesOut?: readonly string[];
  /** What a patch of a kustomization needs to know beside labels and selectors. */
  readonly marks?: readonly Mark[];
  /** Only what the API server stores is an object; configuration of tools (kubeadm, kind, skaffold, ...) is not. */
  readonly forCluster: boolean;
  /** It is no object but a command: it looks into the cluster, from no place of its own. */
  readonly inline?: true;
}

/** A port of a Service, as far as it is known. */
export interface ServicePort {
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
  /** Absent if the reference does not name one. */
  readonly group?: string;
  readonly name: Written;
}

/** What is put together field by field: there are very many, and each copy while it is made would cost as much again. */
export type Making<T> = { -readonly [Key in keyof T]: T[Key] };

/** Something on the way to a label or selector that says nothing by itself, and decides what a patch does. */
export interface Mark {
  readonly path: string;
  /** A null; what `$patch` says; a list of so many items; a text by which items of a list are told apart. */
  readonly is: 'null' | 'delete' | 'replace' | 'merge' | number | { readonly text: string };
}

/** A key that is there again in the same map: the last one counts. */
export interface RepeatedKey {
  readonly key: Written;
  /** With its value; absent where that stands somewhere else. */
  readonly span?: Span;
  /** The map is written with braces. */
  readonly flow: boolean;
  /** The key that counts. */
  readonly winner: Written;
  /** Both have equal values, so that nothing is lost if one of them goes. */
  readonly equal: boolean;
}

/** A map of labels or annotations. */
export interface LabelSite {
  /** From the object's root, with the numbers of list items: `spec.template.metadata.labels`. */
  readonly path: string;
  readonly place: LabelPlace;
  /** The key `labels` or `annotations`. */
  readonly keySpan: Span;
  readonly span: Span;
  readonly entries: readonly LabelEntry[];
  /** A template adds entries that the file does not show. */
  readonly open: boolean;
  /** What a template adds, as it reads; equal parts are equal entries, and the empty text is equal to none. */
  readonly parts?: readonly string[];
  /** The value of the field if it is certainly no map: a scalar other than null, or a list. */
  readonly notMap?: NotMap;
}

/** A scalar or list in the place of a map. */
export interface NotMap {
  readonly type: Written['type'];
  /** Of a scalar; the empty text for a list. */
  readonly text: string;
  readonly span: Span;
}

export interface LabelEntry {
  readonly key: Written;
  readonly value: Written;
  /** It is written somewhere else: it came through a merge key, or the chart tells it. */
  readonly merged: boolean;
  /** The chart tells its key or value: what stands here is an action. */
  readonly told?: true;
  /** A template decides whether it is there. */
  readonly conditional: boolean;
}

/** A template of other objects: its labels are what selectors match. */
export interface TemplateSite {
  readonly path: string;
  readonly fact: TemplateFact;
  readonly span: Span;
  readonly labels?: LabelSite;
  /** What the containers of a pod template declare. */
  readonly ports?: ContainerPorts;
  /** Those of its images. */
  readonly tags?: readonly string[];
}

/** The named ports of a pod's containers. */
export interface ContainerPorts {
  readonly names: readonly string[];
  /** A template adds ports that the file does not show. */
  readonly open: boolean;
  /** Of the pod's `spec`: `hostNetwork` and the ports of containers, and nothing else. Absent if there is none of these. */
  readonly network?: Node;
}

export interface SelectorSite {
  readonly path: string;
  readonly fact: SelectorFact;
  /** The key of the field. */
  readonly keySpan: Span;
  /** The value of the field; the key where the value is null. */
  readonly span: Span;
  /**
   * `ignored` is what it says where another field switches it off; `absent` is one that nobody wrote and that takes
   * everything all the same: its spans are those of the object's kind.
   */
  readonly state: 'null' | 'empty' | 'present' | 'ignored' | 'absent';
  /** The labels of the pod template, which the API server uses if the selector is absent, null or empty. */
  readonly defaults?: LabelSet;
  /** It is null, and no other selector is in its network policy peer, which therefore selects nothing. */
  readonly aloneInPeer?: true;
  /** What is in `matchLabels`, or in the map itself. */
  readonly entries: readonly LabelEntry[];
  /** What is in `matchExpressions`; of a node selector, in all its terms. */
  readonly expressions: readonly Expression[];
  /** A selector that is written as one string. */
  readonly text?: Written;
  /** A template adds requirements that the file does not show. */
  readonly open: boolean;
  /** The parts of its text that are not known. */
  readonly holes?: readonly Hole[];
  /** All that a template adds, where that can be compared with what it adds to labels. */
  readonly parts?: readonly string[];
  /** The value as plain data, strings that a template fills as unknowns. */
  readonly data: unknown;
  /** The selector, in the form that the fact gives it; absent for what we do not read. Read when first asked for. */
  readonly selector?: Parsed<Selector> | undefined;
  readonly nodeSelector?: Parsed<NodeSelector> | undefined;
  readonly fieldSelector?: Parsed<FieldSelector> | undefined;
  /** What is listed beside it, where the fact's reach has a place for names. */
  readonly namespaces?: NamespaceNames;
}

/** What of a selector speaks of labels. */
export type SpeakingSite = Pick<SelectorSite, 'fact' | 'entries' | 'expressions' | 'text'>;

/** The namespaces into which a selector looks, where the object lists them. */
export interface NamespaceNames {
  readonly names: readonly Value[];
  /** It looks into all of them. */
  readonly any: boolean | 'unknown';
  /** A template adds names that the file does not show. */
  readonly open: boolean;
}

/** A reference to a label by its key alone: a `topologyKey`, an item of `matchLabelKeys`, a `fieldPath`, a column. */
export interface LabelKeySite {
  readonly path: string;
  readonly place: LabelKeyPlace;
  /** The key, with its own range. */
  readonly key: Written;
  /** The whole value, if the key is only a part of it. */
  readonly text?: Written;
}

/** One item of `matchExpressions`. */
export interface Expression {
  readonly span: Span;
  readonly key?: Written;
  readonly operator?: Written;
  readonly values: readonly Written[];
}

/** What a selector can match: an object by its own labels, or what one of its templates makes. */
export interface Carrier {
  readonly target: GroupKind;
  /** The template's path; undefined for the object itself. */
  readonly via?: string;
  readonly site?: LabelSite;
  readonly labels: Readonly<Record<string, Value>>;
  readonly open: boolean;
  /** What a template adds to them, as it reads. */
  readonly parts?: readonly string[];
  /** Only its controller knows what else it carries: without other evidence, that is no reason to name it. */
  readonly guessed: boolean;
}

/** What a template fills with a value, and where. */
export interface ValueSite {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** The keys that lead to what is filled; `[]` for an item of a list. */
  readonly path: readonly string[];
  /** The keys that lead to the value, from `.Values`. */
  readonly value: readonly string[];
  /** The template goes over its entries and writes each itself: that a value is no string is the template's business. */
  readonly looped?: true;
}
