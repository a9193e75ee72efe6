/** Applies the transformers that a kustomization lists. Only transformers that are built into kustomize are evaluated; the effect of all other transformers is unknown. */

import type { Catalogue } from '../../engine/catalogue/types.ts';
import { fieldSpecsOf, imagesIn } from '../../manifests/kustomize/kustomization.ts';
import { referenceOf } from '../../manifests/kustomize/kustomization-fields.ts';
import { optionsOf, targetOf } from '../../manifests/kustomize/kustomization-patches.ts';
import type { Kustomization, PatchEntry, PathReference } from '../../manifests/kustomize/model.ts';
import type { Written } from '../../manifests/model.ts';
import { readObject } from '../../manifests/parse-manifest.ts';
import { childOf, itemsOf, type Node, treeSizeOf } from '../../manifests/yaml/tree.ts';
import type { WorkspaceFile } from '../model.ts';
import type { Steps } from './build-limits.ts';
import { fieldsOf } from './field-specs.ts';
import { withImages } from './images.ts';
import { partialTree } from './partial-tree.ts';
import { withReplacement } from './replacements.ts';
import { isSelected, type Resource, remembering, textAt } from './resource.ts';
import { entriesOf, type Patch, withLabels, withLongerName, withNamespace, withPatch } from './transformers.ts';

/** A tree and the file that contains it. */
export interface Tool {
  readonly node: Node;
  readonly from: string;
  /** The namespace that a kustomization sets, which replaces the namespace in the tree. */
  readonly namespace?: Written;
  /** Whether a kustomization changes the tree in any other way. */
  readonly isChanged?: boolean;
}

/** Resolves the files that transformers name. */
export interface Named {
  readonly catalogue: Catalogue;
  readonly steps: Steps;
  patchesIn(path: PathReference): readonly Patch[];
  replacementsIn(entry: Kustomization['replacements'][number]): readonly Tool[];
}

/** Applies a transformer that is built into kustomize. The effect of any other transformer is unknown. */
export function withTransformer(resources: readonly Resource[], tool: Tool, named: Named): readonly Resource[] {
  const { node, from } = tool;
  const kind = textAt(node, 'kind');
  const fields = fieldsOf(fieldSpecsOf(childOf(node, 'fieldSpecs')));
  const each = (change: (resource: Resource) => Resource, written?: Node): readonly Resource[] => {
    named.steps.add(resources.length * fields.length);
    const weight = written === undefined ? 1 : treeSizeOf(written).size;
    return resources.map((one) => (named.steps.allow(one, weight) ? change(one) : one));
  };
  const written = (path: readonly string[]) => {
    const parent = path.slice(0, -1).reduce<Node | undefined>(childOf, node);
    return entriesOf(parent).find(({ key }) => key.text === path.at(-1))?.value;
  };
  if (tool.isChanged || textAt(node, 'apiVersion') !== 'builtin') return resources.map(asUncertain);
  switch (kind) {
    case 'LabelTransformer':
    case 'AnnotationsTransformer': {
      const map = childOf(node, kind === 'LabelTransformer' ? 'labels' : 'annotations');
      const entries = entriesOf(map);
      return each((one) => withLabels(one, entries, fields, from), map);
    }
    case 'NamespaceTransformer': {
      const namespace = tool.namespace ?? written(['metadata', 'namespace']);
      if (namespace === undefined) return resources.map(asUncertain);
      const how = { fields, unsetOnly: textAt(node, 'unsetOnly') === 'true' };
      return each((one) => withNamespace(one, namespace, from, how));
    }
    case 'PrefixTransformer':
    case 'SuffixTransformer':
    case 'PrefixSuffixTransformer': {
      const affixes = { prefix: written(['prefix']), suffix: written(['suffix']) };
      return each((one) => withLongerName(one, affixes, fields, from));
    }
    case 'ImageTagTransformer': {
      const images = imagesIn([childOf(node, 'imageTag')].filter((each) => each !== undefined));
      return each((one) => withImages(one, images, from));
    }
    case 'ReplicaCountTransformer':
      return resources;
    case 'PatchTransformer':
      return withPatches(resources, tool, { described: 'patch', field: 'patches' }, named);
    case 'PatchJson6902Transformer':
      return withPatches(resources, tool, { described: 'jsonOp', field: 'patches' }, named);
    case 'PatchStrategicMergeTransformer':
      return withPatches(resources, tool, { described: 'patches', field: 'patchesStrategicMerge' }, named);
    case 'ReplacementTransformer':
      return itemsOf(childOf(node, 'replacements'))
        .flatMap((item) => {
          const [path] = referenceOf(childOf(item, 'path'));
          return path === undefined ? [{ node: item, from }] : named.replacementsIn(path);
        })
        .reduce(
          (all, { node, from }) => withReplacement(all, node, { from, steps: named.steps, report: () => {} }),
          resources,
        );
    default:
      return resources.map(asUncertain);
  }
}

interface Patching {
  /** The field of the transformer that contains its patches, such as `jsonOp`. */
  readonly described: string;
  /** The field of a kustomization that has the same effect. */
  readonly field: PatchEntry['field'];
}

function withPatches(
  resources: readonly Resource[],
  { node, from }: Tool,
  { described, field }: Patching,
  { catalogue, steps, patchesIn }: Named,
): readonly Resource[] {
  const paths = [childOf(node, 'path'), ...itemsOf(childOf(node, 'paths'))].flatMap(referenceOf);
  const patches = [...heldPatches(itemsOf(childOf(node, described)), from, catalogue), ...paths.flatMap(patchesIn)];
  if (patches.length === 0) return resources.map(asUncertain);
  const target = childOf(node, 'target');
  const options = optionsOf(childOf(node, 'options'));
  const entry = { field, ...(target?.kind === 'map' && { target: targetOf(target) }), ...options };
  return patches.reduce((all, patch) => withPatch(all, patch, entry, steps).resources, resources);
}

function heldPatches(documents: readonly Node[], uri: string, catalogue: Catalogue): readonly Patch[] {
  return documents.flatMap((node): readonly Patch[] => {
    if (node.kind === 'list') return [{ kind: 'operations', node, uri }];
    return readObject(node, catalogue).map((object) => ({ kind: 'merge', object, tree: partialTree(object), uri }));
  });
}

/** Returns how uncertain labels are after a patch that cannot be applied. */
export function uncertainBy(
  { path }: PatchEntry,
  fileAt: (path: string) => WorkspaceFile | undefined,
): Resource['uncertain'] {
  if (path === undefined) return 'additions';
  const file = fileAt(path.path);
  if (file === undefined || file.manifest.syntaxErrors > 0) return 'everything';
  const untyped = file.manifest.faults?.filter((fault) => fault.is === 'untyped') ?? [];
  // Other files usually change other fields.
  if (untyped.length === 0) return 'additions';
  // With a target, kustomize merges a patch without `apiVersion`.
  return untyped.some(({ setsLabels }) => setsLabels) && 'everything';
}

/** Marks a resource as changed, and its labels as uncertain, if a patch that cannot be parsed may select it. */
export function ifMeant(resource: Resource, { target }: PatchEntry, uncertain: Resource['uncertain']): Resource {
  const isMeant = target === undefined || isSelected(resource, target) !== 'no';
  if (!isMeant) return resource;
  const before = resource.uncertain;
  return { ...asUncertain(resource), uncertain: before === 'everything' ? before : uncertain || before };
}

/** Marks a resource as changed in an unknown way. */
export function asUncertain(resource: Resource): Resource {
  return { ...remembering(resource), uncertain: 'everything', patched: true };
}
