/**
 * Where does a file hold template actions and placeholders? They are masked with characters that YAML reads as plain
 * text, one for one, so that the rest of the file keeps its structure and every offset stays what it was.
 */

import type { Span } from '../text/span.ts';
import { findOwnPlaceholders } from './own-placeholders.ts';
import { yttLines, yttValues } from './ytt.ts';

/** The first character of a mask and the others: private use, so that no manifest holds them by itself. */
const maskStart = '\uE000';
const maskRest = '\uE001';
const maskRun = /\uE000(?:\s*\uE001+)*/g;

/** A line that a template fills with entries of its own: `{{- include "labels" . | nindent 4 }}`. */
export interface Hole {
  readonly offset: number;
  /** The column at which its output stands: that of `nindent`, else its own. */
  readonly indent: number;
}

export interface Masked {
  /** As long as the text it was made from. */
  readonly text: string;
  /** Every masked piece, in order. */
  readonly masks: readonly Span[];
  readonly holes: readonly Hole[];
  /** What stands between `if`, `range` or `with` and its `end`: it may be there or not. */
  readonly conditionals: readonly Span[];
}

/**
 * Other placeholders than Go's, each on one line. `$NAME`, `${NAME:-x}`, `$(name)`, `$$name$$`, `@NAME@`, `<name>`,
 * `#{name}#`, `__NAME__`, `{% %}`, `%{ }`, `(@ @)`, `{NAME}`. Bounded, so that a hostile line costs linear time.
 */
const placeholder = new RegExp(
  [
    /\$\$[\w.-]{1,100}\$\$/,
    /\$\{(?:[^\n{}]|\$\{[^\n{}]{0,100}\}){0,200}\}/,
    /\$\([\w./ -]{1,100}\)/,
    /\$[A-Z_][A-Z0-9_]{0,100}/,
    /@@?[A-Za-z][\w.-]{0,100}@@?/,
    /<[A-Za-z][^<>\n]{0,80}>/,
    /#\{[^\n{}]{1,100}\}#/,
    /__[A-Z0-9][A-Z0-9_]{0,100}?__/,
    /\{%[^\n]{0,300}?%\}/,
    /%\{[^\n{}]{0,200}\}/,
    /\(@[^\n]{0,200}?@\)/,
    /\{[A-Z][A-Z0-9_]{0,100}\}/,
  ]
    .map((part) => part.source)
    .join('|'),
  'g',
);

const mayHoldPlaceholder = /[$@<%]|#\{|__|\{[A-Z{]/;

/** Masks every template action and placeholder of a file; `extra` are placeholders of a team: `@@NAME@@`. */
export function mask(text: string, extra: readonly string[] = []): Masked {
  if (!mayHoldPlaceholder.test(text) && extra.length === 0) return { text, masks: [], holes: [], conditionals: [] };
  const ytt = yttValues(text);
  const go = maskActions(withMasks(text, ytt));
  const own = findOwnPlaceholders(go.text, extra);
  const masks = [...ytt, ...go.masks, ...own];
  const masked = withMasks(go.text, own).replace(placeholder, (found, offset: number) => {
    masks.push({ start: offset, end: offset + found.length });
    return maskOf(found);
  });
  masks.sort((a, b) => a.start - b.start);
  const conditionals = [...go.conditionals, ...conditionalsOf(yttLines(text))];
  return { text: masked, masks, holes: go.holes, conditionals };
}

function withMasks(text: string, spans: readonly Span[]): string {
  const pieces: string[] = [];
  let at = 0;
  for (const { start, end } of spans) {
    pieces.push(text.slice(at, start), maskOf(text.slice(start, end)));
    at = end;
  }
  return pieces.length === 0 ? text : pieces.join('') + text.slice(at);
}

/** The literal text around the masks of a scalar, `*` for each mask; undefined where it holds none. */
export function maskPattern(cooked: string): string | undefined {
  if (!cooked.includes(maskStart)) return undefined;
  return cooked.replace(maskRun, '*');
}

/** The scalar as it was before masking; `masks` are those inside its span, in order. */
export function unmask(cooked: string, source: string, masks: readonly Span[]): string {
  let next = 0;
  return cooked.replace(maskRun, (run) => {
    const span = masks[next++];
    return span === undefined ? run : source.slice(span.start, span.end);
  });
}

/** The masks of a file that lie inside a span, by binary search. */
export function masksWithin(masks: readonly Span[], span: Span): readonly Span[] {
  let low = 0;
  let high = masks.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((masks[middle]?.start ?? 0) < span.start) low = middle + 1;
    else high = middle;
  }
  let end = low;
  while ((masks[end]?.end ?? Number.POSITIVE_INFINITY) <= span.end) end++;
  return masks.slice(low, end);
}

