/** The descriptions of well-known keys. They are not among the facts on keys, because programs that only check manifests do not need them. */

import { once } from '../memoize.ts';
import { keyDescriptions } from './key-descriptions.generated.ts';
import type { KeyFact } from './types.ts';

interface KeyDescription {
  /** What the key means, as a phrase without a full stop. */
  readonly description: string;
  /** A value of the key. */
  readonly example?: string;
}

const lines = once(() => keyDescriptions.split('\n'));

/** Describes a well-known key of the built-in catalogue. */
export function describeKey({ number }: KeyFact): KeyDescription {
  const [description = '', example] = lines()[number]?.split('\t') ?? [];
  return { description, ...(example !== undefined && { example }) };
}
