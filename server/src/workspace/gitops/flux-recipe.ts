/** Determines how Flux changes the objects of a Kustomization. Source: fluxcd/pkg `kustomize/kustomize_generator.go`, `ssa/manager.go`, `ssa/utils/meta.go`. */

import type { Catalogue } from '../../engine/catalogue/types.ts';
import { WorkBudget } from '../../engine/work-budget.ts';
import { knownText } from '../../manifests/gitops/flux.ts';
import { imagesIn } from '../../manifests/kustomize/kustomization.ts';
import { writtenAt } from '../../manifests/kustomize/kustomization-fields.ts';
import { optionsOf, patchFields, patchOf } from '../../manifests/kustomize/kustomization-patches.ts';
import { kept } from '../../manifests/kustomize/kustomize-documents.ts';
import type { PatchEntry } from '../../manifests/kustomize/model.ts';
import type { LabelEntry, Written } from '../../manifests/model.ts';
import { readObject } from '../../manifests/parse-manifest.ts';
import { blank } from '../../manifests/placeholders/placeholders.ts';
import { labelEntries } from '../../manifests/sites/sites.ts';
import { childOf, itemsOf, type Node, startOf } from '../../manifests/yaml/tree.ts';
import { commonAnnotations, ownLabels } from '../kustomize/field-specs.ts';
import type { Resource } from '../kustomize/resource.ts';
import { withLabels } from '../kustomize/transformers.ts';
import { variablesFor, withVariables } from './flux-substitution.ts';
import type { GitopsContent } from './model.ts';
import type { Definition, Recipe, RecipeSurroundings } from './recipes.ts';

/** Returns the changes that a Flux Kustomization makes to its objects. */
export function fluxRecipe(
  definition: Definition,
  { components }: Pick<GitopsContent, 'components'>,
  around: RecipeSurroundings,
): Recipe {
  const { gitops, spec } = definition;
  const variables = variablesFor(definition, around);
  return {
    edits: {
      uri: gitops.uri,
      // An empty string has the same effect as an absent field.
      namespace: writtenAt(spec, 'targetNamespace'),
      namePrefix: writtenAt(spec, 'namePrefix'),
      nameSuffix: writtenAt(spec, 'nameSuffix'),
      changes: patchesIn(spec, around.catalogue),
      components,
      images: imagesIn(itemsOf(childOf(spec, 'images'))),
      managedByLabel: itemsOf(childOf(spec, 'buildMetadata')).find((item) => knownText(item) === 'managedByLabel')
        ?.span,
    },
    finish: (resources) => {
      const budget = new WorkBudget(variables === undefined ? 1 : around.stepsOfVariables());
      // Without replacement, strings with variables remain unknown.
      const withValues = (resource: Resource) =>
        (variables && budget.run(() => withVariables(resource, variables))) ?? resource;
      const replaced = resources.map(withValues);
      const owned = withOwner(replaced, definition, 'kustomize.toolkit.fluxcd.io');
      return { resources: owned, isCut: variables !== undefined && budget.isSpent };
    },
  };
}

function patchesIn(spec: Node, catalogue: Catalogue): readonly PatchEntry[] {
  const reading = { text: '', blanked: blank(''), catalogue };
  return patchFields.flatMap((field) =>
    itemsOf(childOf(spec, field)).flatMap((item): readonly PatchEntry[] => {
      const content = field === 'patchesStrategicMerge' ? item : childOf(item, 'patch');
      if (content === undefined || content.kind === 'scalar') return patchOf(item, field, reading);
      // The older fields contain the patch itself, not its text.
      const isObject = content.kind === 'map';
      const inline = {
        objects: isObject ? readObject(content, catalogue) : [],
        trees: isObject ? [] : [kept(content)].flat(),
      };
      const written = isObject ? [] : patchOf(item, field, reading);
      const [entry = { field, span: startOf(item), ...optionsOf(undefined) }] = written;
      return [{ ...entry, inline }];
    }),
  );
}

/** Adds the labels with the name and namespace of the owner, and `commonMetadata`, which takes precedence over these labels. Pod templates and selectors are not changed. */
export function withOwner(
  resources: readonly Resource[],
  { gitops: { uri }, object, spec }: Definition,
  group: string,
): readonly Resource[] {
  const common = childOf(spec, 'commonMetadata');
  const labels = labelEntries(childOf(common, 'labels'));
  const annotations = labelEntries(childOf(common, 'annotations'));
  const owner = [
    ...ownerLabel(`${group}/name`, object.name, object.kindSpan),
    ...ownerLabel(`${group}/namespace`, object.namespace ?? unknownNamespace(object.kindSpan), object.kindSpan),
  ];
  const [ownAnnotations] = commonAnnotations;
  return resources.map((resource) => {
    const labeled = withLabels(resource, [...owner, ...labels], [ownLabels], uri);
    return ownAnnotations === undefined ? labeled : withLabels(labeled, annotations, [ownAnnotations], uri);
  });
}

function ownerLabel(key: string, value: Written | undefined, span: Written['span']): readonly LabelEntry[] {
  if (value === undefined) return [];
  const written: Written = { text: key, value: key, type: 'string', style: 'plain', span };
  return [{ key: written, value: { ...value, span }, merged: false, conditional: false }];
}

/** Returns an unknown namespace, for an object that sets none and whose namespace a different tool determines. */
function unknownNamespace(span: Written['span']): Written {
  return { text: '…', value: { unknown: 'namespace', pattern: '*' }, type: 'string', style: 'plain', span };
}
