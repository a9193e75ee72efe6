/**
 * Does a name match a pattern, as a patch's target writes it? Go's regular expressions, as far as people use them, matched
 * in linear time. A pattern with more than that is undefined: nobody knows what it matches.
 */

/** True for a text that the whole pattern matches. */
export type Matcher = (text: string) => boolean;

/** Longer patterns, and those that stand for more states, are not read. */
const maximumStates = 2_000;

const known = new Map<string, Matcher | undefined>();

/** The matcher of a pattern; undefined where it uses what we do not read. */
export function matcherOf(pattern: string): Matcher | undefined {
  if (/^[\w-]*$/.test(pattern)) return (text) => text === pattern;
  if (!known.has(pattern)) {
    if (known.size > 1_000) known.clear();
    known.set(pattern, compile(pattern));
  }
  return known.get(pattern);
}

type Accepts = (character: string) => boolean;

/** A state reads a character, or goes on to others; the last one has neither. */
interface State {
  accepts?: Accepts;
  next: State[];
  /** Only at the start or the end of the text. */
  at?: 'start' | 'end';
}

interface Piece {
  readonly first: State;
  readonly last: State;
}

function compile(pattern: string): Matcher | undefined {
  try {
    const parser = new Parser(pattern);
    const { first, last } = parser.whole();
    return (text) => runs(first, last, text);
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}

class Unreadable extends Error {}

function runs(first: State, last: State, text: string): boolean {
  let states = new Set<State>();
  const follow = (state: State, index: number, into: Set<State>) => {
    const waiting = [state];
    for (let each = waiting.pop(); each !== undefined; each = waiting.pop()) {
      if (into.has(each)) continue;
      if ((each.at === 'start' && index > 0) || (each.at === 'end' && index < text.length)) continue;
      into.add(each);
      if (each.accepts === undefined) waiting.push(...each.next);
    }
  };
  follow(first, 0, states);
  for (let index = 0; index < text.length && states.size > 0; index++) {
    const character = text[index] ?? '';
    const after = new Set<State>();
    for (const state of states) {
      if (state.accepts?.(character)) for (const next of state.next) follow(next, index + 1, after);
    }
    states = after;
  }
  return states.has(last);
}

class Parser {
  readonly #pattern: string;
  #at = 0;
  #states = 0;

  constructor(pattern: string) {
    this.#pattern = pattern;
  }

  whole(): Piece {
    const piece = this.#choice(0);
    if (this.#at < this.#pattern.length) throw new Unreadable();
    return piece;
  }

  #state(): State {
    if (++this.#states > maximumStates) throw new Unreadable();
    return { next: [] };
  }

  #choice(depth: number): Piece {
    if (depth > 50) throw new Unreadable();
    const first = this.#state();
    const last = this.#state();
    do {
      const piece = this.#sequence(depth);
      first.next.push(piece.first);
      piece.last.next.push(last);
    } while (this.#take('|'));
    return { first, last };
  }

  #sequence(depth: number): Piece {
    const first = this.#state();
    let last = first;
    while (this.#at < this.#pattern.length && !'|)'.includes(this.#pattern[this.#at] ?? '')) {
      const piece = this.#repeated(depth);
      last.next.push(piece.first);
      last = piece.last;
    }
    return { first, last };
  }

  #repeated(depth: number): Piece {
    const start = this.#at;
    const piece = this.#atom(depth);
    const counts = this.#take('*') ? [0, -1] : this.#take('+') ? [1, -1] : this.#take('?') ? [0, 1] : this.#counts();
    if (counts === undefined) return piece;
    this.#take('?');
    const end = this.#at;
    const [least = 0, most = -1] = counts;
    const again = (): Piece => {
      this.#at = start;
      return this.#atom(depth);
    };
    const repeated = this.#times(piece, least, most, again);
    this.#at = end;
    return repeated;
  }

  #times(piece: Piece, least: number, most: number, again: () => Piece): Piece {
    if (least > 100 || most > 100) throw new Unreadable();
    const first = this.#state();
    const last = this.#state();
    let at = first;
    for (let count = 0; count < Math.max(least, most, 1); count++) {
      const each = count === 0 ? piece : again();
      if (count >= least) at.next.push(last);
      at.next.push(each.first);
      if (most === -1 && count + 1 >= Math.max(least, 1)) each.last.next.push(each.first);
      at = each.last;
    }
    if (most !== 0) at.next.push(last);
    return { first, last };
  }

  #counts(): readonly number[] | undefined {
    const found = /^\{(\d{1,4})(,(\d{0,4}))?\}/.exec(this.#pattern.slice(this.#at, this.#at + 12));
    if (found === null) return undefined;
    this.#at += found[0].length;
    const [, least = '', comma, most = ''] = found;
    return [Number(least), comma === undefined ? Number(least) : most === '' ? -1 : Number(most)];
  }

  #atom(depth: number): Piece {
    const character = this.#pattern[this.#at++] ?? '';
    switch (character) {
      case '(': {
        if (this.#take('?') && !this.#take(':')) throw new Unreadable();
        const piece = this.#choice(depth + 1);
        if (!this.#take(')')) throw new Unreadable();
        return piece;
      }
      case '[':
        return this.#reads(this.#characters());
      case '.':
        return this.#reads((each) => each !== '\n');
      case '^':
        return this.#anchor('start');
      case '$':
        return this.#anchor('end');
      case '\\':
        return this.#reads(this.#escape());
      case '*':
      case '+':
      case '?':
        throw new Unreadable();
      default:
        return this.#reads((each) => each === character);
    }
  }

  #reads(accepts: Accepts): Piece {
    const first = this.#state();
    const last = this.#state();
    first.accepts = accepts;
    first.next.push(last);
    return { first, last };
  }

  #anchor(at: 'start' | 'end'): Piece {
    const state = this.#state();
    state.at = at;
    return { first: state, last: state };
  }

  #escape(): Accepts {
    const character = this.#pattern[this.#at++] ?? '';
    const accepts = classes[character];
    if (accepts !== undefined) return accepts;
    if (character === '' || /[A-Za-z0-9]/.test(character)) throw new Unreadable();
    return (each) => each === character;
  }

  #characters(): Accepts {
    const negated = this.#take('^');
    const parts: Accepts[] = [];
    for (let isFirst = true; isFirst || this.#pattern[this.#at] !== ']'; isFirst = false) {
      const character = this.#pattern[this.#at++];
      if (character === undefined || (character === '[' && this.#pattern[this.#at] === ':')) throw new Unreadable();
      if (character === '\\') {
        parts.push(this.#escape());
        continue;
      }
      const next = this.#pattern[this.#at + 1];
      if (this.#pattern[this.#at] === '-' && next !== undefined && next !== ']' && next !== '\\') {
        this.#at += 2;
        parts.push((each) => each >= character && each <= next);
      } else {
        parts.push((each) => each === character);
      }
    }
    this.#at++;
    return (each) => parts.some((accepts) => accepts(each)) !== negated;
  }

  #take(character: string): boolean {
    if (this.#pattern[this.#at] !== character) return false;
    this.#at++;
    return true;
  }
}

const isDigit: Accepts = (each) => each >= '0' && each <= '9';
const isWord: Accepts = (each) => /\w/.test(each);
const isBlank: Accepts = (each) => /[\t\n\f\r ]/.test(each);

const classes: Readonly<Record<string, Accepts>> = {
  d: isDigit,
  D: (each) => !isDigit(each),
  w: isWord,
  W: (each) => !isWord(each),
  s: isBlank,
  S: (each) => !isBlank(each),
};
