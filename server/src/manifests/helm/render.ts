/**
 * What do the templates of a chart write, as far as its files tell? Helpers are put in where they are included; what
 * somebody may choose stays an action, written the same wherever it is the same value.
 */

import { hashOf } from '../../text/hash.ts';
import { quotedText } from './actions.ts';
import { codeOf, dictionary, indented, isSettled, writtenBy } from './call.ts';
import type { Expression } from './expression.ts';
import { applied, isUnsteady } from './functions.ts';
import { hasEntries, join, type Output, onlyAction, writeBlock } from './output.ts';
import type { BlockNode, DefineNode, TemplateNode } from './syntax.ts';
import { action, type Data, inParentheses, isScalar, isTrue, known, open, textOf, type Value } from './value.ts';

/** What a chart knows. */
export interface ChartFacts {
  /** Undefined for a helper that is not in these files. */
  definition(name: string): Pick<DefineNode, 'body'> | undefined;
  /** The values that somebody may choose, with those of the chart where nobody does. */
  readonly values: Value;
  /** `.Chart`. */
  readonly chart: Value;
}

/** What a template writes where an action stands, and what decides whether it is there. */
export interface Rendered {
  /** By where the action begins. */
  readonly outputs: ReadonlyMap<number, Written>;
  /** By where the action begins that opens a region: `if .Values.web.enabled`. */
  readonly conditions: ReadonlyMap<number, string>;
  /** Helpers that are not in these files and that nobody asked for before, by name: where one is first included. */
  readonly missing: ReadonlyMap<string, number>;
}

/** What an action writes. */
export type Written = Pick<Value, 'code' | 'text'>;

/** What is longer, deeper or takes more steps is left as an action. */
const limits = { depth: 40, steps: 20_000, length: 60_000, code: 5_000 };

class Scope {
  readonly dot: Value;
  readonly root: Value;
  readonly parent: Scope | undefined;
  /** It may not be entered at all: what it sets outside of itself is not certain. */
  readonly uncertain: boolean;
  readonly variables = new Map<string, Value>();

  constructor(dot: Value, root: Value, parent?: Scope, uncertain = false) {
    this.dot = dot;
    this.root = root;
    this.parent = parent;
    this.uncertain = uncertain;
  }

  find(name: string): Value | undefined {
    return this.variables.get(name) ?? this.parent?.find(name);
  }
}

/** Renders the templates of one chart. */
export class Renderer {
  readonly #facts: ChartFacts;
  readonly #included = new Map<string, Output>();
  /** With the defaults of the chart: what each action writes that was left. */
  readonly #assumed = new Map<string, string>();
  #steps = 0;
  #depth = 0;
  #unsteady = 0;
  /** Where the action stands that is looked at. */
  #place = '';
  #at = 0;
  /** Helpers that were missed, in all files. */
  readonly #missed = new Set<string>();
  #missing = new Map<string, number>();

  constructor(facts: ChartFacts) {
    this.#facts = facts;
  }

  /** What an action that was left writes with the defaults of the chart. */
  assumed(code: string): string | undefined {
    return this.#assumed.get(code);
  }

  /** `file` tells its actions from those of other files. */
  render(nodes: readonly TemplateNode[], file: string): Rendered {
    const outputs = new Map<number, Written>();
    const conditions = new Map<number, string>();
    const root = this.#root(file);
    const missing = new Map<string, number>();
    this.#missing = missing;
    this.#walk(nodes, new Scope(root, root), { outputs, conditions, file });
    return { outputs, conditions, missing };
  }

