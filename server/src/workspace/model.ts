/** The model of a workspace: its files, the results of its index, and the interface of a snapshot. */

import type { Catalogue } from '../engine/catalogue/types.ts';
import type { LabelSet, Requirement, Selector, Value } from '../engine/index.ts';
import type { FileData } from '../manifests/gitops/model.ts';
import type { Note } from '../manifests/helm/chart-context.ts';
import type { Chart } from '../manifests/helm/chart-file.ts';
import type { RenderFailure } from '../manifests/helm/execution/failure.ts';
import type { TemplateOutput } from '../manifests/helm/execution/output.ts';
import type { Kustomization, PatchEntry } from '../manifests/kustomize/model.ts';
import { labeledObjectsOf } from '../manifests/label-sets.ts';
import type { LabeledObject, Manifest, ManifestObject, SelectorSite } from '../manifests/model.ts';
import type { Config } from '../settings/read-config.ts';
import type { LineTable } from '../text/lines.ts';
import type { Span } from '../text/span.ts';
import type { ChartFileFacts } from './charts/chart-contexts.ts';
import type { Configs } from './configs.ts';
import type { Questions } from './dependencies/questions.ts';
import type { InFolder } from './index/folder-index.ts';
import type { LayeredMap } from './index/layered-map.ts';
import type { Identity } from './kustomize/resource.ts';
import type { TransformerSource } from './kustomize/transformer-sources.ts';
import type { Scope, Scopes } from './scopes/model.ts';
import type { ScopeFacts } from './scopes/scope-facts.ts';

/** The kind and position of an object, apart from its file, which determine the selectors that apply to it. Equal values are shared. */
export interface ObjectLocation extends Pick<ManifestObject, 'group' | 'version' | 'kind' | 'template'> {
  readonly namespace?: NamedNamespace;
}

/** The position of a labeled object. It consists of numbers instead of the object itself, so that an edit that keeps the outline does not change it. */
export interface LabeledObjectId {
  readonly uri: string;
  readonly location: ObjectLocation;
  /** The index of the object in its file. */
  readonly object: number;
  /** The index of the labeled object in the object. */
  readonly labeledObject: number;
  /** The key of the kind to which the labels belong. */
  readonly target: string;
}

/** The position of a selector. */
export interface SelectorId {
  readonly uri: string;
  readonly object: number;
  /** The index of the selector site in the object. */
  readonly site: number;
  /** The key of the kind that the selector selects. */
  readonly target: string;
  /** The location of the object, if the selector applies only to the namespace of the object. */
  readonly home?: ObjectLocation | undefined;
}

export interface FoundIn<Id> {
  readonly id: Id;
  readonly answer: 'yes' | 'maybe';
}

/** A labeled object that an index found, with its labels, so that its file need not be deserialized. */
export interface FoundLabeledObject extends FoundIn<LabeledObjectId> {
  readonly labelSet: LabelSet;
}

/** A selector that an index found, with its requirements, so that its file need not be deserialized. */
export interface FoundSelector extends FoundIn<SelectorId> {
  /**
   * The selector, which matches everything if it has no label requirements. A term that has requirements on names is
   * not included.
   */
  readonly selector: Selector;
}

/** The number of objects with each label, including files that are only patches. */
export interface LabelCounts {
  readonly size: number;
  keys(): Iterable<readonly [key: string, count: number]>;
  values(key: string): Iterable<readonly [value: string, count: number]>;
}

/** The data that the workspace stores for a file: facts and the offsets of its lines, but not its text. */
export interface WorkspaceFile {
  /** Canonical URI. */
  readonly uri: string;
  readonly manifest: Manifest;
  readonly lines: LineTable;
  readonly kustomization?: Kustomization | undefined;
  /** The chart in a `Chart.yaml` or `requirements.yaml`. */
  readonly chart?: Chart;
  /** The facts that the file contributes to its chart. */
  readonly helm?: ChartFileFacts;
  /** The content of a file that GitOps objects read as data. */
  readonly data?: FileData;
  /** The text of a template, which is executed, or of another file that templates read. */
  readonly template?: string | undefined;
  /**
   * For a template with actions, the key of the chart facts with which it was parsed, which is empty without a chart.
   */
  readonly chartKey?: string | undefined;
  /** The paths of the values that a template of a chart may read; absent if it reads none. */
  readonly valuesRead?: readonly string[] | undefined;
  /** The parts of a template that cannot be parsed, and the includes that cannot be found. */
  readonly notes?: readonly Note[];
  /** The content of a `.selector-lens.yaml`; its objects are the external objects that it declares. */
  readonly config?: Config;
  /** The facts on which scopes depend. */
  readonly scope: ScopeFacts;
  /** The number of objects in the file that are meant for the cluster. */
  readonly objects: number;
}

