/** Selects the faults in the fields of objects and patches that the API server reports. */

import { isBuiltIn } from '../../engine/catalogue/built-in.ts';
import type { Catalogue, GroupKind } from '../../engine/catalogue/types.ts';
import type { CommandWord } from '../../manifests/inline/command-words.ts';
import { patchedObjects, pointedField } from '../../manifests/inline/patches.ts';
import { patchOf } from '../../manifests/kustomize/kustomization-patches.ts';
import type { PatchEntry, PatchTarget } from '../../manifests/kustomize/model.ts';
import type { FieldFault, ManifestObject } from '../../manifests/model.ts';
import { readManifest, readObject } from '../../manifests/parse-manifest.ts';
import { objectFaults } from '../../manifests/sites/field-faults.ts';
import { blankManifest } from '../../manifests/yaml/blank-manifest.ts';
import { childOf, itemsOf, type Node, nodeAt, type ScalarNode, textOf } from '../../manifests/yaml/tree.ts';
import type { RuleContext } from '../framework/rule.ts';

/** The faults of a file, and the objects in which they are, by the start of their `kind`. */
export interface CheckedFaults {
  readonly faults: readonly FieldFault[];
  readonly objects: ReadonlyMap<number, ManifestObject>;
  /** Whether the objects are patches. */
  readonly inPatches: boolean;
  /** Whether the objects certainly have their kinds; the target of a patch may be an object of another kind. */
  readonly areKindsCertain: boolean;
}

/** Returns the faults in the objects that the API server receives, and those in patches, which become part of such objects. */
export function checkedFaults(context: RuleContext): readonly CheckedFaults[] {
  const { manifest, stored } = context;
  const found: CheckedFaults[] = [];
  if (manifest.faults !== undefined) {
    // The objects of a patch are not stored.
    const inPatches = stored.length === 0;
    const objects = inPatches ? manifest.objects.filter(({ forCluster }) => forCluster) : stored;
    found.push({ faults: manifest.faults, objects: byStart(objects), inPatches, areKindsCertain: true });
  }
  const entries = patchesIn(context);
  const patches = entries.flatMap(({ inline, target }) =>
    (inline?.objects ?? []).map((object) => ({ ...object, target })),
  );
  for (const { kind, kindSpan, span, target } of patches.slice(0, maximumPatches)) {
    // The content of a string that is not a literal block has the position of the string.
    if (kindSpan.start === span.start || span.end <= kindSpan.start) continue;
    const { faults, objects } = readManifest(onlyPart(context.text, span), context.catalogue);
    const areKindsCertain = target === undefined || target.kind?.text === kind;
    if (faults !== undefined) found.push({ faults, objects: byStart(objects), inPatches: true, areKindsCertain });
  }
  found.push(...faultsInOperations(context, entries), ...faultsInFile(context));
  return [...found, ...(manifest.words ?? []).flatMap((word) => faultsInCommand(word, context.catalogue))];
}

/** Returns the patches that a file contains inline: in a kustomization, or in GitOps objects. */
function patchesIn(context: RuleContext): readonly PatchEntry[] {
  const { file, manifest, catalogue } = context;
  const items = manifest.objects.flatMap(({ gitopsSpec }) => inlinePatches(gitopsSpec)).slice(0, maximumPatches);
  const changes = file.kustomization?.changes ?? [];
  // The text of a closed file is read for it.
  if (items.length === 0) return changes;
  const { text } = context;
  const reading = { text, blanked: blankManifest(text), catalogue };
  return [...changes, ...items.flatMap((item) => patchOf(item, 'patches', reading))];
}

/** Returns the patches in the `spec` of a Kustomization or HelmRelease of Flux, or of an Application or ApplicationSet of Argo CD. */
function inlinePatches(spec: Node | undefined): readonly Node[] {
  if (spec === undefined) return [];
  const application = nodeAt(spec, 'template', 'spec') ?? spec;
  const sources = [childOf(application, 'source'), ...itemsOf(childOf(application, 'sources'))];
  const renderers = [...sources, ...itemsOf(childOf(spec, 'postRenderers'))].map((each) => childOf(each, 'kustomize'));
  return [spec, ...renderers].flatMap((each) => itemsOf(childOf(each, 'patches')));
}

/** Returns the faults in the fields that the patch in a command sets. */
function faultsInCommand(word: CommandWord, catalogue: Catalogue): readonly CheckedFaults[] {
  if (word.is !== 'patch') return [];
  return patchedObjects(word, catalogue).flatMap(({ root, object, isKnown }) => {
    const faults = isKnown ? objectFaults(closed(root), object, catalogue) : [];
    return faultsInPatch(faults, object);
  });
}

