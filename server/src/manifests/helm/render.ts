/** Renders the templates of a chart to the extent that its files determine the output. Included helpers are expanded; values that users can set remain template actions, and equal values remain equal actions. */

import { hashOf } from '../../text/hash.ts';
import { quotedText } from './actions.ts';
import { codeOf, firstOf, indented, isSettled, writtenBy } from './call.ts';
import type { Expression } from './expression.ts';
import { applied, isUnsteady } from './functions.ts';
import { conditionalEntry, othersIn } from './made-map.ts';
import {
  changesFirst,
  type Item,
  isFilled,
  isRepeatedMerge,
  itemAt,
  itemsOf,
  type Known,
  madeBy,
  mapOf,
  onlyItem,
} from './maps.ts';
import { hasEntries, join, type Output, onlyAction, writeBlock, writesScalar } from './output.ts';
import { type ChartFacts, rootOf } from './root.ts';
import { isCertain, ownerOf, Scope } from './scope.ts';
import { type BlockNode, type DefineNode, isInLine, type TemplateNode } from './syntax.ts';
import { action, type Data, inParentheses, isScalar, isTrue, known, open, textOf, type Value } from './value.ts';

/** The output of each action of a template, and the conditions under which the output is written. */
export interface Rendered {
  /** The output of each action, by the start offset of the action. */
  readonly outputs: ReadonlyMap<number, Written>;
  /**
   * The output of each block that is on one line, from its first to its last action, by the start offset of the block.
   */
  readonly blocks: ReadonlyMap<number, Written>;
  /**
   * The condition of each region, such as `if .Values.web.enabled`, by the start offset of the action that opens the
   * region.
   */
  readonly conditions: ReadonlyMap<number, string>;
  /** Missing helpers that were not reported before: the offset of the first include of each helper, by its name. */
  readonly missing: ReadonlyMap<string, number>;
  /** The position from which on all actions remain, if the template is the first one that is too much work for the chart. */
  readonly cutAt: number | undefined;
}

export type Written = Pick<Value, 'code' | 'text'>;

/** The limits of rendering. An action that would exceed a limit remains an action in the output. */
const limits = {
  chart: 1_000_000,
  changes: 100,
  depth: 40,
  nesting: 1_000,
  steps: 20_000,
  length: 60_000,
  code: 5_000,
};

/** The number of characters of parameters that count as one step. */
const charactersOfStep = 100;

export class Renderer {
  readonly #facts: ChartFacts;
  readonly #included = new Map<string, Value>();
  /** The output that each remaining action has with the default values of the chart. */
  readonly #assumed = new Map<string, string>();
  #steps = 0;
  /** The work of each file, of which the last rendering counts, and of all files together: steps, and the lengths of texts. */
  readonly #works = new Map<string, number>();
  #work = 0;
  /** The position of the first action of the current template that is too much work for the chart. */
  #cutAt: number | undefined;
  #depth = 0;
  #nesting = 0;
  #unsteady = 0;
  /** The entries that templates set on the root context; the field below counts how often entries were set. */
  #rootEntries = new Map<string, Value>();
  #rootSets = 0;
  /** How often the current template changed values of the chart. */
  #valueChanges = 0;
  /** The position of the action that is currently evaluated. */
  #place = '';
  #at = 0;
  /** The missing helpers of all files that were rendered so far. */
  readonly #missed = new Set<string>();
  #missing = new Map<string, number>();

