/** Determines the objects that kubectl decodes from a file. Like kubectl, it does not evaluate templates, stops at a syntax error, and checks the types of metadata fields. */

import type { Span } from '../text/span.ts';
import { endOfValue, firstCharacter, splitDocuments } from './yaml/documents.ts';
import { parseValid } from './yaml/parse-yaml.ts';
import { childOf, effectiveEntries, isNull, maximumDepth, type Node, nodeAt, treeSizeOf } from './yaml/tree.ts';

export interface ReadByKubectl {
  /**
   * Whether kubectl decodes the object's labels. If any label value has an unexpected type, kubectl decodes none of
   * them.
   */
  readonly hasLabels: boolean;
}

/** Returns the objects that kubectl decodes from a text, by their start offsets. `text` has no byte order mark. The result corresponds to `kubectl create -f` in release 1.32; see `Builder` and `FlattenListVisitor` in k8s.io/cli-runtime. */
export function readByKubectl(text: string): ReadonlyMap<number, ReadByKubectl> {
  const read = new Map<number, ReadByKubectl>();
  for (const document of text.trimStart().startsWith('{') ? jsonValues(text) : yamlDocuments(text)) {
    const found = parseValid(text, { text, blanks: [], placeholders: [], conditionals: [] }, document);
    if (found === undefined || hasTabbedLine(text, document, found.root)) return read;
    if (found.root === undefined) continue;
    if (treeSizeOf(found.root).depth > maximumDepth || !isConvertible(found.root)) return read;
    for (const [start, object] of objectsIn(found.root)) read.set(start, object);
  }
  return read;
}

/** Yields the JSON values of a text that begins with a brace, up to the first part that is not JSON. */
function* jsonValues(text: string): Generator<Span> {
  let start = afterBlanks(text, 0);
  for (let end = endOfValue(text, start, text.length); end !== undefined; end = endOfValue(text, start, text.length)) {
    if (text[start] !== '{' || !isJson(text.slice(start, end))) return;
    yield { start, end };
    start = afterBlanks(text, end);
  }
}

function afterBlanks(text: string, at: number): number {
  return at + text.slice(at).search(/[^ \t\r\n]|$/);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Yields the first nonempty document of each chunk, which ends before a `...`. Stops at a directive, because kubectl separates it from its document. */
function* yamlDocuments(text: string): Generator<Span> {
  for (const chunk of chunksOf(text)) {
    if (text[firstCharacter(text, chunk) ?? chunk.end] === '%') return;
    const documents = splitDocuments(text.slice(chunk.start, chunk.end)).map(({ start, end }) => {
      return { start: chunk.start + start, end: chunk.start + end };
    });
    const taken = documents.find((each) => firstCharacter(text, each) !== undefined);
    if (taken !== undefined) yield taken;
  }
}

/** Whether a text has a line that begins with a tab and contains only blanks or a comment. kubectl stops at such a line outside of brackets, braces and quotes. */
function hasTabbedLine(text: string, { start, end }: Span, root: Node | undefined): boolean {
  const tabs = text.slice(start, end).matchAll(/^\t[ \t]*(?:#.*)?\r?$/gm);
  return [...tabs].some(({ index }) => !isEnclosed(text, root, start + index));
}

function isEnclosed(text: string, node: Node | undefined, at: number): boolean {
  if (node === undefined || at < node.span.start || at >= node.span.end) return false;
  if (/["'[{]/.test(text[node.span.start] ?? '')) return node.kind === 'scalar' || node.flow;
  if (node.kind === 'scalar') return false;
  const values = node.kind === 'list' ? node.items : node.entries.map(({ value }) => value);
  return values.some((value) => isEnclosed(text, value, at));
}

/** Returns the chunks into which kubectl splits a file, regardless of its YAML structure. A line that begins like a separator but is not a valid one makes kubectl ignore all text from the start of the chunk before it. */
function chunksOf(text: string): readonly Span[] {
  const chunks: Span[] = [];
  let start = 0;
  for (const found of text.matchAll(/^---.*/gm)) {
    if (!/^(?:#|$)/.test(found[0].slice(3).trimStart())) return chunks;
    chunks.push({ start, end: found.index });
    start = found.index + 3;
  }
  return [...chunks, { start, end: text.length }];
}

/** Whether a document can be converted to JSON: it contains no infinite numbers, and its keys are scalars that can be converted to strings. */
function isConvertible(root: Node): boolean {
  const left: Node[] = [root];
  for (let node = left.pop(); node !== undefined; node = left.pop()) {
    if (node.kind === 'list') for (const each of node.items) left.push(each);
    else if (node.kind === 'map') {
      for (const { key, value } of effectiveEntries(node)) {
        if (key.pattern !== undefined || key.type === 'null') return false;
        left.push(value);
      }
    } else if (node.type === 'number' && /(?:inf|nan)$/i.test(node.text)) return false;
  }
  return true;
}

function objectsIn(root: Node): readonly (readonly [number, ReadByKubectl])[] {
  if (root.kind !== 'map' || !hasTypes(root) || !isMetadata(childOf(root, 'metadata'))) return [];
  const items = childOf(root, 'items');
  if (items === undefined) return [[root.span.start, { hasLabels: isTextMap(labelsOf(root), isText) }]];
  if (items.kind !== 'list') return [];
  // kubectl does not decode the items of a list, so a label with an unexpected type has the same effect as null: the
  // whole map is empty.
  return items.items.map((item) => [item.span.start, { hasLabels: isTextMap(labelsOf(item), isText) }]);
}

function labelsOf(root: Node): Node | undefined {
  return nodeAt(root, 'metadata', 'labels');
}

function hasTypes(root: Node): boolean {
  const kind = childOf(root, 'kind');
  return kind !== undefined && isText(kind) && kind.text !== '' && isNothingOr(isText)(childOf(root, 'apiVersion'));
}

/** The expected types of the fields in `metadata`. */
const metadataFields: readonly (readonly [names: readonly string[], isRight: (node: Node) => boolean])[] = [
  [['name', 'generateName', 'namespace', 'selfLink', 'uid', 'resourceVersion'], isText],
  [['labels', 'annotations'], (node) => isTextMap(node, isNothingOr(isText))],
  [['creationTimestamp', 'deletionTimestamp'], isTime],
  [['generation', 'deletionGracePeriodSeconds'], (node) => node.kind === 'scalar' && node.type === 'number'],
  [['finalizers'], (node) => node.kind === 'list' && node.items.every(isNothingOr(isText))],
  [['ownerReferences', 'managedFields'], (node) => node.kind === 'list' && node.items.every(isNothingOr(isMap))],
];

function isMetadata(metadata: Node | undefined): boolean {
  const isRight = (map: Node) =>
    metadataFields.every(([names, isRight]) => names.every((name) => isNothingOr(isRight)(childOf(map, name))));
  return isNothingOr((node) => isMap(node) && isRight(node))(metadata);
}

function isNothingOr(isRight: (node: Node) => boolean): (node: Node | undefined) => boolean {
  return (node) => node === undefined || isNull(node) || isRight(node);
}

function isMap(node: Node): boolean {
  return node.kind === 'map';
}

function isTime(node: Node): boolean {
  return isText(node) && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/.test(node.text);
}

function isTextMap(map: Node | undefined, isRight: (value: Node) => boolean): boolean {
  if (map === undefined || isNull(map)) return true;
  return map.kind === 'map' && effectiveEntries(map).every(({ value }) => isRight(value));
}

function isText(node: Node): node is Extract<Node, { kind: 'scalar' }> {
  return node.kind === 'scalar' && node.type === 'string';
}
