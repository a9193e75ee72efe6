/** Labels that the API server itself sets on an object, with the name of the object as their value. */

import type { GroupKind } from './types.ts';

/** The label of every Namespace, whose value is the name of the Namespace. */
export const nameLabel = 'kubernetes.io/metadata.name';

const byKind: Readonly<Record<string, readonly string[]>> = {
  '/Namespace': [nameLabel],
};

/** Returns the labels that the API server sets to the name of an object of this kind; undefined for a kind without such labels. */
export function nameLabelsOf({ group, kind }: GroupKind): readonly string[] | undefined {
  const key = `${group}/${kind}`;
  return Object.hasOwn(byKind, key) ? byKind[key] : undefined;
}
