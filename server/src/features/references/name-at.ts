/** The meaning of a name under the cursor: the objects that a reference names, or the object that has the name. */

import { isHere, referenceAt } from '../../manifests/cursor/reference-at.ts';
import type { ManifestObject, ReferenceSite, Written } from '../../manifests/model.ts';
import { type Span, touches } from '../../text/span.ts';
import type { ObjectInFile, WorkspaceFile } from '../../workspace/model.ts';
import type { ReferenceInFile, ReferenceTarget } from '../../workspace/references/model.ts';
import { referencesTo } from '../../workspace/references/referring.ts';
import { generatorTarget, targetsOf } from '../../workspace/references/targets.ts';
import { type FileSpan, isWritten, objectKey } from '../locations.ts';
import type { FileView, View } from '../view.ts';

/** A name, or the key of a ConfigMap or Secret. */
export interface NameAt {
  readonly span: Span;
  /** The key at the offset; undefined for a name. */
  readonly key?: Written;
  /** The reference at the offset; undefined at the name of the object itself. */
  readonly from?: ObjectInFile & { readonly site: ReferenceSite };
  /** The objects to which the name refers, the nearest first; a declaration has exactly one. */
  readonly targets: readonly NamedTarget[];
}

/** An object, or an entry of a generator, to which a name refers. */
export type NamedTarget = Omit<ReferenceTarget, 'relation' | 'answer'> &
  Partial<Pick<ReferenceTarget, 'relation' | 'answer'>>;

/** The last result of `nameAt` for a view, because an editor sends several requests about a position. */
const lastNames = new WeakMap<FileView, { readonly offset: number; readonly name: NameAt | undefined }>();

/** Returns the reference, name or key at an offset; undefined if there is none. */
export function nameAt(view: FileView, offset: number): NameAt | undefined {
  const last = lastNames.get(view);
  if (last?.offset === offset) return last.name;
  const name = referenceNameAt(view, offset) ?? declarationAt(view, offset);
  lastNames.set(view, { offset, name });
  return name;
}

/** Returns the reference at an offset, with all objects to which it may refer. */
export function referenceNameAt({ workspace, catalogue, file }: FileView, offset: number): NameAt | undefined {
  const found = referenceAt(file.manifest, offset);
  if (found === undefined) return undefined;
  const { object, site, span, key } = found;
  const from = { file, object, site };
  return { span, from, targets: targetsOf(workspace, catalogue, from, site), ...(key && { key }) };
}

/** Returns the object, or the entry of a generator, whose name or key is at an offset. */
export function declarationAt({ file }: FileView, offset: number): NameAt | undefined {
  for (const object of file.manifest.objects) {
    const { name, dataKeys } = object;
    if (!object.forCluster || name === undefined || !touches(object.span, offset)) continue;
    const target = targetOf(file, object, name);
    if (isHere(name, offset)) return { span: name.span, targets: [target] };
    const key = dataKeys?.keys.find((each) => isHere(each, offset));
    if (key !== undefined) return { span: key.span, key, targets: [target] };
  }
  for (const entry of file.kustomization?.generators ?? []) {
    const { name } = entry;
    if (name !== undefined && isHere(name, offset)) return { span: name.span, targets: [generatorTarget(file, entry)] };
  }
  return undefined;
}

/** Returns an object as the target of references. */
export function targetOf(file: WorkspaceFile, object: ManifestObject, name: Written): NamedTarget {
  const { group, kind, dataKeys } = object;
  const keys = dataKeys && { keys: dataKeys };
  return { file, object, is: 'object', group, kind, name: name.text, span: name.span, ...keys };
}

/** Returns the references to a target, including references in patches, the nearest first. */
export function referencesOf({ workspace, catalogue }: View, target: NamedTarget): readonly ReferenceInFile[] {
  return referencesTo(workspace, catalogue, target);
}

/** Returns the first reference of each object. */
export function distinctObjects(users: readonly ReferenceInFile[]): readonly ReferenceInFile[] {
  return [...new Map(users.toReversed().map((user) => [objectKey(user), user])).values()].toReversed();
}

/** Returns the positions at which a target, or one of its keys, is declared; empty for a predefined object of every cluster. */
export function locationsOfTarget({ file, span, keys }: NamedTarget, key?: Written): readonly FileSpan[] {
  if (!isWritten({ file })) return [];
  if (key === undefined) return [{ file, span }];
  const found = keys?.keys.filter(({ text, origin }) => text === key.text && origin === undefined) ?? [];
  return found.map((each) => ({ file, span: each.span }));
}
