/**
 * Finds regular expressions that can take more than linear time. An expression becomes an automaton of its character
 * positions; if a text can be matched by one loop, then by another, and by the first before it, a backtracking matcher
 * tries every split.
 *
 * The package `recheck` does not replace it: its pure build (4.5.0) has no result for 25 of the 447 expressions here
 * (lookarounds that it does not support, and timeouts at large bounds such as `{0,1000}`), and needs 40 seconds for
 * all. It agrees on the other 422.
 */

/** Sets of characters, as bits: one for each sample. */
type Characters = bigint;

type Node =
  | { readonly kind: 'characters'; readonly set: Characters }
  | { readonly kind: 'sequence' | 'choice'; readonly parts: readonly Node[] }
  | { readonly kind: 'repeat'; readonly part: Node; readonly least: number; readonly most: number }
  | { readonly kind: 'assertion'; readonly text: string; readonly inside?: Node };

const samples = [
  ...Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)),
  'é',
  'Ω',
  '字',
  '\u00A0',
  '\u2028',
  '\uFEFF',
];
const everything: Characters = (1n << BigInt(samples.length)) - 1n;

/** The characters that one atom matches, determined by the regular expression engine itself. */
function charactersOf(atom: string, flags: string): Characters {
  const pattern = new RegExp(`^(?:${atom})$`, flags.replaceAll(/[gmy]/g, ''));
  return samples.reduce((set, sample, index) => (pattern.test(sample) ? set | (1n << BigInt(index)) : set), 0n);
}

class Parser {
  readonly #source: string;
  readonly #flags: string;
  #at = 0;

  constructor(source: string, flags: string) {
    this.#source = source;
    this.#flags = flags;
  }

