/** Parses one YAML document. Documents that the fast parser does not support are parsed by a tolerant library. Each parser parses whole documents, because continuing at the position of the fast parser saved less time than the variation between two runs. */

import type { Span } from '../../text/span.ts';
import type { BlankedText } from '../placeholders/placeholders.ts';
import { TreeBuilder } from './build-tree.ts';
import { parseUsual } from './fast-yaml-parser.ts';
import type { ReadDocument } from './parsed-document.ts';
import { tokensOf } from './repair.ts';
import { readTolerantly } from './tolerant-parser.ts';
import { maximumTreeSize, treeSizeOf } from './tree.ts';

/** Parses one document: the part `span` of a file. `source` is the file's text; in `blanked`, its template actions and placeholders are replaced. Never throws; text that is nested too deeply to be parsed has one error and no tree. */
export function parseYaml(source: string, blanked: BlankedText, span: Span): ReadDocument {
  const read = withoutExcess(readFast(source, blanked, span) ?? readTolerantly(source, blanked, span), span);
  if (read.errors.length === 0) return read;
  const joined = withJoinedHeaders(blanked.text, span);
  return (joined === undefined ? undefined : parseValid(source, { ...blanked, text: joined }, span)) ?? read;
}

/** Replaces the line break before the header of a block scalar that is in the column of its key by spaces: Kubernetes accepts it there. Undefined if there is none. */
function withJoinedHeaders(text: string, { start, end }: Span): string | undefined {
  const lines = text.slice(start, end).split('\n');
  let isChanged = false;
  for (let at = lines.length - 1; at > 0; at--) {
    const [, indent, header] = /^( {0,200})([|>][-+1-9]{0,2})[ \t\r]{0,10}$/.exec(lines[at] ?? '') ?? [];
    const above = lines[at - 1] ?? '';
    if (indent === undefined || !/:[ \t\r]{0,10}$/.test(above) || /[^ ]/.test(above.slice(0, indent.length))) continue;
    if (above.charAt(indent.length) === ' ') continue;
    isChanged = true;
    lines.splice(
      at - 1,
      2,
      `${above.trimEnd().padEnd(above.length)} ${indent}${header}`.padEnd(above.length + 1 + (lines[at] ?? '').length),
    );
  }
  return isChanged ? text.slice(0, start) + lines.join('\n') + text.slice(end) : undefined;
}

/** Removes the tree of a document that a few aliases expand excessively, because the combinations of labels and objects might not fit into memory. */
function withoutExcess(read: ReadDocument, { start, end }: Span): ReadDocument {
  const { root } = read;
  if (root === undefined || treeSizeOf(root).size <= maximumTreeSize(end - start)) return read;
  const at = root.span.start;
  return { root: undefined, errors: [{ at, reason: '' }], tooLargeAt: at };
}

/** Parses a document without repairing its errors; undefined if it has any. */
export function parseValid(source: string, blanked: BlankedText, span: Span): ReadDocument | undefined {
  const read = withoutExcess(readFast(source, blanked, span) ?? readTolerantly(source, blanked, span, 0), span);
  return read.errors.length > 0 ? undefined : read;
}

/** Parses a document with the fast parser; undefined if this parser does not support all of it. */
function readFast(source: string, blanked: BlankedText, span: Span): ReadDocument | undefined {
  const builder = new TreeBuilder(source, blanked, span, 0);
  const root = parseUsual(blanked.text, span, builder);
  return root && { root: builder.finish(root), errors: builder.errors };
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