function maskOf(found: string): string {
  return maskStart + found.slice(1).replace(/[^\r\n]/g, maskRest);
}

interface Action {
  readonly span: Span;
  /** The first word: `if`, `include`, `.Values`. */
  readonly word: string;
  readonly body: string;
}

const opening = new Set(['if', 'range', 'with', 'block', 'define', 'for', 'def']);
const middle = new Set(['else', 'elif']);
const silent = new Set(['if', 'range', 'with', 'block', 'define', 'else', 'end', 'break', 'continue']);

function maskActions(text: string): Masked {
  const actions = findActions(text);
  const pieces: string[] = [];
  const masks: Span[] = [];
  const holes: Hole[] = [];
  let at = 0;
  for (const group of actionsByLine(text, actions)) {
    for (const action of group.actions) {
      const found = text.slice(action.span.start, action.span.end);
      pieces.push(text.slice(at, action.span.start));
      at = action.span.end;
      if (group.alone || fillsMap(text, action)) {
        pieces.push(found.replace(/[^\r\n]/g, ' '));
        if (writes(action)) holes.push(holeOf(text, action));
      } else {
        masks.push(action.span);
        pieces.push(maskOf(found));
      }
    }
  }
  pieces.push(text.slice(at));
  return { text: pieces.join(''), masks, holes, conditionals: conditionalsOf(actions) };
}

function findActions(text: string): Action[] {
  const actions = goActions(text);
  if (!text.includes('{%')) return actions;
  const inGo = (at: number) => actions.some(({ span }) => span.start < at && at < span.end);
  return [...actions, ...jinjaStatements(text).filter(({ span }) => !inGo(span.start))].toSorted(
    (a, b) => a.span.start - b.span.start,
  );
}

/** `{% if blue %}`, `{% endif %}`: they write nothing. */
function jinjaStatements(text: string): Action[] {
  return [...text.matchAll(/\{%-?[ \t]*(\w+)[^\n]{0,300}?%\}/g)].map((found) => {
    const word = found[1]?.startsWith('end') ? 'end' : (found[1] ?? '');
    return { span: { start: found.index, end: found.index + found[0].length }, word, body: '/*' };
  });
}

function goActions(text: string): Action[] {
  const actions: Action[] = [];
  let at = text.indexOf('{{');
  while (at !== -1) {
    const close = text.indexOf('}}', at + 2);
    if (close === -1) break;
    const start = text[at - 1] === '$' ? at - 1 : at;
    const body = text
      .slice(at + 2, close)
      .replace(/^-/, '')
      .trimStart();
    actions.push({ span: { start, end: close + 2 }, word: /^[\w.$]*/.exec(body)?.[0] ?? '', body });
    at = text.indexOf('{{', close + 2);
  }
  return actions;
}

interface LineOfActions {
  readonly actions: readonly Action[];
  /** Nothing else stands on their lines. */
  readonly alone: boolean;
}

/** Groups actions that share a line; a group is alone where only blanks stand around and between its actions. */
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
    const end = text.indexOf('\n', last.span.end);
    alone &&= isBlank(text, last.span.end, end === -1 ? text.length : end);
    groups.push({ actions: members, alone });
  }
  return groups;
}

/** `labels: {{- include "labels" . | nindent 4 }}`: what it writes begins on a line of its own. */
function fillsMap(text: string, action: Action): boolean {
  if (!/\bnindent\s+\d/.test(action.body)) return false;
  const end = text.indexOf('\n', action.span.end);
  if (!isBlank(text, action.span.end, end === -1 ? text.length : end)) return false;
  return text.slice(lineStart(text, action.span.start), action.span.start).trimEnd().endsWith(':');
}

function lineStart(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1;
}

function isBlank(text: string, start: number, end: number): boolean {
  return text.slice(start, end).trim() === '';
}

function writes(action: Action): boolean {
  if (action.body.startsWith('/*') || silent.has(action.word)) return false;
  return !/^\$[\w.]*\s*:?=/.test(action.body);
}

function holeOf(text: string, action: Action): Hole {
  const column = action.span.start - lineStart(text, action.span.start);
  const indent = /\bn?indent\s+(\d{1,3})/.exec(action.body)?.[1];
  return { offset: action.span.start, indent: indent === undefined ? column : Number(indent) };
}

function conditionalsOf(actions: readonly { readonly span: Span; readonly word: string }[]): Span[] {
  const spans: Span[] = [];
  const open: number[] = [];
  for (const action of actions) {
    if (opening.has(action.word)) open.push(action.span.end);
    else if (action.word === 'end' || middle.has(action.word)) {
      const start = open.pop();
      if (start === undefined) continue;
      if (action.span.start > start) spans.push({ start, end: action.span.start });
      if (action.word !== 'end') open.push(action.span.end);
    }
  }
  return spans;
}
