/** Pairs the objects of two trees by their names, and finds what changed in those that both trees contain. */

import { isWrittenAsBefore, siteData, sourceOf } from '../../compare/update-data.ts';
import { isUnknown } from '../../engine/index.ts';
import { typedData } from '../../manifests/yaml/typed-data.ts';
import { partialTree } from '../../workspace/kustomize/partial-tree.ts';
import type { TransformerSource } from '../../workspace/kustomize/transformer-sources.ts';
import { patchTreeOf, stepsOf, targetAt, treeOf } from '../../workspace/object-trees.ts';
import { folderOf, relativePath, resolveUri } from '../../workspace/uri.ts';
import { type AppliedObject, aroundSelected } from '../objects/applied-objects.ts';
import { keyOf, type Named, type Names, nameOf } from '../objects/compared-names.ts';
import type { Tree } from '../objects/objects-of-tree.ts';

/** An object, and its versions in the trees that contain it. */
export interface Pair {
  readonly named: Named;
  readonly before?: AppliedObject;
  readonly after?: AppliedObject;
}

/** Returns the compared objects of two trees by the keys of their names. */
export function pairsOf([before, after]: readonly [Tree, Tree], names: Names): ReadonlyMap<string, Pair> {
  const pairs = new Map<string, Pair>();
  for (const [named, applied] of namedIn(before, names)) pairs.set(keyOf(named), { named, before: applied });
  for (const [named, applied] of namedIn(after, { several: names.several })) {
    const key = keyOf(named);
    const { before: earlier } = pairs.get(key) ?? {};
    pairs.set(key, { named, ...(earlier && { before: earlier }), after: applied });
  }
  return pairs;
}

function* namedIn(tree: Tree, names: Parameters<typeof nameOf>[3]): Iterable<readonly [Named, AppliedObject]> {
  const { objects, isSelected } = aroundSelected(tree);
  for (const applied of objects)
    if (applied.object.name !== undefined && isSelected(applied, applied))
      yield [nameOf(tree.session, tree.root, applied, names), applied];
}

/** What changed in an object that both trees contain; several fields may have changed. */
export type ChangedField = 'images' | 'replicas' | 'labels' | 'selectors' | 'references' | 'content' | 'others';

export const changedFieldOrder: readonly ChangedField[] = [
  'images',
  'replicas',
  'labels',
  'selectors',
  'references',
  'content',
  'others',
];

/** Returns what changed in an object; empty if nothing did. `labels` includes annotations; `content` is the content of a generated object. */
export function changedFields([before, after]: readonly [Tree, Tree], pair: Pair): readonly ChangedField[] {
  const { before: old, after: fresh } = pair;
  if (old === undefined || fresh === undefined) return [];
  const sides = [
    { side: before.side, applied: old },
    { side: after.side, applied: fresh },
  ] as const;
  const found = new Set<ChangedField>();
  const differs = (textOf: (applied: AppliedObject) => string) => textOf(old) !== textOf(fresh);
  const [was, is] = siteData(...sides).map((data) => JSON.stringify(data));
  // Entries with unknown keys are in no data.
  if (was !== is || hasUnknownChange(pair)) {
    if (differs(selectorsIn)) found.add('selectors');
    if (differs(labelsIn)) found.add('labels');
    if (found.size === 0) found.add('labels');
  }
  if (!haveSameReferences(old, fresh)) found.add('references');
  if (isOtherwiseGenerated(before, after, pair)) found.add('content');
  if (haveOtherImages(old, fresh)) found.add('images');
  if (!isWrittenAsBefore(...sides)) {
    const [earlier, now] = [contentOf(before, old), contentOf(after, fresh)];
    for (const field of ['images', 'replicas', 'others'] as const)
      if (earlier[field].join('\n') !== now[field].join('\n')) found.add(field);
  }
  return changedFieldOrder.filter((each) => found.has(each));
}

/** Whether the templates have other images. The images of a template that kustomize changed are in no object. */
function haveOtherImages({ object: old }: AppliedObject, { object: fresh }: AppliedObject): boolean {
  return old.templates.some(({ images: was }, index) => {
    const is = fresh.templates[index]?.images;
    return was !== undefined && is !== undefined && was.join('\n') !== is.join('\n');
  });
}

/** Returns the paths of scalars that only the older or only the newer version of an object contains, or that have another value. */
export function changedPaths(
  [before, after]: readonly [Tree, Tree],
  { before: old, after: fresh }: Pair,
): { readonly removed: readonly (readonly string[])[]; readonly added: readonly (readonly string[])[] } {
  if (old === undefined || fresh === undefined) return { removed: [], added: [] };
  const [was, is] = [contentOf(before, old).others, contentOf(after, fresh).others];
  const only = (some: readonly string[], others: readonly string[]) => {
    const known = new Set(others);
    return some.filter((each) => !known.has(each)).map((each) => each.slice(0, each.indexOf(' ')).split('\0'));
  };
  return { removed: only(was, is), added: only(is, was) };
}

function selectorsIn({ object }: AppliedObject): string {
  return writtenAt(
    object,
    object.selectorSites.filter(({ state }) => state !== 'absent'),
  );
}

function labelsIn({ object }: AppliedObject): string {
  return writtenAt(object, object.labelSites);
}

/** Returns the values at the paths of an object as a text. */
function writtenAt(object: AppliedObject['object'], sites: readonly { readonly path: string }[]): string {
  const tree = partialTree(object);
  const values = sites.map(({ path }): readonly [string, unknown] => {
    const node = targetAt(tree, stepsOf(path))?.node;
    return [path, node && typedData(node)];
  });
  return JSON.stringify(values);
}

