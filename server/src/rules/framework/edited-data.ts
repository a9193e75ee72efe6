/** Compares the data of a text before and after an edit: everything that the edit does not touch must be unchanged. */

import { lastAnswer } from '../../engine/last-result.ts';
import { findActions } from '../../manifests/helm/actions.ts';
import { repeatedKeys } from '../../manifests/sites/duplicate-keys.ts';
import { repeatedParts } from '../../manifests/sites/repeated-names.ts';
import { trimmedEnd } from '../../manifests/write/write-field.ts';
import { blankManifest } from '../../manifests/yaml/blank-manifest.ts';
import { splitDocuments } from '../../manifests/yaml/documents.ts';
import { parseYaml } from '../../manifests/yaml/parse-yaml.ts';
import { childOf, knownTextOf, type Node, nodeAt, textOf } from '../../manifests/yaml/tree.ts';
import { applyEdits, type Edit } from '../../text/edit.ts';
import { meets, type Span, shifted } from '../../text/span.ts';

/** The edits of a text, in order, and the spans of the inserted texts in the result. */
interface Change {
  readonly edits: readonly Edit[];
  readonly inserted: readonly Span[];
}

/** Whether edits change only the keys and values at which they edit the text: the result has no additional syntax error, duplicate key or part with the name of another, JSON is still JSON, every template action is unchanged, and every other key and value has the same type and text, in the same map or list, under the same conditions. `subject` is the span that a finding reports: edits inside of an action are allowed only if the finding reports a part of this action. Only the documents that contain the edits are parsed. */
export function changesOnlyEdited(text: string, edits: readonly Edit[], subject: Span = { start: 0, end: 0 }): boolean {
  const ordered = edits.toSorted((a, b) => a.span.start - b.span.start || a.span.end - b.span.end);
  const [first, last] = [ordered[0], ordered.at(-1)];
  if (first === undefined || last === undefined) return true;
  if (ordered.some(({ span }, index) => span.start < (ordered[index - 1]?.span.end ?? 0))) return false;
  const { start, end } = partAround(text, first.span.start, last.span.end);
  const own = ordered.map((edit) => ({ ...edit, span: shifted(edit.span, -start) }));
  const change = { edits: own, inserted: insertedBy(own) };
  const before = readBefore(text.slice(start, end));
  const after = readPart(applyEdits(before.text, own));
  return (
    after.errors <= before.errors &&
    repeatsIn(after, change.inserted) <=
      repeatsIn(
        before,
        own.map(({ span }) => span),
      ) &&
    (after.isJson || !before.isJson) &&
    keepsActions(before, after, change, shifted(subject, -start)) &&
    new Comparison(change, shifted(subject, -start)).isKept(before, after)
  );
}

/** The length of the documents that are parsed to compare the data before and after edits. */
export function editedLength(text: string, edits: readonly Edit[]): number {
  const from = Math.min(...edits.map(({ span }) => span.start));
  const to = Math.max(...edits.map(({ span }) => span.end));
  const { start, end } = partAround(text, from, to);
  return end - start;
}

const documentsOf = lastAnswer((text: string) => splitDocuments(blankManifest(text).text));

/** The part of a text that consists of the documents from one offset to another. */
function partAround(text: string, from: number, to: number): Span {
  const documents = documentsOf(text);
  const start = documents.findLast((document) => document.start <= from)?.start ?? 0;
  const end = documents.find((document) => document.end >= to)?.end ?? text.length;
  return { start, end };
}

function insertedBy(edits: readonly Edit[]): readonly Span[] {
  let moved = 0;
  return edits.map(({ span, text }) => {
    const start = span.start + moved;
    moved += text.length - (span.end - span.start);
    return { start, end: start + text.length };
  });
}

/** Returns the offset in the result of an unchanged character of the original text. */
function movedTo({ edits }: Change, offset: number): number {
  let moved = offset;
  for (const { span, text } of edits) if (span.end <= offset) moved += text.length - (span.end - span.start);
  return moved;
}

/** Whether an edit replaces a part of a span, or inserts text between its characters. */
function isEdited({ start, end }: Span, edited: readonly { readonly span: Span }[]): boolean {
  return edited.some(({ span }) => start < span.end && span.start < end);
}

