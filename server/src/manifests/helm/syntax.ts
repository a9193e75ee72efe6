/** Parses Go templates into a tree of text, actions and blocks. Each step takes linear time and has limits. */

import { localize } from '../../text/localize.ts';
import type { Span } from '../../text/span.ts';
import { type Action, characterAfterName, findActions, type Token, tokensOf } from './actions.ts';
import { type Expression, expressionOf } from './expression.ts';

export type TemplateNode =
  /** Literal text, and its start offset in the file. */
  | { readonly kind: 'text'; readonly text: string; readonly start: number }
  | { readonly kind: 'output'; readonly expression: Expression; readonly span: Span }
  | {
      readonly kind: 'set';
      readonly variable: string;
      readonly declares: boolean;
      readonly expression: Expression;
      readonly at: number;
    }
  | BlockNode
  /** `break` or `continue`. */
  | { readonly kind: 'jump'; readonly isBreak: boolean }
  /** An action that is not valid in Go, or that this parser does not support. */
  | { readonly kind: 'unknown'; readonly span: Span };

export interface BlockNode {
  readonly kind: 'if' | 'with' | 'range';
  readonly expression: Expression;
  readonly variables: readonly string[];
  readonly body: readonly TemplateNode[];
  readonly otherwise: readonly TemplateNode[];
  /** The start offset of the action that opens the block; the next field is the start offset of its `else`. */
  readonly at: number;
  readonly otherwiseAt: number | undefined;
}

export interface DefineNode {
  readonly name: string;
  /** The span of the name, including its quotes. */
  readonly span: Span;
  /** The span from the `define` action to its `end` action. */
  readonly whole: Span;
  readonly body: readonly TemplateNode[];
}

export interface Template {
  readonly nodes: readonly TemplateNode[];
  readonly defines: readonly DefineNode[];
  /** The problems in the template. The tree contains the parts that could be parsed in spite of them. */
  readonly problems: readonly { readonly at: number; readonly message: string }[];
}

const maximumDepth = 100;

/** The message for a template action whose syntax this parser does not support, although it may be valid in Go. */
export const unreadable = 'cannot be read as a template action';
export const tooDeep = 'is nested too deeply';

/** Parses a template into its nodes, helper definitions and problems. */
export function readTemplate(text: string): Template {
  return new TemplateParser(text).read();
}

interface OpenBlock {
  readonly action: Action;
  readonly kind: Opening | 'unknown';
  readonly expression: Expression;
  readonly variables: readonly string[];
  readonly name: string;
  readonly before: TemplateNode[];
  readonly body: TemplateNode[];
  otherwise: TemplateNode[] | undefined;
  otherwiseAt: number | undefined;
  /** Whether the block is an `else if`, whose `end` also closes the outer block. */
  readonly chained: boolean;
}

class TemplateParser {
  readonly #text: string;
  readonly #open: OpenBlock[] = [];
  readonly #defines: DefineNode[] = [];
  readonly #problems: { at: number; message: string }[] = [];
  readonly #root: TemplateNode[] = [];
  #nodes = this.#root;

  constructor(text: string) {
    this.#text = text;
  }