/** Whether the references of two versions of an object name the same objects, except optional ones. An absent namespace may be any. */
function haveSameReferences({ object: old }: AppliedObject, { object: fresh }: AppliedObject): boolean {
  const [was = [], is = []] = [old, fresh].map(({ references }) => references?.filter(({ optional }) => !optional));
  return (
    was.length === is.length &&
    was.every(({ fact, name, kind, namespace }, index) => {
      const other = is[index];
      const isSameNamespace =
        (namespace?.text ?? other?.namespace?.text) === (other?.namespace?.text ?? namespace?.text);
      return isSameNamespace && fact.path === other?.fact.path && kind === other.kind && name.text === other.name.text;
    })
  );
}

/** Whether a generated ConfigMap or Secret, whose name contains no hash, has other content. */
function isOtherwiseGenerated(before: Tree, after: Tree, { named, before: old, after: fresh }: Pair): boolean {
  const [was, is] = [old, fresh].map((applied) =>
    applied?.file.kustomization?.generators.find(({ kind, name }) => kind === named.kind && name?.text === named.name),
  );
  if (was === undefined || is === undefined || fresh === undefined) return false;
  const hasOtherText = (path: string) => {
    const uri = resolveUri(folderOf(fresh.file.uri), path);
    return before.side.textOf(resolveUri(before.root, relativePath(after.root, uri))) !== after.side.textOf(uri);
  };
  return was.hash !== is.hash || is.reads?.some(hasOtherText) === true;
}

/** Whether labels or selectors of a changed object depend on values that are unknown, so that its matches may change. */
export function hasUnknownChange({ before: old, after: fresh }: Pair): boolean {
  if (old === undefined || fresh === undefined) return false;
  const unknowns = (applied: AppliedObject) => JSON.stringify(unknownsIn(applied.object));
  return unknowns(old) !== unknowns(fresh);
}

function unknownsIn({ labelSites, selectorSites }: AppliedObject['object']): readonly unknown[] {
  const labels = labelSites.flatMap(({ path, place, open, entries, parts }) => {
    const unknown = entries.filter(({ key, value }) => isUnknown(key.value) || isUnknown(value.value));
    if (place.holds !== 'labels' || (!open && unknown.length === 0)) return [];
    return [[path, parts, ...unknown.map(({ key, value }) => [key.text, value.text])]];
  });
  const selectors = selectorSites
    .filter(({ open, data }) => open || mentionsUnknown(data))
    .map(({ path, data, parts }) => [path, parts, data]);
  return [labels, selectors];
}

/** The maximum nesting depth of the data of a selector that is searched. */
const maximumDepth = 10;

function mentionsUnknown(value: unknown, depth = 0): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return (
    depth > maximumDepth || isUnknown(value) || Object.values(value).some((each) => mentionsUnknown(each, depth + 1))
  );
}

/** Returns the content of an object without its labels, annotations and selectors, and what other files write into it. */
function contentOf({ side }: Tree, applied: AppliedObject): Collected {
  const content: Collected = { images: [], replicas: [], others: [] };
  const source = sourceOf(side, applied);
  const text = source && side.textOf(source.file.uri);
  if (source !== undefined && text !== undefined) {
    const tree = treeOf({ text, workspace: side.workspace, uri: source.file.uri }, source.object);
    if (tree !== undefined) collect(typedData(tree), [], sitesOf(source.object), content);
  }
  for (const each of applied.transformers ?? []) addWritten(side, each, content);
  return content;
}

interface Collected {
  readonly images: string[];
  readonly replicas: string[];
  readonly others: string[];
}

function addWritten(side: Tree['side'], transformer: TransformerSource, content: Collected): void {
  const { uri } = transformer;
  if (transformer.kind === 'images') {
    for (const { span: _, ...change } of transformer.changes) content.images.push(JSON.stringify(change));
  } else if (transformer.kind === 'operations') collect(typedData(transformer.node), [], noSites, content);
  else if (transformer.kind === 'fieldPath') content.others.push(transformer.path.text);
  else if (transformer.kind === 'merge') {
    const text = side.textOf(uri);
    const tree =
      text === undefined ? undefined : patchTreeOf({ text, workspace: side.workspace, uri }, transformer.object);
    if (tree !== undefined) collect(typedData(tree), [], sitesOf(transformer.object), content);
  }
}

const noSites: ReadonlySet<string> = new Set();

/** Returns the paths of the labels, annotations and selectors of an object, which are compared separately. */
function sitesOf({ labelSites, selectorSites }: AppliedObject['object']): ReadonlySet<string> {
  return new Set([...labelSites, ...selectorSites].map(({ path }) => stepsOf(path).join('\0')));
}

/** Adds the scalars in data with their paths, except those at the paths of `sites`. */
function collect(data: unknown, path: readonly string[], sites: ReadonlySet<string>, content: Collected): void {
  if (sites.has(path.join('\0'))) return;
  if (typeof data === 'object' && data !== null) {
    const keys = Object.keys(data).toSorted();
    if (keys.length === 0) content.others.push(`${path.join('\0')} ${Array.isArray(data) ? '[]' : '{}'}`);
    for (const key of keys) collect(Object.getOwnPropertyDescriptor(data, key)?.value, [...path, key], sites, content);
    return;
  }
  const key = path.at(-1);
  const field = key === 'image' ? content.images : key === 'replicas' ? content.replicas : content.others;
  field.push(`${path.join('\0')} ${JSON.stringify(data)}`);
}
