/** Finds the names in a set that may be misspellings of a name, without comparing the name with each of them. */

import { getOrAdd } from '../engine/memoize.ts';
import { folded, maximumLetters, numbersIn } from './misspelling.ts';

/** The maximum length of a name of Kubernetes; longer names are ignored. */
const maximumLength = 253;
const stride = maximumLength + maximumLetters + 2;
/** The rows of edit distances for the prefixes of a name, which each search overwrites. */
const distances = new Uint8Array(stride * stride);

/** The names that contain the same numbers; names with different numbers are variants. */
interface Group {
  /** In the order of their characters, so that texts with the same prefix are neighbors. */
  readonly sorted: readonly string[];
  /** The same texts, each from its end to its start. */
  readonly reversed: readonly string[];
  /** The names by their text with `-` for all separators, which `sorted` contains. */
  readonly byUnified: Map<string, string[]>;
  readonly byFolded: Map<string, string[]>;
}

/** A set of names, with an index of their letters that is created when it is first used. */
export class SimilarNames {
  readonly names: ReadonlySet<string>;
  #groups: ReadonlyMap<string, Group> | undefined;
  /** All names, regardless of the numbers that they contain. */
  #all: Group | undefined;
  #byStart: ReadonlyMap<string, readonly string[]> | undefined;
  /** The results of searches: many objects refer to one name. */
  readonly #found = new Map<string, readonly string[]>();
  readonly #variants = new Map<string, readonly string[]>();
  readonly #foundWithin = new Map<string, readonly string[]>();

  constructor(names: Iterable<string>) {
    this.names = new Set(names);
  }

