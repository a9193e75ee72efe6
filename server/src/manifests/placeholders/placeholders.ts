/** Finds template actions and placeholders. Each of their characters is replaced by a character that YAML parses as plain text, so that the structure of the file and all offsets are preserved. */

import { lineEndAt } from '../../text/lines.ts';
import type { Span } from '../../text/span.ts';
import { findActions as goActions } from '../helm/actions.ts';
import type { MapNode } from '../yaml/tree.ts';
import type { Conditional } from './conditionals.ts';
import { findOwnPlaceholders } from './custom-placeholders.ts';
import { mayHoldPlaceholder, placeholderPattern } from './placeholder-pattern.ts';
import { scalarSpans } from './scalar-spans.ts';
import { mayHoldStatements, statementsIn } from './statements.ts';
import { isSwitchedOff } from './switched-off.ts';
import { yttLines, yttValues } from './ytt.ts';

/** The first character of a replacement; the next constant is used for all other characters. Both are private-use characters, which do not occur in manifests. */
const blankStart = '\uE000';
const blankRest = '\uE001';
const blankRun = /\uE000\uE001*/g;

/** An action on its own line whose output adds entries to a collection, such as `{{- include "labels" . | nindent 4 }}`. */
export interface Placeholder extends Span {
  /**
   * The column at which the output begins: the argument of `nindent` if there is one, otherwise the column of the
   * action.
   */
  readonly indent: number;
  /** The output of the action, if the chart determines it. */
  readonly written?: Written;
}

/** The output of an action, to the extent that its chart determines it, and the code of the action with all known values inserted. */
interface Written {
  readonly code: string;
  readonly text: string;
}

/** A template action or placeholder whose characters are replaced in the text. */
export interface Blank extends Span {
  /** The output of the action, if the chart determines it: text, and template actions for unknown parts. */
  readonly text?: string;
}

/** The facts about the actions of a file, keyed by the start offset of the action. */
export interface Rendering {
  readonly outputs: ReadonlyMap<number, Written>;
  /** The output of blocks that are on one line, each from its first action to its last. */
  readonly blocks: ReadonlyMap<number, Written>;
  readonly conditions: ReadonlyMap<number, string>;
}

export interface BlankedText {
  /** The text in which all template actions and placeholders are replaced, with the length of the original text. */
  readonly text: string;
  /** All replaced template actions and placeholders, in order. */
  readonly blanks: readonly Blank[];
  readonly placeholders: readonly Placeholder[];
  readonly conditionals: readonly Conditional[];
  /** Set if the text is only part of a document, so that the conditions of all of its regions are significant. */
  readonly inner?: boolean;
  /** Set if a merge key (`<<`) overrides the entries above it, as it does for Helm. */
  readonly mergesInOrder?: true;
  /** Returns the entries that a placeholder writes, if the chart determines them. */
  filling?(placeholder: Placeholder): MapNode | undefined;
  /** Returns the output that an unknown action has with the default values of the chart. */
  assumed?(code: string): string | undefined;
}

/** Replaces all template actions and placeholders in a template; `extra` contains the patterns of custom placeholders, such as `@@NAME@@`. */
export function blank(text: string, extra: readonly string[] = [], rendering?: Rendering): BlankedText {
  if (!mayHoldPlaceholder.test(text) && extra.length === 0) return nothingBlanked(text);
  return blankOthers(text, extra, (masked) => blankActions(masked, rendering));
}

/** Replaces the placeholders in a file that is valid YAML with its template actions, which are text inside of scalars. `scalars` contains the spans of the scalars, in order. Conditions in comments are significant, because a tool may evaluate them. */
export function blankInScalars(text: string, scalars: readonly Span[], extra: readonly string[] = []): BlankedText {
  return blankOthers(text, extra, (masked) => {
    const blanks = scalars.flatMap(({ start, end }) =>
      findActions(masked.slice(start, end)).map(({ span }) => ({ start: start + span.start, end: start + span.end })),
    );
    const conditionals = conditionalsOf(findActions(withBlanks(masked, scalars)), undefined);
    return { text: withBlanks(masked, blanks), blanks, placeholders: [], conditionals };
  });
}

