/**
 * How is one document's text built? The only file that knows YAML libraries. What our own reader does not know is read by
 * a library that knows all of YAML; where that refuses, a tolerant one makes out what it can.
 */

import { EVENT_ID, type Event, getScalarValue, parseEvents, SCALAR_STYLE } from 'js-yaml';
import {
  isAlias,
  isCollection,
  isMap,
  isPair,
  isScalar,
  isSeq,
  Lexer,
  type Node as LibraryNode,
  parseDocument,
} from 'yaml';
import type { Span } from '../text/span.ts';
import { asLibrariesWant } from './as-libraries-want.ts';
import { type Begun, restOf } from './begun.ts';
import { TreeBuilder, trimmedEnd } from './build-tree.ts';
import type { Masked } from './masks.ts';
import { readUsual } from './read-usual.ts';
import type { Node, ScalarStyle } from './tree.ts';
import {
  blank,
  closeBrace,
  closeBracket,
  colon,
  dash,
  openBrace,
  openBracket,
  question,
  tab,
} from './yaml-characters.ts';

export interface ReadDocument {
  /** Undefined for an empty document. */
  readonly root: Node | undefined;
  /** How many syntax errors it has; the tree holds what could be made out all the same. */
  readonly errors: number;
}

/**
 * Reads one document: the part `span` of a file. `source` is the file's text, `masked` what its templates and
 * placeholders left of it. Never throws; text that nests too deeply to be read is one error and no tree.
 */
export function readYaml(source: string, masked: Masked, span: Span): ReadDocument {
  const { usual, begun } = startReading(source, masked, span);
  return usual ?? readEvents(source, masked, span, begun) ?? readTolerantly(source, masked, span, begun);
}

/** The document if it has no error at all, else undefined. */
export function readInOrder(source: string, masked: Masked, span: Span): ReadDocument | undefined {
  const { usual, begun } = startReading(source, masked, span);
  return usual ?? readEvents(source, masked, span, begun);
}

/** The document if our own reader knows all of it, else what it knows. */
function startReading(source: string, masked: Masked, span: Span) {
  const builder = new TreeBuilder(source, masked, span, 0);
  const { root, begun } = readUsual(masked.text, span, builder);
  return { usual: root && { root: builder.finish(root), errors: builder.errors }, begun };
}

/** The same by a library that knows all of YAML; of what is `known`, it reads only the rest. */
export function readEvents(source: string, masked: Masked, span: Span, known?: Begun): ReadDocument | undefined {
  const rest = restOf(masked.text, span, known);
  let { text } = rest;
  let events = eventsOf(text);
  if (events === undefined) {
    const wanted = asLibrariesWant(text);
    if (wanted === text) return undefined;
    events = eventsOf(wanted);
    text = wanted;
  }
  if (events === undefined) return undefined;
  if (rest.begun !== undefined && !beginsIn(events, rest.begun)) return readEvents(source, masked, span);
  const builder = new TreeBuilder(source, masked, span, rest.start);
  const root = treeOfEvents(text, events, builder, rest.begun);
  return { root: root && builder.finish(root), errors: builder.errors };
}

function eventsOf(text: string): readonly Event[] | undefined {
  return withoutStackTraces(() => {
    try {
      return parseEvents(text, {});
    } catch {
      return undefined;
    }
  });
}

/** The libraries make an error of each thing that is wrong. By which calls they came there would cost most of the time. */
function withoutStackTraces<T>(parse: () => T): T {
  const errors: { stackTraceLimit?: unknown } & ErrorConstructor = Error;
  const limit = errors.stackTraceLimit;
  errors.stackTraceLimit = 0;
  try {
    return parse();
  } finally {
    errors.stackTraceLimit = limit;
  }
}

/** The tolerant library needs up to 20 microseconds a character where every line has an error of its own. */
const maximumTolerated = 250_000;