  #root(file: string): Value {
    const { values, chart } = this.#facts;
    const release = open('.Release');
    const fields: Readonly<Record<string, Value>> = {
      Values: values,
      Chart: chart,
      Release: {
        ...release,
        field: (name) => (name === 'Service' ? known('Helm') : release.field(name)),
      },
      // The same words are another name in every file.
      Template: open(`.Template(${quotedText(file)})`),
    };
    const root = open('.');
    return { ...root, field: (name) => (Object.hasOwn(fields, name) ? fields[name] : undefined) ?? root.field(name) };
  }

  #walk(
    nodes: readonly TemplateNode[],
    scope: Scope,
    found: {
      readonly outputs: Map<number, Written>;
      readonly conditions: Map<number, string>;
      readonly file: string;
    },
  ): void {
    for (const node of nodes) {
      this.#steps = 0;
      if (node.kind === 'output') {
        this.#place = `${found.file}#${node.span.start}`;
        this.#at = node.span.start;
        const value = this.#evaluate(node.expression, scope);
        const text = this.#left(value);
        found.outputs.set(node.span.start, { code: value.code, text });
      } else if (node.kind === 'set') {
        this.#place = found.file;
        this.#set(node.variable, node.declares, this.#evaluate(node.expression, scope), scope);
      } else if (node.kind !== 'text' && node.kind !== 'unknown') {
        this.#place = found.file;
        const value = this.#evaluate(node.expression, scope);
        const code = `${node.kind} ${value.code}`;
        // An `else if` begins where the `else` does.
        const before = found.conditions.get(node.at);
        found.conditions.set(node.at, before === undefined ? code : `${before}, ${code}`);
        if (node.otherwiseAt !== undefined) found.conditions.set(node.otherwiseAt, `not ${code}`);
        this.#walk(node.body, this.#inside(node, value, scope), found);
        this.#walk(node.otherwise, new Scope(scope.dot, scope.root, scope, true), found);
      }
    }
  }

  /** The scope of a block's body. */
  #inside({ kind, variables }: BlockNode, value: Value, scope: Scope): Scope {
    const item = kind === 'range' ? open(`${inParentheses(value.code)}[]`) : value;
    const inner = new Scope(kind === 'if' ? scope.dot : item, scope.root, scope, true);
    const [first, second] = variables;
    if (kind === 'range' && second !== undefined) {
      inner.variables.set(first ?? '', open(`key of ${item.code}`));
      inner.variables.set(second, item);
    } else if (first !== undefined) inner.variables.set(first, item);
    return inner;
  }

  #set(name: string, declares: boolean, value: Value, scope: Scope): void {
    if (declares) {
      scope.variables.set(name, value);
      return;
    }
    let uncertain = false;
    let owner: Scope | undefined = scope;
    while (owner !== undefined && !owner.variables.has(name)) {
      uncertain ||= owner.uncertain;
      owner = owner.parent;
    }
    // What was set in a block that may not be entered is one of two: it is told apart by where that is.
    owner?.variables.set(name, uncertain ? open(`$${name} ${this.#mark()}`) : value);
  }

  /** What tells a value from all others: it is the same only where it stands. */
  #mark(): string {
    return `#${hashOf(`${this.#place} ${this.#unsteady}`).slice(0, 8)}`;
  }

  /** What is left of a value in a text. */
  #left(value: Value): string {
    if (!value.certain && isScalar(value.data)) this.#assumed.set(value.code, textOf(value.data));
    return value.text;
  }

  #nodes(nodes: readonly TemplateNode[], scope: Scope): Output {
    const output: Output = { text: '', data: '', flows: false };
    for (const node of nodes) {
      if (++this.#steps > limits.steps || output.text.length > limits.length) return this.#tooMuch();
      if (node.kind === 'text') {
        output.text += node.text;
        if (output.data !== undefined) output.data += node.text;
      } else if (node.kind === 'output') {
        const value = this.#evaluate(node.expression, scope);
        output.text += this.#left(value);
        if (output.data !== undefined)
          output.data = isScalar(value.data) ? output.data + textOf(value.data) : undefined;
      } else if (node.kind === 'set') {
        this.#set(node.variable, node.declares, this.#evaluate(node.expression, scope), scope);
      } else if (node.kind === 'unknown') {
        output.text += action(`unknown ${this.#mark()}`);
        output.data = undefined;
        output.flows = true;
      } else this.#block(node, scope, output);
    }
    return output;
  }

  #tooMuch(): Output {
    return { text: action(`too much ${this.#mark()}`), data: undefined, flows: true };
  }

  #block(node: BlockNode, scope: Scope, output: Output): void {
    const value = this.#evaluate(node.expression, scope);
    const taken = value.data === undefined ? undefined : isTrue(value.data);
    if (value.certain && taken !== undefined && (node.kind !== 'range' || !taken)) {
      const inner = new Scope(node.kind === 'with' && taken ? value : scope.dot, scope.root, scope);
      const [variable] = node.variables;
      if (variable !== undefined) inner.variables.set(variable, value);
      join(output, this.#nodes(taken ? node.body : node.otherwise, inner));
      return;
    }
    const then = this.#nodes(node.body, this.#inside(node, value, scope));
    const otherwise = this.#nodes(node.otherwise, new Scope(scope.dot, scope.root, scope, true));
    output.flows = true;
    if (output.data !== undefined) {
      const chosen = taken === undefined ? undefined : taken ? (node.kind === 'range' ? undefined : then) : otherwise;
      output.data = chosen?.data === undefined ? undefined : output.data + chosen.data;
    }
    output.text = writeBlock(output.text, `${node.kind} ${value.code}`, then.text, otherwise.text);
  }

  #evaluate(expression: Expression, scope: Scope): Value {
    if (++this.#steps > limits.steps) return open(`too much ${this.#mark()}`);
    switch (expression.kind) {
      case 'literal':
        return known(expression.value);
      case 'dot':
        return scope.dot;
      case 'variable':
        if (expression.name === '') return scope.root;
        return scope.find(expression.name) ?? open(`$${expression.name}`);
      case 'field':
        return this.#evaluate(expression.of, scope).field(expression.name);
      case 'call':
        return this.#call(
          expression.name,
          expression.parameters.map((each) => this.#evaluate(each, scope)),
        );
    }
  }

  #call(name: string, parameters: readonly Value[]): Value {
    const [first] = parameters;
    const last = parameters.at(-1);
    if (isUnsteady(name)) {
      this.#unsteady++;
      return open(`${codeOf(name, parameters)} ${this.#mark()}`);
    }
    if (name === 'include' && typeof first?.data === 'string' && first.certain) {
      return this.#include(first.data, last === first ? known(null) : (last ?? known(null)));
    }
    if (name === 'dict') return dictionary(parameters);
    if ((name === 'index' || name === 'get') && first !== undefined) {
      const names = parameters.slice(1);
      if (names.every(({ certain, data }) => certain && typeof data === 'string'))
        return names.reduce((value, { data }) => value.field(String(data)), first);
    }
    if (last !== undefined && (name === 'nindent' || name === 'indent') && parameters.length === 2) {
      const width = Number(first?.data);
      if (first?.certain && width >= 0 && width <= 100) return indented(name, width, last);
    }
    const written = writtenBy(name, parameters);
    const data = this.#data(name, parameters);
    const certain = parameters.every((each) => each.certain);
    if (certain && data !== undefined) return { ...known(data), ...(written !== undefined && { text: written }) };
    if (name === 'default' && last?.certain && last.data !== undefined && parameters.length === 2)
      return (isTrue(last.data) ? last : first) ?? last;
    if (name === 'required' && last !== undefined) return last;
    if (last !== undefined && isSettled(name, parameters)) return last;
    const code = codeOf(name, parameters);
    if (code.length > limits.code) return open(`too much ${this.#mark()}`);
    return { ...open(code, data), ...(written !== undefined && { text: written }) };
  }

  #data(name: string, parameters: readonly Value[]): Data | undefined {
    const all = parameters.map(({ data }) => data);
    return all.every((each) => each !== undefined) ? applied(name, all) : undefined;
  }

  /** What a helper writes. */
  #include(name: string, dot: Value): Value {
    const code = `include ${quotedText(name)} ${inParentheses(dot.code)}`;
    const definition = this.#facts.definition(name);
    if (definition === undefined) this.#miss(name);
    if (definition === undefined || this.#depth > limits.depth) return open(code);
    const output = this.#included.get(code) ?? this.#helper(code, definition, dot);
    if (output === undefined) return open(`${code} ${this.#mark()}`);
    const { text, data, flows } = output;
    if (data !== undefined && !text.includes('{{')) return known(data, code);
    // One value of which only a choice tells what it is: it is what the helper writes.
    if (flows && !text.trim().includes('\n') && !hasEntries(text)) return open(code, data);
    return { ...open(onlyAction(text) ?? code, data), text };
  }

  #miss(name: string): void {
    if (!this.#missed.has(name)) this.#missing.set(name, this.#at);
    this.#missed.add(name);
  }

  /** Undefined where it writes something else each time, or too much. */
  #helper(code: string, { body }: Pick<DefineNode, 'body'>, dot: Value): Output | undefined {
    const unsteady = this.#unsteady;
    const place = this.#place;
    this.#depth++;
    this.#place = code;
    const output = this.#nodes(body, new Scope(dot, dot));
    this.#place = place;
    this.#depth--;
    if (unsteady !== this.#unsteady || this.#steps > limits.steps) return undefined;
    this.#included.set(code, output);
    return output;
  }
}
