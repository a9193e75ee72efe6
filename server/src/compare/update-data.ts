/** Converts an applied object to plain data: the content of its file, and the labels, selectors and patches that other files write into the object. */

import { getOrAdd } from '../engine/memoize.ts';
import { hasSchema } from '../manifests/kustomize/merge-keys.ts';
import { segmentsOfPointer } from '../manifests/kustomize/replaced-paths.ts';
import type { ManifestObject } from '../manifests/model.ts';
import { put } from '../manifests/yaml/plain-data.ts';
import { childOf, itemsOf, type MapNode, type Node, textOf } from '../manifests/yaml/tree.ts';
import { openMap, typedData } from '../manifests/yaml/typed-data.ts';
import { hasSameText, type Side } from '../workspace/base.ts';
import { mapOf, Overwriting, type Source } from '../workspace/kustomize/edit-tree.ts';
import { withChangedImages } from '../workspace/kustomize/images.ts';
import { patchedByOperations } from '../workspace/kustomize/json-patch.ts';
import { partialTree } from '../workspace/kustomize/partial-tree.ts';
import { mergedByPatch } from '../workspace/kustomize/strategic-merge.ts';
import { type TransformerSource, transformerKey, transformerSpan } from '../workspace/kustomize/transformer-sources.ts';
import type { ObjectInFile, Workspace } from '../workspace/model.ts';
import { patchTreeOf, stepsOf, targetAt, treeOf } from '../workspace/object-trees.ts';
import type { Scope } from '../workspace/scopes/model.ts';
import { builtReferences } from './built-names.ts';

/** An object as it is in its file, or as a kustomization builds it. */
export interface AppliedObject extends ObjectInFile {
  /** The kustomizations and patches that change the object; absent if no kustomization builds it. */
  readonly transformers?: readonly TransformerSource[] | undefined;
  /** The kustomization that builds the object. */
  readonly builtBy?: Scope | undefined;
}

/** An object, and the state of the workspace to which it belongs. */
export interface Sided {
  readonly side: Side;
  readonly applied: AppliedObject;
}

/** Returns the data of an object in both states, so that they can be compared. Names are omitted, because they are equal. Data that the files do not contain is unknown. If the text of one state is unavailable, both results contain only labels and selectors. */
export function updateData(before: Sided, now: Sided): readonly [before: unknown, now: unknown] {
  const [was, is] = [writtenData(before), writtenData(now)];
  return was === undefined || is === undefined ? siteData(before, now) : [dataOf(before, was), dataOf(now, is)];
}

/** Returns the same data as `updateData`, but with labels and selectors only. */
export function siteData(before: Sided, now: Sided): readonly [before: unknown, now: unknown] {
  return [dataOf(before, undefined), dataOf(now, undefined)];
}

/** Whether the text of an object is the same in both states, and so is everything that patches it. */
export function isWrittenAsBefore(before: Sided, now: Sided): boolean {
  if (!isSameText(before, now)) return false;
  const [old, fresh] = [patchesIn(before), patchesIn(now)];
  return (
    old.length === fresh.length &&
    old.every((patch, index) => {
      const other = fresh[index];
      return other !== undefined && isSamePatch({ side: before.side, patch }, { side: now.side, patch: other });
    })
  );
}

/** Whether a patch is certainly the same in both states: its file, or at least its text in the file. */
function isSamePatch(before: SidedPatch, now: SidedPatch): boolean {
  const [{ patch: old }, { patch: fresh }] = [before, now];
  if (old.kind !== fresh.kind || old.uri !== fresh.uri) return false;
  if (hasSameText(before.side, now.side, old.uri)) return transformerKey(old) === transformerKey(fresh);
  if (old.kind === 'images') return fresh.kind === 'images' && areSameImages(old, fresh);
  // A replacement copies a value from a different object.
  if (old.kind === 'fieldPath') return false;
  const text = patchText(before);
  return text !== undefined && text === patchText(now);
}

interface SidedPatch {
  readonly side: Side;
  readonly patch: TransformerSource;
}

type ChangedImages = TransformerSource & { readonly kind: 'images' };

function areSameImages({ changes: was }: ChangedImages, { changes: is }: ChangedImages): boolean {
  const textOf = (changes: ChangedImages['changes']) => JSON.stringify(changes.map(({ span: _, ...change }) => change));
  return !was.some(({ isUnknown }) => isUnknown) && textOf(was) === textOf(is);
}

/** Returns the text of a patch in its file; undefined if the text of a part of it is elsewhere, or if its end is unknown, as in a folded block. */
function patchText({ side, patch }: SidedPatch): string | undefined {
  const { start, end } = transformerSpan(patch);
  const text = side.textOf(patch.uri)?.slice(start, end);
  return text === undefined || text.length < 2 || /[*&]/.test(text) ? undefined : text;
}

