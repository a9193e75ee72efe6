/** Facts about GitOps objects: what a controller builds from the files of a repository. Plain data without offsets. */

import type { Data } from '../helm/value.ts';
import type { ArgoDirectory, ArgoTool, DataMap } from './argo-source.ts';

/** The kinds of GitOps objects that are separate scopes. */
export type GitopsKind = 'argo-application' | 'flux-kustomization' | 'helm-release';

/** The content of a GitOps object on which its scope depends. */
export interface GitopsFacts {
  readonly kind: GitopsKind;
  /** The name of the object; empty if it has none. */
  readonly name: string;
  readonly namespace: string;
  readonly sources: readonly GitopsSource[];
  /** The namespace of the objects that it builds, if the GitOps object specifies it. */
  readonly targetNamespace?: string;
  /** The cluster to which the objects are applied, if it is a different one. */
  readonly cluster?: string;
  /** The reasons why some of its objects are in no file; each continues after the name of the object's file. */
  readonly openBecause: readonly string[];
  /** The `spec` of an ApplicationSet, without the content of its Applications, from which it creates these Applications. */
  readonly set?: Data;
  readonly from?: CreatedBy;
  /** The kinds and names of the objects that provide its variables, in its namespace. */
  readonly variableSources?: readonly string[];
  /** The charts of registries that it installs: their objects are in no file, and have labels with these names. */
  readonly releases?: readonly ChartRelease[];
  /** The name of the FluxInstance that creates it. */
  readonly instance?: string;
}

/** A folder that a GitOps object builds. */
export interface GitopsSource {
  /**
   * The folder, relative to the root of its repository and without `./`; empty for the root, undefined if it is
   * unknown.
   */
  readonly path: string | undefined;
  /** The URL of the repository, or the kind and name of the object that names it. */
  readonly repository?: string;
  /** The tool that determines which files of the folder are used. */
  readonly tool: 'flux' | 'argo' | 'helm';
  /** Components that are added to the kustomization of the folder, relative to it. */
  readonly components?: readonly string[];
  /** Components that do not exist are left out; otherwise, nothing is built. */
  readonly ignoresMissing?: true;
  /** For Argo CD, the index of the source, the tool that it names, and the options for a plain folder. */
  readonly index?: number;
  /** Whether a different revision is applied, in which the folder may have other content. */
  readonly isPinned?: true;
  /** The branch that is applied, unless it is a usual default branch. */
  readonly branch?: string;
  readonly explicit?: ArgoTool | 'unclear';
  readonly directory?: ArgoDirectory;
  /** Files of values, relative to the folder, from the root (`/envs/prod.yaml`), or in another source (`$ref/prod.yaml`). */
  readonly valueFiles?: readonly string[];
  /** For a HelmRelease: the ConfigMaps with values, in its namespace. */
  readonly valueObjects?: readonly string[];
  /** The repositories of the sources to which files of values refer, by the names of the references. */
  readonly refs?: Readonly<Record<string, string>>;
}

/** The release of a chart. */
export interface ChartRelease {
  /** Undefined if it is not known. */
  readonly name?: string;
  readonly chart: string;
  /** The keys of labels in its values; undefined if the values are not known. */
  readonly labels?: readonly string[];
}

/** The origin of an Application that an ApplicationSet creates. */
interface CreatedBy {
  /** The name of the ApplicationSet. */
  readonly set: string;
  /** The index of the generator. */
  readonly generator: number;
  readonly parameters: { readonly values: DataMap; readonly open: boolean };
}

/** An object from which Flux reads files, such as a `GitRepository`. */
export interface SourceFacts {
  /** The kind, namespace and name, as in `GitopsSource.repository`. */
  readonly id: string;
  readonly url?: string;
  /**
   * Whether the object provides a different revision, or an artifact that may contain only a part of the repository.
   */
  readonly isPinned?: true;
  /** The branch that is applied, unless it is a usual default branch. */
  readonly branch?: string;
  /**
   * The files that the source excludes, in the syntax of `.gitignore`, which replace the files that are excluded by
   * default.
   */
  readonly ignore?: string;
  /** The folders of other sources that it consists of: an `ExternalArtifact` that an ArtifactGenerator creates. */
  readonly copies?: readonly CopiedFolder[];
}

/** A folder of a source that is copied into an artifact; both folders are relative to their root, '' is the root. */
export interface CopiedFolder {
  /** The source, as in `GitopsSource.repository`. */
  readonly repository: string;
  /** Undefined if only some files are copied. */
  readonly from: string | undefined;
  readonly to: string;
}
