/** Computes fingerprints, by which findings are still identified after other parts of their file have changed. */

import { getOrAdd } from '../../engine/memoize.ts';
import type { Manifest, ManifestObject } from '../../manifests/model.ts';
import type { Finding } from '../../rules/framework/rule.ts';
import { countBefore } from '../../text/order.ts';

/** Computes the fingerprints of the findings of one file, in the order of the file. A fingerprint is a hash of the rule, the object, the text of the line, and the number of equal findings before it; the line number and the message do not affect it. */
export class Fingerprints {
  readonly #manifest: Manifest;
  readonly #seen = new Map<string, number>();

  constructor(manifest: Manifest) {
    this.#manifest = manifest;
  }

  /**
   * Returns the fingerprint of a finding; `line` is the line on which the finding begins or, if that line is long, the
   * part of it around the finding.
   */
  of({ rule, span }: Finding, line: string): string {
    const object = objectAt(this.#manifest, span.start);
    const identity = [object?.group, object?.kind, object?.namespace?.text, object?.name?.text];
    const content = [rule, ...identity.map((part) => part ?? ''), line.trim()].join('\n');
    const before = this.#seen.get(content) ?? 0;
    this.#seen.set(content, before + 1);
    return hash(`${content}\n${before}`);
  }
}

/** The objects of each manifest in the order of their offsets; `last` is the maximum index in the file among the objects up to and including this one. */
const inOrder = new WeakMap<Manifest, readonly { readonly start: number; readonly last: number }[]>();

/** Returns the last object of a file that begins at or before an offset; undefined if there is none. */
export function objectAt(manifest: Manifest, offset: number): ManifestObject | undefined {
  const known = getOrAdd(inOrder, manifest, () => {
    let last = 0;
    return manifest.objects
      .map(({ span: { start } }, number) => ({ start, number }))
      .toSorted((a, b) => a.start - b.start)
      .map(({ start, number }) => {
        last = Math.max(last, number);
        return { start, last };
      });
  });
  const count = countBefore(known, ({ start }) => start <= offset);
  return manifest.objects[known[count - 1]?.last ?? -1];
}

/** Computes the FNV-1a hash twice with different offset bases; 64 bits are enough to distinguish the findings of one file. */
function hash(text: string): string {
  let [high, low] = [0x811c9dc5, 0x9747b28c];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    high = Math.imul(high ^ code, 0x01000193);
    low = Math.imul(low ^ code, 0x5bd1e995);
    low ^= low >>> 15;
  }
  return [high, low].map((part) => (part >>> 0).toString(16).padStart(8, '0')).join('');
}