/** What can be made out of any text, by a library that goes on after an error; of what is `known`, it reads only the rest. */
export function readTolerantly(source: string, masked: Masked, span: Span, known?: Begun): ReadDocument {
  try {
    const { text, start, begun } = restOf(masked.text, span, known);
    if (text.length > maximumTolerated || nestsTooDeeply(text)) return { root: undefined, errors: 1 };
    const { contents, errors } = withoutStackTraces(() => parse(text));
    if (begun !== undefined && !goesOn(contents, begun)) return readTolerantly(source, masked, span);
    if (contents === null) return { root: undefined, errors: errors.length };
    const builder = new TreeBuilder(source, masked, span, start);
    const root = treeOfNode(text, contents, builder, 0, begun);
    return { root: builder.finish(root), errors: errors.length };
  } catch {
    // The library recurses into nested collections, so that thousands of levels exhaust the stack.
    return { root: undefined, errors: 1 };
  }
}

/**
 * Where the comments of a file are, each from its `#` to the end of its line. What looks like one inside a string or a
 * block scalar is none.
 */
export function readComments({ text }: Masked): readonly Span[] {
  const comments: Span[] = [];
  let at = 0;
  let isScalarNext = false;
  for (const token of new Lexer().lex(text)) {
    // The library puts marks of one character between the pieces of the text.
    const isMark = token === '\u0002' || token === '\u0018' || token === '\u001f';
    if (isMark && !text.startsWith(token, at)) {
      isScalarNext = token === '\u001f';
      continue;
    }
    if (!isScalarNext && token.startsWith('#')) comments.push({ start: at, end: at + token.trimEnd().length });
    at += token.length;
    isScalarNext = false;
  }
  return comments;
}

/** No manifest nests so deeply, and what is broken besides would cost the tolerant library quadratic time. */
const maximumDepth = 500;

/** Counts brackets, and `- - -`, wherever they stand: text that is in order is never asked. */
function nestsTooDeeply(text: string): boolean {
  let brackets = 0;
  let signs = 0;
  for (let at = 0; at < text.length && brackets <= maximumDepth && signs < maximumDepth; at++) {
    const code = text.charCodeAt(at);
    if (code === openBracket || code === openBrace) brackets++;
    else if ((code === closeBracket || code === closeBrace) && brackets > 0) brackets--;
    if (code === blank || code === tab) continue;
    const following = text.charCodeAt(at + 1);
    const isSign = code === dash || code === question || code === colon;
    signs = isSign && (following === blank || following === tab) ? signs + 1 : 0;
  }
  return brackets > maximumDepth || signs >= maximumDepth;
}

interface OpenCollection {
  readonly kind: 'map' | 'list';
  readonly start: number;
  readonly flow: boolean;
  readonly anchor: string | undefined;
  readonly items: Node[];
  /** The end of what is last in it, relative to the document. */
  end: number;
}

/** Whether the library found each of the collections that were begun where it is. */
function beginsIn(events: readonly Event[], { kind, next, inner }: Begun): boolean {
  const type = kind === 'map' ? EVENT_ID.MAPPING : EVENT_ID.SEQUENCE;
  const isThere = events.some((event) => event.type === type && event.start === next);
  return isThere && (inner === undefined || beginsIn(events, inner));
}

function treeOfEvents(text: string, events: readonly Event[], builder: TreeBuilder, begun?: Begun): Node | undefined {
  const open: OpenCollection[] = [];
  let goingOn = begun;
  let root: Node | undefined;
  const add = (node: Node, end: number) => {
    const parent = open.at(-1);
    if (parent === undefined) root ??= node;
    else {
      parent.items.push(node);
      parent.end = Math.max(parent.end, end);
    }
  };
  for (const event of events) {
    switch (event.type) {
      case EVENT_ID.MAPPING:
      case EVENT_ID.SEQUENCE: {
        const flow = text[event.start] === '{' || text[event.start] === '[';
        const kind = event.type === EVENT_ID.MAPPING ? 'map' : 'list';
        const anchor = nameOf(text, event.anchorStart, event.anchorEnd);
        const known = goingOn?.next === event.start && goingOn.kind === kind ? goingOn : undefined;
        if (known !== undefined) goingOn = known.inner;
        open.push({
          kind,
          start: known?.start ?? event.start,
          flow: flow && event.style === 2,
          anchor,
          items: [...(known?.nodes ?? [])],
          end: known?.end ?? event.start + 1,
        });
        break;
      }
      case EVENT_ID.SCALAR: {
        const parentEnd = open.at(-1)?.end ?? 0;
        const node = scalarOfEvent(text, event, builder, parentEnd);
        const anchor = nameOf(text, event.anchorStart, event.anchorEnd);
        add(builder.anchor(anchor, node.scalar), node.end);
        break;
      }
      case EVENT_ID.ALIAS: {
        const name = text.slice(event.anchorStart, event.anchorEnd);
        add(builder.alias(name, event.anchorStart - 1, event.anchorEnd), event.anchorEnd);
        break;
      }
      case EVENT_ID.POP: {
        const collection = open.pop();
        if (collection !== undefined) add(...closed(text, collection, builder));
        break;
      }
    }
  }
  return root;
}