/** A key, a scalar or an empty collection: the parts of a tree that have a position of their own. */
interface Leaf {
  readonly span: Span;
  readonly type: string;
  readonly text: string;
  readonly condition: string | undefined;
  readonly parent: Collection;
  /** Whether it is a key without a value. */
  readonly isEmpty: boolean;
}

/** A map or list. The root of each document has no parent, and items of lists have no key. */
interface Collection {
  readonly parent: Collection | undefined;
  readonly key: Leaf | undefined;
}

interface Part {
  readonly text: string;
  readonly roots: readonly Node[];
  readonly leaves: readonly Leaf[];
  /** The template actions, in order. */
  readonly actions: readonly Span[];
  readonly errors: number;
  readonly isJson: boolean;
}

const readPart = (text: string): Part => {
  const blanked = blankManifest(text);
  const documents = splitDocuments(blanked.text);
  const leaves: Leaf[] = [];
  const roots: Node[] = [];
  let errors = 0;
  for (const document of documents) {
    const read = parseYaml(text, blanked, document);
    errors += read.errors.length;
    if (read.root === undefined) continue;
    roots.push(read.root);
    addLeaves(leaves, read.root, text);
  }
  const isJson = documents.length > 0 && documents.every(({ start, end }) => canBeJson(text.slice(start, end)));
  return { text, roots, leaves, actions: findActions(text).map(({ span }) => span), errors, isJson };
};

/** Parses a text that many fixes of one document change. */
const readBefore = lastAnswer(readPart);

/** Returns the number of duplicate keys, and of parts and objects with the names of others, in the documents of a text, and in the strings that contain edited documents, such as patches. */
function repeatsIn({ roots }: Pick<Part, 'roots'>, edited: readonly Span[]): number {
  const names = roots.map(identityIn).filter((each) => each !== undefined);
  const within = roots.flatMap((root) => textsAround(root, edited));
  const counts = [...roots, ...within.flatMap(rootsIn)].map((root) => {
    return repeatedKeys(root, true).length + repeatedParts(root);
  });
  return names.length - new Set(names).size + counts.reduce((sum, count) => sum + count, 0);
}

function rootsIn(text: string): readonly Node[] {
  const blanked = blankManifest(text);
  return splitDocuments(blanked.text).flatMap((document) => parseYaml(text, blanked, document).root ?? []);
}

/** Returns the texts of several lines that contain edits. */
function textsAround(root: Node, edited: readonly Span[]): readonly string[] {
  const isAround = ({ span }: Node) => edited.some((each) => span.start <= each.start && each.end <= span.end);
  let node: Node | undefined = isAround(root) ? root : undefined;
  while (node !== undefined && node.kind !== 'scalar') {
    const inside: readonly Node[] = node.kind === 'list' ? node.items : node.entries.map(({ value }) => value);
    node = inside.find(isAround);
  }
  return node?.text.includes('\n') ? [node.text] : [];
}

/** Returns the kind, namespace and name of an object; undefined if they are not known. */
function identityIn(root: Node): string | undefined {
  const [kind, name] = [knownTextOf(childOf(root, 'kind')), knownTextOf(nodeAt(root, 'metadata', 'name'))];
  const rest = [childOf(root, 'apiVersion'), nodeAt(root, 'metadata', 'namespace')].map(textOf);
  return kind === undefined || name === undefined ? undefined : [kind, name, ...rest].join('\n');
}

