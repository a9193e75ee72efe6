/** Executes templates as Helm does, with the values of one release. What depends on something that is in no file remains an action in the output. */

import { BudgetSpent, type WorkBudget } from '../../../engine/work-budget.ts';
import type { Expression } from '../expression.ts';
import { type BlockNode, type DefineNode, positionOf, readTemplate, type TemplateNode } from '../syntax.ts';
import { templateError } from '../template-errors.ts';
import { Branches, type ExecutedBranch } from './branches.ts';
import { DataSizes } from './data-size.ts';
import { digestFunctions } from './digest-functions.ts';
import { fail, giveUp, type RenderFailure, TemplateFailure } from './failure.ts';
import {
  dependsOnOrder,
  forEachValue,
  isFunction,
  isSettled,
  isUnsteady,
  orderFree,
  plainName,
  withoutWalk,
} from './function-traits.ts';
import { Jump, jumpOf, PossibleJumps } from './jumps.ts';
import { isLoop, Loops } from './loops.ts';
import { memberOf, methodResult } from './methods.ts';
import { TemplateOutput } from './output.ts';
import { checkedParameters } from './signatures.ts';
import {
  codeOf,
  factsOf,
  isKnown,
  isList,
  OneOf,
  printed,
  TemplateMap,
  type TemplateValue,
  textValue,
  truthOf,
  Unknown,
  unescaped,
  unknownCall,
} from './template-value.ts';
import { partialFunctions, textFunctions } from './text-functions.ts';
import { anyFunctions, type Changes, field, knownFunctions } from './value-functions.ts';
import { cellOf, type Scope, scopeWith } from './variables.ts';

/** The result of a template. */
export interface Executed {
  readonly output: TemplateOutput;
  /** False if Helm would fail, or the budget is spent, so that a part of the output is unknown or missing. */
  readonly isComplete: boolean;
  /** Whether the rest of the template is not executed, because it is too much work or its output is too long. */
  readonly isCut: boolean;
  readonly failure: RenderFailure | undefined;
}

type Definition = Pick<DefineNode, 'body'>;

export interface Definitions {
  /** Returns a helper; undefined if no file defines it. */
  definition(name: string): Definition | undefined;
  /** Whether all files with helpers are known. */
  areAll?(): boolean;
}

/** Executes a part of a template, which writes to an output. */
type Branch = (output: TemplateOutput) => void;

/** The maximum depth of nested includes and expressions, and of nested calls of one helper. */
const maximumDepth = 200;
/** The maximum length of the texts that are parameters of a function, in UTF-16 code units. */
const maximumParameters = 1_000_000;
/** The number of characters, or of units of the size of data, that are walked or written in one step. */
const charactersOfStep = 100;
/** The maximum length of the output of a template or a helper, in UTF-16 code units. */
const maximumLength = 2_000_000;

/** The text that Go writes for nil. */
const noValue = '<no value>';

export class Executor {
  readonly #definitions: Definitions;
  readonly #budget: WorkBudget;
  /** Definitions in the text that `tpl` executes. */
  readonly #local: Map<string, Definition>[] = [];
  #branches = new Branches();
  readonly #jumps = new PossibleJumps();
  readonly #loops: Loops;
  #depth = 0;
  /** The number of helpers around the current node. */
  #calls = 0;
  #marks = 0;
  #isComplete = true;
  #failure: RenderFailure | undefined;
  /** The position of the current node in the template. */
  #at = 0;
  /** Whether the chart is rendered by `helm template`, which finds no objects in a cluster. */
  #isWithoutCluster = false;

  readonly #sizes = new DataSizes();