/** Replaces all placeholders; `replaceActions` replaces the template actions. */
function blankOthers(
  text: string,
  extra: readonly string[],
  replaceActions: (text: string) => BlankedText,
): BlankedText {
  const ytt = yttValues(text);
  const go = replaceActions(withBlanks(text, ytt));
  const own = findOwnPlaceholders(go.text, extra);
  const blanks: Blank[] = [...ytt, ...go.blanks, ...own];
  const blanked = withBlanks(go.text, own).replace(placeholderPattern, (found, offset: number) => {
    blanks.push({ start: offset, end: offset + found.length });
    return blankOf(found);
  });
  blanks.sort((a, b) => a.start - b.start);
  const conditionals = [...go.conditionals, ...conditionalsOf(yttLines(text), undefined)];
  return { text: blanked, blanks, placeholders: go.placeholders, conditionals };
}

function nothingBlanked(text: string): BlankedText {
  return { text, blanks: [], placeholders: [], conditionals: [] };
}

function withBlanks(text: string, spans: readonly Span[]): string {
  const pieces: string[] = [];
  let at = 0;
  for (const { start, end } of spans) {
    pieces.push(text.slice(at, start), blankOf(text.slice(start, end)));
    at = end;
  }
  return pieces.length === 0 ? text : pieces.join('') + text.slice(at);
}

/** Whether the text of a scalar contains a replaced template action or placeholder. */
export function isBlanked(cooked: string): boolean {
  return cooked.includes(blankStart);
}

/** Returns the known text of a scalar, with `*` for each unknown part. */
export function blankPattern(cooked: string, blanks: readonly Blank[]): string {
  let next = 0;
  return cooked.replace(blankRun, () => {
    const text = blanks[next++]?.text;
    return text === undefined
      ? '*'
      : withBlanks(
          text,
          goActions(text).map(({ span }) => span),
        ).replace(blankRun, '*');
  });
}

/** Returns the original text of a scalar, in which known values are inserted; `blanks` contains the replaced ranges inside of the scalar, in order. */
export function unmask(cooked: string, source: string, blanks: readonly Blank[]): string {
  let next = 0;
  return cooked.replace(blankRun, (run) => {
    const blank = blanks[next++];
    return blank === undefined ? run : (blank.text ?? source.slice(blank.start, blank.end));
  });
}

/** Returns a text in which actions are replaced with their output for the default values. Actions with unknown output are kept; undefined if the output of all actions is unknown. */
export function assumedText(text: string, assumed: BlankedText['assumed']): string | undefined {
  if (assumed === undefined) return undefined;
  const pieces: string[] = [];
  let at = 0;
  let isRendered = false;
  for (const { span, body } of goActions(text)) {
    const found = assumed(body);
    isRendered ||= found !== undefined;
    pieces.push(text.slice(at, span.start), found ?? text.slice(span.start, span.end));
    at = span.end;
  }
  return isRendered ? pieces.join('') + text.slice(at) : undefined;
}

/** Returns the replaced ranges or placeholders of a file that lie inside a span, found by binary search. */
export function blanksWithin<T extends Span>(blanks: readonly T[], span: Span): readonly T[] {
  let low = 0;
  let high = blanks.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((blanks[middle]?.start ?? 0) < span.start) low = middle + 1;
    else high = middle;
  }
  let end = low;
  while ((blanks[end]?.end ?? Number.POSITIVE_INFINITY) <= span.end) end++;
  return blanks.slice(low, end);
}

/** Returns the replacement for an action. It has no line breaks, so that an action over several lines is one unit in every position, whatever the indentation of its other lines. */
function blankOf(found: string): string {
  return blankStart + blankRest.repeat(found.length - 1);
}

interface Action {
  readonly span: Span;
  /** The first word of the action, such as `if`, `include` or `.Values`. */
  readonly word: string;
  readonly body: string;
  /** Set if the action represents a whole block. */
  readonly whole?: true;
}

const opening = new Set(['if', 'range', 'with', 'block', 'define', 'for', 'def']);
const middle = new Set(['else', 'elif']);
const silent = new Set(['if', 'range', 'with', 'block', 'define', 'else', 'end', 'break', 'continue']);