/** Whether the text of an object is the same in both states. */
function isSameText(before: Sided, now: Sided): boolean {
  const [old, fresh] = [before, now].map(({ side, applied }) => sourceOf(side, applied));
  const id = old && before.side.idOf?.(old.file.uri);
  if (id !== undefined && fresh !== undefined && id === now.side.idOf?.(fresh.file.uri))
    if (old?.object.span.start === fresh.object.span.start && old.object.span.end === fresh.object.span.end)
      return true;
  const was = writtenText(before);
  return was !== undefined && was === writtenText(now);
}

/** Returns the files that write more than labels into an object, in order. */
export function patchFiles(sided: Pick<Sided, 'applied'>): readonly string[] {
  return patchesIn(sided).map(({ uri }) => uri);
}

/** Returns what writes more than labels into an object, in order. */
function patchesIn({ applied }: Pick<Sided, 'applied'>): readonly TransformerSource[] {
  return (applied.transformers ?? []).filter(
    (each) => each.kind !== 'labels' && !(each.kind === 'fieldPath' && each.reads),
  );
}

function writtenText({ side, applied }: Sided): string | undefined {
  const source = sourceOf(side, applied);
  const text = source && side.textOf(source.file.uri);
  return text?.slice(source?.object.span.start, source?.object.span.end);
}

function dataOf(sided: Sided, written: Record<string, unknown> | undefined): unknown {
  const { side, applied } = sided;
  const { object } = applied;
  const { group, version, kind } = object;
  const data = written ?? {};
  const effective = partialTree(object);
  const before = written && sourceOf(side, applied)?.object;
  for (const path of [...(before === undefined ? [] : pathsOf(before)), ...pathsOf(object)]) {
    const steps = stepsOf(path);
    const node = targetAt(effective, steps)?.node;
    replaceAt(data, steps, node && typedData(node), written === undefined);
  }
  if (written !== undefined)
    for (const [path, name] of builtReferences(sided)) replaceAt(data, stepsOf(path), name, false);
  put(data, 'apiVersion', group === '' ? version : `${group}/${version}`);
  put(data, 'kind', kind);
  put(data, 'metadata', { ...Object(data['metadata']), name: 'object', namespace: 'object' });
  return data;
}

function pathsOf({ labelSites, selectorSites }: ManifestObject): readonly string[] {
  return [...labelSites, ...selectorSites.filter(({ state }) => state !== 'absent')].map(({ path }) => path);
}

/** Returns the content of the object in its file, with its patches; undefined if the text is unavailable, or if other files may change more than its labels. */
function writtenData(sided: Sided): Record<string, unknown> | undefined {
  const tree = writtenTree(sided);
  const data = tree && typedData(tree);
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return undefined;
  const copy: Record<string, unknown> = { ...data };
  // A template may add fields to the object, so its content is not completely known.
  if ('unknown' in copy && 'entries' in copy) return undefined;
  // An unknown transformer may change images.
  if (sided.applied.object.labels?.open === true) hideImages(copy);
  return copy;
}

/** Returns the syntax tree of the object in its file, with the patches that may change immutable fields; undefined if the tree is unknown. */
export function writtenTree(sided: Sided): MapNode | undefined {
  return treeWith(sided, (path) => mayBeImmutableIn(sided, path));
}

/** Returns the syntax tree of the object in its file, with all patches, except changes of labels and selectors, which are known; undefined if the tree is unknown, for example because a replacement writes a field. */
export function wholeTree(sided: Sided): MapNode | undefined {
  return getOrAdd(knownTrees(sided), sided.applied, () => ({ tree: treeWith(sided, () => true) })).tree;
}

/** A comparison asks for the tree of an object several times. */
const wholeTrees = new WeakMap<Workspace, WeakMap<AppliedObject, { readonly tree: MapNode | undefined }>>();

function knownTrees({ side }: Sided) {
  return getOrAdd(
    wholeTrees,
    side.workspace,
    () => new WeakMap<AppliedObject, { readonly tree: MapNode | undefined }>(),
  );
}

/** Whether a patch of a field at a path is needed: only the first two steps of the path count. */
type IsNeeded = (path: readonly string[]) => boolean;

function treeWith({ side, applied }: Sided, isNeeded: IsNeeded): MapNode | undefined {
  const source = sourceOf(side, applied);
  const text = source && side.textOf(source.file.uri);
  if (source === undefined || text === undefined || source.object.inValues) return undefined;
  let tree = treeOf({ text, workspace: side.workspace, uri: source.file.uri }, source.object);
  for (const transformer of applied.transformers ?? []) {
    if (tree?.kind !== 'map') return undefined;
    const from = { uri: transformer.uri, into: source.file.uri, anchor: source.object.kindSpan };
    tree = patched(tree, transformer, from, { side, applied, isNeeded });
  }
  return tree?.kind === 'map' ? tree : undefined;
}

