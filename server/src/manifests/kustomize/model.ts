/** Types that describe a kustomization: its fields, with their positions. */

import type { Span } from '../../text/span.ts';
import type { DataKeys, FieldFault, LabelEntry, ManifestObject, Written } from '../model.ts';
import type { MapNode, Node } from '../yaml/tree.ts';

export interface PathReference {
  readonly path: string;
  readonly span: Span;
}

export interface Kustomization {
  /** Whether the kustomization is a Component, which cannot be built by itself. */
  readonly component: boolean;
  /** The entries of `resources` and `bases`: files and folders whose objects the kustomization includes. */
  readonly resources: readonly PathReference[];
  /** Folders that contain Components, which change the included objects and can add more objects. */
  readonly components: readonly PathReference[];
  /** Files with patches, which change objects and are not objects themselves. */
  readonly patches: readonly PathReference[];
  /** The entries of `generators` and `transformers`. They may refer to programs, whose objects are not in any file. */
  readonly plugins: readonly PathReference[];
  /** The charts that the kustomization renders. */
  readonly charts: readonly string[];
  readonly namespace?: Written;
  readonly namePrefix?: Written;
  readonly nameSuffix?: Written;
  /** The labels in `labels`, followed by the labels in `commonLabels`. */
  readonly labels: readonly LabelChange[];
  readonly annotations: readonly LabelEntry[];
  readonly changes: readonly PatchEntry[];
  readonly generators: readonly GeneratorEntry[];
  /** Set if the input files of the generators are so large that not all of them were hashed. */
  readonly contentsCut?: true;
  readonly transformers: readonly PathReference[];
  /**
   * The kinds of inline plugins that may create objects: generators, and transformers that are not built into
   * kustomize.
   */
  readonly programs: readonly string[];
  /** Transformers that are defined inline in the kustomization. */
  readonly inlineTransformers: readonly Node[];
  readonly configurations: readonly PathReference[];
  /** Changes to images; absent if there are none. */
  readonly images?: readonly ImageChange[];
  /** The names of the objects whose number of replicas the kustomization sets; absent if there are none. */
  readonly replicas?: readonly Written[];
  /** Replacements, inline or as references to files. */
  readonly replacements: readonly (PathReference | { readonly node: Node })[];
  /** The span of the item in `buildMetadata` that adds the label `app.kubernetes.io/managed-by`. */
  readonly managedByLabel?: Span;
  /** Files that the kustomization uses for other purposes: contents of generated objects, schemas, values. */
  readonly inputs: readonly PathReference[];
  /** The position and surrounding text for adding a resource. */
  readonly nextResource: NextResource;
  /** Whether the kustomization changes the included objects. */
  readonly edits: boolean;
  /** Fields that kustomize does not know, and values that it cannot decode; absent if there are none. */
  readonly faults?: readonly FieldFault[];
}

/** A change to all images with a given name. */
export interface ImageChange {
  readonly name: string;
  readonly newName?: string;
  readonly newTag?: string;
  readonly digest?: string;
  readonly tagSuffix?: string;
  /** Set if a placeholder determines a part of the change. */
  readonly isUnknown?: true;
  readonly span: Span;
}

/** The position at which a resource is added, and the text before and after its path. */
export interface NextResource {
  readonly at: number;
  readonly before: string;
  readonly after: string;
}

/** Labels that the kustomization adds to all objects. */
export interface LabelChange {
  readonly entries: readonly LabelEntry[];
  /** Whether a template may add labels that are not in the file. */
  readonly open: boolean;
  readonly includeSelectors: boolean;
  readonly includeTemplates: boolean;
  readonly fields: readonly FieldSpec[];
  /** Whether the change comes from `commonLabels`, not from an item of `labels`. */
  readonly isCommon?: true;
}

/** A field of objects of certain kinds. An empty group, version or kind matches any value. */
export interface FieldSpec {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly path: string;
  readonly create: boolean;
}

/** A patch of a kustomization. Patches are stored in the order of their application: all patches in one field precede the patches in the next field. */
export interface PatchEntry {
  readonly field: 'patchesStrategicMerge' | 'patches' | 'patchesJson6902';
  /** The range at which messages are shown: the path, the target, or the start of the patch. */
  readonly span: Span;
  readonly path?: PathReference;
  readonly inline?: PatchText;
  readonly target?: PatchTarget;
  readonly allowNameChange: boolean;
  readonly allowKindChange: boolean;
  readonly allowNoTargetMatch: boolean;
}

/** The content of an inline patch. */
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

/** A ConfigMap or Secret that the kustomization generates. */
export interface GeneratorEntry {
  readonly kind: 'ConfigMap' | 'Secret';
  readonly span: Span;
  readonly name?: Written;
  readonly namespace?: Written;
  readonly behavior: string;
  readonly keys: DataKeys;
  readonly labels: readonly LabelEntry[];
  readonly annotations: readonly LabelEntry[];
  /** Whether the name of the generated object has no hash suffix. */
  readonly plainName: boolean;
  /**
   * The content, if all keys are valid names of Flux variables and the name has no hash suffix; values of Secrets are
   * unknown.
   */
  readonly variables?: MapNode;
  /** The hash of the content; absent if part of the content is unknown. The content itself is not stored. */
  readonly hash?: string;
  /**
   * The hashes of the content that results from merging it into earlier generated content. The key identifies the
   * generators of the earlier content.
   */
  readonly merged?: ReadonlyMap<string, string>;
  /** The files that the generator reads; the hash can only be computed after they are read. */
  readonly reads?: readonly string[];
  /** Those of these files that cannot be read, so that kustomize fails unless it can download them; absent while the files are not read, and if there are none. */
  readonly lacks?: readonly string[];
}
