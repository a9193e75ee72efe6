/** Converts an applied object to plain data: the content of its file, and the labels and selectors that other files write into the object. */

import type { ManifestObject } from '../../manifests/model.ts';
import { put } from '../../manifests/yaml/plain-data.ts';
import { childOf, textOf } from '../../manifests/yaml/tree.ts';
import { openMap, typedData } from '../../manifests/yaml/typed-data.ts';
import type { Side } from '../../workspace/base.ts';
import { partialTree } from '../../workspace/kustomize/partial-tree.ts';
import type { TransformerSource } from '../../workspace/kustomize/transformer-sources.ts';
import type { ObjectInFile } from '../../workspace/model.ts';
import { stepsOf, targetAt, treeOf } from './object-trees.ts';

/** An object as it is in its file, or as a kustomization builds it. */
export interface AppliedObject extends ObjectInFile {
  /** The kustomizations and patches that change the object; absent if no kustomization builds it. */
  readonly transformers?: readonly TransformerSource[] | undefined;
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

/** Whether the text of an object is the same in both states. */
export function isWrittenAsBefore(before: Sided, now: Sided): boolean {
  const [was, is] = [writtenText(before), writtenText(now)];
  return was !== undefined && was === is;
}

function writtenText({ side, applied }: Sided): string | undefined {
  const source = sourceOf(side, applied);
  const text = source && side.textOf(source.file.uri);
  return text?.slice(source?.object.span.start, source?.object.span.end);
}

function dataOf({ side, applied }: Sided, written: Record<string, unknown> | undefined): unknown {
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
  put(data, 'apiVersion', group === '' ? version : `${group}/${version}`);
  put(data, 'kind', kind);
  put(data, 'metadata', { ...Object(data['metadata']), name: 'object', namespace: 'object' });
  return data;
}

/** Returns the paths of the labels, annotations and selectors that are in the file. */
function pathsOf({ labelSites, selectorSites }: ManifestObject): readonly string[] {
  return [...labelSites, ...selectorSites.filter(({ state }) => state !== 'absent')].map(({ path }) => path);
}

/** Returns the content of the object in its file; undefined if the text is unavailable, or if other files may change more than its labels. */
function writtenData({ side, applied }: Sided): Record<string, unknown> | undefined {
  if (applied.transformers?.some((transformer) => mayWriteImmutable(side, applied.object, transformer)))
    return undefined;
  const source = sourceOf(side, applied);
  const text = source && side.textOf(source.file.uri);
  if (source === undefined || text === undefined || source.object.inValues) return undefined;
  const tree = treeOf({ text, workspace: side.workspace, uri: source.file.uri }, source.object);
  const data = tree && typedData(tree);
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return undefined;
  const copy: Record<string, unknown> = { ...data };
  // A template may add fields to the object, so its content is not completely known.
  if ('unknown' in copy && 'entries' in copy) return undefined;
  if (applied.transformers !== undefined) hideImages(copy);
  return copy;
}

/** Whether a patch may change an immutable field other than labels and selectors, whose values are known. */
function mayWriteImmutable(side: Side, { group, kind }: ManifestObject, transformer: TransformerSource): boolean {
  if (transformer.kind === 'labels') return false;
  if (transformer.kind === 'fieldPath') return !transformer.reads;
  const catalogue = side.catalogueOf(transformer.uri);
  const isImmutable = (path: string) =>
    catalogue.isImmutable(group, kind, path) || catalogue.decidesImmutability(group, kind, path);
  if (transformer.kind === 'operations') {
    const paths =
      transformer.node.kind === 'list' ? transformer.node.items.map((item) => textOf(childOf(item, 'path'))) : [''];
    return paths.some((path = '') => path.split('/').length < 3 || isImmutable(path.split('/').slice(1, 3).join('.')));
  }
  const text = side.textOf(transformer.uri);
  const tree =
    text === undefined
      ? undefined
      : treeOf({ text, workspace: side.workspace, uri: transformer.uri }, transformer.object);
  if (tree?.kind !== 'map' || tree.open) return true;
  const own = tree.entries.filter(({ key }) => !['apiVersion', 'kind', 'metadata'].includes(key.text));
  return own.some(({ key, value }) => {
    if (key.text !== 'spec') return isImmutable(key.text);
    if (value.kind !== 'map' || value.open) return true;
    return value.entries.some((entry) => entry.key.text.startsWith('$') || isImmutable(`spec.${entry.key.text}`));
  });
}

/** Returns the version of an applied object that is in its file. */
export function sourceOf(side: Side, { file, object }: AppliedObject): ObjectInFile | undefined {
  const written = side.workspace.files.get(file.uri);
  if (written?.manifest.objects.includes(object)) return { file: written, object };
  const found = written?.manifest.objects.find(
    (each) => each.kindSpan.start === object.kindSpan.start && each.span.start === object.span.start,
  );
  return written === undefined || found === undefined ? undefined : { file: written, object: found };
}

/** Replaces images with unknown values, because a kustomization may change them; of the changes by other files, the data of an object includes only labels and selectors. */
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
