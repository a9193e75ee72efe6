/** The model of GitOps objects in a workspace: their definitions, and the folders and files that they build. */

import type { GitopsFacts, GitopsKind } from '../../manifests/gitops/model.ts';
import type { LocatedFolder } from './repositories.ts';

/** One folder that a GitOps object builds, in this workspace. */
export interface GitopsContent {
  readonly folder: string;
  /** The folder contains a kustomization, which is built. */
  readonly kustomized?: true;
  /** The folder contains a chart, which is rendered. */
  readonly chart?: true;
  /** The files of the chart. */
  readonly members?: readonly string[];
  /** The files of values with which the chart is installed, in addition to its own. */
  readonly valueFiles?: readonly string[];
  /** Without a kustomization or a chart: the files and the folders of kustomizations that are built, in order. */
  readonly resources: readonly string[];
  /** The folders of the components that are added. */
  readonly components: readonly string[];
  /** For Argo CD: the files that override the options of the source. */
  readonly overrides?: readonly string[];
}

/** A GitOps object, and what it builds. Plain data: it is compared to decide whether a rendering is still valid. */
export interface GitopsObject {
  readonly kind: GitopsKind;
  /** The file that defines it. */
  readonly uri: string;
  /** Its facts, as written. */
  readonly facts: GitopsFacts;
  /** For each source its folder; undefined if it is in another repository. */
  readonly located: readonly (LocatedFolder | undefined)[];
  /** For each source the folder that it builds; undefined if the folder is not in this workspace. */
  readonly contents: readonly (GitopsContent | undefined)[];
}

/** Returns the repositories that are only assumed to be that of the workspace, although objects are built from them. */
export function assumedRepositories({ located }: GitopsObject): readonly string[] {
  return [
    ...new Set(located.flatMap((place) => (place?.exists && place.assumed !== undefined ? [place.assumed] : []))),
  ];
}

/** The kind of the objects that define GitOps objects. */
export const kindNames: Readonly<Record<GitopsKind, string>> = {
  'argo-application': 'Application',
  'flux-kustomization': 'Kustomization',
  'helm-release': 'HelmRelease',
};

/** The use of the data of a file: by renderings only, or also by the layout of scopes. */
export type DataUse = 'rendering' | 'layout';

/** The files that are read as data. */
export type DataFiles = ReadonlyMap<string, DataUse>;
