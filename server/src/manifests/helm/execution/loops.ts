/** Executes loops: the iterations for known items, and those of which it is unknown whether they are executed. */

import type { BlockNode, TemplateNode } from '../syntax.ts';
import type { Branches, ExecutedBranch } from './branches.ts';
import { fail } from './failure.ts';
import { jumpOf, type PossibleJumps } from './jumps.ts';
import { TemplateOutput } from './output.ts';
import {
  codeOf,
  factsOf,
  Int64,
  isList,
  PrintedMap,
  TemplateMap,
  type TemplateValue,
  Unknown,
} from './template-value.ts';
import { type Scope, scopeWith } from './variables.ts';

/** What executes the nodes in a loop. */
interface Executing {
  readonly jumps: PossibleJumps;
  branches(): Branches;
  nodes(nodes: readonly TemplateNode[], scope: Scope, output: TemplateOutput): void;
  /** Returns text that makes the expression of an unknown value unique. */
  mark(): string;
  /** Counts a step. */
  spend(): void;
}

type Item = readonly [key: TemplateValue, item: TemplateValue];

export class Loops {
  readonly #in: Executing;

  constructor(executing: Executing) {
    this.#in = executing;
  }

  /** Executes the iterations of a loop. */
  range(node: BlockNode, value: TemplateValue, scope: Scope, output: TemplateOutput): void {
    const { breaks } = this.#in.jumps;
    this.#range(node, value, scope, output);
    this.#in.jumps.breaks = breaks;
  }

  #range(node: BlockNode, value: TemplateValue, scope: Scope, output: TemplateOutput): void {
    const items = itemsOf(value);
    // Go loops over the numbers below an integer since version 1.22.
    if (typeof value === 'bigint' || value instanceof Int64) {
      this.#range(node, new Unknown(`numbers below ${value}`), scope, output);
      return;
    }
    if (items === undefined && !(value instanceof Unknown)) fail('cannot range over this value');
    const isUnordered = factsOf(value).isUnordered === true;
    if (isUnordered && changesVariables(node.body)) {
      this.#range(node, new Unknown(codeOf(value)), scope, output);
      return;
    }
    if (isUnordered && this.#unordered(node, items ?? [], scope, output)) return;
    const { jumps } = this.#in;
    const { breaks } = jumps;
    for (const each of items ?? []) {
      if (jumps.breaks > breaks) this.#maybe(node, each, scope, output);
      else if (!this.#step(node, each, scope, output)) return;
    }
    const others = value instanceof Unknown ? value.code : value instanceof TemplateMap ? value.others : undefined;
    if (others === undefined) return;
    const code = others.includes(' ') && !others.startsWith('(') ? `(${others})` : others;
    this.#maybe(node, [new Unknown(`key of ${code}[]`), new Unknown(`${code}[]`)], scope, output, true);
  }

  /** Executes the iterations of a loop in an unknown order; returns false if one of them fails. */
  #unordered(node: BlockNode, items: readonly Item[], scope: Scope, output: TemplateOutput): boolean {
    const iterations = items.map(([, item]) => () => {
      const own = new TemplateOutput();
      this.#step(node, [new Unknown(`position of ${codeOf(item)}`), item], scope, own);
      return own;
    });
    const outputs = this.#in.branches().inAnyOrder(iterations, () => this.#in.mark());
    for (const own of outputs ?? []) {
      output.append(own);
      // The order of texts in one line matters; that of lines does not.
      if (!/\n|^\s*$/.test(own.text))
        output.written(`{{ unordered ${this.#in.mark()} }}`, { start: node.at, end: node.at });
    }
    return outputs !== undefined;
  }

  /** Executes the iteration for an item; returns false if it ends the loop. */
  #step(node: BlockNode, each: Item, scope: Scope, output: TemplateOutput): boolean {
    this.#in.spend();
    const [key, item] = each;
    if (!(item instanceof Unknown && item.mayBeAbsent)) return this.#iteration(node, each, scope, output);
    this.#maybe(node, [key, item.isNull ? null : item], scope, output);
    return true;
  }

  /** Executes an iteration of which it is unknown whether it is executed, or how often if it represents several ones. */
  #maybe(node: BlockNode, each: Item, scope: Scope, output: TemplateOutput, isRepeated = false): void {
    const [, item] = each;
    const { body, ends } = this.#tentative(node, each, scope, isRepeated);
    // The changes of several iterations add up.
    this.#in.branches().join(new Map(), body.after, () => this.#in.mark());
    if (body.output === undefined) return;
    output.block(`range ${codeOf(item)}`, body.output, new TemplateOutput(), { start: node.at, end: node.at });
    if (ends) this.#in.jumps.breaks++;
  }

  #tentative(
    node: BlockNode,
    each: Item,
    scope: Scope,
    isRepeated: boolean,
  ): { readonly body: ExecutedBranch; readonly ends: boolean } {
    const branches = this.#in.branches();
    let ends = false;
    const iterate = () => {
      const written = new TemplateOutput();
      ends = !this.#iteration(node, each, scope, written);
      return written;
    };
    const once = branches.execute(iterate);
    if (!isRepeated || once.after.size === 0) return { body: once, ends };
    // An earlier iteration may have changed what this one uses.
    const body = branches.execute(() => {
      branches.disturb(once.after, () => this.#in.mark());
      return iterate();
    });
    return { body, ends };
  }

  /** Executes an iteration of a loop; returns false if it ends the loop. */
  #iteration({ variables, body }: BlockNode, [key, item]: Item, scope: Scope, output: TemplateOutput): boolean {
    const inner = scopeWith(item, scope.root, scope);
    const [first, second] = variables;
    if (second !== undefined) inner.variables.set(first ?? '', { value: key }).set(second, { value: item });
    else if (first !== undefined) inner.variables.set(first, { value: item });
    const { jumps } = this.#in;
    const { count } = jumps;
    try {
      return jumpOf(() => this.#in.nodes(body, inner, output))?.isBreak !== true;
    } finally {
      jumps.count = count;
    }
  }
}

/** Whether a loop assigns variables or ends early, so that its result depends on the order of the items. */
function changesVariables(nodes: readonly TemplateNode[]): boolean {
  return nodes.some((node) => {
    if (node.kind === 'jump') return true;
    if (node.kind === 'set') return !node.declares;
    return 'body' in node && (changesVariables(node.body) || changesVariables(node.otherwise));
  });
}

/** Whether Go accepts a value that is empty in a loop. */
export function isLoop(value: TemplateValue): boolean {
  return itemsOf(value)?.length === 0;
}

/** Returns the items of a loop with their keys; undefined if they are unknown. */
function itemsOf(value: TemplateValue): readonly Item[] | undefined {
  if (value === null) return [];
  if (value instanceof PrintedMap) return undefined;
  if (isList(value)) return value.map((item, index) => [BigInt(index), item] as const);
  if (value instanceof TemplateMap) return value.keys.map((key) => [key, value.get(key)] as const);
  return undefined;
}
