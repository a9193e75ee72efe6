/** The model of scopes: which objects are applied together, and how two positions in the workspace are related. */

import type { GitopsKind } from '../../manifests/gitops/model.ts';
import type { Configs } from '../configs.ts';
import type { DataFiles, GitopsObject } from '../gitops/model.ts';
import type { Listing } from '../live/folder-listing.ts';
import type { Identified, ScopeFacts } from './scope-facts.ts';

export interface Scope {
  readonly kind: 'kustomization' | 'chart' | 'template' | 'folder' | 'file' | 'declared' | GitopsKind;
  /**
   * The folder of the scope; the URI of a file or a Template; for a declared scope, the folder of its
   * `.selector-lens.yaml`; for a GitOps object, the URI of its file, with the name of the object as the fragment if the
   * file defines several.
   */
  readonly path: string;
  /** The name of a Template or a declared scope. */
  readonly name?: string;
  readonly files: ReadonlySet<string>;
  /** Whether the scope was loaded completely. */
  readonly closed: true | OpenScope;
  /** Whether files in the scope, or next to it, were not loaded; such files may contain anything. */
  readonly unread?: true;
  /** Whether the kustomization changes objects, so that only its rendering contains the applied objects. */
  readonly edited?: boolean;
  /** The namespace of the objects of the scope that set no namespace. */
  readonly namespace?: string;
  readonly cluster?: string;
  /** Names of declared scopes that are applied together with this scope. */
  readonly with?: readonly string[];
  /** For a chart that no GitOps object installs. */
  readonly release?: ChartRelease;
  /** The GitOps object whose scope this is. */
  readonly gitops?: GitopsObject;
  /** Whether this is a folder of files that are generated according to the configuration. */
  readonly generated?: boolean;
}

/** Whether the applied objects of a scope are contained only in a rendering. */
export function isRendered({ kind, gitops, release }: Scope): boolean {
  return kind === 'kustomization' || gitops !== undefined || release !== undefined;
}

/** Whether the applied objects of a scope may differ from the written objects. */
export function isEdited(scope: Scope): boolean {
  return isRendered(scope) && scope.edited === true;
}

/** The reasons why a scope was not loaded completely, as sentences. */
interface OpenScope {
  readonly openBecause: readonly string[];
  /** The sentence about files outside of the workspace folders, if there are any. */
  readonly outside?: string;
  /** The sentences about files that git ignores or the settings exclude, if there are any. */
  readonly leftOut?: readonly string[];
  /** The reasons that concern only releases of charts, with the files that list the releases. */
  readonly released?: readonly { readonly uri: string; readonly sentence: string }[];
  /**
   * Whether everything that may be missing is a definition of a kind, or belongs to releases of charts that GitOps
   * objects list.
   */
  readonly areReleases?: true;
  /** Whether everything that may be missing are objects that charts, GitOps objects or controllers create. */
  readonly areObjects?: true;
  /** Whether everything that may be missing are charts that a chart needs, or objects that controllers create. */
  readonly areCharts?: true;
}

/** Scopes that certainly share a cluster, because the same object applies the definitions of their GitOps objects. No other group contains all of them. */
export interface ClusterGroup {
  /** The scope or file that contains the definitions, and the configurations that lead to the cluster; each but the first after a line break. */
  readonly key: string;
  /** The path of a scope that is in no other group, if there is one. */
  readonly path: string;
  /** The GitOps objects, and the scope that contains their definitions, in the order of `Scopes.all`. */
  readonly scopes: ReadonlySet<Scope>;
}

/** `here`: applied together. `elsewhere`: in another scope that may share the cluster. `apart`: alternatives, only one of which is applied. */
export type Relation = 'here' | 'elsewhere' | 'apart';

/**
 * The scopes of a workspace. Positions are files, or results of `placeOf` for an object: an OpenShift Template splits a
 * file.
 */
