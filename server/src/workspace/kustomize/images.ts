/** Evaluates `images` of a kustomization, as the ImageTagTransformer of kustomize v5.5.0 does. */

import type { ImageChange } from '../../manifests/kustomize/model.ts';
import { splitImage } from '../../manifests/sites/images.ts';
import type { Node } from '../../manifests/yaml/tree.ts';
import { adopted, listOf, mapOf, type Source, scalarOf } from './edit-tree.ts';
import type { Resource } from './resource.ts';

/** Returns an image reference after a change from `images`. */
export function changedImage(image: string, change: ImageChange): string {
  const { name, tag, digest } = splitImage(image);
  if (name !== change.name) return image;
  const isNew = change.newTag !== undefined || change.digest !== undefined;
  const suffixed = change.tagSuffix === undefined ? tag : `${tag ?? ''}${change.tagSuffix}`;
  const newTag = isNew ? change.newTag : suffixed;
  const newDigest = isNew ? change.digest : change.tagSuffix === undefined ? digest : undefined;
  const end = `${newTag === undefined ? '' : `:${newTag}`}${newDigest === undefined ? '' : `@${newDigest}`}`;
  return `${change.newName ?? name}${end}`;
}

/** Returns the changes of a kustomization together with those of a GitOps object, which replace changes of the same image. */
export function joinedImages(own: readonly ImageChange[], edits: readonly ImageChange[]): readonly ImageChange[] {
  return [...own.filter(({ name }) => edits.every((each) => each.name !== name)), ...edits];
}

/** Records that a kustomization may change the images of a resource. The tree of a resource contains no images. */
export function withImages(resource: Resource, changes: readonly ImageChange[], uri: string): Resource {
  const { source, patched, transformers } = resource;
  const images = [...(source.images ?? []), ...source.templates.flatMap((each) => each.images ?? [])];
  const isChanged = images.some((image) => changes.some(({ name }) => splitImage(image).name === name));
  const mayHaveOthers = patched || transformers.some(({ kind }) => kind === 'images');
  if (!isChanged && !mayHaveOthers) return resource;
  return { ...resource, transformers: transformers.concat({ kind: 'images', uri, changes }) };
}

/** Returns the tree of an object after changes of its images. */
export function withChangedImages(node: Node, changes: readonly ImageChange[], source: Source): Node {
  if (node.kind === 'scalar') return node;
  if (node.kind === 'list') {
    const items = node.items.map((item) => withChangedImages(item, changes, source));
    return listOf(items, node.span, node.open);
  }
  const entries = node.entries.map((entry) => {
    const isContainers = entry.key.text === 'containers' || entry.key.text === 'initContainers';
    const value = withChangedImages(entry.value, changes, source);
    if (!isContainers || value.kind !== 'list') return { ...entry, value };
    const items = value.items.map((item) => withChangedImage(item, changes, source));
    return { ...entry, value: listOf(items, value.span, value.open) };
  });
  return mapOf(entries, node.span, node.open);
}

function withChangedImage(container: Node, changes: readonly ImageChange[], source: Source): Node {
  if (container.kind !== 'map') return container;
  const entries = container.entries.map((entry) => {
    const { key, value } = entry;
    if (key.text !== 'image' || value.kind !== 'scalar' || value.pattern !== undefined) return entry;
    return { ...entry, value: changes.reduce<Node>((image, change) => imageAfter(image, change, source), value) };
  });
  return mapOf(entries, container.span, container.open);
}

function imageAfter(image: Node, change: ImageChange, source: Source): Node {
  if (image.kind !== 'scalar' || image.pattern !== undefined) return image;
  const text = changedImage(image.text, change);
  const isUnknown = change.isUnknown === true && splitImage(image.text).name === change.name;
  if (text === image.text && !isUnknown) return image;
  const changed = scalarOf(text, change.span);
  return adopted(isUnknown ? { ...changed, pattern: '*' } : changed, source);
}