  readonly #known: Known = {
    left: (value) => this.#left(value),
    assumed: (code) => this.#assumed.get(code),
  };

  constructor(facts: ChartFacts) {
    this.#facts = facts;
  }

  /** Returns the output that a remaining action has with the default values of the chart. */
  assumed(code: string): string | undefined {
    return this.#assumed.get(code);
  }

  /** Renders a template. `file` distinguishes its actions from the actions of other files. */
  render(nodes: readonly TemplateNode[], file: string): Rendered {
    const found = { outputs: new Map(), blocks: new Map(), conditions: new Map(), file };
    if (this.#rootSets > 0) this.#included.clear();
    const { root, entries } = rootOf(this.#facts, file);
    this.#rootEntries = entries;
    this.#valueChanges = 0;
    const missing = new Map<string, number>();
    this.#missing = missing;
    this.#work -= this.#works.get(file) ?? 0;
    const before = this.#work;
    this.#cutAt = undefined;
    this.#at = 0;
    this.#walk(nodes, new Scope(root, root), found);
    this.#works.set(file, this.#work - before);
    const isCut = before <= limits.chart && this.#cutAt !== undefined;
    return { ...found, missing, cutAt: isCut ? this.#cutAt : undefined };
  }

  /** Returns the output of a template whose dot is not the root context of a chart; unknown parts remain actions. */
  output(nodes: readonly TemplateNode[], dot: Value): string {
    this.#steps = 0;
    this.#work = 0;
    return this.#nodes(nodes, new Scope(dot, dot)).text;
  }

  #walk(
    nodes: readonly TemplateNode[],
    scope: Scope,
    found: {
      readonly outputs: Map<number, Written>;
      readonly blocks: Map<number, Written>;
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
      } else if (node.kind !== 'text' && node.kind !== 'unknown' && node.kind !== 'jump') {
        this.#place = found.file;
        const value = this.#evaluate(node.expression, scope);
        const code = `${node.kind} ${value.code}`;
        // The condition of an `else if` block is stored at the position of its `else` action.
        const known = found.conditions.get(node.at);
        const before = known === undefined ? '' : `${known}, `;
        found.conditions.set(node.at, `${before}${code}`);
        if (node.otherwiseAt !== undefined) found.conditions.set(node.otherwiseAt, `${before}not ${code}`);
        if (isInLine(node)) found.blocks.set(node.at, this.#inLine(node, scope));
        this.#walk(node.body, this.#inside(node, value, scope), found);
        this.#walk(node.otherwise, new Scope(scope.dot, scope.root, scope, `not ${code}`), found);
      }
    }
  }

  /**
   * Returns the output of a block that is on one line as a single value, such as `{{ if .Values.stateful
   * }}StatefulSet{{ else }}Deployment{{ end }}`.
   */
  #inLine(node: BlockNode, scope: Scope): Written {
    const output: Output = { text: '', data: '', flows: false };
    this.#block(node, scope, output);
    const code = onlyAction(output.text) ?? quotedText(output.text);
    if (output.flows && output.data !== undefined) this.#assumed.set(code, output.data);
    return { code, text: output.text };
  }

  #inside({ kind, variables }: BlockNode, value: Value, scope: Scope): Scope {
    const only = kind === 'range' ? onlyItem(value) : undefined;
    if (only !== undefined) return this.#iteration(variables, only, scope);
    const item = kind === 'range' ? open(`${inParentheses(value.code)}[]`) : value;
    const inner = new Scope(kind === 'if' ? scope.dot : item, scope.root, scope, `${kind} ${value.code}`);
    const [first, second] = variables;
    if (kind === 'range' && second !== undefined) {
      inner.variables.set(first ?? '', open(`key of ${item.code}`));
      inner.variables.set(second, item);
    } else if (first !== undefined) inner.variables.set(first, item);
    return inner;
  }

  #iteration(variables: BlockNode['variables'], [key, item]: Item, scope: Scope): Scope {
    const inner = new Scope(item, scope.root, scope);
    const [first, second] = variables;
    if (second !== undefined) inner.variables.set(first ?? '', key).set(second, item);
    else if (first !== undefined) inner.variables.set(first, item);
    return inner;
  }

  #set(name: string, declares: boolean, value: Value, scope: Scope): void {
    if (declares) {
      scope.variables.set(name, value);
      return;
    }
    const { owner, conditions } = ownerOf(name, scope);
    // A variable that is set in a conditional block has one of two values afterwards. The position of the assignment
    // identifies this unknown value.
    owner?.variables.set(name, conditions.length > 0 ? open(`$${name} ${this.#mark()}`) : value);
  }

  /** Updates a variable whose map is modified in place, as by `set $labels "team" .Values.team`. */
  #change(called: string, name: string, parameters: readonly Value[], value: Value, scope: Scope): void {
    const { owner, conditions } = ownerOf(name, scope);
    const [before, key, entry] = parameters;
    if (conditions.length === 0) owner?.variables.set(name, value);
    else if (called === 'set' && before?.made !== undefined && typeof key?.data === 'string' && entry !== undefined) {
      const layer = conditionalEntry(conditions.join(', '), key.data, entry, this.#known.left);
      const made = { layers: [layer, ...before.made.layers] };
      owner?.variables.set(name, mapOf(made, `${value.code} ${quotedText(conditions.join(', '))}`));
    } else this.#set(name, false, value, scope);
  }

  /**
   * Returns text that makes the code of a value unique to the current position, so that it is not equal to any other
   * value.
   */
  #mark(): string {
    return `#${hashOf(`${this.#place} ${this.#unsteady}`).slice(0, 8)}`;
  }

  /** Sets an entry on the root context, as by `set . "component" "web"`; all later actions can read this entry. */
  #setInRoot([, key, value]: readonly Value[], scope: Scope): void {
    if (typeof key?.data !== 'string' || value === undefined) return;
    this.#rootSets++;
    this.#included.clear();
    const name = key.data;
    this.#rootEntries.set(name, isCertain(scope) ? value : open(`.${name} ${this.#mark()}`));
  }

  /** Changes the values of the chart, as `set .Values.image "tag" "1.0"` does; all later actions read the changed values. */
  #changeValues(name: string, [map, key, entry]: readonly Value[], changed: Value, scope: Scope): void {
    const values = this.#rootEntries.get('Values');
    const [whole] = values?.code.split(' #', 1) ?? [];
    const ofRoot = map?.code === '.' && name !== 'set';
    const path = map === undefined || whole === undefined ? undefined : pathBelow(whole, map.code);
    if (values === undefined || whole === undefined || (path === undefined && !ofRoot)) return;
    const isKey = (name === 'set' || name === 'unset') && key?.certain === true && typeof key.data === 'string';
    const now = name === 'set' ? (entry ?? known(null)) : known(null);
    const value = isKey ? now : changed;
    const at = isKey ? [...(path ?? []), String(key.data)] : (path ?? []);
    const after = isCertain(scope) ? value : open(`${[whole, ...at].join('.')} ${this.#mark()}`);
    this.#rootSets++;
    this.#included.clear();
    const isUnknown = path === undefined || ++this.#valueChanges > limits.changes;
    const all = isUnknown || at.length === 0 ? after : withField(values, at, after, this.#mark());
    this.#rootEntries.set('Values', isUnknown ? open(`${whole} ${this.#mark()}`) : all);
  }

  /** Returns the text of a value, with template actions for its unknown parts. */
  #left(value: Value): string {
    if (!value.certain) {
      const usual = isScalar(value.data) ? textOf(value.data) : value.usual;
      if (usual !== undefined && usual !== value.text) this.#assumed.set(value.code, usual);
    }
    return value.text;
  }

  #nodes(nodes: readonly TemplateNode[], scope: Scope): Output {
    const output: Output = { text: '', data: '', flows: false };
    for (const node of nodes) {
      if (this.#isTooMuch(1) || output.text.length > limits.length) return this.#tooMuch();
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
      } else if (node.kind !== 'jump') this.#block(node, scope, output);
    }
    return output;
  }

  /** Counts steps, and returns whether the action has taken too many, or all actions of the chart have. */
  #isTooMuch(steps: number): boolean {
    this.#steps += steps;
    this.#work += steps;
    if (this.#work > limits.chart) this.#cutAt ??= this.#at;
    return this.#steps > limits.steps || this.#work > limits.chart;
  }

  #tooMuch(): Output {
    return { text: action(`too much ${this.#mark()}`), data: undefined, flows: true };
  }

  #block(node: BlockNode, scope: Scope, output: Output): void {
    const value = this.#evaluate(node.expression, scope);
    if (node.kind === 'range' && this.#loop(node, value, scope, output)) return;
    const filled = isFilled(value);
    const taken = filled ?? (value.data === undefined ? undefined : isTrue(value.data));
    if ((value.certain || filled !== undefined) && taken !== undefined && (node.kind !== 'range' || !taken)) {
      const inner = new Scope(node.kind === 'with' && taken ? value : scope.dot, scope.root, scope);
      const [variable] = node.variables;
      if (variable !== undefined) inner.variables.set(variable, value);
      join(output, this.#nodes(taken ? node.body : node.otherwise, inner));
      return;
    }
    const then = this.#nodes(node.body, this.#inside(node, value, scope));
    const otherwise = this.#nodes(
      node.otherwise,
      new Scope(scope.dot, scope.root, scope, `not ${node.kind} ${value.code}`),
    );
    output.flows = true;
    if (output.data !== undefined) {
      const chosen = taken === undefined ? undefined : taken ? (node.kind === 'range' ? undefined : then) : otherwise;
      output.data = chosen?.data === undefined ? undefined : output.data + chosen.data;
    }
    output.text = writeBlock(output.text, `${node.kind} ${value.code}`, then.text, otherwise.text);
  }

  /** Renders a loop over a list or map that the template itself builds, one iteration for each item. */
  #loop(node: BlockNode, value: Value, scope: Scope, output: Output): boolean {
    const items = itemsOf(value);
    if (items === undefined) return false;
    for (const item of items) join(output, this.#nodes(node.body, this.#iteration(node.variables, item, scope)));
    for (const { code } of value.made === undefined ? [] : othersIn(value.made)) {
      const inner = this.#inside(node, open(code), scope);
      const { text } = this.#nodes(node.body, inner);
      output.text = writeBlock(output.text, `range ${code}`, text, '');
      output.data = undefined;
      output.flows = true;
    }
    return true;
  }

  #evaluate(expression: Expression, scope: Scope): Value {
    if (this.#isTooMuch(1) || this.#nesting > limits.nesting) return open(`too much ${this.#mark()}`);
    this.#nesting++;
    const value = this.#valueOf(expression, scope);
    this.#nesting--;
    return value;
  }

  #valueOf(expression: Expression, scope: Scope): Value {
    switch (expression.kind) {
      case 'literal':
        return known(expression.value);
      case 'dot':
        return scope.dot;
      case 'variable':
        if (expression.name === '') return scope.root;
        return scope.find(expression.name) ?? open(`$${expression.name}`);
      case 'field': {
        const of = this.#evaluate(expression.of, scope);
        const value = of.field(expression.name);
        // A field of nil is nil, unless nil is itself the field of a map.
        const isNil = of.data === null && (expression.of.kind !== 'field' || expression.ofGroup === true);
        return isNil ? { ...value, data: null } : value;
      }
      case 'call':
        return this.#called(expression, scope);
    }
  }

  #called({ name, parameters }: Extract<Expression, { kind: 'call' }>, scope: Scope): Value {
    const given = parameters.map((each) => this.#evaluate(each, scope));
    const [map] = given;
    const value = map !== undefined && isRepeatedMerge(name, given) ? map : this.#call(name, given);
    const [first] = parameters;
    if (name === 'set' && given[0]?.code === '.') this.#setInRoot(given, scope);
    if (!changesFirst(name)) return value;
    if (first?.kind === 'variable' && first.name !== '') this.#change(name, first.name, given, value, scope);
    this.#changeValues(name, given, value, scope);
    return value;
  }

  #call(name: string, parameters: readonly Value[]): Value {
    const [first] = parameters;
    const last = parameters.at(-1);
    // A function writes each parameter at most once, so its output is not much longer than the sum of the parameters.
    // The limit prevents text from doubling at every step.
    const length = parameters.reduce((sum, { text }) => sum + text.length, 0);
    this.#work += length / charactersOfStep;
    if (length > limits.length) return open(`too much ${this.#mark()}`);
    if (isUnsteady(name)) {
      this.#unsteady++;
      return open(`${codeOf(name, parameters)} ${this.#mark()}`);
    }
    if (name === 'include' && typeof first?.data === 'string' && first.certain) {
      return this.#include(first.data, last === first ? known(null) : (last ?? known(null)));
    }
    const made = madeBy(name, parameters, this.#known);
    if (made !== undefined) return made.code.length > limits.code ? open(`too much ${this.#mark()}`) : made;
    if ((name === 'index' || name === 'get') && first !== undefined) {
      const names = parameters.slice(1);
      if (names.every(({ certain, data }) => certain && (typeof data === 'string' || typeof data === 'number')))
        return names.reduce((value, { data }) => itemAt(value, data) ?? value.field(String(data)), first);
    }
    if (last !== undefined && (name === 'nindent' || name === 'indent') && parameters.length === 2) {
      const width = Number(first?.data);
      if (first?.certain && width >= 0 && width <= 100) return indented(name, width, last);
    }
    const written = writtenBy(name, parameters);
    if (written !== undefined) for (const each of parameters) this.#left(each);
    const data = this.#data(name, parameters);
    const certain = parameters.every((each) => each.certain);
    if (certain && data !== undefined) return { ...known(data), ...(written !== undefined && { text: written }) };
    if (name === 'default' && first !== undefined && last !== undefined && parameters.length === 2) {
      // For all later uses, null and an empty map are equivalent.
      return isFilled(first) === false ? last : firstOf(last, first);
    }
    if (name === 'ternary' && last?.certain && last.data !== undefined) {
      const chosen = last.data === true ? first : parameters[1];
      if (chosen !== undefined) return chosen;
    }
    if (name === 'required' && last !== undefined) return last;
    if (last !== undefined && isSettled(name, parameters)) return last;
    const code = codeOf(name, parameters);
    if (code.length > limits.code) return open(`too much ${this.#mark()}`);
    const type = name === 'toYaml' || name === 'tpl' || written !== undefined ? { type: 'string' as const } : {};
    return { ...open(code, data), ...type, ...(written !== undefined && { text: written }) };
  }

  #data(name: string, parameters: readonly Value[]): Data | undefined {
    const all = parameters.map(({ data }) => data);
    if (!all.every((each) => each !== undefined)) return undefined;
    return applied(name, all) ?? this.#facts.applied?.(name, all);
  }

  #include(name: string, dot: Value): Value {
    const code = `include ${quotedText(name)} ${inParentheses(dot.code)}`;
    const definition = this.#facts.definition(name);
    if (definition === undefined) this.#miss(name);
    if (definition === undefined || this.#depth > limits.depth) return { ...open(code), type: 'string' };
    const rendered = this.#included.get(code);
    if (rendered !== undefined) return rendered;
    const rootSets = this.#rootSets;
    const output = this.#helper(code, definition, dot);
    if (output === undefined) return open(`${code} ${this.#mark()}`);
    const value = valueOfOutput(code, output);
    // The output of a helper that sets entries on the root context is not cached, because the helper must run for each
    // include.
    if (rootSets === this.#rootSets) this.#included.set(code, value);
    return value;
  }

  #miss(name: string): void {
    if (!this.#missed.has(name)) this.#missing.set(name, this.#at);
    this.#missed.add(name);
  }

  /** Returns the output of a helper; undefined if its output is different for each call, or too long. */
  #helper(code: string, { body }: Pick<DefineNode, 'body'>, dot: Value): Output | undefined {
    const unsteady = this.#unsteady;
    const place = this.#place;
    this.#depth++;
    this.#place = code;
    const output = this.#nodes(body, new Scope(dot, dot));
    this.#place = place;
    this.#depth--;
    return unsteady === this.#unsteady && !this.#isTooMuch(0) ? output : undefined;
  }
}

