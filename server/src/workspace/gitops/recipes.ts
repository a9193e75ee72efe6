/** The model of the changes that a GitOps controller makes to objects, before and after a kustomization is built. */

import type { Catalogue } from '../../engine/catalogue/types.ts';
import type { Data } from '../../manifests/helm/value.ts';
import type { ManifestObject } from '../../manifests/model.ts';
import type { Node } from '../../manifests/yaml/tree.ts';
import type { Edits } from '../kustomize/build.ts';
import type { Resource } from '../kustomize/resource.ts';
import type { EffectiveObject, WorkspaceFile } from '../model.ts';
import type { ScopeFacts } from '../scopes/scope-facts.ts';
import type { ArgoTracking } from './argo/tracking-settings.ts';
import type { Release } from './installed-charts.ts';
import type { GitopsObject } from './model.ts';

/** The definition of a GitOps object as its parent applies it. */
export interface Definition {
  readonly gitops: GitopsObject;
  readonly object: ManifestObject;
  readonly spec: Node;
  /** Whether several scopes apply the definition, each possibly with different changes. */
  readonly isAmbiguous: boolean;
  /** The different versions of the `spec` of a Kustomization or HelmRelease that these scopes apply. */
  readonly versions?: readonly Node[];
  /** Set if these scopes change the values for its charts; these are unknown if the scopes change them differently. */
  readonly hasOtherValues?: 'known' | 'unknown';
}

/** Functions to look up other objects, which record all lookups of a rendering. */
export interface RecipeSurroundings {
  readonly catalogue: Catalogue;
  /** Returns the files that contain an object with an identity: `group\nkind\nnamespace\nname`. */
  filesWith(identity: string): readonly WorkspaceFile[];
  /** Returns the kustomizations that generate an object with a kind and name, if the name has no hash. */
  generating(kind: string, name: string): readonly WorkspaceFile[];
  /** Returns those of some files whose objects may be in a cluster in which the definition is. Objects that are certainly in more of its clusters take precedence. */
  readable(files: readonly WorkspaceFile[]): readonly WorkspaceFile[];
  /**
   * Returns the file nearest to the definition; undefined if there is none, or several, or if a cluster in which the
   * definition is certainly does not contain the objects of the file.
   */
  nearest(files: readonly WorkspaceFile[]): WorkspaceFile | undefined;
  /**
   * Returns an object in the form in which the only GitOps object that applies its file applies it, or an object that
   * this GitOps object generates; undefined if there are several such GitOps objects, or none.
   */
  applied(
    uri: string,
    wanted: ManifestObject | { readonly kind: string; readonly name: string },
  ): ManifestObject | undefined;
  /**
   * Returns the ConfigMap with a name, without its hash, that one kustomization generates from files in the only scope
   * that applies the definition; undefined if there are several such scopes or kustomizations, or none.
   */
  generatedBeside(name: string): EffectiveObject | undefined;
  /**
   * Returns a text in an object of a file after the only GitOps object that applies the file replaced its variables;
   * undefined if the text is unknown.
   */
  substituted(uri: string, text: string): string | undefined;
  /** The number of steps that changing the objects of a chart may take. */
  stepsOfRelease(): number;
  /** The number of steps that replacing the variables of the objects may take. */
  stepsOfVariables(): number;
  /** The facts of all files, by URI. Lookups in this map are not recorded. */
  readonly facts: ReadonlyMap<string, ScopeFacts>;
  /** Returns the content of a file that is read as data; undefined if the content is unknown. */
  data(uri: string): Data | undefined;
  /** Returns the documents of a file that are used by kustomizations but are not objects. */
  trees(uri: string): readonly Node[];
  /**
   * Returns the settings of the Argo CD instance that manages the Applications in a namespace; undefined if they are in
   * no file.
   */
  tracking(namespace: string): ArgoTracking | undefined;
}

/** The changes that the controller makes to the objects of one folder. */
export interface Recipe {
  readonly edits?: Edits;
  /** The release with which a chart is installed; absent if its objects are unknown. */
  readonly release?: Release;
  /** Changes the objects after they are built; `isCut` if some are unknown because finding them is too much work. */
  finish(resources: readonly Resource[]): { readonly resources: readonly Resource[]; readonly isCut: boolean };
}
