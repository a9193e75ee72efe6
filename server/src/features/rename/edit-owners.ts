/** Determines the objects that each edit of a rename changes. */

import { getOrAdd } from '../../engine/memoize.ts';
import type { ObjectInFile } from '../../workspace/model.ts';
import type { NameEdit } from './label-name.ts';
import { objectKey } from './renamed-labels.ts';

/** The objects that an edit changes: several if a kustomization writes a label to several objects. */
export interface Owners {
  readonly keys: ReadonlySet<string>;
  /** The keys of the objects in which the edit changes more than their own labels: labels of templates, or selectors. */
  readonly inside: ReadonlySet<string>;
}

/** Returns a function that returns the objects that an edit changes. */
export function ownersOf(
  places: Iterable<{ readonly found: ObjectInFile; readonly edit: NameEdit; readonly isOwnLabel?: boolean }>,
): (uri: string, start: number) => Owners {
  const owners = new Map<string, { readonly keys: Set<string>; readonly inside: Set<string> }>();
  const placeOf = (uri: string, start: number) => `${uri}\n${start}`;
  for (const { found, edit, isOwnLabel = false } of places) {
    const place = placeOf(edit.writtenIn ?? found.file.uri, edit.edit.span.start);
    const { keys, inside } = getOrAdd(owners, place, () => ({ keys: new Set(), inside: new Set() }));
    keys.add(objectKey(found));
    if (!isOwnLabel) inside.add(objectKey(found));
  }
  return (uri, start) => owners.get(placeOf(uri, start)) ?? none;
}

const none: Owners = { keys: new Set(), inside: new Set() };
