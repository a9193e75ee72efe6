/** Finds the text of a key or value that a file writes into objects of other files. */

import { lastAnswer } from '../../engine/last-result.ts';
import { getOrAdd } from '../../engine/memoize.ts';
import { scalarLetters } from '../../manifests/inline/scalar-source-map.ts';
import type { Letters } from '../../manifests/inline/source-map.ts';
import { isSmall } from '../../manifests/kustomize/kustomize-documents.ts';
import { pointerSegment, segmentsOfPointer } from '../../manifests/kustomize/replaced-paths.ts';
import { blankManifest } from '../../manifests/yaml/blank-manifest.ts';
import { splitDocuments } from '../../manifests/yaml/documents.ts';
import { parseYaml } from '../../manifests/yaml/parse-yaml.ts';
import { childOf, type Node, nodeAt, type ScalarStyle } from '../../manifests/yaml/tree.ts';
import { lineEndAt } from '../../text/lines.ts';
import type { Span } from '../../text/span.ts';
import type { WrittenFault } from './written-faults.ts';

/** The position at which a fault is shown. */
export interface WrittenSpan {
  readonly span: Span;
  /** What the span contains: the key or value, a segment of a JSON pointer that is the key, or something else. */
  readonly holds: 'scalar' | 'segment' | 'other';
  /** The text of the span in a patch that is a string, without the escape sequences of the string; absent for all other text. */
  readonly inString?: StringPart;
}

interface StringPart {
  readonly text: string;
  /** Returns a text as it is written in the string. */
  readonly escape: (text: string) => string;
}

/** A key or value, and what determines its position. */
type Placed = Pick<WrittenFault, 'scalar' | 'is' | 'key' | 'value'>;

/** Returns the position of a fault in the text of the file that writes it; undefined if the text is not there. */
export function spanOfWritten(text: string, fault: Placed): WrittenSpan | undefined {
  const { scalar, key, value } = fault;
  if (value !== undefined) return valueSpan(text, value, scalar.value);
  const origin = (scalar.origin ?? key?.origin)?.span;
  if (origin === undefined) return undefined;
  const written = text.slice(origin.start, origin.end);
  if (isTextOf(written, scalar.text)) return { span: origin, holds: 'scalar' };
  if (key !== undefined && isTextOf(written, key.text)) return valueBehind(text, origin, scalar.text);
  if (fault.is === 'key') {
    const segment = lastSegment(written, origin, scalar.text);
    if (segment !== undefined) return { span: segment, holds: 'segment' };
  }
  return partOfString(text, origin, fault) ?? { span: origin, holds: 'other' };
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

/** Returns the span of the last segment of a JSON pointer, in quotes or not, if it is the key. */
function lastSegment(written: string, { start }: Span, key: string): Span | undefined {
  const segment = `/${pointerSegment(key)}`;
  const pointer = /^(["']?)([^"'\\]*)\1$/.exec(written);
  if (pointer?.[2]?.endsWith(segment) !== true) return undefined;
  const end = start + written.length - (pointer[1]?.length ?? 0);
  return { start: end - segment.length + 1, end };
}

/** Returns the position of a key or value in a patch that is written as a string; undefined unless exactly one key or value of the patch is certainly the one of the fault. */
function partOfString(text: string, origin: Span, fault: Placed): WrittenSpan | undefined {
  const style = styleAt(text, origin.start);
  if (style === 'plain') return undefined;
  const { letters, parts } = getOrAdd(stringsOf(text), origin.start, () => {
    const span = style === 'block' ? { start: origin.start, end: blockAfter(text, origin).end } : origin;
    const own = scalarLetters(text, { kind: 'scalar', span, text: '', style, type: 'string' });
    return { letters: own, parts: partsOf(own.text) };
  });
  const { scalar, key, is } = fault;
  const isKey = is === 'key' || scalar === key;
  const [found, ...others] = (parts.get(scalar.text) ?? []).filter(
    (part) => part.isKey === isKey && (isKey || key === undefined || part.key === key.text),
  );
  if (found === undefined || others.length > 0) return undefined;
  const { start, end } = found.span;
  return {
    span: { start: letters.startOf(start), end: letters.endOf(end - 1) },
    holds: found.isSegment ? 'segment' : 'scalar',
    inString: { text: letters.text.slice(start, end), escape: escapes[style] },
  };
}

const escapes = {
  single: (text: string) => text.replaceAll("'", "''"),
  double: (text: string) => JSON.stringify(text).slice(1, -1),
  block: (text: string) => text,
};

/** Returns the style of a scalar that begins at an offset and is no block. */
export function flowStyleAt(text: string, start: number): ScalarStyle {
  if (text[start] === '"') return 'double';
  return text[start] === "'" ? 'single' : 'plain';
}

function styleAt(text: string, start: number): ScalarStyle {
  switch (text[start]) {
    case '|':
    case '>':
      return 'block';
    default:
      return flowStyleAt(text, start);
  }
}

/** A key or value in a patch that is a string. */
interface Part {
  readonly span: Span;
  readonly isKey: boolean;
  /** Whether it is the last segment of the path of an operation. */
  readonly isSegment?: true;
  /** The key of a value. */
  readonly key?: string;
}

type Parts = ReadonlyMap<string, readonly Part[]>;

/** The strings that contain patches, by their positions in a text. */
const stringsOf = lastAnswer(
  (_text: string) => new Map<number, { readonly letters: Letters; readonly parts: Parts }>(),
);

/** Returns the keys and values of all documents in a text, by their texts. */
function partsOf(text: string): Parts {
  const found = new Map<string, Part[]>();
  const add = (of: string, part: Part) => getOrAdd(found, of, () => []).push(part);
  const visit = (node: Node, key: string | undefined): void => {
    if (node.kind === 'scalar') {
      add(node.text, { span: node.span, isKey: key === 'key', ...(key !== undefined && { key }) });
      return;
    }
    if (node.kind === 'list') {
      for (const item of node.items) visit(item, key);
      return;
    }
    const path = childOf(node, 'op')?.kind === 'scalar' ? childOf(node, 'path') : undefined;
    if (path?.kind === 'scalar') {
      const name = segmentsOfPointer(path.text).at(-1);
      const span = lastSegment(text.slice(path.span.start, path.span.end), path.span, name ?? '');
      if (name !== undefined && span !== undefined) add(name, { span, isKey: true, isSegment: true });
      const value = childOf(node, 'value');
      if (value !== undefined) visit(value, name);
      return;
    }
    for (const { key: own, value } of node.entries) {
      add(own.text, { span: own.span, isKey: true });
      visit(value, own.text);
    }
  };
  const blanked = blankManifest(text);
  for (const document of splitDocuments(blanked.text)) {
    const { root } = parseYaml(text, blanked, document);
    if (root !== undefined && root.kind !== 'scalar' && isSmall(root)) visit(root, undefined);
  }
  return found;
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
