/** Which selectors stand in a list of peers? Those of one item are ANDed, the items are ORed. */

import type { SelectorSite } from './manifest.ts';

export interface PeerPlace {
  /** The path of the list. */
  readonly list: string;
  readonly index: number;
  /** The field of an item that holds its namespace selector. */
  readonly field: string;
}

/** Where a selector stands in a list of peers, as the catalogue says it: a namespace selector belongs beside it. */
export function peerOf({ path, fact }: Pick<SelectorSite, 'path' | 'fact'>): PeerPlace | undefined {
  const found = /^(.*)\[(\d+)\]\.[^.[\]]+$/.exec(path);
  const beside = typeof fact.reach === 'string' ? undefined : fact.reach.namespaceSelectorAt;
  const [, list = '', index = ''] = found ?? [];
  if (found === null || beside === undefined || !beside.startsWith(fact.path.slice(0, fact.path.lastIndexOf('.') + 1)))
    return undefined;
  return { list, index: Number(index), field: beside.slice(beside.lastIndexOf('.') + 1) };
}
