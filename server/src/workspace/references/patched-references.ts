/** Finds the names that patches and replacements write into built objects. */

import type { Catalogue } from '../../engine/catalogue/types.ts';
import { fieldPath, segmentsOfPointer } from '../../manifests/kustomize/replaced-paths.ts';
import type { ManifestObject, ReferenceSite, Written } from '../../manifests/model.ts';
import { partsOfFieldPath } from '../../manifests/sites/field-path.ts';
import { targetPorts } from '../../manifests/sites/ports.ts';
import { labelReferences, referenceSites, targetKinds } from '../../manifests/sites/references.ts';
import { childOf, itemsOf, type Node, textOf } from '../../manifests/yaml/tree.ts';
import { entryFor, listOf, mapOf, scalarOf } from '../kustomize/edit-tree.ts';
import { mayChangeField, mayReplace, type TransformerSource } from '../kustomize/transformer-sources.ts';
import type { EffectiveObject, Rendering, Workspace } from '../model.ts';
import type { Certainty, ReferenceInFile } from './model.ts';

/** An object as the target of names in patches: a patch may contain its name in its file or its applied name. */
export interface PatchedName {
  readonly group: string;
  readonly kind: string;
  readonly names: ReadonlySet<string>;
  /** Whether replacements copy the name into other objects. */
  readonly isCopied: boolean;
}

/** Whether replacements copy the name of a built object into other objects. */
export function isNameCopied({ transformers }: Pick<EffectiveObject, 'transformers'>): boolean {
  return transformers.some((each) => each.kind === 'fieldPath' && each.reads && nameField.test(each.path.text));
}

const nameField = /^\.?metadata\.name$/;

/** Returns the references to an object that patches and replacements write into the objects of a rendering. A later patch may replace such a reference. */
export function patchedReferences(
  workspace: Workspace,
  catalogue: Catalogue,
  { objects }: Pick<Rendering, 'objects'>,
  named: PatchedName,
): readonly ReferenceInFile[] {
  return objects.flatMap(({ object, transformers }) =>
    transformers.flatMap((transformer) =>
      sitesOf(object, transformer, catalogue, named).flatMap(({ site, answer }): readonly ReferenceInFile[] => {
        const file = workspace.files.get(transformer.uri);
        const isMeant =
          named.names.has(site.name.text) &&
          targetKinds(site, catalogue).some(
            ({ group = named.group, kind }) => kind === named.kind && group === named.group,
          );
        return isMeant && file !== undefined ? [{ file, object, site, relation: 'here', answer }] : [];
      }),
    ),
  );
}

/** Returns the references that patches write into a built object, whatever they name. The result contains the range of the object's kind instead of ranges in other files. */
export function patchedSites(
  { object, transformers }: Pick<EffectiveObject, 'object' | 'transformers'>,
  catalogue: Catalogue,
): readonly ReferenceSite[] {
  return transformers.flatMap((transformer) =>
    sitesOf(object, transformer, catalogue, { names: new Set(), isCopied: false }).map(({ site }) => ({
      ...site,
      name: { ...site.name, span: object.kindSpan },
    })),
  );
}

/** What a patch writes into a built object: a part of its tree, and the names of other objects in it. */
interface WrittenPart {
  readonly targetPorts: readonly Written[];
  readonly references: readonly ReferenceSite[];
}

/** Returns what the patches in a file write into a built object, at their positions in this file, unless a later change may replace it. */
export function writtenByPatches(
  { object, transformers }: Pick<EffectiveObject, 'object' | 'transformers'>,
  uri: string,
  catalogue: Catalogue,
): WrittenPart {
  const references = new Map<string, ReferenceSite>();
  const ports: Written[] = [];
  for (const [index, transformer] of transformers.entries()) {
    if (transformer.uri !== uri) continue;
    const later = transformers.slice(index + 1);
    for (const { site } of sitesOf(object, transformer, catalogue, { names: new Set(), isCopied: false }))
      if (!mayChangeField(later, beforeItems(site.path))) references.set(site.path, site);
    if (!mayChangeField(later, ['spec', 'ports'])) ports.push(...targetPortsOf(transformer));
  }
  return { references: [...references.values()], targetPorts: ports };
}

/** Returns a path up to its first list, because the items of a list have other positions in a patch. */
function beforeItems(path: string): readonly string[] {
  return fieldPath(path.split('[', 1)[0] ?? '');
}

