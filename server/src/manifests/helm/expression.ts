/** Parses the tokens of a template action into an expression of operands and function calls. */

import type { Token } from './actions.ts';

export type Expression =
  /** A constant; `isFloat` is set for a number with a fraction or an exponent. */
  | { readonly kind: 'literal'; readonly value: string | number | boolean | null; readonly isFloat?: true }
  /** The dot (`.`) and fields of it; the root (`$`), or a variable (`$name`). */
  | { readonly kind: 'dot' }
  | { readonly kind: 'variable'; readonly name: string }
  /** A field; `ofGroup` is set for the field of an expression in parentheses, `isPiped` for a field that is itself in parentheses, or piped. */
  | {
      readonly kind: 'field';
      readonly of: Expression;
      readonly name: string;
      readonly ofGroup?: true;
      readonly isPiped?: true;
    }
  | { readonly kind: 'call'; readonly name: string; readonly parameters: readonly Expression[] };

/** The maximum depth of nested expressions. */
const maximumDepth = 100;

/** Parses all tokens as one expression; undefined if they are not an expression. */
export function expressionOf(tokens: readonly Token[]): Expression | undefined {
  const parser = new ExpressionParser(tokens);
  const expression = parser.pipeline(0);
  return parser.done ? expression : undefined;
}

class ExpressionParser {
  readonly #tokens: readonly Token[];
  #at = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  get done(): boolean {
    return this.#at === this.#tokens.length;
  }

  pipeline(depth: number): Expression | undefined {
    let piped = depth > maximumDepth ? undefined : this.#command(depth, undefined);
    while (piped !== undefined && this.#isMark('|')) {
      this.#at++;
      piped = this.#command(depth, asPiped(piped));
    }
    return piped;
  }

  #isMark(text: string): boolean {
    const token = this.#tokens[this.#at];
    return token?.kind === 'mark' && token.text === text;
  }

  /** Returns a function call with its parameters; a piped value is the last parameter. */
  #command(depth: number, piped: Expression | undefined): Expression | undefined {
    const first = this.#tokens[this.#at];
    const operands: Expression[] = [];
    const isCall = first?.kind === 'word' && !constants.has(first.text);
    if (isCall) this.#at++;
    for (let next = this.#operand(depth); next !== undefined; next = this.#operand(depth)) operands.push(next);
    if (!isCall) {
      if (piped !== undefined) operands.push(piped);
      // A method call with parameters, such as `.Capabilities.APIVersions.Has "policy/v1"`.
      return operands.length > 1 ? { kind: 'call', name: 'call', parameters: operands } : operands[0];
    }
    if (piped !== undefined) operands.push(piped);
    return { kind: 'call', name: first.text, parameters: operands };
  }

  #operand(depth: number): Expression | undefined {
    const token = this.#tokens[this.#at];
    if (token === undefined) return undefined;
    const start = this.#at++;
    let operand: Expression | undefined;
    if (token.kind === 'text') operand = { kind: 'literal', value: token.text };
    else if (token.kind === 'number') operand = numberLiteral(token.text);
    else if (token.kind === 'variable') operand = { kind: 'variable', name: token.text.slice(1) };
    else if (token.kind === 'path') operand = fieldOf({ kind: 'dot' }, token.text);
    else if (token.kind === 'word') {
      const constant = constants.get(token.text);
      // A name that is used as an operand is a call of a function without parameters.
      operand =
        constant === undefined
          ? { kind: 'call', name: token.text, parameters: [] }
          : { kind: 'literal', value: constant };
    } else if (token.text === '(') {
      operand = this.pipeline(depth + 1);
      if (operand !== undefined && this.#isMark(')')) this.#at++;
      else operand = undefined;
    }
    if (operand === undefined) {
      this.#at = start;
      return undefined;
    }
    const isGroup = token.text === '(';
    const found = this.#fields(operand, isGroup);
    return isGroup && found === operand ? asPiped(found) : found;
  }

  /** Parses the fields (`.name`) that directly follow an operand. */
  #fields(operand: Expression, isGroup: boolean): Expression {
    let found = operand;
    for (let next = this.#tokens[this.#at]; next?.kind === 'path' && !next.apart; next = this.#tokens[this.#at]) {
      const field = fieldOf(found, next.text);
      found = isGroup && found === operand && field.kind === 'field' ? { ...field, ofGroup: true } : field;
      this.#at++;
    }
    return found;
  }
}

const constants = new Map<string, boolean | null>([
  ['true', true],
  ['false', false],
  ['nil', null],
]);

function asPiped(expression: Expression): Expression {
  return expression.kind === 'field' ? { ...expression, isPiped: true } : expression;
}

function fieldOf(of: Expression, path: string): Expression {
  const name = path.slice(1);
  return name === '' ? of : { kind: 'field', of, name };
}

/** Parses a number of Go, such as `-0x1F` or `017`; undefined for an imaginary number. */
function numberLiteral(text: string): Expression | undefined {
  const [, sign = '', written = ''] = /^([-+]?)(.*)$/.exec(text.replaceAll('_', '')) ?? [];
  const size = /^0[0-7]+$/.test(written) ? Number.parseInt(written, 8) : Number(written);
  if (Number.isNaN(size)) return undefined;
  const value = sign === '-' ? -size : size;
  const isFloat = /^[^x]*[.e]/i.test(text);
  return { kind: 'literal', value, ...(isFloat && { isFloat }) };
}
