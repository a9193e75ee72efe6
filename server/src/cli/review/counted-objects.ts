/** Counts added and removed objects by kind. */

import { getOrAdd } from '../../engine/memoize.ts';
import { compareText } from '../../text/order.ts';
import { counted } from '../output/counts.ts';
import { listed } from '../output/names.ts';
import type { Statement } from './model.ts';
import type { Pair } from './pairs-of-trees.ts';
import { plural } from './sections.ts';

/** Counts objects by kind, those with most objects first. Copies in several overlays are counted once. */
export function countsByKind(pairs: readonly Pair[], verb: string): readonly Statement[] {
  if (pairs.length === 0) return [];
  const places = new Set(pairs.map(({ named }) => named.scope ?? ''));
  const namespaces = new Set(pairs.map(({ named }) => named.namespace));
  const parts = namesByKind(pairs);
  const shown = parts.slice(0, mostKinds);
  const more = parts.length > mostKinds ? [`${counted(parts.length - mostKinds, 'other kind')}`] : [];
  const [only] = namespaces;
  const where =
    places.size > 1 ? ` in ${places.size} scopes` : namespaces.size === 1 && only !== undefined ? ` in ${only}` : '';
  return [{ text: `${verb} ${listed([...shown, ...more])}${where}.`, count: pairs.length }];
}

const mostKinds = 8;

/** Returns the name of the only object of each kind, or their number. An object that several overlays build, each in its own namespace, is one object. */
export function namesByKind(pairs: readonly Pair[]): readonly string[] {
  const byKind = new Map<string, Map<string, Set<string>>>();
  for (const { named } of pairs) {
    const names = getOrAdd(byKind, named.kind, () => new Map<string, Set<string>>());
    getOrAdd(names, named.name, () => new Set()).add(named.scope === undefined ? (named.namespace ?? '') : '');
  }
  const sizeOf = (names: ReadonlyMap<string, ReadonlySet<string>>) =>
    [...names.values()].reduce((sum, each) => sum + each.size, 0);
  return [...byKind]
    .toSorted(([a, one], [b, other]) => sizeOf(other) - sizeOf(one) || compareText(a, b))
    .map(([kind, names]) => {
      const [only] = names.keys();
      const size = sizeOf(names);
      return names.size === 1 && only !== undefined
        ? `${kind}/${only}${size > 1 ? ` in ${size} namespaces` : ''}`
        : `${size} ${plural(kind)}`;
    });
}
