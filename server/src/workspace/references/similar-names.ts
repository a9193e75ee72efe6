/** Finds the names in a set that may be misspellings of a name, without comparing the name with each of them. */

import { getOrAdd } from '../../engine/memoize.ts';
import { folded, maximumLetters, numbersIn } from '../../text/misspelling.ts';

/** The maximum length of a name of Kubernetes; longer names are ignored. */
const maximumLength = 253;
const stride = maximumLength + maximumLetters + 2;
/** The rows of edit distances for the prefixes of a name, which each search overwrites. */
const distances = new Uint8Array(stride * stride);

/** The names that contain the same numbers; names with different numbers are variants. */
interface Group {
  /** In the order of their characters, so that texts with the same prefix are neighbors. */
  readonly sorted: readonly string[];
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
    return this.#within(wanted, maximumLetters);
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
  return { byUnified, byFolded, sorted: [...byUnified.keys()].sort() };
}

/** Returns the names of a group, including the wanted name, that differ in at most `most` letters, ignoring the kind of separators. */
function similarIn({ sorted, byUnified }: Group, wanted: string, most: number): readonly string[] {
  for (let letter = 0; letter <= wanted.length; letter++) distances[letter] = Math.min(letter, most + 1);
  const unified: string[] = [];
  collect(sorted, { from: 0, to: sorted.length, length: 0 }, { wanted: unify(wanted), most }, unified);
  return unified.flatMap((each) => byUnified.get(each) ?? []);
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

/** The names from one index to another, which share a prefix of a length. */
interface Prefixed {
  readonly from: number;
  readonly to: number;
  readonly length: number;
}

interface Search {
  readonly wanted: string;
  /** The maximum number of letters that differ. */
  readonly most: number;
}

/** Adds the similar names among those with a prefix. */
function collect(names: readonly string[], { from, to, length }: Prefixed, search: Search, found: string[]) {
  const { wanted, most } = search;
  let next = from;
  const whole = names[next];
  if (whole?.length === length) {
    const isInBand = Math.abs(length - wanted.length) <= most;
    if (isInBand && (distances[length * stride + wanted.length] ?? 0) <= most) found.push(whole);
    next++;
  }
  while (next < to) {
    const end = endOfPrefix(names, next, to, length);
    if (extend(names[next] ?? '', length + 1, search))
      collect(names, { from: next, to: end, length: length + 1 }, search, found);
    next = end;
  }
}

/** Returns the index of the first name after `from` with a different character at a position. */
function endOfPrefix(names: readonly string[], from: number, to: number, position: number): number {
  const letter = names[from]?.[position];
  let [low, high] = [from + 1, to];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (names[middle]?.[position] === letter) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Computes the edit distances, as `editDistance` does, between the first characters of a name and all prefixes of the wanted name that are not much shorter or longer; returns whether one of them is small. */
function extend(name: string, length: number, { wanted, most }: Search): boolean {
  const [own, above, twoAbove] = [length * stride, (length - 1) * stride, (length - 2) * stride];
  const [letter, before] = [name[length - 1], name[length - 2]];
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
    distances[own + at] = cost;
    least = Math.min(least, cost);
  }
  return least <= most;
}
