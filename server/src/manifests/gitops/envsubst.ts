/** Parses and evaluates Flux variables (`${NAME}`) with defaults and functions. The functions of Flux are different from the functions of a shell. Source: fluxcd/pkg `envsubst/parse`, `envsubst/funcs.go`, `kustomize/kustomize_varsub.go`. */

import { spend } from '../../engine/work-budget.ts';

/** A part of a text: literal text, or a variable. */
type Part = string | Expression;

/** A variable in a text; its offsets are relative to the start of the text. */
export interface Expression {
  readonly start: number;
  readonly end: number;
  readonly name: string;
  readonly nameStart: number;
  /**
   * The operator after the name; empty if there is none, and `#` for the length of the value, where it is written
   * before the name.
   */
  readonly operator: string;
  readonly args: readonly (readonly Part[])[];
}

/** The result of parsing the variables in a text. */
export interface Template {
  readonly parts: readonly Part[];
  /** The offset of the first malformed `${`; Flux rejects an object that contains one. */
  readonly malformedAt?: number;
}

/** The value of a variable: a string, `unknown` if it is set to an unknown value, or undefined if it is not set. */
export type VariableValue = string | { readonly unknown: true } | undefined;

/** A part of the result of a substitution: text, or the source text of a variable whose value is unknown. */
export type Piece = string | { readonly unknown: string };

export interface Substituted {
  readonly pieces: readonly Piece[];
  /** The variables that have neither a value nor a default. Flux 2.9 and later reject them. */
  readonly unset: readonly Expression[];
}

/** Whether a text may contain variables or escaped dollar signs. */
export function mayContainVariables(text: string): boolean {
  return text.includes('${') || text.includes('$$');
}

export function parseVariables(text: string): Template {
  return new Parser(text).parsed();
}

/** Returns all variables in a text in their order, including variables in default values. */
export function variablesIn({ parts }: Template): readonly Expression[] {
  return parts.flatMap((part) =>
    typeof part === 'string' ? [] : [part, ...part.args.flatMap((arg) => variablesIn({ parts: arg }))],
  );
}

/** Substitutes the variables in a text. In a malformed text, nothing is replaced. */
export function substitute(text: string, valueFor: (name: string) => VariableValue): Substituted {
  spend(1 + text.length / charactersOfStep);
  const { parts, malformedAt } = parseVariables(text);
  if (malformedAt !== undefined) return { pieces: [{ unknown: text }], unset: [] };
  const unset: Expression[] = [];
  const evaluation: Evaluation = { text, valueFor, unset };
  return { pieces: parts.map((part) => valueOfPart(part, evaluation)), unset };
}

/** The maximum depth of nested defaults; a deeper default is treated as malformed. */
const maximumDepth = 50;

const operators = [
  ...[':=', ':-', ':?', ':+', '=', ':'],
  ...['^^', '^', ',,', ',', '##', '#', '%%', '%'],
  ...['//', '/#', '/%', '/'],
] as const;

