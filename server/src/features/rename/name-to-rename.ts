/** Finds the label key or value that can be renamed at an offset of a manifest, patch or kustomization, and the starting points of the rename. */

import { holdsLabels, nameAt, withoutQuotes } from '../../manifests/cursor/label-name-at.ts';
import type { Kustomization } from '../../manifests/kustomize/model.ts';
import type { LabelEntry, LabelKeySite, ManifestObject, Written } from '../../manifests/model.ts';
import { pointedLabels } from '../../manifests/sites/json-patch-labels.ts';
import { written } from '../../manifests/sites/sites.ts';
import { pieceOf } from '../../manifests/sites/string-pieces.ts';
import type { Node } from '../../manifests/yaml/tree.ts';
import { type Span, touches } from '../../text/span.ts';
import { type TransformerSource, transformerKey } from '../../workspace/kustomize/transformer-sources.ts';
import { rootsWith } from '../../workspace/kustomize/view.ts';
import type { ObjectInFile } from '../../workspace/model.ts';
import { namedKeys } from '../navigation/named-keys.ts';
import { selectedLabelsAt } from '../selected/selected-labels.ts';
import type { FileView } from '../view.ts';
import { derivedNameAt } from './derived-labels.ts';
import { keyAtPath, pointedIn } from './kustomization-names.ts';
import { isOfItsWorld, type Start } from './renamed-labels.ts';

interface Named {
  readonly key: string;
  /** The value; absent if the cursor is on the key. */
  readonly value?: string;
  /** The span of the name without its quotes. */
  readonly span: Span;
}

/** The label key or value to rename, with its starting point, with the command that contains it, or with the selected objects that have it. */
export type NameToRename = Named &
  ({ readonly start: Start } | { readonly command: ObjectInFile } | { readonly selected: readonly ObjectInFile[] });

/** Returns the label key or value to rename at an offset; undefined for a file that is not in the workspace, such as a read-only old version. */
export function nameToRenameAt(view: FileView, offset: number): NameToRename | undefined {
  const { workspace, file } = view;
  if (!workspace.files.has(file.uri)) return undefined;
  const { uri, kustomization, manifest } = file;
  const inKustomization = kustomization && inLabels(view, kustomization, offset);
  if (inKustomization !== undefined) return inKustomization;
  const inManifest = inObjects(view, manifest.objects, offset, workspace.scopes().isPatch(uri));
  if (inManifest !== undefined) return inManifest;
  const inline = kustomization?.changes.flatMap((change) => change.inline ?? []) ?? [];
  const inPatch = inObjects(
    view,
    inline.flatMap(({ objects }) => objects),
    offset,
    true,
  );
  if (inPatch !== undefined) return inPatch;
  const trees = [...(manifest.trees ?? []), ...inline.flatMap((each) => each.trees)];
  const operations = trees.find((tree) => tree.kind === 'list' && touches(tree.span, offset));
  return (operations && inOperations(view, operations, offset)) ?? inFieldPaths(view, offset);
}

function inObjects(
  view: FileView,
  objects: readonly ManifestObject[],
  offset: number,
  isPatch: boolean,
): NameToRename | undefined {
  const { file } = view;
  const derived = isPatch ? undefined : derivedNameAt(view, objects, offset);
  if (derived !== undefined) return derived === 'not renamed' ? undefined : derived;
  const inline = isPatch ? {} : { inline: file.manifest.inline ?? [] };
  const cursorTarget = nameAt({ ...file.manifest, objects, ...inline }, offset);
  if (cursorTarget === undefined) return isPatch ? undefined : inSelected(view, objects, offset);
  const { object, site, value, span } = cursorTarget;
  const key = 'place' in site && 'key' in site ? onlyKey(view, site) : cursorTarget.key;
  if (key === undefined) return undefined;
  const name = { key, ...(value !== undefined && { value }), span };
  if (isPatch) {
    // A name that does not occur verbatim in the file has the position of its object, so it cannot be renamed.
    if (object.kindSpan.start === span.start) return undefined;
    return { ...name, start: { file, transformer: { kind: 'merge', uri: file.uri, object } } };
  }
  if (object.inline) return { ...name, command: { file, object } };
  return { ...name, start: { file, object, ...(!('place' in site) && { site }) } };
}

/** Returns the key that a field names; undefined if several keys are possible. */
function onlyKey(view: FileView, site: LabelKeySite): string | undefined {
  const [key, ...others] = namedKeys(view, site);
  return others.length === 0 ? key : undefined;
}

