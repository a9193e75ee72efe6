/** Parses one YAML document. Documents that the fast parser does not support are parsed by a library that supports all of YAML and, if that fails, by a tolerant library. Each parser parses whole documents: continuing at the position of the fast parser saved less than the variation between two runs (cold index of 10,000 files: 3.64 s with it and 3.72 s without; manifests of 26 repositories: 2.74 s and 2.61 s). */

import { EVENT_ID, type Event, getScalarValue, parseEvents, SCALAR_STYLE } from 'js-yaml';
import type { Span } from '../../text/span.ts';
import type { BlankedText } from '../placeholders/placeholders.ts';
import { TreeBuilder, trimmedEnd } from './build-tree.ts';
import { parseUsual } from './fast-yaml-parser.ts';
import { asLibrariesWant, isGluedAlias } from './library-dialect.ts';
import type { ReadDocument } from './parsed-document.ts';
import { tokensOf } from './repair.ts';
import { controlCharacters, readTolerantly, withoutStackTraces } from './tolerant-parser.ts';
import { maximumTreeSize, type Node, type ScalarStyle, treeSizeOf } from './tree.ts';

/** Parses one document: the part `span` of a file. `source` is the file's text; in `blanked`, its template actions and placeholders are replaced. Never throws; text that is nested too deeply to be parsed has one error and no tree. */
export function parseYaml(source: string, blanked: BlankedText, span: Span): ReadDocument {
  return withoutExcess(
    readFast(source, blanked, span) ?? readEvents(source, blanked, span) ?? readTolerantly(source, blanked, span),
    span,
  );
}

/** Removes the tree of a document that a few aliases expand excessively, because the combinations of labels and objects might not fit into memory. */
function withoutExcess(read: ReadDocument, { start, end }: Span): ReadDocument {
  const { root } = read;
  if (root === undefined || treeSizeOf(root).size <= maximumTreeSize(end - start)) return read;
  const at = root.span.start;
  return { root: undefined, errors: [{ at, reason: '' }], expandsTooFarAt: at };
}

/** Parses a document with the fast parser or, if this parser does not support the document, with a library that supports all of YAML; undefined if the document has an error. */
export function readInOrder(source: string, blanked: BlankedText, span: Span): ReadDocument | undefined {
  const read = readFast(source, blanked, span) ?? readEvents(source, blanked, span);
  return read && withoutExcess(read, span);
}

/** Parses a document with the fast parser; undefined if this parser does not support all of it. */
function readFast(source: string, blanked: BlankedText, span: Span): ReadDocument | undefined {
  const builder = new TreeBuilder(source, blanked, span, 0);
  const root = parseUsual(blanked.text, span, builder);
  return root && { root: builder.finish(root), errors: builder.errors };
}

/** Parses a document with a library that supports all of YAML; undefined if it has an error. */
export function readEvents(source: string, blanked: BlankedText, span: Span): ReadDocument | undefined {
  const written = blanked.text.slice(span.start, span.end);
  let text = written;
  let events = eventsOf(text);
  if (events === undefined) {
    const wanted = asLibrariesWant(text);
    if (wanted === text) return undefined;
    events = eventsOf(wanted);
    text = wanted;
  }
  if (events === undefined) return undefined;
  const builder = new TreeBuilder(source, blanked, span);
  const root = treeOfEvents({ text, written }, events, builder);
  return { root: root && builder.finish(root), errors: [...controlCharacters(blanked.text, span), ...builder.errors] };
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
 * Returns the spans of the comments of a file, each from its `#` to the end of its line. A `#` inside a string or a
 * block scalar does not begin a comment.
 */
export function readComments({ text }: BlankedText): readonly Span[] {
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
  /** The end offset of the last element, relative to the start of the document. */
  end: number;
}

/** A document as a library parses it, and as it is written. Both have the same length. */
interface Texts {
  readonly text: string;
  readonly written: string;
}

function treeOfEvents({ text, written }: Texts, events: readonly Event[], builder: TreeBuilder): Node | undefined {
  const open: OpenCollection[] = [];
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
        const anchor = anchorNameOf(text, event.anchorStart, event.anchorEnd);
        const { start, style } = event;
        open.push({ kind, start, flow: flow && style === 2, anchor, items: [], end: start + 1 });
        break;
      }
      case EVENT_ID.SCALAR: {
        if (isGluedAlias(text, written, event.valueStart)) {
          const name = written.slice(event.valueStart + 1, event.valueEnd);
          add(builder.alias(name, event.valueStart, event.valueEnd), event.valueEnd);
          break;
        }
        const parentEnd = open.at(-1)?.end ?? 0;
        const node = scalarOfEvent(text, event, builder, parentEnd);
        const anchor = anchorNameOf(text, event.anchorStart, event.anchorEnd);
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

/** Returns the offset after the bracket that closes a collection whose last item ends at `at`; blanks and comments can precede the bracket. */
function endOfFlow(text: string, at: number, bracket: string): number {
  let next = at;
  while (next < text.length && text[next] !== bracket) {
    const lineEnd = text[next] === '#' ? text.indexOf('\n', next) : next;
    next = lineEnd === -1 ? text.length : lineEnd + 1;
  }
  return Math.min(next + 1, text.length);
}

function anchorNameOf(text: string, start: number, end: number): string | undefined {
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