function faultsInPatch(faults: readonly FieldFault[], object: ManifestObject): readonly CheckedFaults[] {
  return faults.length === 0 ? [] : [{ faults, objects: byStart([object]), inPatches: true, areKindsCertain: true }];
}

/** Returns an object of a JSON patch without the mark that it may have other fields, because of which its fields would not be checked. */
function closed(node: Node): Node {
  if (node.kind === 'scalar' || !node.open) return node;
  if (node.kind === 'list') return { ...node, open: false, items: node.items.map(closed) };
  return { ...node, open: false, entries: node.entries.map((entry) => ({ ...entry, value: closed(entry.value) })) };
}

/** Returns the faults in the fields that inline JSON patches set, if the target names a built-in kind. */
function faultsInOperations(context: RuleContext, entries: readonly PatchEntry[]): readonly CheckedFaults[] {
  const { catalogue } = context;
  return entries.slice(0, maximumPatches).flatMap(({ inline, target }) => {
    const type = target && targetType(target, catalogue);
    const operations = (inline?.trees ?? []).flatMap(itemsOf);
    if (type === undefined) return [];
    return operations.flatMap((operation) => {
      const root = fieldOf(operation, context.text);
      if (root === undefined) return [];
      return readObject(root, catalogue, type).flatMap((object) =>
        faultsInPatch(objectFaults(root, object, catalogue), object),
      );
    });
  });
}

/** Returns the faults in the metadata that the JSON patches in a file set: the kind of their target is in other files, but all kinds have the same metadata. */
function faultsInFile(context: RuleContext): readonly CheckedFaults[] {
  const { manifest, catalogue } = context;
  const operations = (manifest.trees ?? []).flatMap(itemsOf).slice(0, maximumPatches);
  return operations.flatMap((operation) => {
    const isInMetadata = /^(?:\/spec\/template)?\/metadata\//.test(textOf(childOf(operation, 'path')) ?? '');
    // Only here, because the text of a closed file is read for it.
    const root = isInMetadata ? fieldOf(operation, context.text) : undefined;
    if (root === undefined) return [];
    const type = { group: 'apps', version: 'v1', kind: 'Deployment', kindSpan: root.span };
    return readObject(root, catalogue, type).flatMap((object) =>
      faultsInPatch(objectFaults(root, object, catalogue), object),
    );
  });
}

/** Returns the type of the objects that a patch changes, if it is a single built-in one. */
function targetType({ group, version, kind }: PatchTarget, catalogue: Catalogue) {
  const isMeant = (each: GroupKind) =>
    each.kind === kind?.text && (group === undefined ? each.group !== 'extensions' : each.group === group.text);
  const [only, ...others] = catalogue.named(kind?.text ?? '').filter((each) => isBuiltIn(each.group) && isMeant(each));
  if (only === undefined || kind === undefined || others.length > 0) return undefined;
  const newest = catalogue.kind(only.group, '', only.kind)?.versions[0] ?? '';
  return { group: only.group, version: version?.text ?? newest, kind: only.kind, kindSpan: kind.span };
}

/** Returns an object with the field that an operation of a JSON patch sets; undefined if the position of the field is unknown. */
function fieldOf(operation: Node, text: string): Node | undefined {
  const [path, value] = [childOf(operation, 'path'), childOf(operation, 'value')];
  if (!/^(?:add|replace)$/.test(textOf(childOf(operation, 'op')) ?? '') || value === undefined) return undefined;
  if (path?.kind !== 'scalar' || path.pattern !== undefined || !/^(?:\/[^/~]+)+$/.test(path.text)) return undefined;
  const start = path.span.start + (/["']/.test(text.charAt(path.span.start)) ? 1 : 0);
  if (!text.startsWith(path.text, start)) return undefined;
  const keys = [...path.text.matchAll(/[^/]+/g)].map(({ 0: key, index }): ScalarNode => {
    const span = { start: start + index, end: start + index + key.length };
    return { kind: 'scalar', span, text: key, style: 'plain', type: 'string' };
  });
  return pointedField(keys, value, false);
}

const maximumPatches = 50;

function byStart(objects: readonly ManifestObject[]): ReadonlyMap<number, ManifestObject> {
  return new Map(objects.map((object) => [object.kindSpan.start, object]));
}

/** Returns the text with blanks in place of everything before a part, and without everything after it. */
export function onlyPart(text: string, { start, end }: { readonly start: number; readonly end: number }): string {
  return text.slice(0, start).replaceAll(/[^\n]/g, ' ') + text.slice(start, end);
}
