/** Labels that the API server itself sets on an object, with the name of the object as their value. */

import type { GroupKind } from './types.ts';

const byKind: Readonly<Record<string, readonly string[]>> = {
  '/Namespace': ['kubernetes.io/metadata.name'],
};

export function nameLabelsOf({ group, kind }: GroupKind): readonly string[] | undefined {
  const key = `${group}/${kind}`;
  return Object.hasOwn(byKind, key) ? byKind[key] : undefined;
}
