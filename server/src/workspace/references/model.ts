/** The model of references between objects: the target of a name, and the position at which it is written. */

import type { DataKeys, ManifestObject, ReferenceSite } from '../../manifests/model.ts';
import type { Span } from '../../text/span.ts';
import type { ObjectInFile, WorkspaceFile } from '../model.ts';

/** The certainty and distance of a reference. */
export interface Certainty {
  /** Whether the reference and its target are applied together (`here`), or may only share a cluster. */
  readonly relation: 'here' | 'elsewhere';
  /** `maybe` if the answer depends on a template or on an unknown namespace. */
  readonly answer: 'yes' | 'maybe';
}

/** Compares two results for sorting: results that are applied together with the reference (`here`) come first, then certain results. */
export function byCertainty(a: Certainty, b: Certainty): number {
  const rank = ({ relation, answer }: Certainty) => (relation === 'here' ? 0 : 2) + (answer === 'yes' ? 0 : 1);
  return rank(a) - rank(b);
}

/** An object or generator that has the name in a reference, or that creates an object with this name. */
export interface ReferenceTarget extends Certainty {
  readonly file: WorkspaceFile;
  /**
   * An object in a file; an entry of a `configMapGenerator` or `secretGenerator`; or an object whose controller creates
   * the target.
   */
  readonly is: 'object' | 'generator' | 'producer';
  /** The object in the file; absent for a generator. */
  readonly object?: ManifestObject;
  /** The group and kind of the target: `Secret`, even if an ExternalSecret creates it. */
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

/** A position at which an object is named. */
export interface ReferenceInFile extends ObjectInFile, Certainty {
  readonly site: ReferenceSite;
}

/** A possible target of references: an object, or what a generator of a kustomization or a controller creates. */
export interface Named {
  readonly file: WorkspaceFile;
  /** The object, or the object whose controller creates the target; absent for a generator. */
  readonly object?: ManifestObject;
  readonly group: string;
  readonly kind: string;
  readonly name: string;
}
