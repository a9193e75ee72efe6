/** The model of a kustomization: its fields, with their positions. */

import type { Span } from '../../text/span.ts';
import type { DataKeys, LabelEntry, ManifestObject, Written } from '../model.ts';
import type { MapNode, Node } from '../yaml/tree.ts';

export interface PathReference {
  readonly path: string;
  readonly span: Span;
}

export interface Kustomization {
  /** A Component cannot be built by itself. */
  readonly component: boolean;
  /** `resources` and `bases`: files and folders whose objects it includes. */
  readonly resources: readonly PathReference[];
  /** Folders that change the included objects, and may add others. */
  readonly components: readonly PathReference[];
  /** Files that change objects and are not objects themselves. */
  readonly patches: readonly PathReference[];
  /** `generators` and `transformers`: they may be programs that create objects which are in no file. */
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
  /** Its inputs are so large that not all of them were hashed. */
  readonly contentsCut?: true;
  readonly transformers: readonly PathReference[];
  /**
   * The kinds of inline plugins that may create objects: generators, and transformers that are not built into
   * kustomize.
   */
  readonly programs: readonly string[];
  /** Transformers inside the kustomization. */
  readonly inlineTransformers: readonly Node[];
  readonly configurations: readonly PathReference[];
  /** Changes of images; absent if there are none. */
  readonly images?: readonly ImageChange[];
  /** Replacements, inline or as references to files. */
  readonly replacements: readonly (PathReference | { readonly node: Node })[];
  /** The item of `buildMetadata` that adds the label `app.kubernetes.io/managed-by`. */
  readonly managedByLabel?: Span;
  /** Files for other purposes: contents of generated objects, schemas, values. */
  readonly inputs: readonly PathReference[];
  /** The position and text around another resource. */
  readonly nextResource: NextResource;
  /** It changes the included objects. */
  readonly edits: boolean;
  /** Fields that kustomize does not know. */
  readonly unknownFields: readonly Written[];
}

/** A change of the images with a name. */
export interface ImageChange {
  readonly name: string;
  readonly newName?: string;
  readonly newTag?: string;
  readonly digest?: string;
  readonly tagSuffix?: string;
  readonly span: Span;
}

/** The position at which a resource is added, and the text around its path. */
export interface NextResource {
  readonly at: number;
  readonly before: string;
  readonly after: string;
}

/** Labels that it adds to all objects. */
export interface LabelChange {
  readonly entries: readonly LabelEntry[];
  /** Whether a template adds labels that are not in the file. */
  readonly open: boolean;
  readonly includeSelectors: boolean;
  readonly includeTemplates: boolean;
  readonly fields: readonly FieldSpec[];
  /** The change is `commonLabels`, not an item of `labels`. */
  readonly isCommon?: true;
}

/** A field of objects of some kinds; '' is any. */
export interface FieldSpec {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly path: string;
  readonly create: boolean;
}

/** One patch, in the order of application: all patches of a field after all patches of the previous field. */
export interface PatchEntry {
  readonly field: 'patchesStrategicMerge' | 'patches' | 'patchesJson6902';
  /** The range of a message: the path, the target, or the start of the patch. */
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

/** A ConfigMap or Secret that it generates. */
export interface GeneratorEntry {
  readonly kind: 'ConfigMap' | 'Secret';
  readonly span: Span;
  readonly name?: Written;
  readonly namespace?: Written;
  readonly behavior: string;
  readonly keys: DataKeys;
  readonly labels: readonly LabelEntry[];
  readonly annotations: readonly LabelEntry[];
  /** Its name has no suffix with the hash of its content. */
  readonly plainName: boolean;
  /** Its content, if all keys are names of variables of Flux, and its name is plain; values of Secrets are unknown. */
  readonly variables?: MapNode;
  /** Present if all of its content is known. The content is not stored. */
  readonly hash?: string;
  /** The hash of its content merged with earlier generated content, by the generators of that content. */
  readonly merged?: ReadonlyMap<string, string>;
  /** The files that it reads: its hash is computed after they are read. */
  readonly reads?: readonly string[];
}
