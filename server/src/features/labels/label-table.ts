/** The model of the table of label keys: who uses and sets each key, which selectors depend on it, and where required labels are missing. All parts are plain data. */

/** A place in a file, such as `apps/web.yaml:12`. */
export interface Place {
  readonly file: string;
  readonly line: number;
}

/** An object with its place. */
export interface PlacedObject extends Place {
  readonly name: string;
}

/** Lists of places contain only the first ones; `count` is the number of all of them. */
export interface Counted<Item> {
  readonly count: number;
  readonly first: readonly Item[];
}

export interface ValueRow {
  readonly value: string;
  readonly objects: number;
  readonly pods: number;
  /** The first object with the value. */
  readonly at: PlacedObject;
}

/** What sets a label: the file of the object, a kustomization or a patch that changes it, or a chart. */
export type SetBy = 'manifest' | 'kustomization' | 'patch' | 'chart';

export interface KeyRow {
  readonly key: string;
  /** What the team states about the key, as sentences. */
  readonly statements: readonly string[];
  /** The number of objects that have the key, and the number of pods, including those that templates create. */
  readonly objects: number;
  readonly pods: number;
  readonly values: readonly ValueRow[];
  /** The number of objects and pods whose value is unknown, because a template determines it. */
  readonly unknown: number;
  readonly setBy: readonly { readonly by: SetBy; readonly count: number; readonly files: Counted<string> }[];
  /** The selectors with a requirement on the key. */
  readonly selectors: Counted<PlacedObject & { readonly path: string }>;
}

/** How many of the objects or pods that need a label have it. */
export interface Coverage {
  readonly key: string;
  readonly of: 'objects' | 'pods';
  readonly is: 'required' | 'recommended';
  readonly total: number;
  readonly have: number;
  /** The number of objects that may have the label, because a template may add it. */
  readonly unknown: number;
  readonly missing: Counted<PlacedObject>;
}

/** Two keys, or two values of one key, that are probably meant to be the same. */
export interface Similar {
  readonly key?: string;
  readonly names: readonly [string, string];
  /** The number of objects and pods that have each of them. */
  readonly counts: readonly [number, number];
  readonly reason: 'spelling' | 'prefix' | 'meaning';
}

export interface LabelTable {
  readonly objects: number;
  readonly pods: number;
  readonly keys: readonly KeyRow[];
  readonly coverage: readonly Coverage[];
  readonly similar: readonly Similar[];
}

/** Returns the percentage of a coverage as a whole number, which is 100 only if nothing is missing or unknown. */
export function percentOf({ have, total }: Coverage): number {
  return total === 0 ? 100 : Math.floor((100 * have) / total);
}