/** Two versions of a file. */
export interface FileChange {
  readonly before: WorkspaceFile;
  readonly after: WorkspaceFile;
}

/** An object and the file that contains it. */
export interface ObjectInFile {
  readonly file: WorkspaceFile;
  readonly object: ManifestObject;
}

export interface LabeledObjectInFile extends ObjectInFile {
  readonly labeledObject: LabeledObject;
}

/** The data that remains cached after a rendering is evicted. */
export interface RenderingTerms {
  /**
   * The names and the certain labels of the built objects, and the names of these objects in the files; for a GitOps
   * object, also the identities of the objects that it owns.
   */
  readonly terms: ReadonlySet<string>;
  /** The number of built objects that are meant for the cluster. */
  readonly objects: number;
}

/** A label key with the values that one requirement allows. */
export interface RequiredLabel {
  readonly key: string;
  readonly values: readonly string[];
}

export interface Workspace {
  readonly files: LayeredMap<string, WorkspaceFile>;
  /** Returns the scopes, which determine the files that are applied together. */
  scopes(): Scopes;
  /** Returns the configurations, and determines which one applies to a file. */
  configs(): Configs;
  /**
   * Returns the labeled objects of a kind that a selector may match, with the certainty of each match; `target` is a
   * `kindKey`. `within` limits the search, to make it faster: files outside of `within` may be skipped unless a kustomization includes them.
   * With `isAnyEnough`, a caller that stops early depends only on the files of the last two objects that it got.
   */
  find(
    target: string,
    selector: Selector,
    isWanted?: IsWanted,
    within?: ReadonlySet<string>,
    isAnyEnough?: boolean,
  ): Iterable<Candidate>;
  /** Returns the labeled objects of some kinds in a file, including patches, without deserializing the file. */
  labeledObjectsIn(uri: string, targets: readonly string[]): readonly FoundLabeledObject[];
  /** Returns the selectors of objects of a kind in a file, including patches, without deserializing the file. */
  selectorsIn(uri: string, target: string): readonly Selector[];
  /** Yields the selectors of objects of a kind that may match a label set, in no particular order and without deserializing files; includes patches, and omits files outside of `within`. */
  selectingIds(target: string, labels: LabelSet, within?: ReadonlySet<string>): Iterable<FoundSelector>;
  /**
   * Returns the labeled objects of any kind that certainly have a label, or have the key if `value` is absent. Files
   * are not deserialized.
   */
  carrying(key: string, value?: string): readonly InFolder<LabeledObjectId>[];
  /**
   * Returns the selectors of any kind that have a requirement on a key, with any value or with one of `values`. For a
   * requirement that does not list values, `alsoConcerns` returns whether it concerns these values. Files are not
   * deserialized.
   */
  speaking(
    key: string,
    values: readonly string[],
    alsoConcerns?: (requirement: Requirement) => boolean,
  ): readonly SelectorId[];
  /** Returns the keys of all kinds that have labeled objects. */
  targets(): Iterable<string>;
  /** Whether an object of a kind, or of any kind if it is undefined, has a label key. */
  hasKey(target: string | undefined, key: string): boolean;
  /** Returns every label key of the objects of a kind, with its known values. */
  labelsOf(target: string): Iterable<readonly [key: string, values: Iterable<string>]>;
  /** Yields the label sets of a kind that a selector may match, without deserializing files. */
  labelSets(target: string, selector: Selector): Iterable<LabelSetInFile>;
  /** Returns the number of objects of a kind with each label. */
  labelCounts(target: string): LabelCounts;
  /**
   * Returns the number of files that were added to the index since it was created, which measures the cost of edits.
   */
  indexUpdates(): number;
  /**
   * Returns the number of lookups of selectors and label sets since the index was created, which measures the cost of
   * checks.
   */
  indexLookups(): number;
  /** The workspace folders, without a trailing slash. */
  readonly folders: readonly string[];
  /** Resolves a path in a file of a folder. */
  at(folder: string, path: string): string;
  /** Returns the rendering of the kustomization in a folder; undefined if there is none, or if it is unknown. */
  rendering(folder: string, catalogue: Catalogue): Rendering | undefined;
  /**
   * Returns the reason why the rendering of the kustomization in a folder is unknown; undefined if the rendering is
   * known, or if there is no kustomization.
   */
  unrendered(folder: string, catalogue: Catalogue): Unrendered | undefined;
  /**
   * Returns the terms of `rendering`, as `termsOf` extracts them; undefined if there is no rendering. The terms remain
   * cached after the rendering is evicted.
   */
  terms(folder: string, catalogue: Catalogue): RenderingTerms | undefined;
  /** Returns the scopes that may build an object with all required labels, without rendering them. */
  scopesThatMayBuild(required: readonly RequiredLabel[]): Iterable<Scope>;
  /** Returns the scopes that may build an object with a name, which are rendered if this is not known. */
  scopesThatBuildNamed(name: string, catalogue: Catalogue): readonly Scope[];
  /** Returns the number of renderings of kustomizations, which measures the cost of edits. */
  renderingCount(): number;
  /** Drops renderings that were not used since the last call. */
  evictUnused(): void;
  /** Returns how often unused renderings were dropped; whatever was derived from them can then be dropped, too. */
  evictions(): number;
  /** Records questions about all files; absent if no later run needs them. */
  readonly questions?: Questions | undefined;
  /**
   * The kustomization whose view this workspace is: objects are as this kustomization applies them. Absent for the
   * workspace as written.
   */
  readonly appliedBy?: Scope;
  /** The workspace as written, of which this is a view; absent for the workspace as written. */
  readonly written?: Workspace;
}

