/** Finds the lists of network policy peers. Selectors in the same peer are ANDed, and peers in a list are ORed. */

import { isBuiltIn } from '../../engine/catalogue/built-in-groups.ts';
import type { KindFact } from '../../engine/catalogue/types.ts';
import { getOrAdd } from '../../engine/memoize.ts';
import type { SelectorSite } from '../model.ts';
import type { Node } from '../yaml/tree.ts';

export interface PeerSite {
  readonly list: string;
  readonly index: number;
  /** The name of the field of a peer that contains the namespace selector. */
  readonly field: string;
}

/** Returns the position of the network policy peer that contains a pod selector; undefined for a selector that, according to the catalogue, has no namespace selector next to it in the same list item. */
export function peerOf({ path, fact }: Pick<SelectorSite, 'path' | 'fact'>): PeerSite | undefined {
  const found = /^(.*)\[(\d+)\]\.[^.[\]]+$/.exec(path);
  const beside = typeof fact.reach === 'string' ? undefined : fact.reach.namespaceSelectorAt;
  const [, list = '', index = ''] = found ?? [];
  if (found === null || beside === undefined || !beside.startsWith(fact.path.slice(0, fact.path.lastIndexOf('.') + 1)))
    return undefined;
  return { list, index: Number(index), field: beside.slice(beside.lastIndexOf('.') + 1) };
}

const peerPaths = new WeakMap<KindFact, ReadonlySet<string>>();

/** Returns the paths of the selectors in the network policy peers of a built-in kind, in the catalogue's notation. */
export function peerSelectorPaths(facts: KindFact): ReadonlySet<string> {
  return getOrAdd(peerPaths, facts, ({ group, selectors }) => {
    const paths = selectors.flatMap(({ path, absent, reach }): readonly string[] => {
      const beside = typeof reach === 'string' ? undefined : reach.namespaceSelectorAt;
      const isPeer = absent === 'all' && beside !== undefined && itemOf(beside) === itemOf(path);
      return isPeer ? [path, beside] : [];
    });
    return new Set(isBuiltIn(group) ? paths : []);
  });
}

/** Returns the names of all fields with selectors in a peer, given the path of one of them; empty if the path does not belong to a peer. */
export function peerSelectors(facts: KindFact, path: string): readonly string[] {
  const paths = peerSelectorPaths(facts);
  const item = itemOf(path);
  return paths.has(path)
    ? [...paths].filter((each) => itemOf(each) === item).map((each) => each.slice(item.length + 1))
    : [];
}

/** Returns the path of the list item that contains a selector, for example `spec.ingress[].from[]` for `spec.ingress[].from[].podSelector`. */
function itemOf(path: string): string {
  return path.slice(0, path.lastIndexOf('.'));
}

/** Whether a peer is null, or has no fields other than null fields. The API server rejects such a peer (`ValidateNetworkPolicyPeer`). */
export function isEmptyPeer(peer: Node | undefined): boolean {
  if (peer?.kind === 'scalar') return peer.type === 'null';
  if (peer?.kind !== 'map' || peer.open) return false;
  return peer.entries.every(
    ({ key, value, conditional }) =>
      !conditional && key.pattern === undefined && value.kind === 'scalar' && value.type === 'null',
  );
}
