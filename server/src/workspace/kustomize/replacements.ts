/** Applies `replacements` that copy values into labels, selectors and names. The trees contain no other fields. */

import type { PatchTarget } from '../../manifests/kustomize/model.ts';
import type { Written } from '../../manifests/model.ts';
import { lastKey, partsOfFieldPath } from '../../manifests/sites/field-path.ts';
import {
  childOf,
  itemsOf,
  type MapNode,
  maximumDepth,
  mayHoldMore,
  type Node,
  type ScalarNode,
  textOf,
  treeSizeOf,
} from '../../manifests/yaml/tree.ts';
import type { Span } from '../../text/span.ts';
import type { BrokenEntry } from '../model.ts';
import type { Steps } from './build-limits.ts';
import { adopted, entryFor, listOf, mapOf, Overwriting, type Source, scalarOf, withEntry } from './edit-tree.ts';
import { identityOf, isSelected, type Resource, sourceFor } from './resource.ts';
import type { TransformerSource } from './transformer-sources.ts';

export type ReplacementFault = Omit<BrokenEntry, 'uri'>;

interface Replacing {
  readonly from: string;
  readonly steps: Steps;
  readonly report: (fault: ReplacementFault) => void;
}

export function withReplacement(resources: readonly Resource[], node: Node, how: Replacing): readonly Resource[] {
  const { from, steps, report } = how;
  if (!steps.allowChoosing(resources)) return resources;
  const targets = itemsOf(childOf(node, 'targets'));
  const given = childOf(node, 'sourceValue');
  const source = childOf(node, 'source');
  const read = given === undefined ? sourceOf(resources, source) : undefined;
  const value = given === undefined ? read && valueIn(read, source) : { node: given, uri: from };
  if (given === undefined && source !== undefined && value === undefined) reportSource(resources, source, read, report);
  const path = childOf(source, 'fieldPath') ?? (source && scalarOf('metadata.name', source.span));
  const remembered =
    read === undefined || path?.kind !== 'scalar'
      ? resources
      : resources.map((each) => (each === read ? withPaths(each, [path], from, true) : each));
  return targets.reduce((all, target) => replaced(all, target, value, how), remembered);
}

/** Records the paths that refer to fields of a resource, because a rename may have to change them. */
function withPaths(resource: Resource, paths: readonly ScalarNode[], uri: string, reads: boolean): Resource {
  const transformers = paths.map((path): TransformerSource => ({ kind: 'fieldPath', uri, path, reads }));
  return { ...resource, transformers: resource.transformers.concat(transformers) };
}

interface Value {
  readonly node: Node;
  /** The URI of the file that contains the node. */
  readonly uri: string;
}

/** Returns the resource from which a value is copied; undefined if the files do not determine it. */
function sourceOf(resources: readonly Resource[], source: Node | undefined): Resource | undefined {
  const wanted = exactly(source);
  const selected = resources.filter((resource) => isSelected(resource, wanted) !== 'no');
  return selected.length === 1 ? selected[0] : undefined;
}

/** Returns the copied value; undefined if the files do not determine it. */
function valueIn(only: Resource, source: Node | undefined): Value | undefined {
  const found = nodeAt(only.tree, pathOf(textOf(childOf(source, 'fieldPath')) ?? 'metadata.name'));
  const node = found && partOf(found, childOf(source, 'options'));
  return node && { node, uri: only.uri };
}

/** Returns one part of a value whose parts are joined by a delimiter. */
function partOf(node: Node, options: Node | undefined): Node | undefined {
  const delimiter = textOf(childOf(options, 'delimiter')) ?? '';
  if (delimiter === '') return node;
  if (node.kind !== 'scalar' || node.pattern !== undefined) return undefined;
  const text = node.text.split(delimiter)[Number(textOf(childOf(options, 'index')) ?? 0)];
  return text === undefined ? undefined : { ...node, text };
}

