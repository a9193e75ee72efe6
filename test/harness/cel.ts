/**
 * An evaluator for the part of the Common Expression Language that exported policies use. It follows the language
 * definition (https://github.com/google/cel-spec/blob/master/doc/langdef.md): fields that do not exist are errors except
 * in `has`, and an operand of `||` or `&&` that decides the result absorbs an error of the other one.
 */

import { RE2JS } from 're2js';

type Token = { readonly kind: 'name' | 'string' | 'mark'; readonly text: string };
type Scope = ReadonlyMap<string, unknown>;
type Expression = (scope: Scope) => unknown;

/** Returns a function that evaluates an expression; `object` is its only variable. */
export function compileCel(source: string): (object: unknown) => boolean {
  const parser = new Parser(tokensOf(source));
  const expression = parser.whole();
  return (object) => {
    const result = expression(new Map([['object', object]]));
    if (typeof result !== 'boolean') throw new Error(`The result of ${source} is not a boolean`);
    return result;
  };
}

function tokensOf(source: string): readonly Token[] {
  const tokens: Token[] = [];
  const pattern = /\s+|([A-Za-z_]\w*)|("(?:[^"\\]|\\.)*")|(\|\||&&|==|!=|[!()[\],.])/y;
  while (pattern.lastIndex < source.length) {
    const at = pattern.lastIndex;
    const found = pattern.exec(source);
    if (found === null) throw new Error(`Unexpected character at ${at} of ${source}`);
    const [, name, string, mark] = found;
    if (name !== undefined) tokens.push({ kind: 'name', text: name });
    // The escape sequences of JSON have the same meaning in CEL.
    if (string !== undefined) tokens.push({ kind: 'string', text: String(JSON.parse(string)) });
    if (mark !== undefined) tokens.push({ kind: 'mark', text: mark });
  }
  return tokens;
}

class Parser {
  readonly #tokens: readonly Token[];
  #at = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  whole(): Expression {
    const expression = this.#or();
    if (this.#at < this.#tokens.length) throw new Error(`Unexpected '${this.#tokens[this.#at]?.text}'`);
    return expression;
  }

  #or(): Expression {
    let left = this.#and();
    while (this.#accept('||')) left = absorbing(left, this.#and(), true);
    return left;
  }

  #and(): Expression {
    let left = this.#relation();
    while (this.#accept('&&')) left = absorbing(left, this.#relation(), false);
    return left;
  }

  #relation(): Expression {
    const left = this.#unary();
    if (this.#accept('==')) {
      const right = this.#unary();
      return (scope) => left(scope) === right(scope);
    }
    if (!this.#accept('in')) return left;
    const right = this.#unary();
    return (scope) => {
      const [item, container] = [left(scope), right(scope)];
      if (Array.isArray(container)) return container.includes(item);
      return Object.hasOwn(mapOf(container), String(item));
    };
  }

  #unary(): Expression {
    if (!this.#accept('!')) return this.#member();
    const operand = this.#unary();
    return (scope) => !booleanOf(operand(scope));
  }

  #member(): Expression {
    let value = this.#primary();
    while (true) {
      if (this.#accept('[')) {
        const [map, key] = [value, this.#or()];
        this.#expect(']');
        value = (scope) => fieldOf(map(scope), String(key(scope)));
      } else if (this.#accept('.')) {
        const name = this.#name();
        value = this.#accept('(') ? this.#call(value, name) : selection(value, name);
      } else return value;
    }
  }

  #call(target: Expression, name: string): Expression {
    if (name === 'matches') {
      const pattern = this.#or();
      this.#expect(')');
      // As in Go, `matches` searches the text.
      return (scope) =>
        RE2JS.compile(String(pattern(scope)))
          .matcher(String(target(scope)))
          .find();
    }
    const variable = this.#name();
    this.#expect(',');
    const test = this.#or();
    this.#expect(')');
    if (name !== 'all' && name !== 'exists') throw new Error(`Unknown function '${name}'`);
    return (scope) => {
      const list = target(scope);
      if (!Array.isArray(list)) throw new Error(`'${name}' of a value that is not a list`);
      const holds = (item: unknown) => booleanOf(test(new Map([...scope, [variable, item]])));
      return name === 'all' ? list.every(holds) : list.some(holds);
    };
  }

  #primary(): Expression {
    const token = this.#tokens[this.#at++];
    if (token?.kind === 'string') return () => token.text;
    if (token?.text === '(') {
      const inner = this.#or();
      this.#expect(')');
      return inner;
    }
    if (token?.text === '[') return this.#list();
    if (token?.kind !== 'name') throw new Error(`Unexpected '${token?.text}'`);
    if (token.text === 'null') return () => null;
    if (token.text === 'has') return this.#has();
    return (scope) => {
      if (!scope.has(token.text)) throw new Error(`Unknown variable '${token.text}'`);
      return scope.get(token.text);
    };
  }

  #list(): Expression {
    const items: Expression[] = [];
    while (!this.#accept(']')) {
      items.push(this.#or());
      if (!this.#accept(',')) {
        this.#expect(']');
        break;
      }
    }
    return (scope) => items.map((item) => item(scope));
  }

  /** `has(a.b)` tests whether `b` is set, but fails if `a` does not exist. */
  #has(): Expression {
    this.#expect('(');
    let owner = this.#primary();
    this.#expect('.');
    let name = this.#name();
    while (this.#accept('.')) {
      owner = selection(owner, name);
      name = this.#name();
    }
    this.#expect(')');
    return (scope) => Object.hasOwn(mapOf(owner(scope)), name);
  }

  #name(): string {
    const token = this.#tokens[this.#at++];
    if (token?.kind !== 'name') throw new Error(`Expected a name, not '${token?.text}'`);
    return token.text;
  }

  #accept(text: string): boolean {
    const token = this.#tokens[this.#at];
    if (token === undefined || token.kind === 'string' || token.text !== text) return false;
    this.#at++;
    return true;
  }

  #expect(text: string): void {
    if (!this.#accept(text)) throw new Error(`Expected '${text}', not '${this.#tokens[this.#at]?.text}'`);
  }
}

function selection(owner: Expression, name: string): Expression {
  return (scope) => fieldOf(owner(scope), name);
}

function fieldOf(owner: unknown, name: string): unknown {
  const map = mapOf(owner);
  if (!Object.hasOwn(map, name)) throw new Error(`no such key: ${name}`);
  return map[name];
}

function mapOf(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('not a map');
  return Object.fromEntries(Object.entries(value));
}

function booleanOf(value: unknown): boolean {
  if (typeof value !== 'boolean') throw new Error('not a boolean');
  return value;
}

/** Evaluates `||` (`deciding` is true) or `&&`. */
function absorbing(left: Expression, right: Expression, deciding: boolean): Expression {
  return (scope) => {
    let failure: unknown;
    for (const operand of [left, right])
      try {
        if (booleanOf(operand(scope)) === deciding) return deciding;
      } catch (error) {
        failure = error;
      }
    if (failure !== undefined) throw failure;
    return !deciding;
  };
}