export interface Scopes {
  of(place: string): readonly Scope[];
  /** Returns the scopes of a file; for a file with several Templates, the scopes of all of its parts. */
  ofFile(uri: string): readonly Scope[];
  /** Whether a file is a patch of a kustomization or an input of a test, and so contains no objects of a cluster. */
  isPatch(uri: string): boolean;
  /** Whether a file is an input of a test, which may be incorrect on purpose. */
  isTriedOut(uri: string): boolean;
  /**
   * Whether a file is generated. Generated copies of objects are alternatives to the originals, and generated files are
   * never edited.
   */
  isGenerated(uri: string): boolean;
  /**
   * Returns the relation of the position `to` to the position `from`. `who`, the object at `to`, is evaluated only if
   * it may be a copy.
   */
  relation(from: string, to: string, who?: Someone): Relation;
  /** Returns the relation of the scope `other` to the scope `one`, regardless of the files that they share. */
  relationOf(one: Scope, other: Scope): Relation;
  /**
   * Whether two GitOps objects certainly apply to one cluster: the same object applies their definitions, directly or through
   * GitOps objects that apply to their own clusters, and both name the same cluster.
   */
  shareCluster(one: Scope, other: Scope): boolean;
  /** Whether two GitOps objects are certainly applied to different clusters. Alternatives for the same cluster are not. */
  haveOtherClusters(one: Scope, other: Scope): boolean;
  /** Returns the clusters of GitOps objects, with the scopes that certainly share each cluster. */
  clusterGroups(): readonly ClusterGroup[];
  /** Returns the files whose objects are applied together with the object at a position (relation `here`). */
  filesAround(place: string): ReadonlySet<string>;
  /**
   * Returns the folders (with a trailing slash) that contain every file whose objects are applied together with the
   * object at a position; undefined if such files may be in any folder.
   */
  foldersAround(place: string): ReadonlySet<string> | undefined;
  /** Whether two positions are in one scope. Objects that set no namespace are then in the same namespace. */
  together(from: string, to: string): boolean;
  /**
   * Returns the namespace that the scopes of a position give to objects that set none; undefined if the scopes differ.
   */
  namespaceOf(place: string): string | undefined;
  all(): readonly Scope[];
  /** Returns the root kustomizations that include a kustomization; a root includes itself. */
  building(uri: string): readonly Scope[];
  /** Returns the kustomizations that a root kustomization includes, and the root itself. */
  partsOf(root: Scope): readonly string[];
  /** Returns the scopes in which no chart is executed with its default values. */
  withoutDefaults(): Scopes;
  /** Returns the scopes as seen from one of them: the files of this scope are then in no other scope. */
  seenFrom(scope: Scope, seen: Seen): Scopes;
  /** Returns the facts of every file, without deserializing files. */
  facts(): ReadonlyMap<string, ScopeFacts>;
  /** Returns the facts of a file. */
  factsOf(uri: string): ScopeFacts | undefined;
  /**
   * Returns the facts from which the scopes were found, with the identities and numbers of objects at that time. The map
   * stays the same while only these change, so that results that do not depend on them can be cached by it.
   */
  structure(): ReadonlyMap<string, ScopeFacts>;
  /** Returns the scopes after the facts of some files changed; undefined if more than the objects in files with objects changed, or if scopes may depend on objects. */
  withObjects(changed: ReadonlyMap<string, ScopeFacts | undefined>): Scopes | undefined;
  /** Returns the files that GitOps objects read as data. */
  dataFiles(): DataFiles;
  /** Whether a file defines Applications that are not known, because finding them is too much work. */
  isCut(uri: string): boolean;
  /** Returns the git repository that contains a file; undefined if it is unknown. */
  repositoryOf(uri: string): ReturnType<Listing['repositoryOf']>;
  /** Resolves a path in a file of a folder. */
  at(folder: string, path: string): string;
}

/** The facts of a scope that are known only from a rendering. */
export interface Seen {
  /**
   * The files of the scope, and further files that contain objects of the scope: generated objects are in a
   * kustomization.
   */
  readonly files: ReadonlySet<string>;
  /** Whether an applied object has this identity. */
  isApplied(identity: string): boolean;
}

/** The context of the files: workspace folders and settings. */
export interface Surroundings {
  /** The workspace folders. A folder scope does not extend beyond its workspace folder. */
  readonly folders: readonly string[];
  readonly configs: Configs;
  readonly listing: Listing;
  /** The namespace of objects that set none, unless a nearer setting overrides it. */
  readonly namespace?: string;
  /** The values with which charts are executed; absent for their default values. */
  readonly chartValues?: ChartValues;
  /** Folders of kustomizations that have a scope, even if other kustomizations or GitOps objects include them. */
  readonly namedKustomizations?: readonly string[];
}

/** The release of a chart that no GitOps object installs. */
export interface ChartRelease {
  /** The files that override the default values of the chart, in order. */
  readonly values: readonly string[];
  /** The name of the release; absent if it is unknown. */
  readonly name?: string;
}

/** Whether a chart is executed with its default values, because no values are chosen. */
export function hasDefaultValues({ release }: Scope): boolean {
  return release !== undefined && release.values.length === 0 && release.name === undefined;
}

/** Returns the scope of a chart without the default values with which it is executed. */
export function unexecuted(scope: Scope): Scope {
  if (!hasDefaultValues(scope)) return scope;
  const { release: _, edited, ...written } = scope;
  return written;
}

/** The values with which the charts that no GitOps object installs are executed. */
export interface ChartValues {
  /** The name of the releases; absent if it is unknown. */
  readonly release?: string;
  /** Files that override the default values of the nearest chart around them, or of all charts if there is none. */
  readonly files: readonly string[];
  /** Whether a file in no chart is ignored. */
  readonly areInCharts?: true;
  /** Whether charts may have any values, so that they are not executed. */
  readonly areUnknown?: true;
}

/** The URI of the file with the objects that every cluster has; this file does not exist on disk. */
export const everyCluster = 'cluster:///every';

/** The namespaces that every cluster has from its start. */
export const initialNamespaces: readonly string[] = ['default', 'kube-system', 'kube-public', 'kube-node-lease'];

/** The object at a position. Evaluating it may be expensive. */
export interface Someone {
  readonly object: Identified;
}