function targetPortsOf(transformer: TransformerSource): readonly Written[] {
  if (transformer.kind === 'merge') return transformer.object.targetPorts ?? [];
  if (transformer.kind !== 'operations') return [];
  return writtenParts(transformer.node).flatMap(({ path, value }) => targetPorts(treeWith(path, value)));
}

/** Whether a reference of a built object still has its written name after the patches and replacements that may replace it. */
export function keepsWrittenName(
  { object, transformers }: Pick<EffectiveObject, 'object' | 'transformers'>,
  { path, name }: ReferenceSite,
  catalogue: Catalogue,
): 'yes' | 'maybe' | 'no' {
  const field = fieldPath(path);
  const last = transformers.findLast((each) => mayReplace(each, field));
  if (last === undefined) return 'yes';
  const written = sitesOf(object, last, catalogue, { names: new Set([name.text]), isCopied: true });
  const isSame = ({ site }: PatchedSite) => genericPath(site.path) === genericPath(path);
  if (written.some((each) => isSame(each) && each.site.name.text === name.text)) return 'yes';
  const isExact = last.kind === 'operations' && written.some(({ site }) => site.path === path);
  return isExact ? 'no' : 'maybe';
}

function genericPath(path: string): string {
  return path.replace(/\[\d+\]/g, '[]');
}

interface PatchedSite extends Pick<Certainty, 'answer'> {
  readonly site: ReferenceSite;
}

function sitesOf(
  object: ManifestObject,
  transformer: TransformerSource,
  catalogue: Catalogue,
  { names, isCopied }: Pick<PatchedName, 'names' | 'isCopied'>,
): readonly PatchedSite[] {
  const written = (path: readonly string[], value: Node) => sitesAt(object, path, value, catalogue);
  switch (transformer.kind) {
    case 'labels':
    case 'images':
      return [];
    case 'merge':
      return (transformer.object.references ?? []).map((site) => ({ site, answer: 'yes' }));
    case 'operations':
      return writtenParts(transformer.node).flatMap(({ path, value }) =>
        written(path, value).map((site) => ({ site, answer: 'yes' as const })),
      );
    case 'fieldPath': {
      if (transformer.reads || !isCopied) return [];
      const { path } = transformer;
      const parts = partsOfFieldPath(path.text).map(({ text }) => text);
      // The name may be copied into another field of the same kind.
      return [...names].flatMap((name) =>
        written(parts, scalarOf(name, path.span)).map((site) => ({ site, answer: 'maybe' })),
      );
    }
  }
}

/** Returns the values that the operations of a JSON patch write, with their paths. */
function writtenParts(operations: Node): readonly { readonly path: readonly string[]; readonly value: Node }[] {
  return itemsOf(operations).flatMap((operation) => {
    const [path, value] = [textOf(childOf(operation, 'path')), childOf(operation, 'value')];
    if (path === undefined || value === undefined || textOf(childOf(operation, 'op')) === 'test') return [];
    return [{ path: segmentsOfPointer(path), value }];
  });
}

/** Returns a tree that contains only a value at a path. */
function treeWith(path: readonly string[], value: Node): Node {
  return path.reduceRight((node: Node, segment) => {
    const index = itemIndex(segment);
    if (index === undefined) return mapOf([entryFor(scalarOf(segment, node.span), node)], node.span);
    const before = Array.from({ length: index }, () => mapOf([], node.span));
    return listOf([...before, node], node.span);
  }, value);
}

function sitesAt(
  object: ManifestObject,
  path: readonly string[],
  value: Node,
  catalogue: Catalogue,
): readonly ReferenceSite[] {
  const { group, version, kind } = object;
  const nothing = { versions: [], selectors: [], labels: [], templates: [], labelKeys: [], references: [] };
  const facts = catalogue.kind(group, version, kind) ?? { group, kind, ...nothing };
  const root = treeWith(path, value);
  const inLabels = labelReferences(object, catalogue)
    .filter((site) => site.path.endsWith(`.${path.at(-1) ?? ''}`))
    .map((site) => ({ ...site, name: { ...site.name, span: value.span } }));
  return [...referenceSites(root, facts), ...inLabels];
}

/** The maximum index of an item that a path retains. */
const maximumIndex = 100;

/** Returns the index of the list item that a segment of a path means; undefined for the key of a map. */
function itemIndex(segment: string): number | undefined {
  if (segment === '-' || segment === '*' || segment.startsWith('[')) return 0;
  return /^\d+$/.test(segment) ? Math.min(Number(segment), maximumIndex) : undefined;
}