function blankActions(text: string, rendering: Rendering | undefined): BlankedText {
  const actions = findActions(text);
  if (actions.length === 0) return nothingBlanked(text);
  const inScalars = actionsInScalars(text, actions);
  const others = inScalars.size === 0 ? actions : actions.filter((each) => !inScalars.has(each));
  const defined = definitionsOf(others);
  const pieces: string[] = [];
  const blanks: Blank[] = [];
  const placeholders: Placeholder[] = [];
  let at = 0;
  const lineOf = linesOf(text);
  const alone = [...inScalars].map((each): LineOfActions => ({ actions: [each], alone: false }));
  const groups = [...actionsByLine(text, others), ...alone];
  if (alone.length > 0) groups.sort((a, b) => (a.actions[0]?.span.start ?? 0) - (b.actions[0]?.span.start ?? 0));
  for (const group of groups) {
    for (const action of group.alone ? group.actions : withBlocksJoined(text, group.actions)) {
      // The actions inside of a replaced block are replaced together with the block.
      if (action.span.start < at) continue;
      pieces.push(text.slice(at, action.span.start));
      at = defined.get(action.span.start) ?? action.span.end;
      const found = text.slice(action.span.start, at);
      const { start } = action.span;
      const column = start - lineOf(start);
      const written = rendering?.outputs.get(start) ?? (action.whole ? rendering?.blocks.get(start) : undefined);
      if (at !== action.span.end) pieces.push(blankOut(found));
      else if (group.alone || (!inScalars.has(action) && fillsMap(text, action, written))) {
        pieces.push(blankOut(found));
        if (writes(action)) placeholders.push(placeholderOf(action, written, column));
      } else {
        const indent = indentOfKey(text, action, column);
        // The blanks before the action are part of its output.
        if (indent < 0) pieces.push(pieces.pop()?.slice(0, indent) ?? '');
        blanks.push({ start: start + indent, end: at, ...(written !== undefined && { text: inLine(written) }) });
        pieces.push(' '.repeat(Math.max(indent, 0)), blankOf(text.slice(start + indent, at)));
      }
    }
  }
  pieces.push(text.slice(at));
  return { text: pieces.join(''), blanks, placeholders, conditionals: conditionalsOf(others, rendering) };
}

/** Returns the number of spaces with which the output of an action begins, if it begins a line and the rest of the line continues it: `{{ include "file" . | indent 2 }}: |`. It is negative if the output is on a line of its own with less indentation: `{{- $key | nindent 4 }}: a`. */
function indentOfKey(text: string, { span, body }: Action, column: number): number {
  const own = text[span.end] === ':' ? /\| *nindent +(\d{1,3})$/.exec(body.trimEnd())?.[1] : undefined;
  if (own !== undefined && text.slice(span.start - column, span.start).trim() === '')
    return Math.min(Number(own), column + span.end - span.start - 1) - column;
  const beginsALine = column === 0;
  const indent = beginsALine ? Number(/\| *indent +(\d{1,3})$/.exec(body.trimEnd())?.[1] ?? 0) : 0;
  return indent < span.end - span.start ? indent : 0;
}

/** Returns the actions inside of block scalars and quoted scalars. Their output is text that cannot change the structure of the document, so a plain manifest whose strings contain templates for a different program is not a template itself. Actions in a scalar with unclosed blocks are omitted. */
function actionsInScalars(text: string, actions: readonly Action[]): ReadonlySet<Action> {
  const found = new Set<Action>();
  let next = 0;
  for (const span of scalarSpans(withoutBreaks(text, actions))) {
    while (next < actions.length && (actions[next]?.span.start ?? 0) < span.start) next++;
    const inside: Action[] = [];
    for (let action = actions[next]; action !== undefined && action.span.start < span.end; action = actions[++next])
      inside.push(action);
    if (areClosed(inside, span)) for (const action of inside) found.add(action);
  }
  return found;
}

/** Replaces the line breaks inside of actions with spaces. The indentation of the other lines of an action does not end a block scalar. */
function withoutBreaks(text: string, actions: readonly Action[]): string {
  const pieces: string[] = [];
  let at = 0;
  for (const { span } of actions) {
    const found = text.slice(span.start, span.end);
    if (!found.includes('\n')) continue;
    pieces.push(text.slice(at, span.start), found.replaceAll(/[\r\n]/g, ' '));
    at = span.end;
  }
  return pieces.length === 0 ? text : pieces.join('') + text.slice(at);
}

