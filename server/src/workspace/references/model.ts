/** The model of references between objects: what a name stands for, and where it is written. */

import type { DataKeys, ManifestObject, ReferenceSite } from '../../manifests/model.ts';
import type { Span } from '../../text/span.ts';
import type { ObjectInFile, WorkspaceFile } from '../model.ts';

/** The certainty and distance of a reference. */
export interface Certainty {
  /** Whether both are applied together, or may share a cluster. */
  readonly relation: 'here' | 'elsewhere';
  /** `maybe`: a template or a namespace that is not known decides. */
  readonly answer: 'yes' | 'maybe';
}

/** Something that has, or will have, the name in a reference. */
export interface ReferenceTarget extends Certainty {
  readonly file: WorkspaceFile;
  /** An object; an entry of a `configMapGenerator` or `secretGenerator`; an object whose controller creates it. */
  readonly is: 'object' | 'generator' | 'producer';
  /** The object in the file; absent for a generator. */
  readonly object?: ManifestObject;
  /** The group and kind of what has the name: `Secret`, also if an ExternalSecret creates it. */
  readonly group: string;
  readonly kind: string;
  /** The name in the file. */
  readonly name: string;
  /** The range of the name in the file. */
  readonly span: Span;
  readonly namespace?: string;
  /** The keys of a ConfigMap or Secret. */
  readonly keys?: DataKeys;
}

/** A place at which an object is named. */
export interface ReferenceInFile extends ObjectInFile, Certainty {
  readonly site: ReferenceSite;
}

/** What references may name: an object, or what a generator of a kustomization or a controller creates. */
export interface Named {
  readonly file: WorkspaceFile;
  /** The object, or the one whose controller creates what has the name; absent for a generator. */
  readonly object?: ManifestObject;
  readonly group: string;
  readonly kind: string;
  readonly name: string;
}
