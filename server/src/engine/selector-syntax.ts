/** Parses a selector text, complete or not, into a syntax tree with the spans of keys, operators and values. */

import { isInteger } from './integers.ts';
import { isLabelKey, isLabelValue, validateLabelKey, validateLabelValue } from './labels.ts';
import { excerpt } from './messages.ts';
import { moved } from './problems.ts';
import { type Placeholder, SelectorLexer } from './selector-lexer.ts';
import type { Operator, Problem, ProblemCode, Requirement, Unknown, Value } from './types.ts';
import { isUnknown } from './types.ts';

/** The role of a token. `not` is the `!` before a key; `unexpected` is a token that is not allowed in its position. */
export type TokenRole = 'not' | 'key' | 'operator' | 'open' | 'value' | 'comma' | 'close' | 'unexpected';

/** A token of a selector text. An empty value (in `x=`, `x in (,a)`) has an empty span at its position. */
export interface Token {
  readonly role: TokenRole;
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** One requirement in its written form, with all parts that can be recognized. */
export interface RequirementNode {
  readonly start: number;
  readonly end: number;
  readonly key?: Token;
  /** The operator, including `!`; absent for `exists`, which has no operator in the text. */
  readonly operator?: Token;
  readonly values: readonly Token[];
  /** The parsed requirement; absent if it is unknown, or if the key or a value is not valid. */
  readonly requirement?: Requirement;
}

export interface SelectorTree {
  /** All tokens in the order of the text, including commas and parentheses, but without empty values. */
  readonly tokens: readonly Token[];
  /** The requirements in the order of the text, which can differ from the order in the selector. */
  readonly requirements: readonly RequirementNode[];
  /** Whether some requirement has an unknown key. */
  readonly open: boolean;
  readonly problems: readonly Problem[];
}

/** Parses a selector in the syntax of `kubectl -l`; `placeholders` are the placeholders in the text. Returns all its tokens and requirements with their spans, and every problem. Invalid text is parsed as completely as possible: `env in (prod,,` still yields `env` and `prod`. There are no problems exactly if `Parse` in k8s.io/apimachinery/pkg/labels returns no error. */
export function parseSelectorTree(text: string, placeholders: readonly Placeholder[] = []): SelectorTree {
  return new SelectorParser(text, placeholders).parse();
}

interface Draft {
  start: number;
  end: number;
  key?: Token;
  operator?: Token;
  readonly values: Token[];
  requirement?: Requirement;
}

/** A recursive descent parser with one method for each part of the grammar. */
class SelectorParser {
  readonly #tokens: Token[] = [];
  readonly #requirements: Draft[] = [];
  readonly #problems: Problem[] = [];
  #open = false;
  readonly #lexer: SelectorLexer;
  readonly #placeholders: readonly Placeholder[];

  constructor(text: string, placeholders: readonly Placeholder[]) {
    this.#lexer = new SelectorLexer(text, placeholders);
    this.#placeholders = placeholders;
  }