/** Returns the output of a helper as a value; `code` is the expression that includes the helper. */
function valueOfOutput(code: string, { text, data, flows }: Output): Value {
  if (data !== undefined && !text.includes('{{')) return known(data, code);
  // For a single value that depends on values that users can set, the code is the include of the helper.
  if (flows && (text.trim().includes('\n') ? writesScalar(text) : !hasEntries(text)))
    return { ...open(code, data), type: 'string' };
  return { ...open(onlyAction(text) ?? code, data), type: 'string', text };
}

/** Returns the names in an expression that leads from a map to one of its fields; undefined for other expressions. */
function pathBelow(map: string, code: string): readonly string[] | undefined {
  const plain = code.replace(/ #\w+$/, '').replace(/^\((.*)\)$/, '$1');
  if (plain === map) return [];
  const below = plain.startsWith(`${map}.`) ? plain.slice(map.length + 1) : '';
  return /^\w+(?:\.\w+)*$/.test(below) ? below.split('.') : undefined;
}

/** Returns a map whose field at a path has another value. As a whole, the map is equal to no other value. */
function withField(map: Value, [name = '', ...rest]: readonly string[], value: Value, mark: string): Value {
  const code = `${map.code.replace(/ #\w+$/, '')} ${mark}`;
  return {
    ...open(code),
    field: (other) => {
      if (other !== name) return map.field(other);
      return rest.length === 0 ? value : withField(map.field(name), rest, value, mark);
    },
  };
}
