/** Parses documents with all of the syntax of YAML, and as much as possible of documents with errors, using a library that continues after an error. */

import { isAlias, isMap, isScalar, isSeq, type Node as LibraryNode, parseDocument } from 'yaml';
import { localize } from '../../text/localize.ts';
import type { Span } from '../../text/span.ts';
import type { BlankedText } from '../placeholders/placeholders.ts';
import { TreeBuilder, trimmedEnd } from './build-tree.ts';
import { blank, closeBrace, closeBracket, colon, dash, openBrace, openBracket, question, tab } from './characters.ts';
import type { ReadDocument, SyntaxProblem } from './parsed-document.ts';
import { rejectedSyntax } from './rejected-syntax.ts';
import { parseRepaired } from './repair.ts';
import type { Node, ScalarStyle } from './tree.ts';

/** The maximum length in UTF-16 code units. If every line has an error, the tolerant library needs up to 20 microseconds per character. */
const maximumTolerated = 250_000;

/** The maximum number of repairs, each of which requires parsing the text again. */
const maximumRepairs = 8;

/** Parses as much as possible of a document. Never throws. */
export function readTolerantly(
  source: string,
  blanked: BlankedText,
  span: Span,
  repairs = maximumRepairs,
): ReadDocument {
  try {
    const { start } = span;
    const text = blanked.text.slice(start, span.end);
    if (nestsTooDeeply(text)) return tooLarge(blanked.text, span);
    if (text.length > maximumTolerated) return { root: undefined, errors: [{ at: start, reason: '' }] };
    const { contents, problems, replaced, repaired } = withoutStackTraces(() => parseRepaired(text, parse, repairs));
    const errors = [
      ...problems.map(({ at, reason }) => ({ at: at + start, reason })),
      ...controlCharacters(blanked.text, span),
      ...(problems.length === 0 ? rejectedSyntax(text).map(({ at, reason }) => ({ at: at + start, reason })) : []),
    ];
    const isRepaired = repaired && { repaired };
    if (contents === null) return { root: undefined, errors, ...isRepaired };
    const builder = new TreeBuilder(source, blanked, span);
    const root = treeOfNode({ text, replaced, builder }, contents);
    return { root: builder.finish(root), errors: [...errors, ...builder.errors], ...isRepaired };
  } catch {
    // The library is recursive, so a collection that is nested thousands of levels deep exhausts the stack.
    return tooLarge(blanked.text, span);
  }
}