  readonly #changes: Changes = {
    put: (map, key, value) => this.#branches.put(map, key, value),
  };

  constructor(definitions: Definitions, budget: WorkBudget) {
    this.#definitions = definitions;
    this.#budget = budget;
    this.#loops = new Loops({
      jumps: this.#jumps,
      branches: () => this.#branches,
      nodes: (nodes, scope, output) => this.#nodes(nodes, scope, output),
      mark: () => this.#mark(),
      spend: () => this.#spend(0),
    });
  }

  execute(nodes: readonly TemplateNode[], root: TemplateValue): Executed {
    const output = new TemplateOutput();
    this.#isComplete = true;
    this.#failure = undefined;
    const release = field(root, 'Release');
    this.#isWithoutCluster = release instanceof TemplateMap && release.get('IsInstall') === true;
    this.#branches = new Branches();
    this.#jumps.count = 0;
    this.#local.length = 0;
    this.#depth = 0;
    this.#calls = 0;
    let isCut = false;
    try {
      if (this.#budget.isSpent) throw new BudgetSpent();
      this.#budget.during(() => this.#nodes(nodes, scopeWith(root, root), output));
    } catch (error) {
      if (!(error instanceof BudgetSpent || error instanceof Jump)) throw error;
      this.#isComplete = false;
      isCut = error instanceof BudgetSpent;
      output.dropLastDocument();
    }
    return { output, isComplete: this.#isComplete, isCut, failure: this.#failure };
  }

  /** Counts a step and the text that it reads or writes. */
  #spend(characters: number): void {
    this.#budget.spend(1 + characters / charactersOfStep);
  }

  #nodes(nodes: readonly TemplateNode[], scope: Scope, output: TemplateOutput): void {
    for (const [index, node] of nodes.entries()) {
      const before = this.#jumps.count;
      this.#spend(node.kind === 'text' ? node.text.length : 0);
      if (output.length > maximumLength) throw new BudgetSpent();
      if (this.#calls === 0) this.#at = positionOf(node) ?? this.#at;
      switch (node.kind) {
        case 'text':
          output.literal(node.text, node.start);
          break;
        case 'output': {
          const value = this.#attempt(node.expression, scope);
          this.#spend(this.#sizes.of(value));
          const written = printed(value, noValue);
          // Helm removes this text from the output of a file, not from that of a helper.
          const text = this.#calls === 0 ? written.replaceAll(noValue, '') : written;
          this.#spend(text.length);
          output.written(text, node.span);
          break;
        }
        case 'set':
          this.#set(node.variable, node.declares, this.#attempt(node.expression, scope), scope);
          break;
        case 'jump':
          throw new Jump(node.isBreak);
        case 'unknown':
          this.#isComplete = false;
          output.written(`{{ unknown ${this.#mark()} }}`, node.span);
          break;
        default:
          this.#tried(node, scope, output);
      }
      if (this.#jumps.count === before) continue;
      this.#afterJump(nodes.slice(index + 1), scope, output);
      return;
    }
  }

  /** Evaluates an expression, which is unknown if Helm fails. */
  #attempt(expression: Expression, scope: Scope): TemplateValue {
    if (this.#branches.depth > 0) return this.#evaluate(expression, scope);
    try {
      return this.#evaluate(expression, scope);
    } catch (error) {
      if (!(error instanceof TemplateFailure)) throw error;
      this.#failed(error);
      return new Unknown(this.#codeOfFailed(expression, scope));
    }
  }

  /** Returns code for an expression in which Helm fails. It depends on the parameters of a call alone, so that names in two states of a chart are equal. */
  #codeOfFailed(expression: Expression, scope: Scope): string {
    if (expression.kind !== 'call' || isUnsteady(expression.name)) return `failed ${this.#mark()}`;
    return unknownCall(
      expression.name,
      expression.parameters.map((each) => this.#attempt(each, scope)),
    ).code;
  }

  #failed({ message, isCertain }: TemplateFailure): void {
    this.#isComplete = false;
    if (isCertain) this.#failure ??= { at: this.#at, reason: message };
  }

  /** Returns text that makes the expression of an unknown value unique. */
  #mark(): string {
    return `#${++this.#marks}`;
  }

  #set(name: string, declares: boolean, value: TemplateValue, scope: Scope): void {
    const cell = declares ? undefined : cellOf(scope, name);
    if (cell === undefined) {
      scope.variables.set(name, { value });
      return;
    }
    this.#branches.assign(cell, value);
  }

  /** Executes a block, whose output is unknown if Helm fails. */
  #tried(node: BlockNode, scope: Scope, output: TemplateOutput): void {
    try {
      this.#block(node, scope, output);
    } catch (error) {
      if (!(error instanceof TemplateFailure) || this.#branches.depth > 0) throw error;
      this.#failed(error);
      output.written(`{{ failed ${this.#mark()} }}`, { start: node.at, end: node.at });
    }
  }

  #block(node: BlockNode, scope: Scope, output: TemplateOutput): void {
    const value = this.#attempt(node.expression, scope);
    this.#sizes.of(value);
    const truth = truthOf(value);
    const other = scopeWith(scope.dot, scope.root, scope);
    for (const name of node.variables) other.variables.set(name, { value });
    if (node.kind === 'range') {
      const body: Branch = (own) => this.#loops.range(node, value, scope, own);
      const rest: Branch = (own) => this.#nodes(node.otherwise, other, own);
      if (truth === undefined && node.otherwise.length > 0) this.#either(node, value, body, rest, output);
      else if (truth === false && (isLoop(value) || value instanceof Unknown)) rest(output);
      else body(output);
      return;
    }
    const inner = this.#inside(node, value, scope);
    if (truth !== undefined) {
      this.#nodes(truth ? node.body : node.otherwise, truth ? inner : other, output);
      return;
    }
    this.#either(
      node,
      value,
      (own) => this.#nodes(node.body, inner, own),
      (own) => this.#nodes(node.otherwise, other, own),
      output,
    );
  }

  /** Executes two branches, of which one is executed: which one is unknown. */
  #either(node: BlockNode, value: TemplateValue, body: Branch, rest: Branch, output: TemplateOutput): void {
    const source = { start: node.at, end: node.at };
    const then = this.#branch(body);
    const otherwise = this.#branch(rest);
    // A branch in which Helm fails is not executed.
    const only = then.output === undefined ? otherwise : otherwise.output === undefined ? then : undefined;
    if (only !== undefined) {
      this.#branches.redo(only.after);
      if (only.output !== undefined) output.append(only.output);
      else {
        this.#isComplete = false;
        output.written(`{{ failed ${this.#mark()} }}`, source);
      }
      if (only.jump !== undefined) throw only.jump;
      return;
    }
    this.#branches.join(then.after, otherwise.after, () => `${codeOf(value)} ${this.#mark()}`);
    if (then.output !== undefined && otherwise.output !== undefined)
      output.block(`${node.kind} ${codeOf(value).replace(/^\((.*)\)$/s, '$1')}`, then.output, otherwise.output, source);
    this.#jumps.either(then.jump, otherwise.jump);
  }

  #branch(body: Branch): ExecutedBranch & { readonly jump: Jump | undefined } {
    let jump: Jump | undefined;
    const before = this.#jumps.count;
    const executed = this.#branches.execute(() => {
      const output = new TemplateOutput();
      jump = jumpOf(() => body(output));
      return output;
    });
    if (executed.output === undefined) this.#jumps.count = before;
    return { ...executed, jump: executed.output === undefined ? undefined : jump };
  }

  /** Executes the nodes after a jump of which it is unknown whether it is executed. */
  #afterJump(nodes: readonly TemplateNode[], scope: Scope, output: TemplateOutput): void {
    if (nodes.length === 0) return;
    const { output: rest, after, jump } = this.#branch((own) => this.#nodes(nodes, scope, own));
    this.#branches.join(after, new Map(), () => this.#mark());
    const source = { start: this.#at, end: this.#at };
    if (rest !== undefined) output.block(`if stays ${this.#mark()}`, rest, new TemplateOutput(), source);
    if (jump !== undefined) throw this.#jumps.last(jump);
  }

  #inside({ kind, variables }: BlockNode, value: TemplateValue, scope: Scope): Scope {
    const inner = scopeWith(kind === 'with' ? value : scope.dot, scope.root, scope);
    const [variable] = variables;
    if (variable !== undefined) inner.variables.set(variable, { value });
    return inner;
  }

  #collected(nodes: readonly TemplateNode[], scope: Scope): TemplateOutput {
    const output = new TemplateOutput();
    this.#nodes(nodes, scope, output);
    return output;
  }

  #evaluate(expression: Expression, scope: Scope): TemplateValue {
    this.#spend(0);
    if (this.#depth > maximumDepth) {
      // Helm reports an error for a helper that certainly includes itself without end.
      if (this.#branches.depth === 0) throw new BudgetSpent();
      return new Unknown(`too deep ${this.#mark()}`);
    }
    this.#depth++;
    try {
      return this.#valueOf(expression, scope);
    } finally {
      this.#depth--;
    }
  }

  #valueOf(expression: Expression, scope: Scope): TemplateValue {
    switch (expression.kind) {
      case 'literal':
        return typeof expression.value === 'number' && !expression.isFloat && Number.isSafeInteger(expression.value)
          ? BigInt(expression.value)
          : expression.value;
      case 'dot':
        return scope.dot;
      case 'variable':
        // A template may declare `$` again.
        return variableIn(scope, expression.name);
      case 'field': {
        const of = this.#evaluate(expression.of, scope);
        // A field of nil is nil, unless nil is itself the field of a map.
        if (of === null) return this.#isNilBelow(expression, scope) ? null : fail('nil pointer');
        return memberOf(of, expression.name);
      }
      case 'call':
        return this.#call(expression, scope);
    }
  }

  /** Whether the value before all fields of an expression is nil: a variable, the dot, or an expression in parentheses. */
  #isNilBelow({ of, ofGroup }: Extract<Expression, { kind: 'field' }>, scope: Scope): boolean {
    if (of.kind === 'field' && !ofGroup) return this.#isNilBelow(of, scope);
    return this.#evaluate(of, scope) === null;
  }

  #call({ name, parameters }: Extract<Expression, { kind: 'call' }>, scope: Scope): TemplateValue {
    if (name === 'and' || name === 'or') return this.#shortCircuit(name, parameters, scope);
    if (name === 'call') return this.#method(parameters, scope);
    const given = parameters.map((each) => this.#evaluate(each, scope));
    // A function writes each parameter at most once, so that this limit also bounds texts that double with each step.
    const size = given.reduce<number>((sum, each) => sum + sizeOf(each), 0);
    this.#spend(size);
    if (size > maximumParameters) return new Unknown(`too long ${this.#mark()}`);
    const walked = given.reduce<number>((sum, each) => sum + this.#sizes.of(each), 0);
    if (!withoutWalk.has(name)) this.#spend(walked);
    const result = this.#result(name, given, parameters);
    // The expression of an unknown result contains the parameters.
    if (withoutWalk.has(name) && result instanceof Unknown) this.#spend(walked);
    return result;
  }

  #result(name: string, all: readonly TemplateValue[], written: readonly Expression[]): TemplateValue {
    const plain = plainName(name);
    const given = checkedParameters(plain, all, written);
    if (name === 'include') return this.#include(given);
    if (name === 'tpl') return this.#tpl(given);
    if (name === 'lookup' && this.#isWithoutCluster) return new TemplateMap();
    if (dependsOnOrder.has(plain) && given.some((each) => factsOf(each).isUnordered)) return unknownCall(name, given);
    const any = anyFunctions.get(plain);
    if (any !== undefined) return orUnknown(any(given, this.#changes), name, given);
    if (given.some((each) => each instanceof OneOf))
      return forEachValue(given, (each) => this.#known(name, plain, each)) ?? unknownCall(name, given);
    const last = given.at(-1) ?? null;
    if (isSettled(plain, given)) return last;
    const partial = partialFunctions.get(plain);
    if (partial !== undefined) return orUnknown(partial(...given), name, given);
    return this.#known(name, plain, given);
  }

  #known(name: string, plain: string, given: readonly TemplateValue[]): TemplateValue {
    const known = textFunctions.get(plain) ?? knownFunctions.get(plain) ?? digestFunctions.get(plain);
    const isKnownEnough = given.every(
      (each) => isKnown(each) || (orderFree.has(plain) && isList(each) && each.every(isKnown)),
    );
    if (known !== undefined && isKnownEnough) return orUnknown(known(...given), name, given);
    if (known === undefined && !isFunction(plain)) fail(`function "${name}" not defined`);
    if (isUnsteady(name)) return new Unknown(`${unknownCall(name, given).code} ${this.#mark()}`);
    return unknownCall(name, given);
  }

  /** Evaluates `and` and `or`. A known parameter may decide although others before it are unknown. */
  #shortCircuit(name: 'and' | 'or', parameters: readonly Expression[], scope: Scope): TemplateValue {
    const decisive = name === 'or';
    if (parameters.length === 0) fail('a parameter is missing');
    const unknown: TemplateValue[] = [];
    let last: TemplateValue = null;
    for (const parameter of parameters) {
      last = unknown.length === 0 ? this.#evaluate(parameter, scope) : this.#tentative(parameter, scope);
      const truth = truthOf(last);
      if (truth === decisive) {
        if (unknown.length === 0) return last;
        return decisive ? new Unknown(unknownCall(name, [...unknown, last]).code, { filled: true }) : false;
      }
      if (truth === undefined) unknown.push(last);
    }
    if (unknown.length === 0) return last;
    return unknown.length === 1 && unknown[0] === last ? last : unknownCall(name, [...unknown, last]);
  }

  /** Evaluates an expression that Go may not evaluate; it is unknown if it fails. */
  #tentative(expression: Expression, scope: Scope): TemplateValue {
    try {
      return this.#evaluate(expression, scope);
    } catch (error) {
      if (!(error instanceof TemplateFailure)) throw error;
      return new Unknown(`failed ${this.#mark()}`);
    }
  }

  /** Calls a method such as `.Capabilities.APIVersions.Has "policy/v1"`. */
  #method([method, ...parameters]: readonly Expression[], scope: Scope): TemplateValue {
    if (method?.kind !== 'field') return fail('no method');
    const of = this.#evaluate(method.of, scope);
    const given = parameters.map((each) => this.#evaluate(each, scope));
    return methodResult(of, method.name, given);
  }

  #include([name = null, dot = null]: readonly TemplateValue[]): TemplateValue {
    if (typeof name !== 'string') return unknownCall('include', [name, dot]);
    const local = this.#local.findLast((each) => each.has(name))?.get(name);
    const definition = local ?? this.#definitions.definition(name);
    if (definition === undefined) {
      // Each template can be included by its path.
      const isMissing = !name.includes('/templates/') && this.#definitions.areAll?.();
      return isMissing ? fail(`no template "${name}"`) : unknownCall('include', [name, dot]);
    }
    return this.#text(definition.body, dot);
  }

  #text(nodes: readonly TemplateNode[], dot: TemplateValue, change = (written: string) => written): TemplateValue {
    this.#calls++;
    const output = this.#collected(nodes, scopeWith(dot, dot));
    this.#calls--;
    this.#spend(output.length);
    return textValue(change(output.text));
  }

  #tpl([text = null, dot = null]: readonly TemplateValue[]): TemplateValue {
    if (typeof text !== 'string') return text instanceof Unknown ? unknownCall('tpl', [text, dot]) : fail('not a text');
    if (!text.includes('{{')) return text;
    this.#spend(text.length * 4);
    const template = readTemplate(text);
    const error = templateError(text, template);
    if (error !== undefined) return fail(`the text of tpl is not a template: an action ${error.message}`);
    const { nodes, defines, problems } = template;
    if (problems.length > 0) return giveUp('the text is not a template');
    this.#local.push(new Map(defines.map((each) => [each.name, each])));
    try {
      return this.#text(nodes, dot, (written) => written.replaceAll(noValue, ''));
    } finally {
      this.#local.pop();
    }
  }
}

function variableIn(scope: Scope, name: string): TemplateValue {
  const cell = cellOf(scope, name);
  if (cell !== undefined) return cell.value;
  return name === '' ? scope.root : fail(`undefined variable $${name}`);
}

function sizeOf(value: TemplateValue): number {
  return typeof value === 'string' ? value.length : value instanceof Unknown ? value.text.length : 0;
}

function orUnknown(value: TemplateValue | undefined, name: string, given: readonly TemplateValue[]): TemplateValue {
  return value === undefined ? unknownCall(name, given) : value;
}

/** Returns the text of output as it would be in a file. */
export function plainText(output: TemplateOutput): string {
  return unescaped(output.text);
}