class Parser {
  readonly #text: string;
  #at = 0;
  #malformedAt: number | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  parsed(): Template {
    const parts = this.#parts('', 0);
    const malformedAt = this.#malformedAt;
    return malformedAt === undefined ? { parts } : { parts, malformedAt };
  }

  /**
   * Parses up to one of the characters in `ends`, which is not consumed, or up to the end of the text. `$$` is an escape
   * except in arguments, and all escapes apply in the arguments of a replacement (`hasEscapes`).
   */
  #parts(ends: string, depth: number, hasEscapes = false): readonly Part[] {
    const parts: Part[] = [];
    const text = this.#text;
    let literal = '';
    const flush = () => {
      if (literal !== '') parts.push(literal);
      literal = '';
    };
    while (this.#at < text.length && this.#malformedAt === undefined) {
      const char = text[this.#at] as string; // the offset is within the text
      if (ends.includes(char)) break;
      const next = text[this.#at + 1];
      if (char === '$' && next === '{') {
        flush();
        const expression = this.#expression(depth);
        if (expression !== undefined) parts.push(expression);
      } else if (char === '$' && next === '$' && (depth === 0 || hasEscapes)) {
        literal += '$';
        this.#at += 2;
      } else if (char === '\\' && hasEscapes && (next === '/' || next === '\\')) {
        literal += next;
        this.#at += 2;
      } else {
        literal += char;
        this.#at++;
      }
    }
    flush();
    return parts;
  }

  #expression(depth: number): Expression | undefined {
    const start = this.#at;
    if (depth >= maximumDepth) this.#malformedAt = start;
    if (this.#malformedAt !== undefined) return undefined;
    const text = this.#text;
    this.#at += 2;
    const isLength = text[this.#at] === '#';
    if (isLength) this.#at++;
    const nameStart = this.#at;
    while (/[A-Za-z0-9_]/.test(text[this.#at] ?? '')) this.#at++;
    const name = text.slice(nameStart, this.#at);
    const operator = isLength ? '#' : (operators.find((each) => text.startsWith(each, this.#at)) ?? '');
    const args: (readonly Part[])[] = [];
    if (!isLength && operator !== '') {
      this.#at += operator.length;
      for (const ends of argumentEnds(operator)) {
        args.push(this.#parts(ends, depth + 1, operator.startsWith('/')));
        if (text[this.#at] === '}') break;
        this.#at++;
      }
    }
    if (this.#malformedAt !== undefined) return undefined;
    if (name === '' || text[this.#at] !== '}') {
      this.#malformedAt = start;
      return undefined;
    }
    this.#at++;
    return { start, end: this.#at, name, nameStart, operator: isLength ? 'length' : operator, args };
  }
}

function argumentEnds(operator: string): readonly string[] {
  if (operator.startsWith('/')) return ['/}', '}'];
  if (operator === ':') return [':}', '}'];
  return /^[,^]/.test(operator) ? [] : ['}'];
}

interface Evaluation {
  readonly text: string;
  readonly valueFor: (name: string) => VariableValue;
  readonly unset: Expression[];
}

/** The number of characters that are read or written in one step. */
const charactersOfStep = 20;

/** The number of characters that are compared with a pattern in one step. */
const comparedInStep = 200;

function valueOfPart(part: Part, evaluation: Evaluation): Piece {
  if (typeof part === 'string') return part;
  const { name, start, end, operator, args } = part;
  const { text, valueFor, unset } = evaluation;
  const unknown: Piece = { unknown: text.slice(start, end) };
  const value = valueFor(name);
  if (isDefault(operator)) {
    if (typeof value === 'object') return unknown;
    // Every operator in this family returns a non-empty value, even if a shell would return the argument of the
    // operator instead.
    spend((value?.length ?? 0) / charactersOfStep);
    return value !== undefined && value !== '' ? value : (textOf(args[0], evaluation) ?? unknown);
  }
  if (value === undefined) {
    unset.push(part);
    return unknown;
  }
  if (typeof value === 'object') return unknown;
  spend(value.length / charactersOfStep);
  const texts = args.map((arg) => textOf(arg, evaluation));
  if (texts.some((each) => each === undefined)) return unknown;
  return applied(operator, value, texts as readonly string[]) ?? unknown; // none is undefined
}

/** Whether an operator provides a default for a variable without a value. */
export function isDefault(operator: string): boolean {
  return operator === '=' || (operator.length === 2 && operator.startsWith(':'));
}

/** Returns the text of an argument; undefined if a part of it is unknown. */
function textOf(parts: readonly Part[] | undefined, evaluation: Evaluation): string | undefined {
  let text = '';
  for (const part of parts ?? []) {
    const piece = valueOfPart(part, evaluation);
    if (typeof piece !== 'string') return undefined;
    text += piece;
  }
  return text;
}

/** Returns the result of an operator; undefined if it is uncertain. */
function applied(operator: string, value: string, [first = '', second = '']: readonly string[]): string | undefined {
  switch (operator) {
    case '':
      return value;
    case 'length':
      return isAscii(value) ? String(value.length) : undefined;
    case '^':
      return value.slice(0, 1).toUpperCase() + value.slice(1);
    case '^^':
      return value.toUpperCase();
    case ',':
      return value.slice(0, 1).toLowerCase() + value.slice(1);
    case ',,':
      return value.toLowerCase();
    case ':':
      return isAscii(value) ? substring(value, first, second) : undefined;
    case '/':
      return first === '' ? value : replaceFirst(value, first, second);
    case '//':
      return first === '' ? undefined : value.replaceAll(first, () => second);
    case '/#':
      return value.startsWith(first) ? second + value.slice(first.length) : value;
    case '/%':
      return value.endsWith(first) ? value.slice(0, value.length - first.length) + second : value;
    default:
      return stripped(operator, value, first);
  }
}

function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 127) return false;
  return true;
}

function replaceFirst(value: string, wanted: string, replacement: string): string {
  const at = value.indexOf(wanted);
  return at === -1 ? value : value.slice(0, at) + replacement + value.slice(at + wanted.length);
}

/** Returns the part of a value that the substring operator selects. A position that is not a number leaves the value unchanged; for a negative position, the result is uncertain. */
function substring(value: string, position: string, length: string): string | undefined {
  if (position.startsWith('-') || length.startsWith('-')) return undefined;
  if (!isNumber(position)) return value;
  if (length === '') return value.slice(Number(position));
  return isNumber(length) ? value.slice(Number(position), Number(position) + Number(length)) : value;
}

function isNumber(text: string): boolean {
  return /^[0-9]{1,9}$/.test(text);
}

/** Returns a value without the shortest or longest prefix or suffix that matches a pattern, depending on the operator. */
function stripped(operator: string, value: string, pattern: string): string | undefined {
  // The result is uncertain for patterns with character classes or escapes, and for `*` if the value contains slashes.
  if (/[[\]\\]/.test(pattern) || (pattern.includes('*') && value.includes('/'))) return undefined;
  const lengths = Array.from({ length: value.length + 1 }, (_, length) => length);
  if (operator.length === 2) lengths.reverse();
  const isStart = operator.startsWith('#');
  for (const length of lengths) {
    spend((length * (1 + pattern.length)) / comparedInStep);
    const cut = isStart ? value.slice(0, length) : value.slice(value.length - length);
    if (matches(pattern, cut)) return isStart ? value.slice(length) : value.slice(0, value.length - length);
  }
  return value;
}

/** Whether a text matches a pattern with the wildcards `*` and `?`. */
function matches(pattern: string, text: string): boolean {
  let [at, index, star, mark] = [0, 0, -1, 0];
  while (index < text.length) {
    const char = pattern[at];
    if (char === '*') {
      star = at++;
      mark = index;
    } else if (char === '?' || char === text[index]) {
      at++;
      index++;
    } else if (star !== -1) {
      at = star + 1;
      index = ++mark;
    } else return false;
  }
  while (pattern[at] === '*') at++;
  return at === pattern.length;
}
