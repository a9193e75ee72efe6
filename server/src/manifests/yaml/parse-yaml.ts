/**
 * How is one document's text built? The only file that knows YAML libraries. What our own reader does not know is read by
 * a library that knows all of YAML; where that refuses, a tolerant one makes out what it can.
 */

import { EVENT_ID, type Event, getScalarValue, parseEvents, SCALAR_STYLE } from 'js-yaml';
import type { Span } from '../../text/span.ts';
import type { Masked } from '../placeholders/placeholders.ts';
import { type Begun, restOf } from './begun-document.ts';
import { TreeBuilder, trimmedEnd } from './build-tree.ts';
import { readUsual } from './fast-yaml-parser.ts';
import { asLibrariesWant } from './library-dialect.ts';
import type { ReadDocument } from './parsed-document.ts';
import { tokensOf } from './repair.ts';
import { controlCharacters, readTolerantly, withoutStackTraces } from './tolerant-parser.ts';
import { extentOf, maximumExtent, type Node, type ScalarStyle } from './tree.ts';

/**
 * Reads one document: the part `span` of a file. `source` is the file's text, `masked` what its templates and
 * placeholders left of it. Never throws; text that nests too deeply to be read has one error and no tree.
 */
export function readYaml(source: string, masked: Masked, span: Span): ReadDocument {
  const { usual, begun } = startReading(source, masked, span);
  return withoutExcess(
    usual ?? readEvents(source, masked, span, begun) ?? readTolerantly(source, masked, span, begun),
    span,
  );
}

/** Without the tree of a document that a few aliases make immense: labels times objects may not fit into memory. */
function withoutExcess(read: ReadDocument, { start, end }: Span): ReadDocument {
  const { root } = read;
  if (root === undefined || extentOf(root).size <= maximumExtent(end - start)) return read;
  const at = root.span.start;
  return { root: undefined, errors: [{ at, reason: '' }], expandsTooFarAt: at };
}

/** The document if it has no error at all, else undefined. */
export function readInOrder(source: string, masked: Masked, span: Span): ReadDocument | undefined {
  const { usual, begun } = startReading(source, masked, span);
  const read = usual ?? readEvents(source, masked, span, begun);
  return read && withoutExcess(read, span);
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
  return { root: root && builder.finish(root), errors: [...controlCharacters(masked.text, span), ...builder.errors] };
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

/**
 * Where the comments of a file are, each from its `#` to the end of its line. What looks like one inside a string or a
 * block scalar is none.
 */
export function readComments({ text }: Masked): readonly Span[] {
  const comments: Span[] = [];
  for (const { at, token, isScalar } of tokensOf(text)) {
    if (!isScalar && token.startsWith('#')) comments.push({ start: at, end: at + token.trimEnd().length });
  }
  return comments;
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