/** The label set of an object in some file. */
export interface LabelSetInFile {
  readonly uri: string;
  readonly labelSet: LabelSet;
  readonly answer: 'yes' | 'maybe';
}

/** A function that decides whether a match is needed. A match that is not needed costs only the lookup in the index. */
export type IsWanted = (uri: string, labelSet: LabelSet, answer: 'yes' | 'maybe') => boolean;

export interface Found extends LabeledObjectInFile {
  readonly answer: 'yes' | 'maybe';
}

export interface SiteInFile extends ObjectInFile {
  readonly site: SelectorSite;
}

export interface SelectorInFile extends SiteInFile {
  readonly answer: 'yes' | 'maybe';
}

/** A namespace, identified by its name, which a template may determine. */
export interface NamedNamespace {
  readonly text: string;
  readonly value: Value;
}

/** The facts of an object that determine whether a selector applies to it: its file, type, namespace and OpenShift Template. */
export interface Located {
  readonly file: { readonly uri: string };
  readonly object: ObjectLocation;
}

/**
 * A possible match of a selector. Its file is deserialized lazily, only for details that the index does not have. Do
 * not spread a candidate into another object: its lazy fields would be lost.
 */
export class Candidate implements Found {
  readonly file: WorkspaceFile;
  readonly id: LabeledObjectId;
  /** The labels of the labeled object. */
  readonly labelSet: LabelSet;
  /** Whether the labels match. */
  readonly answer: 'yes' | 'maybe';
  /** The reasons why the match is uncertain, each without a period at the end; empty for a certain match. */
  readonly reasons: readonly string[];

  constructor(file: WorkspaceFile, { id, labelSet, answer }: FoundLabeledObject, reasons: readonly string[] = []) {
    this.file = file;
    this.id = id;
    this.labelSet = labelSet;
    this.answer = answer;
    this.reasons = reasons;
  }

  get object(): ManifestObject {
    return this.file.manifest.objects[this.id.object] as ManifestObject; // an index contains only existing objects
  }

  get labeledObject(): LabeledObject {
    return labeledObjectsOf(this.object)[this.id.labeledObject] as LabeledObject; // see `object`
  }

  /** The kind and position of the object, as known to the index. */
  get where(): Located {
    return { file: this.file, object: this.id.location };
  }

  /**
   * Whether a template of the object creates the labeled object. The first labeled object of an object is the object
   * itself.
   */
  get isMade(): boolean {
    return this.id.labeledObject > 0;
  }

  because(reasons: readonly string[]): Candidate {
    return reasons.length === 0 && this.reasons.length === 0 ? this : new Candidate(this.file, this, reasons);
  }
}

