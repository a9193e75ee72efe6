/** Types for the facts about GitOps objects: what a controller builds from the files of a repository. They are plain data without offsets. */

import type { Data } from '../helm/value.ts';
import type { ArgoDirectory, ArgoTool, DataMap } from './argo-source.ts';

/** The kinds of GitOps objects that define a scope of their own. */
export type GitopsKind = 'argo-application' | 'flux-kustomization' | 'helm-release';

/** The content of a GitOps object on which its scope depends. */
export interface GitopsFacts {
  readonly kind: GitopsKind;
  /** The name of the object; empty if it has none. */
  readonly name: string;
  readonly namespace: string;
  readonly sources: readonly GitopsSource[];
  /** The namespace that the GitOps object sets on the objects that it builds; absent if it does not set one. */
  readonly targetNamespace?: string;
  /**
   * The cluster to which the objects are applied. For Flux: absent for the cluster of the controller, and `?` for an
   * unknown remote cluster. For Argo CD: absent if it is unknown.
   */
  readonly cluster?: string;
  /**
   * The reasons why some of the built objects are not in any file. Each reason is a phrase that follows the file name
   * of the GitOps object.
   */
  readonly openBecause: readonly string[];
  /** For an ApplicationSet, its `spec` without the contents of the sources; its Applications are generated from it. */
  readonly set?: Data;
  readonly from?: CreatedBy;
  /** The kinds and names of the objects in its namespace that provide variables. */
  readonly variableSources?: readonly string[];
  /** The variables that the object itself sets; null if the value is unknown. */
  readonly variables?: readonly (readonly [name: string, value: string | null])[];
  /**
   * For the version of a Flux Kustomization that one Kustomization applies, because its path contains variables: the key of
   * the definition of that Kustomization.
   */
  readonly appliedBy?: string;
  /**
   * The charts in registries that the object installs. Objects of these charts are not in any file; the release names
   * identify them in their labels.
   */
  readonly releases?: readonly ChartRelease[];
  /** Whether Flux or Argo CD does not apply changes, because of `suspend` or the annotation `skip-reconcile`. */
  readonly suspended?: true;
  /** The name of the FluxInstance that creates this object. */
  readonly instance?: string;
  /** For an object that a template of a chart defines: its definition as a release of the chart renders it. */
  readonly rendered?: RenderedDefinition;
}

/** A definition in a template of a chart. */
interface RenderedDefinition {
  /** The number of the Application or ApplicationSet in its file. */
  readonly index: number;
  readonly spec: Data;
  /** The file and name of the GitOps object that installs the chart; absent if none in the workspace does. */
  readonly by?: string;
}

/** A folder that a GitOps object builds. */
export interface GitopsSource {
  /**
   * The folder, relative to the root of its repository and without `./`; empty for the root, undefined if it is
   * unknown.
   */
  readonly path: string | undefined;
  /** For Flux: a path with variables, which the Kustomization that applies the definition replaces. */
  readonly template?: string;
  /**
   * Of an unknown path whose folder gets other labels: a pattern for the path, in which `*` replaces unknown parts.
   */
  readonly mayChange?: string;
  /** The URL of the repository, or the kind, namespace and name of the source object that specifies the URL. */
  readonly repository?: string;
  /** The tool that determines which files in the folder are used. */
  readonly tool: 'flux' | 'argo' | 'helm';
  /** The paths of components that are added to the kustomization in the folder, relative to the folder. */
  readonly components?: readonly string[];
  /** Whether components that do not exist are ignored; otherwise, a missing component prevents the build. */
  readonly ignoresMissing?: true;
  /**
   * For Argo CD: the index of the source, the tool that it specifies, and the options for a folder of plain manifests.
   */
  readonly index?: number;
  /** Whether a different revision is applied, in which the folder may have different content. */
  readonly isPinned?: true;
  /** The branch that is applied, unless it is a usual default branch. */
  readonly branch?: string;
  readonly explicit?: ArgoTool | 'unclear';
  readonly directory?: ArgoDirectory;
  /**
   * Values files, with paths relative to the folder, relative to the root of the repository (`/envs/prod.yaml`), or in
   * another source (`$ref/prod.yaml`).
   */
  readonly valueFiles?: readonly string[];
  /** For a HelmRelease: the ConfigMaps and Secrets in its namespace that provide values. */
  readonly valueObjects?: readonly { readonly kind: string; readonly name: string }[];
  /** The repositories of the sources to which values files refer, by the reference name of the source. */
  readonly refs?: Readonly<Record<string, string>>;
}

/** The release of a chart. */
export interface ChartRelease {
  /** The name of the release; undefined if it is not known. */
  readonly name?: string;
  readonly chart: string;
  /** The keys of labels in the values of the release; undefined if the values are not known. */
  readonly labels?: readonly string[];
}

/** The content of a file that is read as data, undefined if it is not known, or its text. */
export type FileData =
  | {
      readonly content: Data | undefined;
      /** Whether the content is unknown because it is too large to be read. */
      readonly isTooLarge?: true;
    }
  | { readonly text: string };

/** The origin of an Application that is generated from an ApplicationSet. */
interface CreatedBy {
  /** The name of the ApplicationSet. */
  readonly set: string;
  /** The index of the generator in the ApplicationSet. */
  readonly generator: number;
  readonly parameters: { readonly values: DataMap; readonly open: boolean };
  /**
   * The repositories whose files determine the parameters, in the revision of the workspace; absent if something else
   * determines them, too.
   */
  readonly repositories?: readonly string[];
}

/** An object from which Flux reads files, such as a `GitRepository`. */
export interface SourceFacts {
  /** The kind, namespace and name of the object, in the form of `GitopsSource.repository`. */
  readonly id: string;
  readonly url?: string;
  /**
   * Whether the object provides a different revision, or an artifact that may contain only a part of the repository.
   */
  readonly isPinned?: true;
  /** The branch that is applied, unless it is a usual default branch. */
  readonly branch?: string;
  /**
   * The files that the source excludes, in the syntax of `.gitignore`. These patterns replace the default exclusions.
   */
  readonly ignore?: string;
  /**
   * For an `ExternalArtifact` that an ArtifactGenerator creates: the folders of other sources that are copied into it.
   */
  readonly copies?: readonly CopiedFolder[];
}

/** A folder of a source that is copied into an artifact. Both folders are relative to their root; '' is the root. */
export interface CopiedFolder {
  /** The source, in the form of `GitopsSource.repository`. */
  readonly repository: string;
  /** The copied folder of the source; undefined if only some files are copied. */
  readonly from: string | undefined;
  readonly to: string;
}
