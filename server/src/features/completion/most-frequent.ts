/** Limits a long list of labels to the most frequent ones that fit the typed text. */

import { countBefore } from '../../text/order.ts';
import { byCount, type Count } from './label-counts.ts';

/** A key or value, and the number of objects that have it. */
export type Row = readonly [text: string, count: Count];

/** The maximum number of items. If there are more, only items that fit the typed text are offered. */
export const mostItems = 200;

/** Whether `long` contains the letters of `short` in this order, which is how editors filter items. */
export function isAbbreviation(short: string, long: string): boolean {
  let at = 0;
  const letters = long.toLowerCase();
  for (const letter of short.toLowerCase()) {
    at = letters.indexOf(letter, at) + 1;
    if (at === 0) return false;
  }
  return true;
}

/** Returns the valid rows, the most frequent first. If there are more than `mostItems` rows, rows that fit the typed text come first, and at most one row more than the maximum is returned, so that the caller can detect the truncation. */
export function mostFrequent(rows: Iterable<Row>, isSound: (text: string) => boolean, typed: string): readonly Row[] {
  const all = [...rows];
  if (all.length <= mostItems) return all.filter(([text]) => isSound(text)).toSorted(byCount);
  const fitting = best(all, (text) => isAbbreviation(typed, text) && isSound(text));
  if (fitting.length > mostItems || typed === '') return fitting;
  const others = best(all, (text) => !isAbbreviation(typed, text) && isSound(text));
  return [...fitting, ...others].slice(0, mostItems + 1);
}

function best(rows: readonly Row[], isMeant: (text: string) => boolean): readonly Row[] {
  const found: Row[] = [];
  for (const row of rows) {
    const worst = found[mostItems];
    if ((worst !== undefined && byCount(worst, row) < 0) || !isMeant(row[0])) continue;
    found.splice(positionOf(found, row), 0, row);
    if (found.length > mostItems + 1) found.pop();
  }
  return found;
}

function positionOf(rows: readonly Row[], row: Row): number {
  return countBefore(rows, (other) => byCount(other, row) < 0);
}