/** An object as a kustomization builds it. */
export interface EffectiveObject {
  /** The file that contains the object; for a generated object, the file of the kustomization. */
  readonly file: WorkspaceFile;
  readonly object: ManifestObject;
  /** Whether the object is written in its file; false for a generated object. */
  readonly written: boolean;
  /** The identity of the object before all changes; absent if no change affects the identity. */
  readonly original?: Identity | undefined;
  /** The sources of changes to the object. */
  readonly transformers: readonly TransformerSource[];
}

/** A template for which Helm reports an error, so that it renders nothing. */
export interface FailedTemplate extends RenderFailure {
  readonly uri: string;
}

export interface Rendering {
  /** The folder of the kustomization. */
  readonly folder: string;
  readonly objects: readonly EffectiveObject[];
  /** The files whose objects the kustomization builds, each with its objects as they are applied. */
  readonly files: ReadonlyMap<string, WorkspaceFile>;
  /** Patches that match no resource. */
  readonly idle: readonly IdlePatch[];
  /** Entries that lack a resource or a field. */
  readonly broken: readonly BrokenEntry[];
  /** Whether all included files exist and could be parsed. */
  readonly isWhole: boolean;
  /** Whether objects of charts are unknown because executing the templates is too much work. */
  readonly isCut?: true;
  /** The templates of charts for which Helm reports errors. */
  readonly failures?: readonly FailedTemplate[];
  /** The output of each template of a chart that Helm can install. */
  readonly outputs?: ReadonlyMap<string, TemplateOutput>;
  /** The templates of such a chart whose whole output is known, also if Helm cannot install the chart. */
  readonly known?: ReadonlySet<string>;
  /** Whether the GitOps object has other values for its charts than its file states. */
  readonly hasOtherValues?: true;
  /** Returns the index of all labels and selectors in the rendering. */
  index(): BuiltIndex;
  /** The view of the kustomization, computed lazily; it belongs to the snapshot that was used last. */
  view?: { readonly of: Workspace; readonly view: Workspace } | undefined;
}

/** The limit that a kustomization exceeds, so that it is not built. */
export type Limit = 'levels' | 'objects' | 'steps';

/** The reason why a kustomization is not rendered: rendering it failed, or exceeds a limit, or all kustomizations together build too many objects (`sharing`). */
export type Unrendered = Limit | 'failure' | 'sharing';

/** A patch that matched no resource; in an entry without a target, each document of its file is a patch. */
export interface IdlePatch {
  readonly uri: string;
  readonly entry: PatchEntry;
  /**
   * The object that the document of the patch names; absent for an entry with a target, and for JSON patch operations.
   */
  readonly object?: ManifestObject;
  /** The resources to be patched, with all their previous identities. */
  readonly present: readonly Identity[];
}

/**
 * An entry of a kustomization whose object is certainly not among the resources: a replacement, a number of replicas, or a
 * generator that merges its content; or an operation that removes a label or annotation that the object does not have.
 * kustomize fails, except for `no target`.
 */
export interface BrokenEntry {
  /** The kustomization, with the range of the name or path that is not found, or of the path of the file with the entry. */
  readonly uri: string;
  readonly span: Span;
  readonly is:
    | 'no source'
    | 'no source field'
    | 'no target'
    | 'no target field'
    | 'no replicas'
    | 'no generated'
    | 'generated again'
    | 'added again'
    | 'same namespace'
    | 'not removed';
  /** The kind and name of the resource that is not found, that does not have the field, or that exists already. */
  readonly resource: string;
  /** The path of the field of a replacement, or of the files that add a resource again; otherwise empty. */
  readonly path: string;
}

/** The labels and selectors of everything that a kustomization builds, with the methods of a workspace's index. */
export interface BuiltIndex extends Pick<Workspace, 'carrying' | 'speaking' | 'targets' | 'hasKey' | 'labelsOf'> {
  /** Returns the objects and templates of one kind that a selector may match. */
  labeledObjects(target: string, selector: Selector): readonly FoundLabeledObject[];
  /** Yields the selectors of objects of one kind that may match a label set. */
  selectors(target: string, labels: LabelSet): Iterable<FoundSelector>;
  /** Yields the label sets of one kind that a selector may match, one at a time. */
  labelSets(target: string, selector: Selector): Iterable<FoundLabeledObject>;
}