  read(): Template {
    let at = 0;
    let trims = false;
    for (const action of findActions(this.#text)) {
      this.#addText(at, action.span.start, trims, action.trimsBefore);
      this.#add(action);
      at = action.span.end;
      trims = action.trimsAfter;
    }
    this.#addText(at, this.#text.length, trims, false);
    const unclosed = this.#open[0];
    if (unclosed !== undefined) this.#problem(unclosed.action, localize`has no \`end\``);
    while (this.#open.length > 0) this.#close(this.#text.length);
    return { nodes: this.#root, defines: this.#defines, problems: this.#problems };
  }

  #addText(start: number, end: number, trimStart: boolean, trimEnd: boolean): void {
    let text = this.#text.slice(start, end);
    if (trimStart) text = text.replace(/^[ \t\r\n]+/, '');
    const from = end - text.length;
    if (trimEnd) text = withoutBlanksAtEnd(text);
    if (text !== '') this.#nodes.push({ kind: 'text', text, start: from });
  }

  #problem({ span }: Action, message: string): void {
    this.#problems.push({ at: span.start, message });
  }

  #add(action: Action): void {
    const { body } = action;
    if (body.startsWith('/*')) return;
    const tokens = tokensOf(body);
    const [first] = tokens ?? [];
    if (tokens === undefined) {
      const bad = characterAfterName(body);
      this.#problem(action, bad === undefined ? unreadable : localize`has '${bad}' directly after a name`);
      // A block whose opening action cannot be parsed also has an `end`, so it must be opened.
      if (/^(?:if|with|range|define|block)\b/.test(body)) this.#begin(action, 'unknown', undefined);
      else this.#nodes.push({ kind: 'unknown', span: action.span });
      return;
    }
    const depth = depthOfParentheses(tokens);
    if (depth > 0) this.#problem(action, localize`has a parenthesis that is not closed`);
    else if (depth < 0) this.#problem(action, localize`closes a parenthesis that is not open`);
    if (first?.kind === 'word' && keywords.has(first.text)) this.#keyword(action, first.text, tokens.slice(1));
    else this.#statement(action, tokens);
  }

  #keyword(action: Action, word: string, rest: readonly Token[]): void {
    if (isOpening(word)) this.#begin(action, word, rest);
    else if (word === 'else') this.#else(action, rest);
    else if (word === 'template') this.#template(action, rest);
    else if (word === 'end' && this.#open.length === 0) this.#problem(action, localize`closes no block`);
    else if (word === 'end') this.#close(action.span.end);
    else this.#nodes.push({ kind: 'jump', isBreak: word === 'break' });
  }

  #template(action: Action, [name, ...parameter]: readonly Token[]): void {
    const dot = parameter.length === 0 ? nothing : expressionOf(parameter);
    if (name?.kind !== 'text' || dot === undefined) this.#unknown(action);
    else this.#nodes.push({ kind: 'output', expression: including(name.text, dot), span: action.span });
  }

  #unknown(action: Action): void {
    this.#problem(action, unreadable);
    this.#nodes.push({ kind: 'unknown', span: action.span });
  }

  #begin(action: Action, kind: OpenBlock['kind'], tokens: readonly Token[] | undefined, chained = false): void {
    const isTooDeep = this.#open.length >= maximumDepth;
    if (isTooDeep) this.#problem(action, tooDeep);
    const { variables, rest } = declared(tokens ?? []);
    const named = kind === 'define' || kind === 'block' ? rest[0] : undefined;
    const expression = expressionOf(named === undefined ? rest : rest.slice(1));
    if (expression === undefined && kind !== 'define' && kind !== 'unknown') this.#problem(action, unreadable);
    const body: TemplateNode[] = [];
    this.#open.push({
      action,
      // A block that is nested too deeply is still opened, so that its `end` is matched with it.
      kind: isTooDeep ? 'unknown' : kind,
      expression: expression ?? { kind: 'call', name: action.body, parameters: [] },
      variables,
      name: named?.kind === 'text' ? named.text : '',
      before: this.#nodes,
      body,
      otherwise: undefined,
      otherwiseAt: undefined,
      chained,
    });
    this.#nodes = body;
  }

  #else(action: Action, rest: readonly Token[]): void {
    const open = this.#open.at(-1);
    if (open === undefined) {
      this.#problem(action, localize`belongs to no \`if\``);
      return;
    }
    if (open.otherwise !== undefined) this.#problem(action, localize`follows another \`else\``);
    open.otherwise ??= [];
    open.otherwiseAt ??= action.span.start;
    this.#nodes = open.otherwise;
    const [word, ...condition] = rest;
    if (word?.text === 'if' || word?.text === 'with') this.#begin(action, word.text, condition, true);
  }

  #close(end: number): void {
    let open = this.#open.pop();
    while (open !== undefined) {
      const { kind, expression, variables, body, otherwise = [], before, name, action } = open;
      this.#nodes = before;
      if (kind === 'define' || kind === 'block') {
        this.#defines.push({
          name,
          span: quotedIn(this.#text, action.span, name),
          whole: { start: action.span.start, end },
          body,
        });
        if (kind === 'block') {
          before.push({ kind: 'output', expression: including(name, expression), span: action.span });
        }
      } else if (kind === 'unknown') before.push({ kind: 'unknown', span: { start: action.span.start, end } });
      else {
        const { otherwiseAt } = open;
        before.push({ kind, expression, variables, body, otherwise, at: action.span.start, otherwiseAt });
      }
      open = open.chained ? this.#open.pop() : undefined;
    }
  }

  #statement(action: Action, tokens: readonly Token[]): void {
    const [variable, mark, ...rest] = tokens;
    const sets = variable?.kind === 'variable' && mark?.kind === 'mark' && (mark.text === ':=' || mark.text === '=');
    const expression = expressionOf(sets ? rest : tokens);
    if (expression === undefined) this.#unknown(action);
    else if (sets)
      this.#nodes.push({
        kind: 'set',
        variable: variable.text.slice(1),
        declares: mark.text === ':=',
        expression,
        at: action.span.start,
      });
    else this.#nodes.push({ kind: 'output', expression, span: action.span });
  }
}

