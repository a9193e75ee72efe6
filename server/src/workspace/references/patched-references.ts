/** Finds the names that patches and replacements write into built objects. */

import type { Catalogue } from '../../engine/catalogue/types.ts';
import { segmentsOfPointer } from '../../manifests/kustomize/replaced-paths.ts';
import type { ManifestObject, ReferenceSite } from '../../manifests/model.ts';
import { partsOfFieldPath } from '../../manifests/sites/field-path.ts';
import { labelReferences, referenceSites, targetKinds } from '../../manifests/sites/references.ts';
import { childOf, itemsOf, type Node, textOf } from '../../manifests/yaml/tree.ts';
import { entryFor, listOf, mapOf, scalarOf } from '../kustomize/edit-tree.ts';
import type { TransformerSource } from '../kustomize/transformer-sources.ts';
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

interface PatchedSite extends Pick<Certainty, 'answer'> {
  readonly site: ReferenceSite;
}

function sitesOf(
  object: ManifestObject,
  transformer: TransformerSource,
  catalogue: Catalogue,
  { names, isCopied }: PatchedName,
): readonly PatchedSite[] {
  const written = (path: readonly string[], value: Node) => sitesAt(object, path, value, catalogue);
  switch (transformer.kind) {
    case 'labels':
    case 'images':
      return [];
    case 'merge':
      return (transformer.object.references ?? []).map((site) => ({ site, answer: 'yes' }));
    case 'operations':
      return itemsOf(transformer.node).flatMap((operation) => {
        const [path, value] = [textOf(childOf(operation, 'path')), childOf(operation, 'value')];
        if (path === undefined || value === undefined || textOf(childOf(operation, 'op')) === 'test') return [];
        return written(segmentsOfPointer(path), value).map((site) => ({ site, answer: 'yes' }));
      });
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

function sitesAt(
  object: ManifestObject,
  path: readonly string[],
  value: Node,
  catalogue: Catalogue,
): readonly ReferenceSite[] {
  const { group, version, kind } = object;
  const nothing = { versions: [], selectors: [], labels: [], templates: [], labelKeys: [], references: [] };
  const facts = catalogue.kind(group, version, kind) ?? { group, kind, ...nothing };
  const root = path.reduceRight((node: Node, segment) => {
    const index = itemIndex(segment);
    if (index === undefined) return mapOf([entryFor(scalarOf(segment, node.span), node)], node.span);
    const before = Array.from({ length: index }, () => mapOf([], node.span));
    return listOf([...before, node], node.span);
  }, value);
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
