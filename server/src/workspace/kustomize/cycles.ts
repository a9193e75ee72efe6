/** Finds kustomizations that include themselves, directly or through others. */

import { getOrAdd, memoized } from '../../engine/memoize.ts';
import { kustomizationNames } from '../../manifests/kustomize/kustomization.ts';
import { hashOf } from '../../text/hash.ts';
import type { Scopes } from '../scopes/model.ts';
import { scopeQuery } from '../scopes/recorded-scopes.ts';
import { stronglyConnected } from '../scopes/strongly-connected.ts';
import { folderOf } from '../uri.ts';

type Cycle = ReadonlySet<string>;

const known = new WeakMap<ReturnType<Scopes['structure']>, ReadonlyMap<string, Cycle>>();
const none: Cycle = new Set();

/** Returns the kustomizations in the cycle of a kustomization that includes itself; none for any other file. */
export const cycleOf = scopeQuery(
  'cycle of',
  (scopes, uri: string): Cycle => getOrAdd(known, scopes.structure(), () => cyclesIn(scopes)).get(uri) ?? none,
  memoized((cycle) => (cycle === none ? '' : hashOf([...cycle].toSorted().join(' ')))),
);

function cyclesIn(scopes: Scopes): ReadonlyMap<string, Cycle> {
  const facts = scopes.structure();
  const kustomizationAt = (path: string) =>
    // Most paths are those of files, which need no search.
    facts.has(path)
      ? undefined
      : kustomizationNames.map((name) => `${path}/${name}`).find((uri) => facts.get(uri)?.kustomization !== undefined);
  const below = new Map<string, readonly string[]>();
  for (const [uri, { kustomization }] of facts) {
    if (kustomization === undefined) continue;
    const paths = [...kustomization.resources, ...kustomization.components];
    below.set(
      uri,
      paths.flatMap((path) => kustomizationAt(scopes.at(folderOf(uri), path)) ?? []),
    );
  }
  const cycles = new Map<string, Cycle>();
  for (const component of stronglyConnected([...below.keys()], (uri) => below.get(uri) ?? [])) {
    const [only] = component;
    const isCycle = component.length > 1 || (only !== undefined && below.get(only)?.includes(only));
    const cycle = new Set(component);
    if (isCycle) for (const uri of component) cycles.set(uri, cycle);
  }
  return cycles;
}