/** Whether every block that begins in a span also ends in it, and every block that ends in the span begins in it. */
function areClosed(actions: readonly Action[], { end }: Span): boolean {
  let depth = 0;
  for (const { word, span } of actions) {
    if (opening.has(word)) depth++;
    else if (word === 'end') depth--;
    if (depth < 0 || span.end > end) return false;
  }
  return depth === 0;
}

/** Replaces all characters except line breaks with blanks. */
export function blankOut(found: string): string {
  return found.replace(/[^\r\n]/g, ' ');
}

/** Returns the output of an action for insertion into a line: without surrounding quotes, or as an action if the output has several lines. */
function inLine({ code, text }: Written): string {
  if (text.includes('\n')) return `{{ ${code} }}`;
  return text.length > 1 && text.startsWith('"') && text.endsWith('"') ? text.slice(1, -1) : text;
}

/** Returns the end offset of each template definition, and of each block that is switched off, by its start offset. */
function definitionsOf(actions: readonly Action[]): ReadonlyMap<number, number> {
  const ends = new Map<number, number>();
  const open: Action[] = [];
  const withOthers = new Set<Action | undefined>();
  for (const action of actions) {
    if (opening.has(action.word)) open.push(action);
    else if (middle.has(action.word)) withOthers.add(open.at(-1));
    else if (action.word === 'end') {
      const begun = open.pop();
      const isOff = begun !== undefined && isSwitchedOff(begun.body) && !withOthers.has(begun);
      if (begun !== undefined && (begun.word === 'define' || isOff)) ends.set(begun.span.start, action.span.end);
    }
  }
  return ends;
}

/** Joins the actions of a block that provides the value of a key into one action: `name: {{ if .blue }}blue{{ else }}green{{ end }}`. */
function withBlocksJoined(text: string, actions: readonly Action[]): readonly Action[] {
  const first = actions[0]?.span.start ?? 0;
  if (!/:[ \t]|- *$/.test(text.slice(lineStart(text, first), first))) return actions;
  const joined: Action[] = [];
  const open: number[] = [];
  for (const action of actions) {
    joined.push(action);
    if (opening.has(action.word)) open.push(joined.length - 1);
    if (action.word !== 'end') continue;
    const index = open.pop();
    const begun = index === undefined ? undefined : joined[index];
    if (begun === undefined || index === undefined) continue;
    const span = { start: begun.span.start, end: action.span.end };
    joined.splice(index, joined.length, { ...begun, span, whole: true });
  }
  return joined;
}

function findActions(text: string): Action[] {
  const actions = goActions(text).map(({ span, body }): Action => {
    const start = text[span.start - 1] === '$' ? span.start - 1 : span.start;
    return { span: { start, end: span.end }, word: /^[\w.$]*/.exec(body)?.[0] ?? '', body };
  });
  if (!mayHoldStatements(text)) return actions;
  let next = 0;
  const statements = statementsIn(text).filter(({ span: { start } }) => {
    while ((actions[next]?.span.end ?? Number.POSITIVE_INFINITY) <= start) next++;
    return (actions[next]?.span.start ?? Number.POSITIVE_INFINITY) >= start;
  });
  const silenced = statements.map((each): Action => ({ ...each, body: '/*' }));
  return [...actions, ...silenced].toSorted((a, b) => a.span.start - b.span.start);
}

interface LineOfActions {
  readonly actions: readonly Action[];
  /** Whether the lines contain only the actions and blanks. */
  readonly alone: boolean;
}

/** Groups the actions that share a line. A group is `alone` if its lines contain only actions and blanks. */
function actionsByLine(text: string, actions: readonly Action[]): LineOfActions[] {
  const groups: LineOfActions[] = [];
  let index = 0;
  while (index < actions.length) {
    const first = actions[index];
    if (first === undefined) break;
    const members = [first];
    let last = first;
    let alone = isBlank(text, lineStart(text, first.span.start), first.span.start);
    for (let next = actions[++index]; next !== undefined; next = actions[++index]) {
      if (text.slice(last.span.end, next.span.start).includes('\n')) break;
      alone &&= isBlank(text, last.span.end, next.span.start);
      members.push(next);
      last = next;
    }
    alone &&= isBlank(text, last.span.end, lineEndAt(text, last.span.end));
    groups.push({ actions: members, alone });
  }
  return groups;
}