function closed(text: string, collection: OpenCollection, builder: TreeBuilder): [node: Node, end: number] {
  const end = collection.flow ? endOfFlow(text, collection.end, collection.kind === 'map' ? '}' : ']') : collection.end;
  const flowEnd = collection.flow ? end : undefined;
  const node =
    collection.kind === 'list'
      ? builder.list(collection.items, collection.start, flowEnd)
      : builder.map(collection.items, collection.start, flowEnd);
  return [builder.anchor(collection.anchor, node), end];
}

/** The offset after the bracket that closes a collection whose last item ends at `at`: blanks and comments may follow. */
function endOfFlow(text: string, at: number, bracket: string): number {
  let next = at;
  while (next < text.length && text[next] !== bracket) {
    const lineEnd = text[next] === '#' ? text.indexOf('\n', next) : next;
    next = lineEnd === -1 ? text.length : lineEnd + 1;
  }
  return Math.min(next + 1, text.length);
}

function nameOf(text: string, start: number, end: number): string | undefined {
  return start === -1 ? undefined : text.slice(start, end);
}

type ScalarEvent = Extract<Event, { type: typeof EVENT_ID.SCALAR }>;

function scalarOfEvent(text: string, event: ScalarEvent, builder: TreeBuilder, parentEnd: number) {
  if (event.valueStart === -1) return { scalar: builder.nothing(parentEnd), end: parentEnd };
  const style = eventStyles[event.style] ?? 'plain';
  const quotes = style === 'single' || style === 'double' ? 1 : 0;
  const start = style === 'block' ? builder.headerOf(event.valueStart) : event.valueStart - quotes;
  const end = style === 'block' ? trimmedEnd(text, event.valueStart, event.valueEnd) : event.valueEnd + quotes;
  const tag = event.tagStart === -1 ? undefined : tagName(text.slice(event.tagStart, event.tagEnd));
  return { scalar: builder.scalar(start, end, getScalarValue(text, event), style, tag), end };
}

const eventStyles: Readonly<Record<number, ScalarStyle>> = {
  [SCALAR_STYLE.PLAIN]: 'plain',
  [SCALAR_STYLE.SINGLE_QUOTED]: 'single',
  [SCALAR_STYLE.DOUBLE_QUOTED]: 'double',
  [SCALAR_STYLE.LITERAL_BLOCK]: 'block',
  [SCALAR_STYLE.FOLDED_BLOCK]: 'block',
};

function tagName(tag: string): string {
  return tag.replace(/^!!/, 'tag:yaml.org,2002:').replace(/^!<(.*)>$/, '$1');
}

/** Only strings: which plain scalars are numbers or booleans for Kubernetes is decided by `scalar.ts`. */
const options = {
  schema: 'failsafe',
  uniqueKeys: false,
  strict: false,
  prettyErrors: false,
  logLevel: 'silent',
} as const;

const leadingTabs = /^[ \t]*\t[ \t]*/gm;