function replaced(
  resources: readonly Resource[],
  target: Node,
  value: Value | undefined,
  { from, steps, report }: Replacing,
): readonly Resource[] {
  const select = exactly(childOf(target, 'select'));
  const rejects = itemsOf(childOf(target, 'reject')).map(exactly);
  const written = itemsOf(childOf(target, 'fieldPaths')).flatMap((path) => (path.kind === 'scalar' ? path : []));
  const paths = written.length > 0 ? written : [scalarOf('metadata.name', target.span)];
  const options = childOf(target, 'options');
  const create = textOf(childOf(options, 'create')) === 'true';
  const makesItems = create && paths.some(({ text }) => pathOf(text).some((part) => part.startsWith('[')));
  const weight = paths.length * (value === undefined ? 1 : treeSizeOf(value.node).size);
  for (let count = -1; count <= rejects.length; count++) if (!steps.allowChoosing(resources)) return resources;
  if (resources.every((each) => isAbsent(each, select))) reportTarget(target, select, report);
  return resources.map((each) => {
    if (isSelected(each, select) === 'no') return each;
    if (rejects.some((reject) => isSelected(each, reject) === 'yes')) return each;
    if (!steps.allow(each, weight)) return each;
    const isCertain =
      isSelected(each, select) === 'yes' && rejects.every((reject) => isSelected(each, reject) === 'no');
    const known = isCertain && written.length > 0 ? withPaths(each, written, from, false) : each;
    // The target may be content of a generated object, which the tree does not contain but which determines the hash.
    const resource = known.hash === undefined ? known : { ...known, hash: undefined };
    const source = sourceFor(resource, from);
    const overwriting = new Overwriting(resource.shared);
    let changed: Node = resource.tree;
    for (const path of paths) {
      const put = (old: Node | undefined) =>
        overwriting.over(old, newValue(old, value, { source, path, options, steps }));
      const parts = pathOf(path.text);
      if (parts.length > maximumDepth) continue;
      if (isCertain && !create && lacksLabel(resource, changed, path))
        report({
          span: path.span,
          is: 'no target field',
          resource: nameOf(identityOf(resource.tree)),
          path: path.text,
        });
      changed = changedAt(changed, parts, put, { create, source, at: path.span });
    }
    if (changed.kind !== 'map') return resource;
    const { tree, shared } = overwriting.finished(changed);
    // A missing list item is created, and its other content is unknown.
    if (makesItems) return { ...resource, tree, shared, patched: true, uncertain: resource.uncertain || 'additions' };
    return tree === resource.tree ? resource : { ...resource, tree, shared };
  });
}

/** Reports a source that does not exist, or that does not have the field. */
function reportSource(
  resources: readonly Resource[],
  source: Node,
  read: Resource | undefined,
  report: Replacing['report'],
): void {
  const wanted = exactly(source);
  const path = childOf(source, 'fieldPath');
  const fieldPath = path?.kind === 'scalar' ? path.text : 'metadata.name';
  if (read !== undefined) {
    const isLacking = isSelected(read, wanted) === 'yes' && path?.kind === 'scalar' && path.pattern === undefined;
    if (isLacking && (lacksLabel(read, read.tree, path) || lacksKey(read, path)))
      report({ span: path.span, is: 'no source field', resource: nameOf(identityOf(read.tree)), path: fieldPath });
    return;
  }
  const { kind, name } = wanted;
  const at = name ?? kind;
  if (at !== undefined && resources.every((each) => isAbsent(each, wanted)))
    report({
      span: at.span,
      is: 'no source',
      resource: nameOf({ kind: kind?.text, name: name?.text }),
      path: fieldPath,
    });
}

/** Reports a target that is absent. A target without a name is written for all objects of a kind, and need not exist. */
function reportTarget(target: Node, { kind, name }: Wanted, report: Replacing['report']): void {
  if (name === undefined) return;
  const [path] = itemsOf(childOf(target, 'fieldPaths'));
  const resource = nameOf({ kind: kind?.text, name: name.text });
  report({ span: name.span, is: 'no target', resource, path: textOf(path) ?? 'metadata.name' });
}

function nameOf({ kind, name }: { readonly kind?: string | undefined; readonly name?: string | undefined }): string {
  return [kind, name].filter((part) => part !== undefined && part !== '').join('/');
}

/** Whether a resource certainly is not, and has never been, the wanted one. */
function isAbsent(resource: Resource, wanted: Wanted): boolean {
  if (isSelected(resource, wanted) !== 'no') return false;
  const { kind, name } = wanted;
  const isSame = (written: Written | undefined, text: string) => written === undefined || written.text === text;
  return !resource.previous.some((each) => isSame(kind, each.kind) && isSame(name, each.name));
}

/** Whether a path leads to a label, annotation or requirement that a resource certainly does not have. */
function lacksLabel({ uncertain }: Resource, tree: Node, path: ScalarNode): boolean {
  const parts = partsOfFieldPath(path.text);
  const key = lastKey(parts)?.text;
  const above = parts.slice(0, -1).map(({ text }) => text);
  if (uncertain || path.pattern !== undefined || key === undefined || !labelMaps.has(above.at(-1) ?? '')) return false;
  const labels = nodeAt(tree, above);
  return labels?.kind === 'map' && !mayHoldMore(labels) && childOf(labels, key) === undefined;
}

const labelMaps: ReadonlySet<string> = new Set(['labels', 'matchLabels', 'annotations']);