/** Whether the output of an action is a map on new lines, as in `labels: {{- include "labels" . | nindent 4 }}`. */
function fillsMap(text: string, action: Action, written: Written | undefined): boolean {
  if (!endsLine(text, action.span.end)) return false;
  const isOnNewLines =
    /\bnindent\s+\d/.test(action.body) || (written && beginsLine(written.text)) || isContinued(text, action);
  if (!isOnNewLines) return false;
  return text.slice(lineStart(text, action.span.start), action.span.start).trimEnd().endsWith(':');
}

/** Whether other entries follow an action with `indent` behind a key: `labels: {{ include "labels" . | indent 4 }}`. Its output then begins with a line break, because no entry can follow a value. */
function isContinued(text: string, { span, body }: Action): boolean {
  if (!/\bindent\s+\d/.test(body)) return false;
  const own = columnOf(text, lineStart(text, span.start));
  const next = /\n[ \t\r]*(?=[^\s#])/g;
  next.lastIndex = span.end;
  const found = next.exec(text);
  return found !== null && !text.startsWith('{{', next.lastIndex) && found[0].length - 1 > own;
}

function columnOf(text: string, line: number): number {
  return /^ */.exec(text.slice(line, line + 1000))?.[0].length ?? 0;
}

/** Whether the output begins with a line break and has several lines. */
function beginsLine(written: string): boolean {
  return /^[ \t]*\r?\n/.test(written) && written.trim() !== '';
}

function lineStart(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1;
}

/** Returns a function that returns the start of the line of an offset; its offsets must ascend. */
function linesOf(text: string): (offset: number) => number {
  let start = 0;
  let end = text.indexOf('\n');
  return (offset) => {
    while (end !== -1 && end < offset) {
      start = end + 1;
      end = text.indexOf('\n', start);
    }
    return start;
  };
}

const restOfLine = /[^\S\n]*(?:\n|$)/y;

/** Whether only blanks follow an offset on its line. */
function endsLine(text: string, offset: number): boolean {
  restOfLine.lastIndex = offset;
  return restOfLine.test(text);
}

function isBlank(text: string, start: number, end: number): boolean {
  return text.slice(start, end).trim() === '';
}

function writes(action: Action): boolean {
  if (action.body.startsWith('/*') || silent.has(action.word)) return false;
  return !/^\$[\w.]*\s*:?=/.test(action.body);
}

function placeholderOf(action: Action, written: Written | undefined, column: number): Placeholder {
  const indent = /\bn?indent\s+(\d{1,3})/.exec(action.body)?.[1];
  const own = written && beginsLine(written.text) ? firstIndent.exec(written.text)?.[1]?.length : undefined;
  return {
    ...action.span,
    indent: own ?? (indent === undefined ? column : Number(indent)),
    ...(written && { written }),
  };
}

/** Matches the indentation of the first line that does not consist only of an action. */
const firstIndent = /^([ \t]*)(?!\s|\{\{[^\n]*\}\}[ \t\r]*$)/m;

type Marked = { readonly span: Span; readonly word: string; readonly body?: string };

/** The maximum number of conditional regions that contain each other; the content of the innermost one is conditional. */
const deepestBlock = 100;
/** The maximum length of the code of a condition, to which each `else` adds the conditions before it; longer code is replaced by unique code. */
const longestCondition = 10_000;

function conditionalsOf(actions: readonly Marked[], rendering: Rendering | undefined): Conditional[] {
  const spans: Conditional[] = [];
  const open: Omit<Conditional, 'end'>[] = [];
  const begin = ({ span, word, body = word }: Marked, before: string, block: number) => {
    const written = rendering?.conditions.get(span.start) ?? `${before}${body}`;
    const condition = written.length > longestCondition ? `${body} #${span.start}` : written;
    open.push({ start: span.end, condition, block });
  };
  for (const action of actions) {
    if (opening.has(action.word)) begin(action, '', action.span.start);
    else if (action.word === 'end' || middle.has(action.word)) {
      const before = open.pop();
      if (before === undefined) continue;
      if (action.span.start > before.start && open.length < deepestBlock)
        spans.push({ ...before, end: action.span.start });
      if (action.word !== 'end') begin(action, `not ${before.condition}, `, before.block);
    }
  }
  return spans;
}
