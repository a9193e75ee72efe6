/** Finds the parts of objects that the patches in a file set, at their positions in the file. */

import { isBuiltIn } from '../../engine/catalogue/built-in-groups.ts';
import type { Catalogue, GroupKind } from '../../engine/catalogue/types.ts';
import { getOrAdd, memoized } from '../../engine/memoize.ts';
import { keysOf, patchedObjects, pointedField } from '../../manifests/inline/patches.ts';
import { verbatim } from '../../manifests/inline/source-map.ts';
import { patchOf } from '../../manifests/kustomize/kustomization-patches.ts';
import type { PatchEntry, PatchTarget } from '../../manifests/kustomize/model.ts';
import type { ManifestObject } from '../../manifests/model.ts';
import { readDocument, readObject, type Type } from '../../manifests/parse-manifest.ts';
import { blankManifest } from '../../manifests/yaml/blank-manifest.ts';
import { splitDocuments } from '../../manifests/yaml/documents.ts';
import { childOf, itemsOf, type Node, nodeAt, textOf } from '../../manifests/yaml/tree.ts';
import { kustomizationsNaming } from '../../workspace/kustomize/named-files.ts';
import type { Workspace } from '../../workspace/model.ts';
import { treeOf } from '../../workspace/object-trees.ts';
import { folderOf } from '../../workspace/uri.ts';
import type { RuleContext } from '../framework/rule.ts';

/** A part of an object that a patch or one operation of a JSON patch sets. */
export interface PatchPart {
  /** The syntax tree of the part: an object with only these fields. */
  readonly root: Node;
  readonly object: ManifestObject;
  /** Whether the kind is known; otherwise, `object` is a Deployment, which has the fields that most kinds share. */
  readonly isKindKnown: boolean;
  /** Whether the changed objects certainly have the kind of `object`; the target of a patch may be an object of another kind. */
  readonly isKindCertain: boolean;
}

/** The maximum number of patches of a file that are checked. */
const maximumPatches = 50;

/** Returns the parts of objects that the patches in a file set: inline patches of kustomizations and GitOps objects, files with JSON patches, and `kubectl patch`. */
export function patchParts(context: RuleContext): readonly PatchPart[] {
  const isCommand = context.manifest.words?.some(({ is }) => is === 'patch') === true;
  return isCommand || mayHavePatches(context) ? getOrAdd(known, context, () => partsIn(context)) : [];
}

function mayHavePatches({ manifest, file }: RuleContext): boolean {
  return (
    (file.kustomization?.changes.length ?? 0) > 0 ||
    manifest.trees !== undefined ||
    manifest.objects.some(({ gitopsSpec }) => gitopsSpec !== undefined)
  );
}

/** Returns the operations of the JSON patches of kustomizations and GitOps objects that a file contains. */
export function operationsIn(context: RuleContext): readonly Node[] {
  if (!mayHavePatches(context)) return [];
  const entries = inlinePatchesIn(context).slice(0, maximumPatches);
  const inlineTrees = entries.flatMap(({ inline }) => inline?.trees ?? []).map((tree) => inPlace(tree, context));
  const { workspace, uri, manifest } = context;
  const trees = targetsOf(workspace, uri).length === 0 ? [] : (manifest.trees ?? []);
  return [...inlineTrees, ...trees].flatMap(itemsOf);
}

/** The parts by context, because several rules in succession request them. */
const known = new WeakMap<RuleContext, readonly PatchPart[]>();

function partsIn(context: RuleContext): readonly PatchPart[] {
  const { manifest, catalogue } = context;
  const entries = inlinePatchesIn(context).slice(0, maximumPatches);
  const inCommands = (manifest.words ?? []).flatMap((word) =>
    word.is === 'patch' ? patchedObjects(word, catalogue) : [],
  );
  return [
    ...entries.flatMap((entry) => mergedParts(context, entry)),
    ...entries.flatMap(({ inline, target }) =>
      operationParts(
        context,
        (inline?.trees ?? []).flatMap((tree) => itemsOf(inPlace(tree, context))),
        target && targetType(target, catalogue),
      ),
    ),
    ...partsOfFile(context),
    ...inCommands.map(({ root, object, isKnown }) => ({ root, object, isKindKnown: isKnown, isKindCertain: isKnown })),
  ];
}