  parse(): SelectorTree {
    while (this.#lexeme() !== 'end') this.#part();
    return { tokens: this.#tokens, requirements: this.#requirements, open: this.#open, problems: this.#problems };
  }

  /** Parses one requirement and the comma after it. */
  #part(): void {
    const isMissing = this.#lexeme() === ',';
    if (isMissing) this.#requirementExpected(this.#lexer);
    else this.#requirement();
    if (this.#lexeme() === 'end') return;
    if (this.#lexeme() !== ',') this.#unexpected("',' or the end of the selector", 'unexpected-text', false);
    if (this.#lexeme() !== ',') return;
    const comma = this.#take('comma');
    if (this.#lexeme() === 'end' && !isMissing) this.#requirementExpected(comma);
  }

  #requirement(): void {
    const node: Draft = { start: this.#lexer.start, end: this.#lexer.end, values: [] };
    this.#requirements.push(node);
    if (this.#lexeme() === '!') node.operator = this.#take('not');
    if (this.#lexeme() === 'word') this.#afterKey(node, this.#take('key'));
    else this.#unexpected(node.operator ? "a key after '!'" : 'a key', 'key-expected', false);
    node.end = this.#tokens.at(-1)?.end ?? node.end;
  }

  #afterKey(node: Draft, key: Token): void {
    node.key = key;
    const keyIsSound = this.#checkKey(key);
    const operator = this.#operator(node, key);
    if (operator === undefined) return;
    let listed = true;
    if (operator === 'in' || operator === 'notin') listed = this.#list(node, operator);
    else if (operator !== 'exists' && operator !== '!') listed = this.#oneValue(node);
    const values = this.#values(node.values, operator);
    if (keyIsSound && listed && values) node.requirement = { key: key.text, operator, values };
  }

  #operator(node: Draft, key: Token): Operator | undefined {
    const { lexeme, start, end, text } = this.#lexer;
    if (lexeme === 'end' || lexeme === ',') return node.operator ? '!' : 'exists';
    if (node.operator) {
      this.#problem(
        'not-with-operator',
        `'!' must be followed by a key only: write '${excerpt(key.text)}!=value' to exclude a value`,
        node.operator,
      );
      this.#skip(false);
      return undefined;
    }
    const word = lexeme === 'word' ? text.slice(start, end) : '';
    const operator = lexeme === 'word' ? wordOperators.get(word) : symbolOperators.get(lexeme);
    if (operator) node.operator = this.#take('operator');
    else if (wordOperators.has(word.toLowerCase())) {
      this.#problem(
        'operator-case',
        `operator must be in lower case: write '${word.toLowerCase()}' for '${word}'`,
        this.#lexer,
      );
      node.operator = this.#take('operator');
      if (this.#lexeme() === '(') this.#list(node, word);
    } else this.#unexpected("an operator ('=', '!=', 'in', 'notin', '>' or '<') or ','", 'operator-expected', false);
    return operator;
  }

  /**
   * Parses the value after `=`, `==`, `!=`, `<` or `>`; a missing value is the empty value. Returns false if an
   * unexpected token follows.
   */
  #oneValue(node: Draft): boolean {
    const { lexeme } = this.#lexer;
    if (lexeme === 'word') node.values.push(this.#take('value'));
    else if (lexeme === 'end' || lexeme === ',') node.values.push(notWritten(node.operator?.end ?? this.#lexer.start));
    else this.#unexpected('a value', 'value-expected', false);
    return node.values.length > 0;
  }

  /**
   * Parses the list after `in` and `notin`; an empty item is the empty value. Returns false if the list contains an
   * unexpected token. If the text ends before the list is closed, the complete items are kept.
   */
  #list(node: Draft, operator: string): boolean {
    if (this.#lexeme() !== '(') {
      this.#unexpected(`a list after '${operator}', such as '(a,b)'`, 'list-expected', false);
      return false;
    }
    const open = this.#take('open');
    let sound = true;
    let isValueExpected = true;
    for (;;) {
      const lexeme = this.#lexeme();
      if (lexeme === 'end') {
        this.#problem('list-not-closed', "list must be closed: add ')'", open);
        return sound && node.values.length > 0;
      }
      if (lexeme === 'word' && isValueExpected) {
        node.values.push(this.#take('value'));
        isValueExpected = false;
      } else if (lexeme === ',' || lexeme === ')') {
        if (isValueExpected) node.values.push(notWritten(this.#lexer.start));
        this.#take(lexeme === ',' ? 'comma' : 'close');
        if (lexeme === ')') return sound;
        isValueExpected = true;
      } else {
        this.#unexpected(isValueExpected ? "a value, ',' or ')'" : "',' or ')'", 'unexpected-text', true);
        sound = false;
        isValueExpected = false;
      }
    }
  }

  #checkKey(key: Token): boolean {
    if (this.#unknown(key)) {
      this.#open = true;
      return false;
    }
    if (isLabelKey(key.text)) return true;
    this.#problems.push(...moved(validateLabelKey(key.text), key.start));
    return false;
  }

  /** Returns the values of a requirement. If a value is not valid, reports problems and returns undefined. */
  #values(tokens: readonly Token[], operator: Operator): readonly Value[] | undefined {
    const values: Value[] = [];
    let sound = true;
    for (const token of tokens) {
      const unknown = this.#unknown(token);
      values.push(unknown ?? token.text);
      if (unknown) continue;
      if ((operator === 'gt' || operator === 'lt') && !isInteger(token.text)) {
        const sign = operator === 'gt' ? '>' : '<';
        this.#problem(
          'value-not-integer',
          `value after '${sign}' must be a 64-bit integer, not '${excerpt(token.text)}'`,
          token,
        );
        sound = false;
      }
      if (isLabelValue(token.text)) continue;
      this.#problems.push(...moved(validateLabelValue(token.text), token.start));
      sound = false;
    }
    if (!sound) return undefined;
    return values.length > 1 ? sortedSet(values) : values;
  }

  #unknown(token: Token): Unknown | undefined {
    return this.#placeholders.length === 0 ? undefined : unknownIn(token, this.#placeholders);
  }

  /**
   * Returns the current lexeme. A method is needed because the compiler would assume that the field does not change
   * when `take` advances.
   */
  #lexeme(): SelectorLexer['lexeme'] {
    return this.#lexer.lexeme;
  }

  #take(role: TokenRole): Token {
    const { text, start, end } = this.#lexer;
    const token = { role, text: text.slice(start, end), start, end };
    this.#tokens.push(token);
    this.#lexer.next();
    return token;
  }

  /** Reports an unexpected token, and skips to the next position from which the text can be parsed again. */
  #unexpected(expected: string, code: ProblemCode, inList: boolean): void {
    const { lexeme, start, end, text } = this.#lexer;
    if (lexeme === 'end') {
      this.#problem(code, `expected ${expected}, found the end of the selector`, this.#tokens.at(-1) ?? this.#lexer);
      return;
    }
    this.#problem(
      code,
      `expected ${expected}, found '${excerpt(text.slice(start, end))}' (position ${start + 1})`,
      this.#lexer,
    );
    this.#skip(inList);
  }