  choice(): Node {
    const parts = [this.#sequence()];
    while (this.#take(/\|/y) !== undefined) parts.push(this.#sequence());
    return parts.length === 1 && parts[0] !== undefined ? parts[0] : { kind: 'choice', parts };
  }

  #sequence(): Node {
    const parts: Node[] = [];
    while (this.#at < this.#source.length && !/[|)]/.test(this.#source[this.#at] ?? '')) parts.push(this.#repeated());
    return { kind: 'sequence', parts };
  }

  #repeated(): Node {
    const part = this.#atom();
    const sign = this.#take(/[*+?]\??|\{\d+(?:,\d*)?\}\??/y);
    if (sign === undefined) return part;
    const [, least = '0', comma, most = ''] = /^\{(\d+)(,)?(\d*)/.exec(sign) ?? [];
    if (sign[0] === '?') return { kind: 'repeat', part, least: 0, most: 1 };
    if (sign[0] === '*' || sign[0] === '+')
      return { kind: 'repeat', part, least: sign[0] === '+' ? 1 : 0, most: Infinity };
    const bound = comma === undefined ? Number(least) : Number(most || Infinity);
    return { kind: 'repeat', part, least: Number(least), most: bound };
  }

  #atom(): Node {
    const assertion = this.#take(/\^|\$|\\[bB]/y);
    if (assertion !== undefined) return { kind: 'assertion', text: assertion };
    const look = this.#take(/\(\?<?[=!]/y);
    if (look !== undefined) return { kind: 'assertion', text: look, inside: this.#closed() };
    if (this.#take(/\((?:\?:|\?<\w+>)?/y) !== undefined) return this.#closed();
    const atom =
      this.#take(/\[(?:[^\]\\]|\\.)*\]|\\[pPu]\{[^}]*\}|\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}|\\?[\s\S]/y) ?? '';
    const set = /^\\(?:[1-9]|k)/.test(atom) ? everything : charactersOf(atom, this.#flags);
    return { kind: 'characters', set };
  }

  #closed(): Node {
    const inside = this.choice();
    if (this.#take(/\)/y) === undefined) throw new Error(`${this.#source} cannot be read`);
    return inside;
  }

  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#source)?.[0];
    this.#at += found?.length ?? 0;
    return found;
  }
}

/** The positions of a part. */
interface Ends {
  readonly first: readonly number[];
  /** The positions at which it can begin only at the start of a line or of the text. */
  readonly tied: readonly number[];
  readonly last: readonly number[];
  readonly nullable: boolean;
  /** Whether the next part is at a start, if this part is empty. */
  readonly ties: boolean;
  /** It ends under a condition, such as the end of the text. */
  readonly conditional: boolean;
}

class Automaton {
  readonly sets: Characters[] = [];
  readonly next: Set<number>[] = [];
  /** Transitions that are possible in two ways, as those of a loop in a loop. */
  readonly doubled: (readonly [from: number, to: number])[] = [];

  position(set: Characters): number {
    this.sets.push(set);
    this.next.push(new Set());
    return this.sets.length - 1;
  }

  link(from: readonly number[], to: readonly number[]): void {
    for (const each of from) {
      for (const other of to) {
        if (this.next[each]?.has(other)) this.doubled.push([each, other]);
        this.next[each]?.add(other);
      }
    }
  }

  add(node: Node): Ends {
    switch (node.kind) {
      case 'assertion':
        return { ...nothing, ties: node.text === '^', conditional: node.text !== '^' };
      case 'characters':
        return { ...nothing, nullable: false, ...this.#single(node.set) };
      case 'choice': {
        const parts = node.parts.map((part) => this.add(part));
        return {
          first: parts.flatMap((part) => part.first),
          tied: parts.flatMap((part) => part.tied),
          last: parts.flatMap((part) => part.last),
          nullable: parts.some((part) => part.nullable),
          ties: parts.every((part) => part.ties || !part.nullable) && parts.some((part) => part.ties),
          conditional: parts.some((part) => part.conditional),
        };
      }
      case 'sequence':
        return node.parts.map((part) => this.add(part)).reduce((before, part) => this.#joined(before, part), nothing);
      case 'repeat':
        return this.#repeated(node);
    }
  }

  #single(set: Characters) {
    const position = this.position(set);
    return { first: [position], last: [position] };
  }

  #joined(before: Ends, part: Ends): Ends {
    this.link(before.last, [...part.first, ...part.tied]);
    const reached = before.nullable ? part.first : [];
    return {
      first: [...before.first, ...(before.ties ? [] : reached)],
      tied: [...before.tied, ...(before.ties ? reached : []), ...(before.nullable ? part.tied : [])],
      last: part.nullable ? [...before.last, ...part.last] : part.last,
      nullable: before.nullable && part.nullable,
      ties: before.ties || part.ties,
      conditional: part.conditional || (part.nullable && before.conditional),
    };
  }

  /** A bounded repetition costs its bound at most, so two copies are sufficient. */
  #repeated({ part, least, most }: Node & { readonly kind: 'repeat' }): Ends {
    const copies = most === Number.POSITIVE_INFINITY ? 1 : Math.min(most, 2);
    let ends = nothing;
    for (let copy = 0; copy < copies; copy++) {
      const inner = this.add(part);
      if (most === Number.POSITIVE_INFINITY) this.link(inner.last, [...inner.first, ...inner.tied]);
      const optional = copy >= least;
      ends = this.#joined(ends, { ...inner, nullable: inner.nullable || optional, ties: inner.ties && !optional });
    }
    return ends;
  }
}

const nothing: Ends = { first: [], tied: [], last: [], nullable: true, ties: false, conditional: false };

/** True if some text costs more than linear time. `literal` is the source text: `/a+b/g`. */
export function isSuperLinear(literal: string): boolean {
  const [, source = '', flags = ''] = /^\/([\s\S]*)\/([a-z]*)$/.exec(literal) ?? [];
  const tree = new Parser(source, flags).choice();
  const isCostly = isAmbiguous(tree, flags) || lookarounds(tree).some((inside) => isAmbiguous(inside, 'y'));
  return isCostly || hasLongLookbehind(tree);
}

/**
 * Whether a lookbehind matches a run of characters from each of them. It does not after a lookahead for a character
 * that is not in the run: then each run is matched once, from its end.
 */
function hasLongLookbehind(node: Node, before?: Node): boolean {
  if (node.kind === 'characters') return false;
  if (node.kind === 'repeat') return hasLongLookbehind(node.part);
  if (node.kind !== 'assertion')
    return node.parts.some((part, index) => hasLongLookbehind(part, node.parts[index - 1]));
  if (node.inside === undefined) return false;
  if (!node.text.startsWith('(?<')) return hasLongLookbehind(node.inside);
  const next = before?.kind === 'assertion' && before.text === '(?=' ? before.inside : undefined;
  const [only, ...others] = next?.kind === 'sequence' ? next.parts : [];
  const wanted = only?.kind === 'characters' && others.length === 0 ? only.set : everything;
  return loopsIn(node.inside).some((set) => (set & wanted) !== 0n);
}

/** The characters of every loop without a bound. */
function loopsIn(node: Node): readonly Characters[] {
  if (node.kind === 'characters') return [];
  if (node.kind === 'assertion') return node.inside === undefined ? [] : loopsIn(node.inside);
  if (node.kind === 'repeat')
    return node.most === Number.POSITIVE_INFINITY ? [charactersIn(node.part)] : loopsIn(node.part);
  return node.parts.flatMap(loopsIn);
}

function charactersIn(node: Node): Characters {
  if (node.kind === 'characters') return node.set;
  if (node.kind === 'assertion') return 0n;
  const parts = node.kind === 'repeat' ? [node.part] : node.parts;
  return parts.reduce((set, part) => set | charactersIn(part), 0n);
}

function lookarounds(node: Node): readonly Node[] {
  if (node.kind === 'assertion') return node.inside === undefined ? [] : [node.inside, ...lookarounds(node.inside)];
  if (node.kind === 'repeat') return lookarounds(node.part);
  return node.kind === 'characters' ? [] : node.parts.flatMap(lookarounds);
}

function isAmbiguous(tree: Node, flags: string): boolean {
  const automaton = new Automaton();
  const ends = automaton.add(tree);
  const inside = automaton.next.map((_, position) => position);
  const certain = certainOf(automaton, ends);
  const exponential = automaton.doubled.some(([from, to]) => !certain.has(from) && reaches(automaton, to, from));
  if (exponential) return true;
  addSearch(automaton, ends, flags);
  const all = automaton.next.map((_, position) => position);
  const looping = all.filter((position) => reaches(automaton, position, position));
  const ending = looping.filter((position) => inside.includes(position) && !certain.has(position));
  return looping.some((p) => ending.some((q) => p !== q && isPumped(automaton, p, q)));
}

/**
 * The positions from which the whole is certain to match: the last ones, if no condition follows. With a condition at
 * the end, the loop that matches every character up to it, and the positions that may end and may continue with that
 * loop.
 */
function certainOf({ sets, next }: Automaton, { last, conditional }: Ends): ReadonlySet<number> {
  if (!conditional) return new Set(last);
  const matchesAll = last.filter((position) => sets[position] === everything && next[position]?.has(position));
  return new Set(last.filter((each) => matchesAll.some((loop) => loop === each || next[each]?.has(loop))));
}

/** A search begins at every character, unless the expression is tied to the start of the text or of a line. */
function addSearch(automaton: Automaton, { first, tied }: Ends, flags: string): void {
  if (flags.includes('y')) return;
  const anywhere = automaton.position(everything);
  automaton.link([anywhere], [anywhere, ...first]);
  if (!flags.includes('m')) return;
  const lineStart = automaton.position(charactersOf('[\\n\\r]', ''));
  automaton.link([anywhere, lineStart], [lineStart]);
  automaton.link([lineStart], [...tied, anywhere]);
}

function reaches({ next }: Automaton, from: number, to: number): boolean {
  const seen = new Set<number>();
  const waiting = [...(next[from] ?? [])];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    if (at === to) return true;
    if (seen.has(at)) continue;
    seen.add(at);
    waiting.push(...(next[at] ?? []));
  }
  return false;
}

/** Whether there is a text that leads from p to p, from p to q and from q to q. */
function isPumped({ sets, next }: Automaton, p: number, q: number): boolean {
  const size = sets.length;
  const seen = new Set<number>();
  const waiting: (readonly [number, number, number])[] = [[p, p, q]];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    for (const a of next[at[0]] ?? []) {
      for (const b of next[at[1]] ?? []) {
        const both = (sets[a] ?? 0n) & (sets[b] ?? 0n);
        if (both === 0n) continue;
        for (const c of next[at[2]] ?? []) {
          if ((both & (sets[c] ?? 0n)) === 0n) continue;
          if (a === p && b === q && c === q) return true;
          const key = (a * size + b) * size + c;
          if (seen.has(key)) continue;
          seen.add(key);
          waiting.push([a, b, c]);
        }
      }
    }
  }
  return false;
}