/** A tab that may indent what brackets or braces hold: the line above ends with one, or with a comma. */
const tabInFlow = /[[{,][ \t]*(?:#[^\n]{0,200})?\r?\n\s*\t/;

function parse(text: string) {
  const document = parseDocument(text, options);
  if (document.errors.length === 0 || !tabInFlow.test(text)) return document;
  // Kubernetes' reader takes tabs as indentation inside flow collections, which the library does not.
  const spaced = parseDocument(
    text.replace(leadingTabs, (blank) => ' '.repeat(blank.length)),
    options,
  );
  return spaced.errors.length === 0 ? spaced : document;
}

/** Whether what the library read is the rest of what was begun: it may understand otherwise what stands first in it. */
function goesOn(node: unknown, { kind, next, inner }: Begun): boolean {
  if (!isCollection(node) || node.flow === true || isMap(node) !== (kind === 'map') || node.range?.[0] !== next)
    return false;
  const [first] = node.items;
  return inner === undefined || goesOn(isPair(first) ? first.value : first, inner);
}

/** `before` is the end of the key of a value that is not written. */
function treeOfNode(text: string, node: LibraryNode, builder: TreeBuilder, before = 0, begun?: Begun): Node {
  const [start, end] = node.range ?? [before, before];
  const known = begun?.nodes ?? [];
  const from = begun?.start ?? start;
  if (isAlias(node)) return builder.alias(node.source, start, end);
  if (isSeq(node)) {
    const items = [...known];
    for (const [index, item] of node.items.entries()) {
      const inner = index === 0 ? begun?.inner : undefined;
      items.push(isWritten(item) ? treeOfNode(text, item, builder, start, inner) : builder.noItem(items.at(-1), from));
    }
    return builder.anchor(node.anchor, builder.list(items, from, node.flow === true ? end : undefined));
  }
  if (isMap(node)) {
    const nodes = node.items.flatMap(({ key, value }, index) => {
      const keyNode = isNode(key) ? treeOfNode(text, key, builder, start) : builder.nothing(start);
      const inner = index === 0 ? begun?.inner : undefined;
      return [keyNode, isWritten(value) ? treeOfNode(text, value, builder, start, inner) : undefined];
    });
    return builder.anchor(node.anchor, builder.map([...known, ...nodes], from, node.flow === true ? end : undefined));
  }
  if (!isScalar(node)) return builder.nothing(start);
  const style = nodeStyles[node.type ?? 'PLAIN'] ?? 'plain';
  const open = openQuote(text.slice(start, end), style);
  // The value of a tagged one is no string any more.
  const cooked = open?.slice(1) ?? node.source ?? '';
  if (style !== 'block') {
    const ends = open === undefined ? end : start + open.length;
    return builder.anchor(node.anchor, builder.scalar(start, ends, cooked, style, node.tag));
  }
  // A header that goes on is an error, and all that the library takes for the scalar.
  const header = text.indexOf('\n', start);
  const lines = header === -1 || header >= end ? end : header + 1;
  return builder.anchor(
    node.anchor,
    builder.scalar(builder.headerOf(lines), trimmedEnd(text, lines, end), cooked, style, node.tag),
  );
}

/** The first line of a quoted scalar that is not closed yet: to the library, all that follows it is in the quotes. */
function openQuote(source: string, style: ScalarStyle): string | undefined {
  if (style !== 'single' && style !== 'double') return undefined;
  return source.length > 1 && source.at(-1) === source[0] ? undefined : source.replace(/[\r\n].*$/s, '');
}

function isNode(value: unknown): value is LibraryNode {
  return isScalar(value) || isMap(value) || isSeq(value) || isAlias(value);
}

/** A value of no characters stands at the end of its key, wherever the library puts it. */
function isWritten(value: unknown): value is LibraryNode {
  if (!isNode(value)) return false;
  return !isScalar(value) || value.type !== 'PLAIN' || value.value !== '' || value.anchor !== undefined;
}

const nodeStyles: Readonly<Record<string, ScalarStyle>> = {
  PLAIN: 'plain',
  QUOTE_SINGLE: 'single',
  QUOTE_DOUBLE: 'double',
  BLOCK_LITERAL: 'block',
  BLOCK_FOLDED: 'block',
};