/** Returns the objects of a file that a kustomization applies as patches. */
export function patchesOfFile({ manifest, stored, workspace, uri }: RuleContext): readonly ManifestObject[] {
  const isPatch = stored.length === 0 && workspace.scopes().isPatch(uri);
  return isPatch ? manifest.objects.filter(({ forCluster }) => forCluster) : [];
}

/** An object that the API server receives, or a part of one. */
export interface AppliedPart extends Pick<PatchPart, 'object' | 'isKindKnown'> {
  /** Returns the syntax tree, which is built only here. */
  rootOf(): Node | undefined;
}

/** Returns the objects of a file that the API server receives, and the parts of objects that the patches in the file set. */
export function appliedParts(context: RuleContext): readonly AppliedPart[] {
  return [
    ...[...context.stored, ...patchesOfFile(context)].map((object) => withTree(context, object)),
    ...patchParts(context).map(({ root, ...part }) => ({ ...part, rootOf: () => root })),
  ];
}

/** Returns an object as a part whose kind is known. */
export function withTree(context: RuleContext, object: ManifestObject): AppliedPart {
  return { object, isKindKnown: true, rootOf: () => treeOf(context, object) };
}

/** Returns the patches that a file contains inline: in a kustomization, or in GitOps objects. */
export const inlinePatchesIn = memoized((context: RuleContext): readonly PatchEntry[] => {
  const { file, manifest, catalogue } = context;
  const items = manifest.objects.flatMap(({ gitopsSpec }) => inlinePatches(gitopsSpec)).slice(0, maximumPatches);
  const changes = file.kustomization?.changes ?? [];
  // The text of a closed file is read for it.
  if (items.length === 0) return changes;
  const { text } = context;
  const reading = { text, blanked: blankManifest(text), catalogue };
  return [...changes, ...items.flatMap((item) => patchOf(item, 'patches', reading))];
});

/** Returns the patches in the `spec` of a Kustomization or HelmRelease of Flux, or of an Application or ApplicationSet of Argo CD. */
function inlinePatches(spec: Node | undefined): readonly Node[] {
  if (spec === undefined) return [];
  const application = nodeAt(spec, 'template', 'spec') ?? spec;
  const sources = [childOf(application, 'source'), ...itemsOf(childOf(application, 'sources'))];
  const renderers = [...sources, ...itemsOf(childOf(spec, 'postRenderers'))].map((each) => childOf(each, 'kustomize'));
  return [spec, ...renderers].flatMap((each) => itemsOf(childOf(each, 'patches')));
}

/** Returns the parts that the inline documents of a patch merge into objects. */
function mergedParts({ text, catalogue }: RuleContext, { inline, target }: PatchEntry): readonly PatchPart[] {
  return (inline?.objects ?? []).flatMap(({ kind, kindSpan, span, group, version }): readonly PatchPart[] => {
    // The content of a string that is not written in place has the position of the string.
    if (kindSpan.start === span.start || span.end <= kindSpan.start) return [];
    const part = onlyPart(text, span);
    const blanked = blankManifest(part);
    const isKindCertain = target === undefined || target.kind?.text === kind;
    return splitDocuments(blanked.text).flatMap((document): readonly PatchPart[] => {
      const { root, objects, roots, errors } = readDocument(part, blanked, document, catalogue);
      if (root === undefined || errors.length > 0) return [];
      // With a target, a patch may omit `apiVersion`.
      const own = objects.length > 0 ? objects : readObject(root, catalogue, { group, version, kind, kindSpan });
      return own.map((object, at) => ({ root: roots[at] ?? root, object, isKindKnown: true, isKindCertain }));
    });
  });
}

/** Returns the parts that operations of a JSON patch set; `type` is the type of the changed objects, if it is known. */
function operationParts(
  context: RuleContext,
  operations: readonly Node[],
  type: Omit<Type, 'kindSpan'> | undefined,
): readonly PatchPart[] {
  const { catalogue } = context;
  return operations.slice(0, maximumPatches).flatMap((operation) => {
    const root = fieldOf(operation, context);
    if (root === undefined) return [];
    const { group, version, kind } = type ?? { group: 'apps', version: 'v1', kind: 'Deployment' };
    const isKnown = type !== undefined;
    return readObject(root, catalogue, { group, version, kind, kindSpan: root.span }).map((object) => ({
      root,
      object,
      isKindKnown: isKnown,
      isKindCertain: isKnown,
    }));
  });
}

