/** Describes in messages how labels differ from a requirement that they do not satisfy. */

import type { Explanation, LabelSet } from '../../engine/index.ts';
import { localize } from '../../text/localize.ts';
import { isPositive } from '../fixes/fit-selector.ts';
import { shorten } from './sentences.ts';

/** Describes as two facts why labels do not satisfy a requirement: "the selector wants app=web, but the pods have app=webb". `have` is the subject and verb of the second fact, such as "the pods have". If the requirement allows several values, the explanation of the engine is returned. */
export function differenceOf(
  { requirement: { key, operator, values }, reason }: Explanation,
  { labels }: Pick<LabelSet, 'labels'>,
  have: string,
): string {
  const [wanted] = values;
  const isOne = isPositive(operator) && values.length === 1 && typeof wanted === 'string';
  const actual = Object.hasOwn(labels, key) ? labels[key] : undefined;
  if (actual === undefined && !isOne) return localize`the selector wants label ${key}, but ${have} no such label`;
  if (!isOne || (actual !== undefined && typeof actual !== 'string')) return reason;
  return localize`the selector wants ${key}=${shorten(wanted)}, but ${have} ${actual === undefined ? localize`no label ${key}` : `${key}=${shorten(actual)}`}`;
}
