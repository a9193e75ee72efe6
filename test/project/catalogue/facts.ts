/** What do the collected facts look like, and how are they read? */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface FactTarget {
  readonly group?: string;
  readonly kind?: string;
}

/** One entry of selectors.json. */
export interface SelectorEntry {
  readonly family: string;
  readonly group: string;
  readonly versions: readonly string[];
  readonly removedVersions?: Readonly<Record<string, string>>;
  readonly altGroups?: readonly { readonly group: string; readonly versions: readonly string[] }[];
  readonly kind: string;
  readonly path: string;
  readonly form: string;
  readonly targets: readonly FactTarget[];
  readonly scope: string;
  readonly namespacePaths?: readonly string[];
  readonly nullMeans: string;
  readonly emptyMeans: string;
  readonly mustMatchTemplate: boolean;
  readonly templateLabelsPath?: string;
  readonly immutable: boolean;
  readonly resolvable?: boolean;
  readonly matches?: string;
  readonly wildcards?: boolean;
  readonly conditionalOn?: string;
  readonly operators: readonly string[];
  readonly confidence: string;
}

/** One entry of labelled-places.json. */
export interface PlaceEntry {
  readonly group: string;
  readonly kind: string;
  readonly path: string;
  readonly holds: string;
  readonly labels_of: string;
  readonly yields?: { readonly group: string; readonly kind: string };
  readonly versions?: readonly string[];
  readonly family?: string;
}

/** One entry of label-keys.json. */
export interface KeyPlaceEntry {
  readonly family: string;
  readonly group?: string;
  readonly kind: string;
  readonly path: string;
  readonly labelsOf: string;
  readonly what: string;
}

/** One kind of names.json. */
interface NameEntry {
  readonly group: string;
  readonly kind: string;
  readonly versions: readonly string[];
  readonly removedVersions?: Readonly<Record<string, string>>;
  readonly namespaced: boolean;
  readonly plural: string;
  readonly shortNames: readonly string[];
  readonly nameRule: string;
  readonly maxLength?: number | null;
  readonly childLimits?: { readonly safeMaxLength?: number };
}

/** One kind of names-crds.json. */
interface CrdNameEntry {
  readonly v: readonly string[];
  readonly plural: string;
  readonly ns: boolean;
  readonly short?: readonly string[];
  readonly name?: { readonly maxLength?: number };
}

/** One entry of well-known-labels.json. */
export interface WellKnownEntry {
  readonly key: string;
  readonly pattern?: boolean;
  readonly type: string | readonly string[];
  readonly kinds: readonly string[];
  readonly example?: string | null;
  readonly status: string;
  readonly replacement?: string;
  readonly description: string;
  readonly values?: readonly string[];
  readonly valueIsSelector?: boolean;
  readonly valueIsLabelKey?: boolean;
}

export interface FieldsEntry {
  readonly group: string;
  readonly kind: string;
  readonly fields: readonly (
    | string
    | { readonly field: string; readonly type?: string; readonly values?: readonly string[]; readonly note?: string }
  )[];
  readonly aliases?: Readonly<Record<string, string>>;
}

type ByKind<T> = Readonly<Record<string, Readonly<Record<string, T>>>>;

export interface Facts {
  readonly selectors: readonly SelectorEntry[];
  readonly minedSelectors: ByKind<{
    readonly v: readonly string[];
    readonly s: readonly (readonly [string, string, string?])[];
  }>;
  readonly embedded: ByKind<Readonly<Record<string, readonly string[]>>>;
  readonly places: readonly PlaceEntry[];
  readonly minedPlaces: ByKind<Readonly<Record<string, readonly string[]>>>;
  readonly keyPlaces: readonly KeyPlaceEntry[];
  readonly names: readonly NameEntry[];
  readonly crdNames: ByKind<CrdNameEntry>;
  readonly wellKnown: readonly WellKnownEntry[];
  readonly fields: readonly FieldsEntry[];
}

/** Reads all facts from a folder. */
export function readFacts(folder: string): Facts {
  // The files are facts collected by hand; what they hold is written down in their README.
  const read = <T>(name: string): T => JSON.parse(readFileSync(join(folder, name), 'utf8')) as T;
  const grouped = <T>(name: string) => read<{ readonly groups: ByKind<T> }>(name).groups;
  const fields = read<{ kinds: FieldsEntry[]; crdSelectableFields: { known: FieldsEntry[] } }>('field-selectors.json');
  return {
    selectors: read('selectors.json'),
    minedSelectors: grouped('selectors-mined.json'),
    embedded: grouped('embedded-types.json'),
    places: read('labelled-places.json'),
    minedPlaces: grouped('labelled-places-mined.json'),
    keyPlaces: read('label-keys.json'),
    names: read<{ kinds: NameEntry[] }>('names.json').kinds,
    crdNames: grouped('names-crds.json'),
    wellKnown: read('well-known-labels.json'),
    fields: [...fields.kinds, ...fields.crdSelectableFields.known],
  };
}