  /** Skips to the next comma outside of parentheses or, in a list, to the next comma or the end of the list. */
  #skip(inList: boolean): void {
    let depth = 0;
    while (this.#lexeme() !== 'end') {
      const { lexeme } = this.#lexer;
      if (depth === 0 && (lexeme === ',' || (inList && lexeme === ')'))) return;
      if (lexeme === '(') depth++;
      else if (lexeme === ')' && depth > 0) depth--;
      this.#take('unexpected');
    }
  }

  #requirementExpected(position: Position): void {
    this.#problem(
      'requirement-expected',
      "expected a requirement on both sides of ','; add one or remove the ','",
      position,
    );
  }

  #problem(code: ProblemCode, message: string, { start, end }: Position): void {
    this.#problems.push({ code, message, start, end });
  }
}

interface Position {
  readonly start: number;
  readonly end: number;
}

const wordOperators: ReadonlyMap<string, Operator> = new Map([
  ['in', 'in'],
  ['notin', 'notin'],
]);

const symbolOperators: ReadonlyMap<string, Operator> = new Map([
  ['=', '='],
  ['==', '=='],
  ['!=', '!='],
  ['>', 'gt'],
  ['<', 'lt'],
]);

function notWritten(at: number): Token {
  return { role: 'value', text: '', start: at, end: at };
}

/** Sorts values and removes duplicates, as Kubernetes does; unknown values come last. */
function sortedSet(values: readonly Value[]): readonly Value[] {
  const known = values.filter((value) => typeof value === 'string');
  const unknown = new Map(values.filter(isUnknown).map((value) => [value.unknown, value]));
  return [...new Set(known.sort()), ...unknown.values()];
}

/** Returns the token as an unknown, if it contains placeholders. If a placeholder is the whole token, the unknown has the id of the placeholder, so that it equals the same expression elsewhere; otherwise, its id also includes the text around the placeholders. */
export function unknownIn(
  token: Pick<Token, 'text' | 'start' | 'end'>,
  placeholders: readonly Placeholder[],
): Unknown | undefined {
  let id = '';
  let pattern = '';
  let position = token.start;
  for (let index = firstFrom(placeholders, token.start); index < placeholders.length; index++) {
    const placeholder = placeholders[index];
    if (placeholder === undefined || placeholder.end > token.end) break;
    if (placeholder.start === token.start && placeholder.end === token.end) return { unknown: placeholder.id };
    const known = token.text.slice(position - token.start, placeholder.start - token.start);
    id += `${known}{${placeholder.id}}`;
    pattern += `${known}*`;
    position = placeholder.end;
  }
  if (id === '') return undefined;
  const rest = token.text.slice(position - token.start);
  return { unknown: id + rest, pattern: pattern + rest };
}

/** Returns the index of the first placeholder that begins at `offset` or after it. */
function firstFrom(placeholders: readonly Placeholder[], offset: number): number {
  let low = 0;
  let high = placeholders.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((placeholders[middle]?.start ?? 0) < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}
