/** The model of GitOps objects in a workspace: their definitions, and the folders and files that they build. */

import { localCluster } from '../../manifests/gitops/argo.ts';
import type { GitopsFacts, GitopsKind } from '../../manifests/gitops/model.ts';
import type { LocatedFolder } from './repositories.ts';

/** A folder in this workspace that a GitOps object builds. */
export interface GitopsContent {
  readonly folder: string;
  /** Whether the folder contains a kustomization, which is built. */
  readonly kustomized?: true;
  /** Whether the folder contains a chart, which is rendered. */
  readonly chart?: true;
  /** The files of the chart. */
  readonly members?: readonly string[];
  /** The values files with which the chart is installed, in addition to the chart's own values. */
  readonly valueFiles?: readonly string[];
  /**
   * If there is neither a kustomization nor a chart: the files, and the folders of kustomizations, that are built, in
   * order.
   */
  readonly resources: readonly string[];
  /** The folders of the kustomize components that the GitOps object adds. */
  readonly components: readonly string[];
  /** For Argo CD: the files that override the options of the source. */
  readonly overrides?: readonly string[];
}

/** A GitOps object and what it builds. Plain data: it is compared to determine whether a rendering is still valid. */
export interface GitopsObject {
  readonly kind: GitopsKind;
  /** The URI of the file that defines the object. */
  readonly uri: string;
  /** The facts of the object, as written. */
  readonly facts: GitopsFacts;
  /** The folder of each source; undefined for a source in another repository. */
  readonly located: readonly (LocatedFolder | undefined)[];
  /** The content of each source; undefined if its folder is not in this workspace. */
  readonly contents: readonly (GitopsContent | undefined)[];
}

/** Returns a key for the definition of a GitOps object: its file, its name, and the object that applies this version. */
export function definitionKey({ uri, facts }: Pick<GitopsObject, 'uri' | 'facts'>): string {
  const { name, appliedBy } = facts;
  return appliedBy === undefined ? `${uri}#${name}` : `${uri}#${name}@${appliedBy}`;
}

/** Returns the configuration by which a GitOps object reaches its cluster: empty for the cluster that contains the object itself, undefined if it is unknown. */
export function clusterConfigOf({ kind, facts: { cluster, namespace } }: GitopsObject): string | undefined {
  if (kind === 'argo-application') return cluster === localCluster ? '' : cluster;
  if (cluster === undefined) return '';
  // The Secret with the configuration is in the namespace of the object.
  return cluster === '?' || namespace === '' ? undefined : `${namespace}/${cluster}`;
}

/** Returns the repositories that are only assumed to be the repository of the workspace, although objects are built from them. */
export function assumedRepositories({ located }: GitopsObject): readonly string[] {
  return [
    ...new Set(located.flatMap((place) => (place?.exists && place.assumed !== undefined ? [place.assumed] : []))),
  ];
}

/** The Kubernetes kind that defines each type of GitOps object. */
export const kindNames: Readonly<Record<GitopsKind, string>> = {
  'argo-application': 'Application',
  'flux-kustomization': 'Kustomization',
  'helm-release': 'HelmRelease',
};

/** The use of the data of a file: by renderings only, which need the text of a template, or also by the layout of scopes, which may need its text instead. */
export type DataUse = 'rendering' | 'template' | 'layout' | 'text';

/** The files that are read as data, each with the use of its data. */
export type DataFiles = ReadonlyMap<string, DataUse>;
