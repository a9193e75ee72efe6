/** A cache of recent label sets: an object, its template and its neighbors often have the same labels. */

import type { LabelSet, Value } from '../../engine/index.ts';

/** The maximum number of cached label sets, which is enough for the objects of one application. */
const most = 8;

/** A cache of a few label sets; comparing with them costs less than serializing a set to a key. */
export class LabelCache {
  readonly #sets: { readonly set: LabelSet; readonly size: number }[] = [];
  #next = 0;

  /** Returns the cached label set that equals the given label set. */
  like(labels: LabelSet['labels'], open: boolean): LabelSet | undefined {
    const keys = Object.keys(labels);
    for (const { set, size } of this.#sets)
      if (size === keys.length && set.open === open && hasSame(set.labels, labels, keys)) return set;
    return undefined;
  }

  add(set: LabelSet): LabelSet {
    this.#sets[this.#next] = { set, size: Object.keys(set.labels).length };
    this.#next = (this.#next + 1) % most;
    return set;
  }
}

function hasSame(own: LabelSet['labels'], labels: LabelSet['labels'], keys: readonly string[]): boolean {
  for (const key of keys) if (!isSame(own[key], labels[key])) return false;
  return true;
}

function isSame(a: Value | undefined, b: Value | undefined): boolean {
  if (typeof a !== 'object' || typeof b !== 'object') return a === b;
  if (a.unknown !== b.unknown || a.pattern !== b.pattern || !isSame(a.assumed, b.assumed)) return false;
  return a.oneOf?.join('\n') === b.oneOf?.join('\n');
}