function canBeJson(text: string): boolean {
  if (!/^\s*[{[]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Adds the leaves of a tree. Nodes that aliases repeat are visited once, at the first position at which they occur. */
function addLeaves(leaves: Leaf[], root: Node, text: string): void {
  const seen = new Set<Node>();
  type Visit = Pick<Collection, 'key'> & { readonly node: Node; readonly parent: Collection | undefined };
  const waiting: Visit[] = [{ node: root, parent: undefined, key: undefined }];
  for (let visit = waiting.pop(); visit !== undefined; visit = waiting.pop()) {
    const { node, parent, key } = visit;
    const own: Collection = { parent, key };
    if (node.kind === 'scalar') {
      if (node.span.start === node.span.end) continue;
      const span = { start: node.span.start, end: trimmedEnd(text, node.span) };
      leaves.push({ span, type: node.type, text: node.text, condition: undefined, parent: own, isEmpty: false });
      continue;
    }
    if (seen.has(node)) continue;
    seen.add(node);
    const isNothing = node.kind === 'list' ? node.items.length === 0 : node.entries.length === 0;
    if (isNothing && node.span.start < node.span.end)
      leaves.push({ span: node.span, type: node.kind, text: '', condition: undefined, parent: own, isEmpty: false });
    if (node.kind === 'list') {
      for (const item of node.items) waiting.push({ node: item, parent: own, key: undefined });
      continue;
    }
    for (const { key, value, condition, merged } of node.entries) {
      if (merged) continue;
      const { span, text: name } = key;
      const leaf = { span, type: `key ${key.type}`, text: name, condition, parent: own, isEmpty: isEmpty(value) };
      leaves.push(leaf);
      waiting.push({ node: value, parent: own, key: leaf });
    }
  }
}

function isEmpty(value: Node): boolean {
  return value.kind === 'scalar' && value.span.start === value.span.end;
}

function keepsActions(before: Part, after: Part, change: Change, subject: Span): boolean {
  if (before.actions.length !== after.actions.length) return false;
  const kept = new Set(after.actions.map(({ start, end }) => `${start} ${end}`));
  const starts = new Set(after.actions.map(({ start }) => start));
  return before.actions.every((action) => {
    const start = movedTo(change, action.start);
    const within = change.edits.filter((edit) => isEdited(action, [edit]));
    if (within.length === 0) return kept.has(`${start} ${start + action.end - action.start}`);
    const areInside = within.every(({ span }) => action.start < span.start && span.end < action.end);
    return areInside && isEdited(action, [{ span: subject }]) && starts.has(start);
  });
}

/** Pairs the leaves and collections of a text before and after a change. */
class Comparison {
  readonly #change: Change;
  readonly #inserted: readonly { readonly span: Span }[];
  readonly #subject: readonly { readonly span: Span }[];
  /** Whether the change inserts a separator, so that one document becomes two. */
  readonly #separates: boolean;
  readonly #after = new Map<Collection, Collection>();
  readonly #before = new Map<Collection, Collection>();

  constructor(change: Change, subject: Span) {
    this.#change = change;
    this.#subject = [{ span: subject }];
    this.#inserted = change.inserted.map((span) => ({ span }));
    this.#separates = change.edits.some(({ text }) => /^---/m.test(text));
  }

  isKept(before: Part, after: Part): boolean {
    const added = new Map(after.leaves.map((leaf) => [leaf.span.start, leaf]));
    for (const leaf of before.leaves) {
      if (isEdited(leaf.span, this.#change.edits)) continue;
      const start = movedTo(this.#change, leaf.span.start);
      const found = added.get(start);
      if (found === undefined || found.text !== leaf.text || found.condition !== leaf.condition) return false;
      if (isEdited(found.span, this.#inserted)) return false;
      // The reported key or value may get its type from a tag before it.
      if (found.type !== leaf.type && !isEdited(leaf.span, this.#subject)) return false;
      // A key may get its first value, but must not lose its last one.
      if (found.isEmpty && !leaf.isEmpty) return false;
      if (!this.#areSame(leaf.parent, found.parent)) return false;
      added.delete(start);
    }
    return [...added.values()].every(({ span }) => this.#inserted.some((each) => meets(each.span, span)));
  }

  /** Whether two collections are the same one before and after the change, and so are those that contain them. */
  #areSame(before: Collection | undefined, after: Collection | undefined): boolean {
    let old = before;
    let now = after;
    while (old !== now) {
      if (old === undefined || now === undefined) return false;
      const known = this.#after.get(old);
      const knownBefore = this.#before.get(now);
      const isSplit = this.#separates && old.parent === undefined;
      if (knownBefore === old && (known === now || isSplit)) return true;
      if (knownBefore !== undefined || (known !== undefined && !isSplit)) return false;
      this.#after.set(old, now);
      this.#before.set(now, old);
      if (!this.#areSameKey(old.key, now.key)) return false;
      old = old.parent;
      now = now.parent;
    }
    return true;
  }

  #areSameKey(before: Leaf | undefined, after: Leaf | undefined): boolean {
    if (before === undefined || after === undefined) return before === after;
    if (isEdited(before.span, this.#change.edits)) return this.#inserted.some(({ span }) => meets(span, after.span));
    return after.span.start === movedTo(this.#change, before.span.start);
  }
}
