/** Walks over the lexemes of a selector text of Calico, and collects its tokens, comparisons and problems. */

import { excerpt } from '../messages.ts';
import type { ProblemCode, Value } from '../types.ts';
import type { CalicoLexeme, CalicoSymbol } from './lexer.ts';
import type { CalicoComparison, CalicoFix, CalicoProblem, CalicoRole, CalicoToken } from './types.ts';

interface Range {
  readonly start: number;
  readonly end: number;
}

/** The tokens, comparisons and problems of a text while it is parsed, and the position in it. */
export class CalicoCursor {
  readonly text: string;
  readonly tokens: CalicoToken[] = [];
  readonly comparisons: CalicoComparison[] = [];
  readonly problems: CalicoProblem[] = [];
  readonly #lexemes: readonly CalicoLexeme[];
  readonly #toValue: (token: CalicoToken) => Value;
  #index = 0;

  constructor(text: string, lexemes: readonly CalicoLexeme[], toValue: (token: CalicoToken) => Value) {
    this.text = text;
    this.#lexemes = lexemes;
    this.#toValue = toValue;
    this.#skipBreaks();
  }

  get lexeme(): CalicoLexeme {
    return this.#lexemes[this.#index] ?? { symbol: 'end', start: this.text.length, end: this.text.length };
  }

  get symbol(): CalicoSymbol {
    return this.lexeme.symbol;
  }

  /** Whether the current lexeme is `symbol`. A method, because the compiler would assume that the symbol does not change when `take` advances. */
  is(symbol: CalicoSymbol): boolean {
    return this.symbol === symbol;
  }

  /** Returns the lexeme `ahead` of the current one. */
  peek(ahead: number): CalicoLexeme {
    return this.#lexemes[Math.min(this.#index + ahead, this.#lexemes.length - 1)] ?? this.lexeme;
  }

  /** The text of the current lexeme if it is a word, otherwise the empty text. */
  get word(): string {
    return this.symbol === 'word' ? this.textOf(this.lexeme) : '';
  }

  textOf({ start, end }: Range): string {
    return this.text.slice(start, end);
  }

  /** Returns the meaning of a value: its text, or an unknown. */
  toValue(token: CalicoToken): Value {
    return this.#toValue(token);
  }

  /** Takes the current lexeme, and the following ones up to `count`, as one token. */
  take(role: CalicoRole, count = 1): CalicoToken {
    const first = this.lexeme;
    const last = this.peek(count - 1);
    const { start } = first;
    const { end } = last;
    const text = first.symbol === 'string' ? this.text.slice(start + 1, end - 1) : this.text.slice(start, end);
    const token = { role, text, start, end };
    if (first.symbol !== 'end') this.tokens.push(token);
    this.#index = Math.min(this.#index + count, this.#lexemes.length - 1);
    this.#skipBreaks();
    return token;
  }

  /** Reports a problem; at the end of the text, its range is the last token. */
  problem(code: ProblemCode, message: string, range: Range, fix?: CalicoFix): void {
    const { start, end } = range;
    const last = this.tokens.at(-1);
    const at = start === end && last ? { start: last.start, end: last.end } : { start, end };
    this.problems.push(fix ? { code, message, ...at, fix } : { code, message, ...at });
  }

  /** Reports that something else was expected at the current lexeme. */
  expected(what: string, code: ProblemCode): undefined {
    const { symbol, start } = this.lexeme;
    const found =
      symbol === 'end' ? 'the end of the selector' : `'${excerpt(this.textOf(this.lexeme))}' (position ${start + 1})`;
    this.problem(code, `expected ${what}, found ${found}`, this.lexeme);
    return undefined;
  }

  /** Adds a comparison, with the values that are known, and its equivalent requirement. */
  comparison(parts: Omit<CalicoComparison, 'kind' | 'known' | 'requirement'>): CalicoComparison {
    const known = parts.values.map((value) => this.toValue(value));
    const operator = requirementOperators.get(parts.operator);
    if (parts.key.text.length > maxKeyLength)
      this.problem('name-too-long', `key must be no more than ${maxKeyLength} characters`, parts.key);
    const usable = operator && (parts.operator === 'has' || known.length > 0);
    const comparison: CalicoComparison = {
      kind: 'comparison',
      ...parts,
      known,
      ...(usable ? { requirement: { key: parts.key.text, operator, values: known } } : {}),
    };
    this.comparisons.push(comparison);
    return comparison;
  }

  /** Reports line breaks, which the language does not have, and continues after them. */
  #skipBreaks(): void {
    while (this.symbol === 'break') {
      const { start } = this.lexeme;
      let end = start;
      while (this.symbol === 'break') {
        ({ end } = this.lexeme);
        this.#index++;
      }
      if (this.problems.some(({ code }) => code === 'line-break')) continue;
      const isOuter = this.symbol === 'end' || this.tokens.length === 0;
      const message = isOuter
        ? "line breaks are not allowed in a Calico selector; in YAML, '>-' or '|-' removes the last one"
        : "line breaks are not allowed in a Calico selector; in YAML, '>-' joins lines";
      this.problems.push({ code: 'line-break', message, start, end, fix: { start, end, text: isOuter ? '' : ' ' } });
    }
  }
}

/** The maximum length of a key. */
const maxKeyLength = 512;

/** Whether a text can be a key. */
export function isKeyText(text: string): boolean {
  return /^[A-Za-z0-9_./-]{1,512}$/.test(text);
}

const requirementOperators: ReadonlyMap<string, '=' | '!=' | 'in' | 'notin' | 'exists'> = new Map([
  ['==', '='],
  ['!=', '!='],
  ['in', 'in'],
  ['not in', 'notin'],
  ['has', 'exists'],
]);