/** Returns the label key or value at an offset in a field that names labels of selected objects; the rename starts at all of these objects. */
function inSelected(view: FileView, objects: readonly ManifestObject[], offset: number): NameToRename | undefined {
  for (const object of objects) {
    const found = selectedLabelsAt(view, { file: view.file, object }, offset);
    if (found === undefined) continue;
    const { key, matches, site } = found;
    return { key, span: withoutQuotes(site.key), selected: matches };
  }
  return undefined;
}

function inLabels({ file, workspace, catalogue }: FileView, kustomization: Kustomization, offset: number) {
  for (const { entries } of kustomization.labels) {
    const found = inEntries(entries, offset);
    if (found !== undefined)
      return { ...found, start: { file, transformer: { kind: 'labels', uri: file.uri, entries } as const } };
  }
  for (const { labels } of kustomization.generators) {
    const found = inEntries(labels, offset);
    if (found === undefined) continue;
    for (const root of rootsWith(workspace, file.uri)) {
      const made = workspace.rendering(root.path, catalogue)?.objects.find((each) => {
        return !each.written && each.object.labels?.entries.some((entry) => inEntries([entry], offset) !== undefined);
      });
      if (made !== undefined) return { ...found, start: { file: made.file, object: made.object } };
    }
  }
  return undefined;
}

function inEntries(entries: readonly LabelEntry[], offset: number): Named | undefined {
  for (const { key, value } of entries) {
    if (typeof key.value !== 'string' || key.origin !== undefined) continue;
    if (touches(key.span, offset)) return { key: key.text, span: withoutQuotes(key) };
    if (value.origin !== undefined || !touches(value.span, offset)) continue;
    return typeof value.value === 'string' && value.type !== 'null'
      ? { key: key.text, value: value.text, span: withoutQuotes(value) }
      : undefined;
  }
  return undefined;
}

/** Returns the label key or value in an operation of a JSON patch. Its meaning depends on the objects that the patch changes, as they are after the patch. */
function inOperations(view: FileView, node: Node, offset: number): NameToRename | undefined {
  const { workspace, catalogue, file } = view;
  const transformer: TransformerSource = { kind: 'operations', uri: file.uri, node };
  const key = transformerKey(transformer);
  // Only the last part of the path is a key, although the whole path is the origin of the resulting label.
  const isInPath = pointedLabels(node).some(({ path }) => touches(path.span, offset));
  for (const root of rootsWith(workspace, file.uri)) {
    for (const { object, transformers } of workspace.rendering(root.path, catalogue)?.objects ?? []) {
      if (!transformers.some((each) => transformerKey(each) === key)) continue;
      const found = inPaths(node, object, offset) ?? (isInPath ? undefined : atOrigins(view, object, offset));
      if (found !== undefined) return { ...found, start: { file, transformer } };
    }
  }
  return undefined;
}

/** Returns the key in a field path of a replacement, whose meaning depends on the objects in which the path refers to a label. */
function inFieldPaths(view: FileView, offset: number): NameToRename | undefined {
  const { workspace, catalogue, file } = view;
  // Hundreds of releases of charts, which are rendered below, may be defined in one file.
  if (!view.text.includes('fieldPath')) return undefined;
  for (const root of rootsWith(workspace, file.uri)) {
    for (const { object, transformers } of workspace.rendering(root.path, catalogue)?.objects ?? []) {
      for (const transformer of transformers) {
        if (transformer.kind !== 'fieldPath' || transformer.uri !== file.uri || !touches(transformer.path.span, offset))
          continue;
        const key = keyAtPath(transformer.path, object);
        const span = key && pieceOf(written(transformer.path), key.span);
        if (key !== undefined && span !== undefined && touches(span, offset))
          return { key: key.text, span, start: { file, transformer } };
      }
    }
  }
  return undefined;
}

function inPaths(node: Node, object: ManifestObject, offset: number): Named | undefined {
  for (const { key, keySpan, value } of pointedIn(node, object)) {
    if (keySpan !== undefined && touches(keySpan, offset)) return { key, span: keySpan };
    if (value === undefined || !touches(value.span, offset) || typeof value.value !== 'string') continue;
    return { key, value: value.text, span: withoutQuotes(value) };
  }
  return undefined;
}

function atOrigins(view: FileView, object: ManifestObject, offset: number): Named | undefined {
  const maps = [
    ...object.labelSites.filter(holdsLabels),
    ...object.selectorSites.filter((site) => isOfItsWorld(view, site)),
  ];
  const entries = maps.flatMap((map) => map.entries);
  const here = entries.flatMap(({ key, value }) => {
    if (key.origin?.uri !== view.file.uri || value.origin?.uri !== view.file.uri) return [];
    return [{ key: atOrigin(key), value: atOrigin(value), merged: false, conditional: false }];
  });
  return inEntries(here, offset);
}

function atOrigin({ origin, ...written }: Written): Written {
  return { ...written, span: origin?.span ?? written.span };
}
