/** The model of scopes: which objects are applied together, and how two positions in the workspace relate. */

import type { Configs } from '../configs.ts';
import type { Listing } from '../live/folder-listing.ts';
import type { Identified, ScopeFacts } from './scope-facts.ts';

export interface Scope {
  readonly kind: 'kustomization' | 'chart' | 'template' | 'folder' | 'file' | 'declared';
  /**
   * The scope's folder; the file of a file or a Template. Of a declared scope the folder of its `.selector-lens.yaml`.
   */
  readonly path: string;
  /** Of a Template and of a declared scope. */
  readonly name?: string;
  readonly files: ReadonlySet<string>;
  /** Whether all of it was read. */
  readonly closed: true | { readonly openBecause: readonly string[] };
  /** Files of it, or beside it, were not read: they may hold anything. */
  readonly unread?: true;
  /** A kustomization changes objects on the way: only its rendering says what they are. */
  readonly edited?: boolean;
  /** The namespace of its objects that name none. */
  readonly namespace?: string;
  readonly cluster?: string;
  /** Names of declared scopes that are applied together with it. */
  readonly with?: readonly string[];
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
  /** Of a file that Templates split, the scopes of all its parts. */
  ofFile(uri: string): readonly Scope[];
  /** A file that a kustomization names as a patch, or that a test tries out: it holds no objects of a cluster. */
  isPatch(uri: string): boolean;
  /** It is what a test tries out, right or wrong on purpose. */
  isTriedOut(uri: string): boolean;
  /** A file that a tool wrote: what it says a second time is an alternative of what it was made from. Never edited. */
  isGenerated(uri: string): boolean;
  /**
   * How an object at `to` stands to a reader at `from`; where it is given, it is looked at only if it may be a copy.
   */
  relation(from: string, to: string, who?: Someone): Relation;
  /** The files that hold what is here, as seen from a place. */
  filesAround(place: string): ReadonlySet<string>;
  /** The folders (with a slash) outside of which everything is elsewhere; undefined where it could be anywhere. */
  foldersAround(place: string): ReadonlySet<string> | undefined;
  /** Whether two places are in one scope, so that a namespace that neither names is the same. */
  together(from: string, to: string): boolean;
  /** The namespace that the scopes of a place give to objects that name none; undefined where they do not agree. */
  namespaceOf(place: string): string | undefined;
  all(): readonly Scope[];
  /** The root kustomizations that a kustomization takes part in. */
  building(uri: string): readonly Scope[];
  /** The other way round: the kustomizations that take part in a root, itself among them. */
  partsOf(root: Scope): readonly string[];
  /** The scopes as they are seen from one of them: its files are in no other. */
  seenFrom(scope: Scope, seen: Seen): Scopes;
  /** What every file tells, at hand without a look at it. */
  facts(): ReadonlyMap<string, ScopeFacts>;
}

/** The facts of a scope that only a rendering provides. */
export interface Seen {
  /** Its files, and those that hold objects of it beside them: generated ones are in a kustomization. */
  readonly files: ReadonlySet<string>;
  /** The identities of its objects as they are applied. */
  isApplied(identity: string): boolean;
}

/** The context of the files: workspace folders and settings. */
export interface Surroundings {
  /** The workspace folders: no folder scope goes beyond its own. */
  readonly folders: readonly string[];
  readonly configs: Configs;
  readonly listing: Listing;
  /** That of objects that name none, where nothing nearer says another. */
  readonly namespace?: string;
}

/** The URI of the objects that every cluster has; it is no file. */
export const everyCluster = 'cluster:///every';

/** The object at a position; evaluating it may be costly. */
export interface Someone {
  readonly object: Identified;
}
