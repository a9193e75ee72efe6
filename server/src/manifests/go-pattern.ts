/** Matches Go's regular expressions, by which the targets of patches and replacements select resources (https://pkg.go.dev/regexp/syntax). A workspace may contain hostile patterns; unlike with JavaScript's regular expressions, the matching time is proportional to the length of the text. This is our own implementation on purpose: docs/architecture.md compares it with re2js, which the tests use as the oracle. */

import { BoundedMap, getOrAdd } from '../engine/memoize.ts';
import { spend } from '../engine/work-budget.ts';
import type { Span } from '../text/span.ts';

/** A function that returns whether the whole pattern matches a text. */
export type Matcher = (text: string) => boolean;

/** A function that returns the matches of the pattern in a text, which do not overlap, as Go's `FindAllStringIndex` does; undefined if the search is too much work. */
export type Finder = (text: string) => readonly Span[] | undefined;

/** The maximum length of a pattern. Patterns that are longer, more deeply nested, or have too many states after repetitions are expanded are not compiled. */
const maximumLength = 1_000;
const maximumDepth = 50;
const maximumStates = 2_000;

const known = new BoundedMap<string, Matcher | undefined>(1_000);

/** Compiles a pattern. Returns undefined if Go rejects the pattern, if it exceeds the limits, if a repetition follows flags (`a(?i)*`), which Go applies to the expression before the flags, and for Unicode classes (`\pL`), since names are ASCII. */
export function matcherOf(pattern: string): Matcher | undefined {
  if (/^[\w-]*$/.test(pattern)) return (text) => text === pattern;
  if (!known.has(pattern)) known.set(pattern, compile(pattern));
  return known.get(pattern);
}

const knownFinders = new BoundedMap<string, Finder | undefined>(1_000);

/** Compiles a pattern that is searched in texts. Returns undefined in the cases in which `matcherOf` does, and for repetitions that prefer few characters (`*?`). */
export function finderOf(pattern: string): Finder | undefined {
  if (!knownFinders.has(pattern)) knownFinders.set(pattern, compileFinder(pattern));
  return knownFinders.get(pattern);
}

type Accepts = (character: string) => boolean;

/** A function that tests the characters before and after a position, such as for `\b`. */
type Holds = (before: string | undefined, after: string | undefined) => boolean;

type Piece =
  | { readonly kind: 'character'; readonly accepts: Accepts }
  | { readonly kind: 'position'; readonly holds: Holds }
  | { readonly kind: 'sequence' | 'choice'; readonly pieces: readonly Piece[] }
  | { readonly kind: 'repeat'; readonly piece: Piece; readonly least: number; readonly most: number };

/**
 * A state of a nondeterministic automaton: it consumes a character, or continues without one, possibly under a
 * condition.
 */
interface State {
  readonly number: number;
  readonly accepts?: Accepts;
  readonly holds?: Holds;
  next: readonly State[];
}

/** The error for an unsupported pattern, which is thrown and caught in this file. */
class Unreadable extends Error {}

interface Automaton {
  readonly first: State;
  readonly last: State;
  readonly hasPositions: boolean;
}