  /** Returns the other names that differ in at most two letters, ignoring the kind of separators, or only in case and separators. These include all names for which `misspelling` or `slightDifference` returns a difference. */
  near(wanted: string): readonly string[] {
    return getOrAdd(this.#found, wanted, () => this.#search(wanted));
  }

  /** Returns the names that `near` returns, and those that differ in one letter, which may be a digit. */
  nearOrVariants(wanted: string): readonly string[] {
    return getOrAdd(this.#variants, wanted, () => [...new Set([...this.near(wanted), ...this.#within(wanted, 1)])]);
  }

  /** Returns the names, including the wanted one, that differ in at most two letters or digits, ignoring the kind of separators. */
  within(wanted: string): readonly string[] {
    return getOrAdd(this.#foundWithin, wanted, () => this.#within(wanted, maximumLetters));
  }

  #within(wanted: string, most: number): readonly string[] {
    if (wanted.length > maximumLength) return [];
    this.#all ??= groupOf(this.names);
    return similarIn(this.#all, wanted, most);
  }

  #search(wanted: string): readonly string[] {
    if (wanted.length > maximumLength) return [];
    this.#groups ??= groupsOf(this.names);
    const group = this.#groups.get(numbersIn(wanted));
    if (group === undefined) return [];
    return [
      ...new Set([...(group.byFolded.get(folded(wanted)) ?? []), ...similarIn(group, wanted, maximumLetters)]),
    ].filter((name) => name !== wanted);
  }

  /** Returns the names that share all parts but the last with a name, or of which one is the other with one more part. */
  withSameStart(wanted: string): readonly string[] {
    this.#byStart ??= byStart(this.names);
    const start = startOf(wanted);
    const extended = this.#byStart.get(wanted) ?? [];
    if (start === wanted) return extended;
    return [...(this.names.has(start) ? [start] : []), ...(this.#byStart.get(start) ?? []), ...extended];
  }
}

function groupsOf(names: Iterable<string>): ReadonlyMap<string, Group> {
  const byNumbers = new Map<string, string[]>();
  for (const name of names) getOrAdd(byNumbers, numbersIn(name), () => []).push(name);
  return new Map([...byNumbers].map(([numbers, group]) => [numbers, groupOf(group)]));
}

function groupOf(names: Iterable<string>): Group {
  const byUnified = new Map<string, string[]>();
  const byFolded = new Map<string, string[]>();
  for (const name of names) {
    if (name.length > maximumLength) continue;
    getOrAdd(byUnified, unify(name), () => []).push(name);
    getOrAdd(byFolded, folded(name), () => []).push(name);
  }
  const sorted = [...byUnified.keys()].sort();
  return { byUnified, byFolded, sorted, reversed: sorted.map(reverse).sort() };
}

/** Returns the names of a group, including the wanted name, that differ in at most `most` letters, ignoring the kind of separators. */
function similarIn({ sorted, reversed, byUnified }: Group, wanted: string, most: number): readonly string[] {
  const text = unify(wanted);
  const few = most >> 1;
  // At most half of the differences are either before or after the middle of the wanted name, so that two searches for
  // names with few differences at their start and at their end find all, and look at few other names.
  const middle = text.length >> 1;
  const found = new Set<string>();
  search(sorted, { wanted: text, most, few, middle }, (name) => found.add(name));
  search(reversed, { wanted: reverse(text), most, few, middle: text.length - middle - 1 }, (name) =>
    found.add(reverse(name)),
  );
  return [...found].sort().flatMap((each) => byUnified.get(each) ?? []);
}

function byStart(names: Iterable<string>): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const name of names) if (name.includes('-')) getOrAdd(found, startOf(name), () => []).push(name);
  return found;
}

/** Returns a name without its last part; the name itself if it has only one part. */
function startOf(name: string): string {
  const end = name.lastIndexOf('-');
  return end === -1 ? name : name.slice(0, end);
}

function unify(name: string): string {
  return name.replace(/[-_./]/g, '-');
}

function reverse(text: string): string {
  let reversed = '';
  for (let at = text.length - 1; at >= 0; at--) reversed += text[at];
  return reversed;
}

interface Search {
  readonly wanted: string;
  /** The maximum number of letters that differ, and the maximum up to the middle of the wanted name. */
  readonly most: number;
  readonly few: number;
  readonly middle: number;
}

function search(names: readonly string[], wanted: Search, found: (name: string) => void): void {
  for (let at = 0; at <= wanted.wanted.length; at++) distances[at] = limited(at, at, wanted);
  collect(names, { from: 0, to: names.length, length: 0 }, wanted, found);
}

/** Returns a distance at a position of the wanted name; a greater number than all allowed distances if it is too large. */
function limited(cost: number, at: number, { most, few, middle }: Search): number {
  return cost > (at <= middle ? few : most) ? most + 1 : cost;
}

/** The names from one index to another, which share a prefix of a length. */
interface Prefixed {
  readonly from: number;
  readonly to: number;
  readonly length: number;
}

/** Finds the similar names among those with a prefix. */
function collect(
  names: readonly string[],
  { from, to, length }: Prefixed,
  wanted: Search,
  found: (name: string) => void,
) {
  let next = from;
  const whole = names[next];
  if (whole?.length === length) {
    const isInBand = Math.abs(length - wanted.wanted.length) <= wanted.most;
    if (isInBand && (distances[length * stride + wanted.wanted.length] ?? 0) <= wanted.most) found(whole);
    next++;
  }
  const letters = next < to ? lettersAfter(whole ?? '', length, wanted) : undefined;
  if (letters !== undefined) {
    for (let at = 0; at < letters.length; at++) {
      const letter = letters[at] ?? '';
      const begin = startOfLetter(names, next, to, length, letter);
      if (names[begin]?.[length] === letter && begin < to) descend(names, { from: begin, to, length }, wanted, found);
    }
    return;
  }
  while (next < to) next = descend(names, { from: next, to, length }, wanted, found);
}

/** Finds the similar names among those that have the same next letter as the first one. Returns the index after these names. */
function descend(
  names: readonly string[],
  { from, to, length }: Prefixed,
  wanted: Search,
  found: (name: string) => void,
): number {
  const end = endOfPrefix(names, from, to, length);
  if (extend(names[from] ?? '', length + 1, wanted))
    collect(names, { from, to: end, length: length + 1 }, wanted, found);
  return end;
}

/** Returns the letters with which the prefix of a name can continue; undefined if it can continue with every letter, because another one may differ. */
function lettersAfter(name: string, length: number, search: Search): string | undefined {
  const { wanted, most } = search;
  const own = length * stride;
  const above = own - stride;
  let letters = '';
  const add = (letter: string) => {
    if (!letters.includes(letter)) letters += letter;
  };
  const last = Math.min(wanted.length, length + most);
  for (let at = Math.max(0, length - most); at <= last; at++) {
    const cost = distances[own + at] ?? most + 1;
    if (limited(cost + 1, at, search) <= most) return undefined;
    if (at === wanted.length) break;
    if (limited(cost + 1, at + 1, search) <= most) return undefined;
    if (cost <= most) add(wanted[at] ?? '');
    // The last letter of the prefix and the next one may be swapped.
    const isSwapped = length > 0 && at > 0 && name[length - 1] === wanted[at];
    if (isSwapped && (distances[above + at - 1] ?? most + 1) < most) add(wanted[at - 1] ?? '');
  }
  return letters;
}

/** Returns the index of the first name whose letter at a position is not less than the given one. */
function startOfLetter(names: readonly string[], from: number, to: number, position: number, letter: string): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((names[middle]?.[position] ?? '') < letter) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns the index of the first name after `from` with a different character at a position. */
function endOfPrefix(names: readonly string[], from: number, to: number, position: number): number {
  const letter = names[from]?.[position];
  let low = from + 1;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (names[middle]?.[position] === letter) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Computes the edit distances, as `editDistance` does, between the first characters of a name and all prefixes of the wanted name that are not much shorter or longer; returns whether one of them is small. */
function extend(name: string, length: number, search: Search): boolean {
  const { wanted, most } = search;
  const own = length * stride;
  const above = own - stride;
  const twoAbove = above - stride;
  const letter = name[length - 1];
  const before = name[length - 2];
  const many = most + 1;
  const first = Math.max(0, length - most);
  const last = Math.min(wanted.length, length + most);
  if (first > 0) distances[own + first - 1] = many;
  distances[own + last + 1] = many;
  let least = many;
  for (let at = first; at <= last; at++) {
    let cost = at === length + most ? many : (distances[above + at] ?? 0) + 1;
    if (at > 0) {
      cost = Math.min(cost, (distances[own + at - 1] ?? 0) + 1);
      cost = Math.min(cost, (distances[above + at - 1] ?? 0) + (letter === wanted[at - 1] ? 0 : 1));
      if (length > 1 && at > 1 && letter === wanted[at - 2] && before === wanted[at - 1])
        cost = Math.min(cost, (distances[twoAbove + at - 2] ?? 0) + 1);
    }
    distances[own + at] = limited(cost, at, search);
    least = Math.min(least, distances[own + at] ?? many);
  }
  return least <= most;
}
