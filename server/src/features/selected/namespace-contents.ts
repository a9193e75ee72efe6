/** Counts the contents of a namespace by kind, based on the indexed facts of every file. */

import { nameLabel } from '../../engine/catalogue/name-labels.ts';
import type { Catalogue } from '../../engine/catalogue/types.ts';
import type { ManifestObject } from '../../manifests/model.ts';
import type { View } from '../view.ts';

/** Whether an object is a namespace, that is, of a kind for which the API server sets the label `nameLabel` to the name of the object. */
export function isNamespace(catalogue: Catalogue, { group, version, kind }: ManifestObject): boolean {
  return catalogue.kind(group, version, kind)?.nameLabels?.includes(nameLabel) === true;
}

/** Counts the objects in a namespace by kind, with the most frequent kind first. The namespace of a cluster-scoped object is ignored. Copies of an object in several files are counted once, but each object with `generateName` is an object of its own. */
export function contentsOf({ workspace, catalogue }: View, namespace: string): ReadonlyMap<string, number> {
  const seen = new Set<string>();
  const counts = new Map<string, number>();
  const isInside = (identity: string) => {
    const [group = '', kind = '', place] = identity.split('\n', 3);
    return place === namespace && catalogue.kind(group, '', kind)?.namespaced !== false;
  };
  const add = (identity: string) => {
    const [, kind = ''] = identity.split('\n');
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  };
  const scopes = workspace.scopes();
  for (const [uri, { identities, templates, unnamed = [] }] of scopes.facts()) {
    if (scopes.isPatch(uri)) continue;
    for (const identity of [...identities, ...templates.flatMap((each) => each.identities)]) {
      if (!isInside(identity) || seen.has(identity)) continue;
      seen.add(identity);
      add(identity);
    }
    for (const identity of unnamed) if (isInside(identity)) add(identity);
  }
  return new Map([...counts].toSorted(([a, one], [b, other]) => other - one || a.localeCompare(b)));
}