/** Returns the syntax tree of a JSON patch with the positions in the file, if the patch is a quoted string in one line without escapes; its nodes have the position of the string. */
function inPlace(tree: Node, { text, catalogue }: RuleContext): Node {
  const { start, end } = tree.span;
  // Only here, because the text of a closed file is read for it.
  if (itemsOf(tree).every((item) => item.span.start !== start)) return tree;
  if (!/^(?:'[^'\n]*'|"[^"\\\n]*")$/.test(text.slice(start, end))) return tree;
  const part = onlyPart(text, { start: start + 1, end: end - 1 });
  const blanked = blankManifest(part);
  const [document, ...others] = splitDocuments(blanked.text);
  const read = document && others.length === 0 ? readDocument(part, blanked, document, catalogue) : undefined;
  return read?.errors.length === 0 ? (read.root ?? tree) : tree;
}

/** Returns the parts that a file with JSON patches sets. The kind of the changed objects is in the kustomizations that name the file. */
function partsOfFile(context: RuleContext): readonly PatchPart[] {
  const { manifest, workspace, uri, catalogue } = context;
  const operations = (manifest.trees ?? []).flatMap(itemsOf);
  if (operations.length === 0) return [];
  const targets = targetsOf(workspace, uri).map((target) => target && targetType(target, catalogue));
  const [first, ...others] = targets;
  const isOne = others.every((each) => each?.group === first?.group && each?.kind === first?.kind);
  return operationParts(context, operations, isOne ? first : undefined);
}

/** Returns the targets of the patches whose content is a file. */
function targetsOf(workspace: Workspace, uri: string): readonly (PatchTarget | undefined)[] {
  return kustomizationsNaming(workspace.scopes(), uri).flatMap((naming) => {
    const changes = workspace.files.get(naming)?.kustomization?.changes ?? [];
    return changes
      .filter(({ path }) => path !== undefined && workspace.at(folderOf(naming), path.path) === uri)
      .map(({ target }) => target);
  });
}

/** Whether the meaning of a file depends on the kustomizations that name it: it contains JSON patches. */
export function hasOperations({ uri, workspace }: Pick<RuleContext, 'uri' | 'workspace'>): boolean {
  return workspace.files.get(uri)?.manifest.trees?.some(({ kind }) => kind === 'list') === true;
}

/** Returns the type of the objects that a patch changes, if it is a single built-in one. */
function targetType({ group, version, kind }: PatchTarget, catalogue: Catalogue): Omit<Type, 'kindSpan'> | undefined {
  const isMeant = (each: GroupKind) =>
    each.kind === kind?.text && (group === undefined ? each.group !== 'extensions' : each.group === group.text);
  const [only, ...others] = catalogue.named(kind?.text ?? '').filter((each) => isBuiltIn(each.group) && isMeant(each));
  if (only === undefined || others.length > 0) return undefined;
  const newest = catalogue.kind(only.group, '', only.kind)?.versions[0] ?? '';
  return { group: only.group, version: version?.text ?? newest, kind: only.kind };
}

/** Returns an object with the field that an operation of a JSON patch sets; undefined if the position of the field is unknown. */
function fieldOf(operation: Node, context: RuleContext): Node | undefined {
  const [path, value] = [childOf(operation, 'path'), childOf(operation, 'value')];
  if (!/^(?:add|replace)$/.test(textOf(childOf(operation, 'op')) ?? '') || value === undefined) return undefined;
  if (path?.kind !== 'scalar' || path.pattern !== undefined || !/^(?:\/[^/]+)+$/.test(path.text)) return undefined;
  // Only here, because the text of a closed file is read for it.
  const { text } = context;
  const start = path.span.start + (/["']/.test(text.charAt(path.span.start)) ? 1 : 0);
  if (!text.startsWith(path.text, start)) return undefined;
  return pointedField(keysOf(verbatim(path.text, start)), value, true);
}

/** Returns the text with blanks in place of everything before a part, and without everything after it. */
function onlyPart(text: string, { start, end }: { readonly start: number; readonly end: number }): string {
  return text.slice(0, start).replaceAll(/[^\n]/g, ' ') + text.slice(start, end);
}
