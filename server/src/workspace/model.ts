/** The model of a workspace: its files, the results of its index, and the interface of a snapshot. */

import type { Catalogue } from '../engine/catalogue/types.ts';
import type { LabelSet, Requirement, Selector, Value } from '../engine/index.ts';
import type { Note } from '../manifests/helm/chart-context.ts';
import type { Chart } from '../manifests/helm/chart-file.ts';
import type { Kustomization, PatchEntry } from '../manifests/kustomize/model.ts';
import { labeledObjectsOf } from '../manifests/label-sets.ts';
import type { LabeledObject, Manifest, ManifestObject, SelectorSite } from '../manifests/model.ts';
import type { Config } from '../settings/read-config.ts';
import type { LineTable } from '../text/lines.ts';
import type { ChartFileFacts } from './charts/chart-contexts.ts';
import type { Configs } from './configs.ts';
import type { InFolder } from './index/folder-index.ts';
import type { LayeredMap } from './index/layered-map.ts';
import type { Identity } from './kustomize/resource.ts';
import type { TransformerSource } from './kustomize/transformer-sources.ts';
import type { Questions } from './questions.ts';
import type { Scope, Scopes } from './scopes/model.ts';
import type { ScopeFacts } from './scopes/scope-facts.ts';

/**
 * The kind and position of an object, apart from its file: all that decides which selectors reach it. Equal values are
 * shared.
 */
export interface ObjectLocation extends Pick<ManifestObject, 'group' | 'version' | 'kind' | 'template'> {
  readonly namespace?: NamedNamespace;
}

/**
 * The position of a labeled object: numbers instead of the object itself, so that an edit that keeps the outline keeps
 * them.
 */
export interface LabeledObjectId {
  readonly uri: string;
  readonly location: ObjectLocation;
  /** Of the file's objects. */
  readonly object: number;
  /** Of the object's labeled objects. */
  readonly labeledObject: number;
  /** The key of the kind that the labels belong to. */
  readonly target: string;
}

/** Where a selector is. */
export interface SelectorId {
  readonly uri: string;
  readonly object: number;
  /** Of the object's selector sites. */
  readonly site: number;
  /** The key of the kind that it selects. */
  readonly target: string;
  /** Where it is, if it looks into its own namespace alone. */
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
  /** Everything where nothing else decides; a term that also asks for names is no such. */
  readonly selector: Selector;
}

/** How often each label occurs, files that are only patches among them. */
export interface LabelCounts {
  readonly size: number;
  keys(): Iterable<readonly [key: string, count: number]>;
  values(key: string): Iterable<readonly [value: string, count: number]>;
}

/** The data that the workspace retains of a file: facts and the offsets of its lines, not its text. */
export interface WorkspaceFile {
  /** Canonical. */
  readonly uri: string;
  readonly manifest: Manifest;
  readonly lines: LineTable;
  readonly kustomization?: Kustomization | undefined;
  /** Of a `Chart.yaml` or `requirements.yaml`. */
  readonly chart?: Chart;
  /** What it tells the templates of its chart. */
  readonly helm?: ChartFileFacts;
  /** Of a template with actions: the key of what its chart told when it was read, '' without a chart. */
  readonly chartKey?: string | undefined;
  /** What of a template cannot be read or found. */
  readonly notes?: readonly Note[];
  /** Of a `.selector-lens.yaml`; its objects are the externals that it tells. */
  readonly config?: Config;
  /** What the scopes know of it. */
  readonly scope: ScopeFacts;
  /** How many of its objects are for the cluster. */
  readonly objects: number;
}

/** Two versions of a file. */
export interface FileChange {
  readonly before: WorkspaceFile;
  readonly after: WorkspaceFile;
}

/** An object and the file it is written in. */
export interface ObjectInFile {
  readonly file: WorkspaceFile;
  readonly object: ManifestObject;
}

export interface LabeledObjectInFile extends ObjectInFile {
  readonly labeledObject: LabeledObject;
}

export interface Workspace {
  readonly files: LayeredMap<string, WorkspaceFile>;
  /** Which files are applied together. */
  scopes(): Scopes;
  /** Which configuration speaks for a file. */
  configs(): Configs;
  /**
   * Everything of a kind that a selector may match, with how sure that is; `target` is `kindKey`'s. Nothing is
   * found in files that are not `within`, unless a kustomization builds them: what is around a place is found quicker
   * alone.
   */
  find(target: string, selector: Selector, isWanted?: IsWanted, within?: ReadonlySet<string>): Iterable<Candidate>;
  /** What of some kinds carries labels in a file, patches too; it need not be read for it. */
  labeledObjectsIn(uri: string, targets: readonly string[]): readonly FoundLabeledObject[];
  /** The selectors over a kind in a file, patches too; it need not be read for it. */
  selectorsIn(uri: string, target: string): readonly Selector[];
  /** The selectors over a kind that may take a label set. */
  selecting(target: string, labels: LabelSet): readonly SelectorInFile[];
  /** The same without reading a file for it; patches are among them, and what is not `within` need not be. */
  selectingIds(target: string, labels: LabelSet, within?: ReadonlySet<string>): readonly FoundSelector[];
  /**
   * Where something certainly carries a label, of whatever kind; without a value, the key. Files are not read for it.
   */
  carrying(key: string, value?: string): readonly InFolder<LabeledObjectId>[];
  /**
   * Where a selector, over whatever kind, asks about a key: of any value, or of one of some. Where it does not say
   * which values it means, `alsoConcerns` says whether it means these. Files are not read for it.
   */
  speaking(
    key: string,
    values: readonly string[],
    alsoConcerns?: (requirement: Requirement) => boolean,
  ): readonly SelectorId[];
  /** The keys of all kinds that something carries labels of. */
  targets(): Iterable<string>;
  /** Whether anything of a kind has a label key. */
  hasKey(target: string, key: string): boolean;
  /** Every label key that a kind's objects carry, with its known values. */
  labelsOf(target: string): Iterable<readonly [key: string, values: Iterable<string>]>;
  /** The labels of everything of a kind that a selector may match, found without reading a file's facts. */
  labelSets(target: string, selector: Selector): Iterable<LabelSetInFile>;
  /** How often a kind's objects have each label. */
  labelCounts(target: string): LabelCounts;
  /** How many files the index took in since it was made: what edits cost. */
  indexUpdates(): number;
  /** How many selectors and label maps it was asked for since then: what checks cost. */
  indexLookups(): number;
  /** The workspace folders. */
  readonly folders: readonly string[];
  /** What a path in a file of a folder leads to. */
  at(folder: string, path: string): string;
  /** What the kustomization in a folder builds; undefined if there is none, and if that is unknown. */
  rendering(folder: string, catalogue: Catalogue): Rendering | undefined;
  /** Why it is unknown what the kustomization in a folder builds; undefined if it is known, or there is none. */
  unrendered(folder: string, catalogue: Catalogue): Unrendered | undefined;
  /** How many times a kustomization was rendered: what edits cost. */
  renderingCount(): number;
  /** Forgets what was rendered and nobody asked for since the last time. */
  evictUnused(): void;
  /** Where questions about all files are noted; absent if no later run wants to know. */
  readonly questions?: Questions | undefined;
  /** The kustomization whose objects this is the workspace of: they are as they are applied. */
  readonly appliedBy?: Scope;
}