/** Returns the number of parentheses that are not closed; a negative number if one is closed that is not open. */
function depthOfParentheses(tokens: readonly Token[]): number {
  let depth = 0;
  for (const { kind, text } of tokens) {
    if (kind !== 'mark') continue;
    if (text === '(') depth++;
    else if (text === ')' && --depth < 0) break;
  }
  return depth;
}

const keywords = new Set(['if', 'with', 'range', 'define', 'block', 'else', 'end', 'template', 'break', 'continue']);

type Opening = BlockNode['kind'] | 'define' | 'block';

function isOpening(word: string): word is Opening {
  return ['if', 'with', 'range', 'define', 'block'].includes(word);
}

const nothing: Expression = { kind: 'literal', value: null };

/** Returns the include of a helper that is equivalent to a `template` or `block` action. */
function including(name: string, dot: Expression): Expression {
  return { kind: 'call', name: 'include', parameters: [{ kind: 'literal', value: name }, dot] };
}

function withoutBlanksAtEnd(text: string): string {
  let end = text.length;
  while (end > 0 && ' \t\r\n'.includes(text[end - 1] ?? '')) end--;
  return text.slice(0, end);
}

/** Splits off the variables that a block declares, as in `$key, $value := `, from the tokens of its expression. */
function declared(tokens: readonly Token[]): {
  readonly variables: readonly string[];
  readonly rest: readonly Token[];
} {
  const mark = tokens.slice(0, 4).findIndex(({ kind, text }) => kind === 'mark' && (text === ':=' || text === '='));
  if (mark === -1) return { variables: [], rest: tokens };
  const names = tokens.slice(0, mark).filter(({ kind }) => kind === 'variable');
  return { variables: names.map(({ text }) => text.slice(1)), rest: tokens.slice(mark + 1) };
}

/** Returns the span of a quoted name in an action, including its quotes; the span of the whole action if the name contains escape sequences. */
function quotedIn(text: string, { start, end }: Span, name: string): Span {
  for (const quote of ['"', '`']) {
    const at = text.slice(start, end).indexOf(`${quote}${name}${quote}`);
    if (at !== -1) return { start: start + at, end: start + at + name.length + 2 };
  }
  return { start, end };
}

/** Whether a block writes no line breaks and sets no variables. */
export function isInLine({ kind, body, otherwise }: BlockNode): boolean {
  if (kind === 'range') return false;
  return [...body, ...otherwise].every(
    (node) =>
      node.kind === 'output' || (node.kind === 'text' && !/[\n:]/.test(node.text)) || (isBlock(node) && isInLine(node)),
  );
}

function isBlock(node: TemplateNode): node is BlockNode {
  return node.kind === 'if' || node.kind === 'with' || node.kind === 'range';
}

/** Returns the position of a node in its file; undefined for a node without one. */
export function positionOf(node: TemplateNode): number | undefined {
  if (node.kind === 'output' || node.kind === 'unknown') return node.span.start;
  if (node.kind === 'text') return node.start;
  return node.kind === 'set' || isBlock(node) ? node.at : undefined;
}