function automatonOf(pattern: string): Automaton | undefined {
  if (pattern.length > maximumLength) return undefined;
  try {
    const piece = new Parser(pattern).whole();
    const last: State = { number: 0, next: [] };
    const linker = new Linker();
    const first = linker.link(piece, last);
    return { first, last, hasPositions: linker.hasPositions };
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}

function compile(pattern: string): Matcher | undefined {
  const automaton = automatonOf(pattern);
  if (automaton === undefined) return undefined;
  const runner = new Runner(automaton);
  return (text) => runner.accepts(text);
}

/** The maximum number of states that a search visits: each character of a text may be the start of a match, for which the text is read again. */
const maximumVisits = 1_000_000;
/** The number of visits that are as much work as a step. */
const visitsOfStep = 10;

function compileFinder(pattern: string): Finder | undefined {
  // A repetition with `?`, and `(?U)`, prefer few characters.
  const automaton = /[*+?}]\?|\(\?[imsU-]{0,10}U/.test(pattern) ? undefined : automatonOf(pattern);
  return automaton && ((text) => new Search(automaton.first, automaton.last, text).matches());
}

class Search {
  readonly #first: State;
  readonly #last: State;
  readonly #text: readonly string[];
  #visits = 0;

  constructor(first: State, last: State, text: string) {
    this.#first = first;
    this.#last = last;
    this.#text = [...text];
  }

  /** Returns the matches: each is the first, and the preferred one of those that start at its position. */
  matches(): readonly Span[] | undefined {
    const found: Span[] = [];
    let at = 0;
    let offset = 0;
    const move = (to: number) => {
      for (; at < to; at++) offset += this.#text[at]?.length ?? 0;
    };
    while (at <= this.#text.length) {
      const end = this.#endOfMatch(at);
      if (this.#visits > maximumVisits) return undefined;
      const start = offset;
      if (end === undefined) move(at + 1);
      else {
        const isEmpty = end === at;
        move(end);
        // Go ignores an empty match directly after another match.
        if (!isEmpty || found.at(-1)?.end !== start) found.push({ start, end: offset });
        if (isEmpty) move(at + 1);
      }
    }
    return found;
  }

  /** Returns the end of the preferred match that starts at an index. The states are kept in the order of preference. */
  #endOfMatch(start: number): number | undefined {
    let reached: readonly State[] = [this.#first];
    let end: number | undefined;
    for (let index = start; reached.length > 0 && this.#visits <= maximumVisits; index++) {
      const seen = new Set<State>();
      const next: State[] = [];
      const character = this.#text[index];
      const waiting = reached.toReversed();
      for (let state = waiting.pop(); state !== undefined; state = waiting.pop()) {
        if (seen.has(state) || state.holds?.(this.#text[index - 1], character) === false) continue;
        seen.add(state);
        if (state === this.#last) {
          end = index;
          // States with a lower preference do not matter.
          break;
        }
        if (state.accepts === undefined) waiting.push(...state.next.toReversed());
        else if (character !== undefined && state.accepts(character)) next.push(...state.next);
      }
      this.#visits += seen.size;
      spend(seen.size / visitsOfStep);
      reached = next;
    }
    return end;
  }
}

/** A set of states that an automaton reaches after a character. */
interface Reached {
  readonly states: readonly State[];
  readonly before: string | undefined;
  /** The sets that are reached after further characters. */
  readonly next: Map<string, Reached>;
  /** Whether the automaton accepts the text up to here; undefined if that is not known yet. */
  isAccepted?: boolean;
}

/** The maximum number of states in all sets that an automaton remembers. */
const maximumRemembered = 5_000;

/** Determines whether an automaton accepts texts. It follows all states simultaneously, so that each character is read once, and remembers the sets of states, because a pattern is matched with hundreds of names. */
class Runner {
  readonly #automaton: Automaton;
  readonly #reached = new Map<string, Reached>();
  #remembered = 0;
  #start: Reached;

  constructor(automaton: Automaton) {
    this.#automaton = automaton;
    this.#start = this.#set([automaton.first], undefined);
  }

  accepts(text: string): boolean {
    let reached = this.#start;
    for (const character of text) {
      reached = reached.next.get(character) ?? this.#after(reached, character);
      if (reached.states.length === 0) return false;
    }
    reached.isAccepted ??= closureOf(reached, undefined).has(this.#automaton.last);
    return reached.isAccepted;
  }

  #after(reached: Reached, character: string): Reached {
    const states = [...closureOf(reached, character)];
    const next = this.#set(
      states.flatMap((state) => (state.accepts?.(character) ? state.next : [])),
      character,
    );
    reached.next.set(character, next);
    return next;
  }

  #set(all: readonly State[], character: string | undefined): Reached {
    const states = [...new Set(all)].toSorted((a, b) => a.number - b.number);
    if (this.#remembered > maximumRemembered) {
      this.#reached.clear();
      this.#remembered = 0;
      this.#start = { states: [this.#automaton.first], before: undefined, next: new Map() };
    }
    const before = this.#automaton.hasPositions ? character : undefined;
    return getOrAdd(this.#reached, `${before} ${states.map(({ number }) => number).join()}`, () => {
      this.#remembered += states.length + 1;
      return { states, before, next: new Map() };
    });
  }
}

/** Returns all states that are reached without a character, before the character `after`. */
function closureOf({ states, before }: Reached, after: string | undefined): ReadonlySet<State> {
  const found = new Set<State>();
  const waiting = [...states];
  for (let state = waiting.pop(); state !== undefined; state = waiting.pop()) {
    if (found.has(state) || state.holds?.(before, after) === false) continue;
    found.add(state);
    if (state.accepts === undefined) waiting.push(...state.next);
  }
  return found;
}

/** Builds the automaton from its end (Thompson's construction). */
class Linker {
  #pieces = 0;
  #states = 0;
  /** Whether the automaton has a condition about the characters around a position. */
  hasPositions = false;

  /** Adds the states of a piece before the state `next`, and returns the state in which the piece starts. */
  link(piece: Piece, next: State): State {
    if (++this.#pieces > maximumStates) throw new Unreadable();
    const number = ++this.#states;
    switch (piece.kind) {
      case 'character':
        return { number, accepts: piece.accepts, next: [next] };
      case 'position':
        this.hasPositions = true;
        return { number, holds: piece.holds, next: [next] };
      case 'sequence':
        return piece.pieces.reduceRight((after, each) => this.link(each, after), next);
      case 'choice':
        return { number, next: piece.pieces.map((each) => this.link(each, next)) };
      case 'repeat': {
        let state = next;
        if (piece.most === Number.POSITIVE_INFINITY) {
          state = { number, next: [] };
          state.next = [this.link(piece.piece, state), next];
        } else {
          for (let count = piece.least; count < piece.most; count++)
            state = { number: ++this.#states, next: [this.link(piece.piece, state), next] };
        }
        for (let count = 0; count < piece.least; count++) state = this.link(piece.piece, state);
        return state;
      }
    }
  }
}

/**
 * The flags that `(?i)`, `(?m)` and `(?s)` enable, up to the end of their group. `(?U)` does not affect whether the
 * whole text matches.
 */
type Flags = Set<string>;

const repetition = /^(?:[*+?]|\{(0|[1-9]\d*)(,(0|[1-9]\d*)?)?\})/;

class Parser {
  #rest: string;
  readonly #names = new Set<string>();

  constructor(pattern: string) {
    this.#rest = pattern;
  }

  whole(): Piece {
    const piece = this.#choice(new Set(), 0);
    if (this.#rest !== '') throw new Unreadable();
    return piece;
  }

  #take(expression: RegExp): RegExpExecArray | undefined {
    const found = expression.exec(this.#rest) ?? undefined;
    this.#rest = this.#rest.slice(found?.[0].length ?? 0);
    return found;
  }

  #choice(around: Flags, depth: number): Piece {
    if (depth > maximumDepth) throw new Unreadable();
    const flags: Flags = new Set(around);
    const pieces: Piece[] = [];
    do pieces.push(this.#sequence(flags, depth));
    while (this.#take(/^\|/));
    return { kind: 'choice', pieces };
  }

  #sequence(flags: Flags, depth: number): Piece {
    const pieces: Piece[] = [];
    while (!/^(?:$|[|)])/.test(this.#rest)) {
      const quoted = this.#take(/^\\Q(.*?)(?:\\E|$)/s);
      if (quoted !== undefined) this.#rest = quoted[1]?.replaceAll(/[!-/:-@[-`{-~]/g, '\\$&') + this.#rest;
      else if (!this.#takeFlags(flags, /^\(\?([imsU]*)(?:-([imsU]+))?\)/)) pieces.push(this.#repeated(flags, depth));
    }
    return { kind: 'sequence', pieces };
  }

  #takeFlags(flags: Flags, expression: RegExp): boolean {
    const found = this.#take(expression);
    for (const flag of found?.[1] ?? '') flags.add(flag);
    for (const flag of found?.[2] ?? '') flags.delete(flag);
    return found !== undefined;
  }

  #repeated(flags: Flags, depth: number): Piece {
    const piece = this.#atom(flags, depth);
    const found = this.#take(repetition);
    if (found === undefined) return piece;
    this.#take(/^\?/);
    const [sign, count = sign === '+' ? 1 : 0, comma, end] = found;
    const least = Number(count);
    const exactly = comma === undefined ? least : Number.POSITIVE_INFINITY;
    const most =
      sign === '?' ? 1 : /^[*+]/.test(sign) ? Number.POSITIVE_INFINITY : end === undefined ? exactly : Number(end);
    // Go also limits repetitions to 1,000.
    if (least > most || least > 1_000 || (Number.isFinite(most) && most > 1_000)) throw new Unreadable();
    return { kind: 'repeat', piece, least, most };
  }

  #atom(flags: Flags, depth: number): Piece {
    if (repetition.test(this.#rest)) throw new Unreadable();
    if (this.#rest.startsWith('(')) return this.#group(flags, depth);
    const position = this.#take(/^(?:[$^]|\\[ABbz])/);
    if (position !== undefined) return { kind: 'position', holds: positionOf(position[0], flags) };
    return { kind: 'character', accepts: this.#accepts(flags) };
  }

  #group(around: Flags, depth: number): Piece {
    const flags: Flags = new Set(around);
    if (!this.#takeFlags(flags, /^\(\?([imsU]*)(?:-([imsU]+))?:/)) {
      const found = this.#take(/^\((?:\?P?<(\w+)>|(?!\?))/);
      const name = found?.[1];
      if (found === undefined || (name !== undefined && this.#names.has(name))) throw new Unreadable();
      if (name !== undefined) this.#names.add(name);
    }
    const piece = this.#choice(flags, depth + 1);
    if (!this.#take(/^\)/)) throw new Unreadable();
    return piece;
  }

  #accepts(flags: Flags): Accepts {
    if (this.#take(/^\./)) return flags.has('s') ? () => true : (character) => character !== '\n';
    if (this.#take(/^\[/)) return this.#class(flags);
    return this.#set(flags) ?? this.#range(flags, /^$/);
  }

  #class(flags: Flags): Accepts {
    const negated = this.#take(/^\^/) !== undefined;
    const parts: Accepts[] = [];
    for (let isFirst = true; isFirst || !this.#take(/^\]/); isFirst = false) {
      const posix = this.#take(/^\[:(\^?)(.*?):\]/s);
      if (posix !== undefined) {
        const [, not = '', name = ''] = posix;
        parts.push(accepting(posixClasses.get(name), flags, not === '^'));
      } else {
        parts.push(this.#set(flags) ?? this.#range(flags, /^-(?!\])/));
      }
    }
    return (character) => parts.some((accepts) => accepts(character)) !== negated;
  }

  #range(flags: Flags, dash: RegExp): Accepts {
    const from = this.#character();
    const to = this.#take(dash)?.[0] ? this.#character() : from;
    if (from > to) throw new Unreadable();
    return ignoringCase(flags, (character) => {
      const code = character.codePointAt(0) ?? 0;
      return from <= code && code <= to;
    });
  }

  /** `\d`, `\W`. */
  #set(flags: Flags): Accepts | undefined {
    const name = this.#take(/^\\([dsw])/i)?.[1];
    return name === undefined ? undefined : accepting(perlClasses.get(name.toLowerCase()), flags, name < 'a');
  }

  /** Parses a character, which may be escaped, and returns its code point. */
  #character(): number {
    const plain = this.#take(/^[^\\]/u);
    if (plain !== undefined) return plain[0].codePointAt(0) ?? 0;
    const octal = this.#take(/^\\([1-7][0-7]{1,2}|0[0-7]{0,2})/)?.[1];
    if (octal !== undefined) return Number.parseInt(octal, 8);
    const hexadecimal = this.#take(/^\\x(?:\{([\dA-Fa-f]+)\}|([\dA-Fa-f]{2}))/);
    const code = Number.parseInt(hexadecimal?.[1] ?? hexadecimal?.[2] ?? '', 16);
    if (code <= 0x10ffff) return code;
    const control = this.#take(/^\\([afnrtv])/)?.[1];
    if (control !== undefined) return controls.get(control) ?? 0;
    const itself = this.#take(/^\\([^\dA-Za-z\u{80}-\u{10FFFF}])/u)?.[1];
    if (itself === undefined) throw new Unreadable();
    return itself.codePointAt(0) ?? 0;
  }
}

function positionOf(written: string, flags: Flags): Holds {
  if (/[bB]/.test(written)) {
    const isWord = (character: string | undefined) => /^\w$/.test(character ?? '');
    return (before, after) => (isWord(before) !== isWord(after)) === (written === '\\b');
  }
  const byLines = flags.has('m') && !written.startsWith('\\');
  const isEdge = (character: string | undefined) => character === undefined || (byLines && character === '\n');
  return written === '^' || written === '\\A' ? (before) => isEdge(before) : (_, after) => isEdge(after);
}

/** Returns a function that accepts the characters of a class; undefined represents a class that Go does not have. */
function accepting(characters: RegExp | undefined, flags: Flags, negated: boolean): Accepts {
  if (characters === undefined) throw new Unreadable();
  const accepts = ignoringCase(flags, (character) => characters.test(character));
  return (character) => accepts(character) !== negated;
}

function ignoringCase(flags: Flags, accepts: Accepts): Accepts {
  if (!flags.has('i')) return accepts;
  // For Go, a letter whose other case has a different number of characters (`ß`, `SS`) has no other case.
  return (character) =>
    [character, character.toLowerCase(), character.toUpperCase()].some(
      (each) => each.length === character.length && accepts(each),
    );
}

const controls: ReadonlyMap<string, number> = new Map([
  ['a', 0x07],
  ['t', 0x09],
  ['n', 0x0a],
  ['v', 0x0b],
  ['f', 0x0c],
  ['r', 0x0d],
]);

const perlClasses: ReadonlyMap<string, RegExp> = new Map([
  ['d', /[0-9]/],
  ['s', /[\t\n\f\r ]/],
  ['w', /[0-9A-Z_a-z]/],
]);

const posixClasses: ReadonlyMap<string, RegExp> = new Map([
  ['alnum', /[0-9A-Za-z]/],
  ['alpha', /[A-Za-z]/],
  ['ascii', /\p{ASCII}/u],
  ['blank', /[\t ]/],
  ['cntrl', /(?=\p{ASCII})\p{Cc}/u],
  ['digit', /[0-9]/],
  ['graph', /[!-~]/],
  ['lower', /[a-z]/],
  ['print', /[ -~]/],
  ['punct', /[!-/:-@[-`{-~]/],
  ['space', /[\t-\r ]/],
  ['upper', /[A-Z]/],
  ['word', /[0-9A-Z_a-z]/],
  ['xdigit', /[0-9A-Fa-f]/],
]);
