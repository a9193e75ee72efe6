/** The model of scopes: which objects are applied together, and how two positions in the workspace relate. */

import type { GitopsKind } from '../../manifests/gitops/model.ts';
import type { Configs } from '../configs.ts';
import type { DataFiles, GitopsObject } from '../gitops/model.ts';
import type { Listing } from '../live/folder-listing.ts';
import type { Identified, ScopeFacts } from './scope-facts.ts';

export interface Scope {
  readonly kind: 'kustomization' | 'chart' | 'template' | 'folder' | 'file' | 'declared' | GitopsKind;
  /**
   * The scope's folder; the URI of a file or a Template; for a declared scope, the folder of its `.selector-lens.yaml`;
   * for a GitOps object, the URI of its file, with its name as the fragment if the file defines several.
   */
  readonly path: string;
  /** The name of a Template or a declared scope. */
  readonly name?: string;
  readonly files: ReadonlySet<string>;
  /** Whether the scope was loaded completely. */
  readonly closed: true | OpenScope;
  /** Files in it, or next to it, were not loaded: they may contain anything. */
  readonly unread?: true;
  /** The kustomization changes objects: only its rendering contains the applied objects. */
  readonly edited?: boolean;
  /** The namespace of its objects without one. */
  readonly namespace?: string;
  readonly cluster?: string;
  /** Names of declared scopes that are applied together with it. */
  readonly with?: readonly string[];
  /** The GitOps object whose scope this is. */
  readonly gitops?: GitopsObject;
}

/** Whether only a rendering contains the objects of a scope as they are applied. */
export function isRendered({ kind, gitops }: Scope): boolean {
  return kind === 'kustomization' || gitops !== undefined;
}

/** Why a scope was not loaded completely, as sentences. */
interface OpenScope {
  readonly openBecause: readonly string[];
  /** The one about something outside of the workspace folders, if there is one. */
  readonly outside?: string;
  /** Everything that may be missing is in releases of charts that GitOps objects list. */
  readonly areReleases?: true;
}

/**
 * `here`: applied together. `elsewhere`: in another scope that may share the cluster. `apart`: alternatives, of which
 * one is applied and the other is not.
 */
export type Relation = 'here' | 'elsewhere' | 'apart';

/**
 * The scopes of a workspace. Positions are files, or results of `placeOf` for an object: an OpenShift Template splits a
 * file.
 */
export interface Scopes {
  of(place: string): readonly Scope[];
  /** For a file with several Templates, the scopes of all its parts. */
  ofFile(uri: string): readonly Scope[];
  /** Whether a file is a patch of a kustomization, or an input of a test: it contains no objects of a cluster. */
  isPatch(uri: string): boolean;
  /** Whether a file is an input of a test, which may be wrong on purpose. */
  isTriedOut(uri: string): boolean;
  /**
   * Whether a file is generated: its copies of objects are alternatives of the originals. Such files are never edited.
   */
  isGenerated(uri: string): boolean;
  /**
   * The relation of the position `to` to the position `from`. `who`, the object at `to`, is evaluated only if it may be
   * a copy.
   */
  relation(from: string, to: string, who?: Someone): Relation;
  /** The files whose objects are `here` for a position. */
  filesAround(place: string): ReadonlySet<string>;
  /**
   * The folders (with a trailing slash) that contain every file that is `here` for a position; undefined if such files
   * may be in any folder.
   */
  foldersAround(place: string): ReadonlySet<string> | undefined;
  /** Whether two positions are in one scope, so that their absent namespaces are equal. */
  together(from: string, to: string): boolean;
  /** The namespace that the scopes of a position give to objects without one; undefined if the scopes differ. */
  namespaceOf(place: string): string | undefined;
  all(): readonly Scope[];
  /** The root kustomizations that a kustomization takes part in. */
  building(uri: string): readonly Scope[];
  /** The kustomizations that take part in a root, including the root itself. */
  partsOf(root: Scope): readonly string[];
  /** The scopes in the view of one of them: its files are in no other scope. */
  seenFrom(scope: Scope, seen: Seen): Scopes;
  /** The facts of every file, without deserializing files. */
  facts(): ReadonlyMap<string, ScopeFacts>;
  /** The files that GitOps objects read as data. */
  dataFiles(): DataFiles;
}

/** The facts of a scope that only a rendering provides. */
export interface Seen {
  /** Its files, and those that contain further objects of it: generated objects are in a kustomization. */
  readonly files: ReadonlySet<string>;
  /** Whether an identity is that of an applied object. */
  isApplied(identity: string): boolean;
}

/** The context of the files: workspace folders and settings. */
export interface Surroundings {
  /** The workspace folders: no folder scope extends beyond its own. */
  readonly folders: readonly string[];
  readonly configs: Configs;
  readonly listing: Listing;
  /** The namespace of objects without one, unless a nearer setting overrides it. */
  readonly namespace?: string;
}

/** The URI of the objects that every cluster has; it is not a file on disk. */
export const everyCluster = 'cluster:///every';

/** The object at a position; evaluating it may be costly. */
export interface Someone {
  readonly object: Identified;
}
