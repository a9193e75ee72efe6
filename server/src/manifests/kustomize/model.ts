/** The model of a kustomization: its fields, with where each is written. */

import type { Span } from '../../text/span.ts';
import type { LabelEntry, ManifestObject, Written } from '../model.ts';
import type { Node } from '../yaml/tree.ts';

export interface PathReference {
  readonly path: string;
  readonly span: Span;
}

export interface Kustomization {
  /** A Component does not build alone. */
  readonly component: boolean;
  /** `resources` and `bases`: files and folders whose objects it takes. */
  readonly resources: readonly PathReference[];
  /** Folders that change what it takes, and may add to it. */
  readonly components: readonly PathReference[];
  /** Files that change objects and are none themselves. */
  readonly patches: readonly PathReference[];
  /** `generators` and `transformers`: they may be programs that make objects which no file shows. */
  readonly plugins: readonly PathReference[];
  /** Charts that it renders. */
  readonly charts: readonly string[];
  readonly namespace?: Written;
  readonly namePrefix?: Written;
  readonly nameSuffix?: Written;
  /** `labels`, then `commonLabels`. */
  readonly labels: readonly LabelChange[];
  readonly annotations: readonly LabelEntry[];
  readonly changes: readonly PatchEntry[];
  readonly generators: readonly GeneratorEntry[];
  /** They read so much that not all of it was hashed. */
  readonly contentsCut?: true;
  readonly transformers: readonly PathReference[];
  /** The kinds of what is written in it and may make objects: generators, and transformers that are no part of kustomize. */
  readonly programs: readonly string[];
  /** Transformers that are written in it. */
  readonly inlineTransformers: readonly Node[];
  readonly configurations: readonly PathReference[];
  /** Each as it is written, or as the file that it names has it. */
  readonly replacements: readonly (PathReference | { readonly node: Node })[];
  /** `buildMetadata` asks for a label that says who built it. */
  readonly managedByLabel?: Span;
  /** Files that it uses for something else: contents of generated objects, schemas, values. */
  readonly inputs: readonly PathReference[];
  /** How one more resource is written. */
  readonly nextResource: NextResource;
  /** It changes what it takes in some way. */
  readonly edits: boolean;
  /** Fields that kustomize does not know. */
  readonly unknownFields: readonly Written[];
}

/** Where a resource is added, and what stands around its path. */
export interface NextResource {
  readonly at: number;
  readonly before: string;
  readonly after: string;
}

/** Labels that it puts on everything. */
export interface LabelChange {
  readonly entries: readonly LabelEntry[];
  /** Whether a template adds labels that are not shown. */
  readonly open: boolean;
  readonly includeSelectors: boolean;
  readonly includeTemplates: boolean;
  readonly fields: readonly FieldSpec[];
  /** It is `commonLabels`, not one of `labels`. */
  readonly isCommon?: true;
}

/** A place of objects of some kinds; what is '' is any. */
export interface FieldSpec {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly path: string;
  readonly create: boolean;
}

/** One patch, in the order in which they are applied: all of a field after all of the one before. */
export interface PatchEntry {
  readonly field: 'patchesStrategicMerge' | 'patches' | 'patchesJson6902';
  /** What a message points at: the path, the target, or where the patch begins. */
  readonly span: Span;
  readonly path?: PathReference;
  readonly inline?: PatchText;
  readonly target?: PatchTarget;
  readonly allowNameChange: boolean;
  readonly allowKindChange: boolean;
  readonly allowNoTargetMatch: boolean;
}

/** A patch as it is written in a kustomization. */
export interface PatchText {
  readonly objects: readonly ManifestObject[];
  readonly trees: readonly Node[];
}

export interface PatchTarget {
  readonly span: Span;
  readonly group?: Written;
  readonly version?: Written;
  readonly kind?: Written;
  readonly name?: Written;
  readonly namespace?: Written;
  readonly labelSelector?: Written;
  readonly annotationSelector?: Written;
}

/** A ConfigMap or Secret that it makes. */
export interface GeneratorEntry {
  readonly kind: 'ConfigMap' | 'Secret';
  readonly span: Span;
  readonly name?: Written;
  readonly namespace?: Written;
  readonly behavior: string;
  readonly labels: readonly LabelEntry[];
  readonly annotations: readonly LabelEntry[];
  /** Its name gets no hash of its content. */
  readonly plainName: boolean;
  /** Where all of its content is known. The content is not kept. */
  readonly hash?: string;
  /** That of its content together with what was generated before, by the generators that wrote it. */
  readonly merged?: ReadonlyMap<string, string>;
  /** The files that it reads: its hash is known once somebody has read them. */
  readonly reads?: readonly string[];
}