/** The labels of something that some file holds. */
export interface LabelSetInFile {
  readonly uri: string;
  readonly labelSet: LabelSet;
  readonly answer: 'yes' | 'maybe';
}

/** Decides whether a match is worth resolving. An unwanted one costs only the lookup in the index. */
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

/** A namespace by its name, which a template may decide. */
export interface NamedNamespace {
  readonly text: string;
  readonly value: Value;
}

/** The facts of an object that decide whether a selector reaches it. */
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
  /** The labels of its labeled object. */
  readonly labelSet: LabelSet;
  /** Whether the labels match. */
  readonly answer: 'yes' | 'maybe';
  /** Why it is not certain, each without a full stop; empty for a certain match. */
  readonly reasons: readonly string[];

  constructor(file: WorkspaceFile, { id, labelSet, answer }: FoundLabeledObject, reasons: readonly string[] = []) {
    this.file = file;
    this.id = id;
    this.labelSet = labelSet;
    this.answer = answer;
    this.reasons = reasons;
  }

  get object(): ManifestObject {
    return this.file.manifest.objects[this.id.object] as ManifestObject; // an index tells what is in the file
  }

  get labeledObject(): LabeledObject {
    return labeledObjectsOf(this.object)[this.id.labeledObject] as LabeledObject; // as above
  }

  /** What it is and where, as far as the index tells. */
  get where(): Located {
    return { file: this.file, object: this.id.location };
  }

  /** A template of the object makes it: the object itself is the first of its labeled objects. */
  get isMade(): boolean {
    return this.id.labeledObject > 0;
  }

  because(reasons: readonly string[]): Candidate {
    return reasons.length === 0 && this.reasons.length === 0 ? this : new Candidate(this.file, this, reasons);
  }
}

/** An object as a kustomization builds it. */
export interface EffectiveObject {
  /** Where it is written; of a generated one, the kustomization. */
  readonly file: WorkspaceFile;
  readonly object: ManifestObject;
  /** Its own file says it; false for one that is generated. */
  readonly written: boolean;
  /** What wrote into it. */
  readonly transformers: readonly TransformerSource[];
}

export interface Rendering {
  /** The folder of the kustomization. */
  readonly folder: string;
  readonly objects: readonly EffectiveObject[];
  /** The files that hold objects of it, each with its objects as they are applied. */
  readonly files: ReadonlyMap<string, WorkspaceFile>;
  /** Patches that meet nothing. */
  readonly idle: readonly IdlePatch[];
  /** Everything that it takes was there and could be read. */
  readonly isWhole: boolean;
  /** The labels and selectors of all of it. */
  index(): BuiltIndex;
  /** The workspace as the kustomization sees it, once somebody asked; of the snapshot that asked last. */
  view?: { readonly of: Workspace; readonly view: Workspace } | undefined;
}

/** The limit that a kustomization exceeds, so that it is not built. */
export type Limit = 'levels' | 'objects' | 'steps';

/** Why a kustomization is not rendered: rendering it failed, or it goes beyond a limit. */
export type Unrendered = Limit | 'failure';

/** A patch that met nothing: of an entry without a target, each document of its file is one. */
export interface IdlePatch {
  readonly uri: string;
  readonly entry: PatchEntry;
  /** What the document names; absent for an entry with a target, and for operations. */
  readonly object?: ManifestObject;
  /** What was there to be patched, under all names that it had. */
  readonly present: readonly Identity[];
}

/** The labels and selectors of everything that a kustomization builds. Answers as the index of a workspace does. */
export interface BuiltIndex extends Pick<Workspace, 'carrying' | 'speaking' | 'targets' | 'hasKey' | 'labelsOf'> {
  /** The objects and templates of one kind that a selector may match. */
  labeledObjects(target: string, selector: Selector): readonly FoundLabeledObject[];
  /** The selectors over one kind that may match a label set. */
  selectors(target: string, labels: LabelSet): readonly FoundSelector[];
  /** The labels of one kind that a selector may match, one at a time. */
  labelSets(target: string, selector: Selector): Iterable<FoundLabeledObject>;
}