/** Returns the tree of an object with the changes of a transformer, except changes of fields that are not needed and of labels and selectors, which are known; undefined if the changes are unknown. */
function patched(
  tree: MapNode,
  transformer: TransformerSource,
  source: Source,
  { side, applied, isNeeded }: Sided & { readonly isNeeded: IsNeeded },
): MapNode | undefined {
  const { group } = applied.object;
  if (transformer.kind === 'labels') return tree;
  if (transformer.kind === 'images') {
    const changed = withChangedImages(tree, transformer.changes, source);
    return changed.kind === 'map' ? changed : undefined;
  }
  if (transformer.kind === 'fieldPath')
    return !transformer.reads && isNeeded(transformer.path.text.split('.', 2)) ? undefined : tree;
  if (transformer.kind === 'operations') {
    const operations = itemsOf(transformer.node);
    const paths = operations.map((item) => segmentsOfPointer(textOf(childOf(item, 'path')) ?? ''));
    if (!paths.some(isNeeded)) return tree;
    // The content of ConfigMaps and Secrets is not stored.
    const isWhole = operations.every((item) => childOf(item, 'value') ?? childOf(item, 'from') ?? isRemoval(item));
    return isWhole ? patchedByOperations(tree, transformer.node, source) : undefined;
  }
  const text = side.textOf(transformer.uri);
  const patch =
    text === undefined
      ? undefined
      : patchTreeOf({ text, workspace: side.workspace, uri: transformer.uri }, transformer.object);
  if (patch === undefined || patch.open) return undefined;
  const own = patch.entries.filter(({ key }) => !['apiVersion', 'kind', 'metadata'].includes(key.text));
  const fields = own.flatMap(({ key, value }) =>
    key.text === 'spec' && value.kind === 'map'
      ? value.entries.map((entry) => ['spec', ...(entry.key.text.startsWith('$') ? [] : [entry.key.text])])
      : [[key.text]],
  );
  if (!fields.some(isNeeded)) return tree;
  const merging = { source, overwriting: new Overwriting(undefined), knowsLists: hasSchema(group) };
  return mergedByPatch(tree, mapOf(own, patch.span), merging);
}

/** Whether a replacement writes a field that may be immutable: its value is unknown. */
export function isReplaced(sided: Sided): boolean {
  return sided.applied.transformers?.some((each) => replacesImmutable(each, sided)) === true;
}

function replacesImmutable(transformer: TransformerSource, sided: Sided): boolean {
  if (transformer.kind !== 'fieldPath' || transformer.reads) return false;
  return mayBeImmutableIn(sided, transformer.path.text.split('.', 2));
}

function mayBeImmutableIn({ side, applied }: Sided, [first = '', second]: readonly string[]): boolean {
  const { group, kind } = applied.object;
  const catalogue = side.catalogueOf(applied.file.uri);
  if (first === 'metadata' && second !== undefined) return false;
  const path = first === 'spec' && second !== undefined ? `spec.${second}` : first;
  return catalogue.isImmutable(group, kind, path) || catalogue.decidesImmutability(group, kind, path);
}

function isRemoval(operation: Node): boolean {
  return ['remove', 'test'].includes(textOf(childOf(operation, 'op')) ?? '');
}

/** Returns an object as it is written in its file; undefined for a generated object. */
export function sourceOf(
  { workspace }: Pick<Side, 'workspace'>,
  { file, object }: ObjectInFile,
): ObjectInFile | undefined {
  const written = workspace.files.get(file.uri);
  if (written?.manifest.objects.includes(object)) return { file: written, object };
  const found = written?.manifest.objects.find(
    (each) => each.kindSpan.start === object.kindSpan.start && each.span.start === object.span.start,
  );
  return written === undefined || found === undefined ? undefined : { file: written, object: found };
}

/** Replaces images with unknown values. */
function hideImages(value: unknown): void {
  const waiting = [value];
  for (let each = waiting.pop(); each !== undefined; each = waiting.pop()) {
    if (Array.isArray(each)) for (const item of each) waiting.push(item);
    else if (typeof each === 'object' && each !== null) {
      const map = each as Record<string, unknown>; // data of this module
      for (const [key, inside] of Object.entries(map)) {
        if (key === 'image') map[key] = { unknown: 'image' };
        else if (inside !== undefined && inside !== null) waiting.push(inside);
      }
    }
  }
}

/** Sets the value at a path, or removes it if `value` is undefined. With `isOpen`, maps that are created on the path may have further entries. */
function replaceAt(
  root: Record<string, unknown>,
  steps: readonly (string | number)[],
  value: unknown,
  isOpen: boolean,
): void {
  let at: Record<string, unknown> = root;
  for (const [index, step] of steps.entries()) {
    const key = String(step);
    if (index === steps.length - 1) {
      if (value === undefined) delete at[key];
      else put(at, key, value);
      return;
    }
    const next = at[key];
    if (next === undefined || next === null) {
      if (value === undefined) return;
      const made: Record<string, unknown> = {};
      put(at, key, isOpen ? openMap(made) : made);
      at = made;
    } else if (typeof next === 'object') {
      const entries: unknown = 'unknown' in next && 'entries' in next ? next.entries : next;
      if (typeof entries !== 'object' || entries === null) return;
      at = entries as Record<string, unknown>; // data of this module
    } else return;
  }
}