/** Whether a path leads to a key that a ConfigMap or Secret in a file certainly does not have. */
function lacksKey({ source, generated, content, patched, uncertain }: Resource, path: ScalarNode): boolean {
  const [field, key, ...rest] = pathOf(path.text);
  const { dataKeys } = source;
  const isKnown = !(generated || patched || uncertain) && content === undefined && dataKeys?.open === false;
  if (!isKnown || key === undefined || rest.length > 0 || field !== 'data') return false;
  return dataKeys.keys.every(({ text }) => text !== key);
}

interface Putting {
  readonly source: Source;
  readonly path: ScalarNode;
  readonly options: Node | undefined;
  readonly steps: Steps;
}

/** The maximum length of a text that is replaced in part: each replacement may double it. Longer texts are unknown. */
const maximumLength = 100_000;

function newValue(old: Node | undefined, value: Value | undefined, { source, path, options, steps }: Putting): Node {
  const unknown = adopted({ ...scalarOf('…', path.span), pattern: '*' }, source);
  if (value === undefined) return unknown;
  const { node, uri } = value;
  const delimiter = textOf(childOf(options, 'delimiter')) ?? '';
  if (delimiter === '') return copied(adopted(node, { ...source, uri }));
  if (node.kind !== 'scalar' || node.pattern !== undefined) return unknown;
  // If the field is created for the value, it is initially empty.
  const before = old ?? scalarOf('', path.span);
  if (before.kind !== 'scalar' || before.pattern !== undefined) return unknown;
  const length = before.text.length + node.text.length;
  steps.add(length);
  if (length > maximumLength) return unknown;
  const parts = before.text.split(delimiter);
  const index = Number(textOf(childOf(options, 'index')) ?? 0);
  if (index < 0) parts.unshift(node.text);
  else if (index >= parts.length) parts.push(node.text);
  else parts[index] = node.text;
  return adopted(scalarOf(parts.join(delimiter), path.span), source);
}

/** Returns a copy of a node that is not shared with other positions. */
function copied(node: Node): Node {
  if (node.kind === 'scalar') return { ...node };
  if (node.kind === 'list') return { ...node, items: node.items.map(copied) };
  return { ...node, entries: node.entries.map((entry) => ({ ...entry, value: copied(entry.value) })) };
}

type Wanted = Omit<PatchTarget, 'span'>;

/** Converts the target of a replacement, which is literal except for its regular expressions, unlike the target of a patch. */
function exactly(node: Node | undefined): Wanted {
  const fields = ['group', 'version', 'kind', 'name', 'namespace', 'labelSelector', 'annotationSelector'] as const;
  const found = fields.flatMap((field) => {
    const value = childOf(node, field);
    if (value?.kind !== 'scalar' || value.text === '') return [];
    const { text, type, style, span, pattern } = value;
    const written: Written = {
      text,
      value: pattern === undefined ? text : { unknown: text, pattern },
      type,
      style,
      span,
    };
    return [[field, written] as const];
  });
  return Object.fromEntries(found);
}

/** Splits `spec.rules.[host=a].http` into `spec`, `rules`, `[host=a]`, `http`. */
function pathOf(path: string): readonly string[] {
  return partsOfFieldPath(path).map(({ text }) => text);
}

function nodeAt(node: Node | undefined, path: readonly string[]): Node | undefined {
  return path.reduce<Node | undefined>((at, part) => {
    return at?.kind === 'list' ? at.items.find((item, index) => isMeant(item, index, part)) : childOf(at, part);
  }, node);
}

function changedAt(
  node: Node,
  [part, ...rest]: readonly string[],
  put: (old: Node | undefined) => Node,
  how: { readonly create: boolean; readonly source: Source; readonly at: Span },
): Node {
  if (part === undefined) return put(node);
  if (node.kind === 'list') {
    const items = node.items.map((item, index) =>
      isMeant(item, index, part) ? changedAt(item, rest, put, how) : item,
    );
    return items.every((item, index) => item === node.items[index]) ? node : listOf(items, node.span, node.open);
  }
  if (node.kind !== 'map') return node;
  const child = childOf(node, part);
  if (child === undefined && !how.create) return node;
  const changed = rest.length === 0 ? put(child) : changedAt(child ?? emptyMap(how.source), rest, put, how);
  return changed === child ? node : withEntry(node, entryFor(adopted(scalarOf(part, how.at), how.source), changed));
}

function emptyMap(source: Source): MapNode {
  return mapOf([], source.anchor);
}

function isMeant(item: Node, index: number, part: string): boolean {
  if (part === '*' || part === String(index)) return true;
  const found = /^\[([^=]*)=(.*)\]$/s.exec(part);
  if (found === null) return false;
  const [, key = '', wanted = ''] = found;
  // An item whose field is not in the tree may nevertheless be selected.
  const value = key === '' ? item : childOf(item, key);
  return value?.kind === 'scalar' && value.text === wanted;
}
