/** What does a well-known key mean? One paragraph, or none for a key that nobody explains. */

import type { Catalogue } from '../../engine/catalogue/types.ts';
import { type Block, type Line, paragraph } from './rich-text.ts';

/** How a status is said; the others are said as they are called. */
const statuses: Readonly<Record<string, string>> = {
  stable: 'well-known',
  ecosystem: 'well-known',
  convention: 'by convention',
  unknown: 'well-known',
};

export function keyMeaning(catalogue: Catalogue, key: string, as: 'label' | 'annotation'): readonly Block[] {
  const fact = catalogue.key(key, as);
  if (fact === undefined) return [];
  const example: Line = fact.example === undefined ? [] : [' For example ', { kind: 'code', text: fact.example }, '.'];
  const instead: Line =
    fact.replacement === undefined ? [] : [' Use ', { kind: 'code', text: fact.replacement }, ' instead.'];
  const status = statuses[fact.status] ?? fact.status;
  return [paragraph({ kind: 'code', text: fact.key }, ` (${status}): ${fact.description}.`, ...instead, ...example)];
}
