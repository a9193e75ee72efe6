/** Which of very many labels are worth offering? The most frequent ones that fit what is typed. */

import { byCount, type Count } from './label-counts.ts';

/** A key or value, and how many carry it. */
export type Row = readonly [text: string, count: Count];

/** So many can be looked through; of more, those that fit what is typed. */
export const mostItems = 200;

/** Whether the letters of one text stand in another, in their order: editors compare in this way. */
export function isAbbreviation(short: string, long: string): boolean {
  let at = 0;
  const letters = long.toLowerCase();
  for (const letter of short.toLowerCase()) {
    at = letters.indexOf(letter, at) + 1;
    if (at === 0) return false;
  }
  return true;
}

/**
 * The rows in the order in which they are offered, sound ones only. Of more than can be looked through those that fit
 * what is typed come first, and one is left too many, so that who counts them knows that some are missing.
 */
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
    found.splice(placeOf(found, row), 0, row);
    if (found.length > mostItems + 1) found.pop();
  }
  return found;
}

function placeOf(rows: readonly Row[], row: Row): number {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const other = rows[middle];
    if (other !== undefined && byCount(other, row) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