function tooLarge(text: string, span: Span): ReadDocument {
  const first = text.slice(span.start, span.end).search(/^[^\s#-]/m);
  const start = span.start + Math.max(first, 0);
  return { root: undefined, errors: [{ at: start, reason: '' }], tooLargeAt: start };
}

/** The maximum nesting depth. In texts with errors, the time that the tolerant library needs is quadratic in the depth. */
export const maximumNesting = 500;

/** Whether a text is nested too deeply. Brackets and `- - -` are counted even in strings and comments, because only text with errors is checked. */
function nestsTooDeeply(text: string): boolean {
  let brackets = 0;
  let signs = 0;
  for (let at = 0; at < text.length && brackets <= maximumNesting && signs < maximumNesting; at++) {
    const code = text.charCodeAt(at);
    if (code === openBracket || code === openBrace) brackets++;
    else if ((code === closeBracket || code === closeBrace) && brackets > 0) brackets--;
    if (code === blank || code === tab) continue;
    const following = text.charCodeAt(at + 1);
    const isSign = code === dash || code === question || code === colon;
    signs = isSign && (following === blank || following === tab) ? signs + 1 : 0;
  }
  return brackets > maximumNesting || signs >= maximumNesting;
}

/** The library returns all scalars as strings; `scalar-types.ts` determines which plain scalars Kubernetes decodes as numbers or booleans. */
const options = {
  schema: 'failsafe',
  uniqueKeys: false,
  strict: false,
  prettyErrors: false,
  logLevel: 'silent',
} as const;

const leadingTabs = /^[ \t]*\t[ \t]*/gm;

/** Matches a tab that may indent the content of a flow collection: the previous line ends with an opening bracket or brace, or with a comma. */
const tabInFlow = /[[{,][ \t]*(?:#[^\n]{0,200})?\r?\n\s*\t/;

function parse(text: string) {
  const document = parseDocument(text, options);
  // Kubernetes knows this escape sequence, which is not in the standard.
  document.errors = document.errors.filter(({ pos: [at] }) => !text.startsWith("\\'", at));
  if (document.errors.length === 0) return document;
  // The Kubernetes parser accepts tabs as indentation inside flow collections, and single carriage returns as line breaks, but the library does not.
  const spaced = tabInFlow.test(text) ? text.replace(leadingTabs, (blank) => ' '.repeat(blank.length)) : text;
  const rewritten = spaced.replace(/\r(?!\n)/g, '\n');
  if (rewritten === text) return document;
  const next = parseDocument(rewritten, options);
  return next.errors.length === 0 ? next : document;
}

/** Finds control characters. The Kubernetes YAML parser rejects them everywhere; the library accepts some of them. */
function controlCharacters(text: string, { start, end }: Span): readonly SyntaxProblem[] {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
  const at = text.slice(start, end).search(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u0084\u0086-\u009f]/);
  return at === -1 ? [] : [{ at: start + at, reason: localize`control characters are not allowed` }];
}

interface Reading {
  readonly text: string;
  /** The original nodes of the scalars that were replaced for the library, by start offset. */
  readonly replaced: Map<number, LibraryNode>;
  readonly builder: TreeBuilder;
}

/** Converts a node of the library to a node of the tree. `before` is the end of the key to which a missing value belongs. */
function treeOfNode(reading: Reading, node: LibraryNode, before = 0): Node {
  const { text, builder } = reading;
  const [start, end] = node.range ?? [before, before];
  if (isAlias(node)) return builder.alias(node.source, start, end);
  if (isSeq(node)) {
    const items: Node[] = [];
    for (const item of node.items)
      items.push(isWritten(item) ? treeOfNode(reading, item, start) : builder.noItem(items.at(-1), start));
    return builder.anchor(node.anchor, builder.list(items, start, node.flow === true ? end : undefined));
  }
  if (isMap(node)) {
    const nodes = node.items.flatMap(({ key, value }) => {
      const withColon = node.flow === true ? keyWithColon(reading, key) : undefined;
      const keyNode = withColon ?? (isNode(key) ? treeOfNode(reading, key, start) : builder.nothing(start));
      return [keyNode, isWritten(value) ? treeOfNode(reading, value, start) : undefined];
    });
    // In an explicit key (`? name: value`), the range that the library returns begins after the first key.
    const key = node.items[0]?.key;
    const first = isNode(key) && key.range ? Math.min(start, key.range[0]) : start;
    return builder.anchor(node.anchor, builder.map(nodes, first, node.flow === true ? end : undefined));
  }
  if (!isScalar(node)) return builder.nothing(start);
  const own = reading.replaced.get(start);
  if (own !== undefined) {
    reading.replaced.delete(start);
    return treeOfNode(reading, own, before);
  }
  const style = nodeStyles[node.type ?? 'PLAIN'] ?? 'plain';
  const open = openQuote(text.slice(start, end), style);
  // The library converts the value of a scalar with a tag, so its source text is used instead.
  const cooked = open?.slice(1) ?? node.source ?? '';
  if (style !== 'block') {
    const ends = open === undefined ? end : start + open.length;
    return builder.anchor(node.anchor, builder.scalar(start, ends, cooked, style, node.tag));
  }
  // If text follows the header of a block scalar on the same line, the library reports an error, and the scalar
  // consists of this line only.
  const header = text.indexOf('\n', start);
  const lines = header === -1 || header >= end ? end : header + 1;
  return builder.anchor(
    node.anchor,
    builder.scalar(builder.headerOf(lines), trimmedEnd(text, lines, end), cooked, style, node.tag),
  );
}

/** Returns an unquoted key of a flow map whose colon is directly followed by the next entry or the end of the map, as in `{team:}`: for Kubernetes, the colon is a part of the key. Returns undefined for all other keys. */
function keyWithColon({ text, builder }: Reading, key: unknown): Node | undefined {
  if (!isScalar(key) || key.type !== 'PLAIN' || key.range === undefined || key.range === null) return undefined;
  const [start, end] = key.range;
  if (text[end] !== ':' || !/[,\]}]/.test(text[end + 1] ?? '')) return undefined;
  return builder.scalar(start, end + 1, text.slice(start, end + 1), 'plain');
}

/** Returns the first line of a quoted scalar that is not closed. Otherwise, the library would include all following text in the scalar. */
function openQuote(source: string, style: ScalarStyle): string | undefined {
  if (style !== 'single' && style !== 'double') return undefined;
  return source.length > 1 && source.at(-1) === source[0] ? undefined : source.replace(/[\r\n].*$/s, '');
}

function isNode(value: unknown): value is LibraryNode {
  return isScalar(value) || isMap(value) || isSeq(value) || isAlias(value);
}

/** Whether a value has any characters. An empty value is positioned at the end of its key, regardless of its position in the library's result. */
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

/** Runs the library with stack traces disabled. It creates an error for each problem, and collecting stack traces would take most of the time. */
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
