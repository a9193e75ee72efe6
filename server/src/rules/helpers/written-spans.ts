/** Finds the text of a key or value that a file writes into objects of other files. */

import { pointerSegment } from '../../manifests/kustomize/replaced-paths.ts';
import { blankManifest } from '../../manifests/yaml/blank-manifest.ts';
import { splitDocuments } from '../../manifests/yaml/documents.ts';
import { parseYaml } from '../../manifests/yaml/parse-yaml.ts';
import { nodeAt } from '../../manifests/yaml/tree.ts';
import { lineEndAt } from '../../text/lines.ts';
import type { Span } from '../../text/span.ts';
import type { WrittenFault } from './written-faults.ts';

/** The position at which a fault is shown. */
export interface WrittenSpan {
  readonly span: Span;
  /** What the span contains: the key or value, a segment of a JSON pointer that is the key, or something else. */
  readonly holds: 'scalar' | 'segment' | 'other';
}

/** Returns the position of a fault in the text of the file that writes it; undefined if the text is not there. */
export function spanOfWritten(text: string, fault: WrittenFault): WrittenSpan | undefined {
  const { scalar, key, value } = fault;
  if (value !== undefined) return valueSpan(text, value, scalar.value);
  const origin = (scalar.origin ?? key?.origin)?.span;
  if (origin === undefined) return undefined;
  const written = text.slice(origin.start, origin.end);
  if (/^[|>]/.test(written)) return inBlock(text, origin, fault);
  if (isTextOf(written, scalar.text)) return { span: origin, holds: 'scalar' };
  if (key !== undefined && isTextOf(written, key.text)) return valueBehind(text, origin, scalar.text);
  return segmentSpan(written, origin, (key ?? scalar).text);
}

function isTextOf(written: string, text: string): boolean {
  return written === text || written === `"${text}"` || written === `'${text}'`;
}

/** Returns the position of a value that follows a key in the lines of a helper. */
function valueBehind(text: string, key: Span, value: string): WrittenSpan {
  const rest = text.slice(key.end, lineEndAt(text, key.end));
  const [all = '', before = '', written = ''] =
    /^(["']?[ \t]*:[ \t]+)([^ \t].*)$/.exec(rest.slice(0, maximumLine).trimEnd()) ?? [];
  if (all === '' || !isTextOf(written, value)) return { span: key, holds: 'other' };
  const start = key.end + before.length;
  return { span: { start, end: start + written.length }, holds: 'scalar' };
}

const maximumLine = 1_000;

/** Returns the span of the last segment in the path of a JSON patch, if it is the key. */
function segmentSpan(written: string, span: Span, key: string): WrittenSpan {
  const segment = `/${pointerSegment(key)}`;
  const at = written.lastIndexOf(segment);
  if (at === -1) return { span, holds: 'other' };
  return { span: { start: span.start + at + 1, end: span.start + at + segment.length }, holds: 'segment' };
}

/** Returns the position of a key or value in a patch that is written as a block scalar, if its text occurs there only once. */
function inBlock(text: string, header: Span, { scalar, is }: WrittenFault): WrittenSpan {
  const other: WrittenSpan = { span: header, holds: 'other' };
  const block = blockAfter(text, header);
  const segment = `/${pointerSegment(scalar.text)}`;
  const forms = [
    { before: '/', text: segment.slice(1), after: /^["']?[ \t\r]*(?:[,}]|$)/, holds: 'segment' as const, is: 'key' },
    { before: '', text: scalar.text, after: /^["']?[ \t]*:/, holds: 'scalar' as const, is: 'key' },
    ...['', '"', "'"].map((quote) => {
      const written = `${quote}${scalar.text}${quote}`;
      return { before: ': ', text: written, after: /^[ \t\r]*(?:[,}]|$)/, holds: 'scalar' as const, is: 'value' };
    }),
  ];
  for (const form of forms) {
    if (form.is !== is) continue;
    const found = textsIn(text, block, form.before + form.text).map((at) => at + form.before.length);
    const [start, ...others] = found.filter((at) =>
      form.after.test(text.slice(at + form.text.length, lineEndAt(text, at))),
    );
    if (start !== undefined && others.length === 0)
      return { span: { start, end: start + form.text.length }, holds: form.holds };
  }
  return other;
}

/** Returns the lines of a block scalar after its header. */
function blockAfter(text: string, { start }: Span): Span {
  const line = text.lastIndexOf('\n', start - 1) + 1;
  const indent = /^ */.exec(text.slice(line, start))?.[0].length ?? 0;
  const first = lineEndAt(text, start);
  let end = first;
  while (end < text.length) {
    const next = lineEndAt(text, end + 1);
    const content = text.slice(end + 1, next);
    if (content.trim() !== '' && (/^ */.exec(content)?.[0].length ?? 0) <= indent) break;
    end = next;
  }
  return { start: first, end };
}

function textsIn(text: string, { start, end }: Span, wanted: string): readonly number[] {
  const found: number[] = [];
  for (let at = text.indexOf(wanted, start); at !== -1 && at < end; at = text.indexOf(wanted, at + 1)) found.push(at);
  return found;
}

/** Returns the position of a default value in `values.yaml`. */
function valueSpan(
  text: string,
  path: readonly string[],
  value: WrittenFault['scalar']['value'],
): WrittenSpan | undefined {
  const blanked = blankManifest(text);
  const [first] = splitDocuments(blanked.text);
  const node = first && nodeAt(parseYaml(text, blanked, first).root, ...path);
  const isSame = node?.kind === 'scalar' && typeof value !== 'string' && node.text === value.assumed;
  return isSame ? { span: node.span, holds: 'scalar' } : undefined;
}
