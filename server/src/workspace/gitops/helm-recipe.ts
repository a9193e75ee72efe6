/** Determines how a HelmRelease of Flux installs a chart, and how it changes the objects of the chart. Source: helm-controller `docs/spec/v2/helmreleases.md`, `internal/release/name.go`, `internal/postrender/`. */

import { knownText } from '../../manifests/gitops/flux.ts';
import { releaseName } from '../../manifests/gitops/release-name.ts';
import { isTrue, writtenAt } from '../../manifests/kustomize/kustomization-fields.ts';
import { patchOf } from '../../manifests/kustomize/kustomization-patches.ts';
import type { Written } from '../../manifests/model.ts';
import { blank } from '../../manifests/placeholders/placeholders.ts';
import { childOf, itemsOf, nodeAt } from '../../manifests/yaml/tree.ts';
import { Steps } from '../kustomize/build-limits.ts';
import { asUncertain } from '../kustomize/listed-transformers.ts';
import { partialTree } from '../kustomize/partial-tree.ts';
import { type Resource, textAt } from '../kustomize/resource.ts';
import { withPatch } from '../kustomize/transformers.ts';
import { inNamespace } from './argo/argo-recipe.ts';
import { withOwner } from './flux-recipe.ts';
import type { Release } from './installed-charts.ts';
import type { Definition, Recipe, RecipeSurroundings } from './recipes.ts';
import { releaseValues } from './release-values.ts';

/** Returns the release with which a HelmRelease installs its chart, and the changes that it makes to the objects of the chart. */
export function helmRecipe(definition: Definition, around: RecipeSurroundings): Recipe {
  const { gitops, object, spec } = definition;
  const { catalogue } = around;
  const namespace = writtenAt(spec, 'targetNamespace') ?? object.namespace;
  return {
    release: releaseOf(definition, namespace, around),
    finish: (resources) => {
      const placed = resources.map((resource) => inNamespace(resource, namespace, gitops.uri, catalogue));
      const steps = new Steps(around.stepsOfRelease());
      const rendered = postRendered(placed, definition, { catalogue, steps });
      const patched = steps.areTooMany ? placed.map(asUncertain) : rendered;
      // Patches and labels are not applied to hooks.
      const owned = new Map(
        withOwner(
          patched.filter((resource) => !isHook(resource)),
          definition,
          'helm.toolkit.fluxcd.io',
        ).map((resource) => [resource.source, resource]),
      );
      return { resources: patched.map((resource) => owned.get(resource.source) ?? resource), isCut: steps.areTooMany };
    },
  };
}

/** Applies the patches of the post renderers, in order. */
function postRendered(
  resources: readonly Resource[],
  { gitops: { uri }, spec }: Definition,
  { catalogue, steps }: Pick<RecipeSurroundings, 'catalogue'> & { readonly steps: Steps },
): readonly Resource[] {
  const reading = { text: '', blanked: blank(''), catalogue };
  const renderers = itemsOf(childOf(spec, 'postRenderers')).map((each) => childOf(each, 'kustomize'));
  const entries = renderers.flatMap((renderer) =>
    itemsOf(childOf(renderer, 'patches')).flatMap((item) => patchOf(item, 'patches', reading)),
  );
  let changed = resources;
  for (const entry of entries) {
    const { objects = [], trees = [] } = entry.inline ?? {};
    const lists = trees.filter((tree) => tree.kind === 'list');
    for (const object of objects) {
      const patch = { kind: 'merge', object, tree: partialTree(object), uri } as const;
      changed = withPatch(changed, patch, entry, steps).resources;
    }
    for (const node of lists) changed = withPatch(changed, { kind: 'operations', node, uri }, entry, steps).resources;
  }
  return changed;
}

function isHook({ tree }: Resource): boolean {
  const annotations = nodeAt(tree, 'metadata', 'annotations');
  return annotations !== undefined && textAt(annotations, 'helm.sh/hook') !== '';
}

function releaseOf(definition: Definition, namespace: Written | undefined, around: RecipeSurroundings): Release {
  const { object, spec } = definition;
  const target = writtenAt(spec, 'targetNamespace');
  const name = writtenAt(spec, 'releaseName') ?? object.name;
  const isKnown = [name, target].every((each) => each === undefined || typeof each.value === 'string');
  const isNamed = writtenAt(spec, 'releaseName') !== undefined;
  const full = target === undefined || isNamed ? name?.text : `${target.text}-${name?.text}`;
  return {
    name: isKnown && full !== undefined ? releaseName(full) : undefined,
    namespace: typeof namespace?.value === 'string' ? namespace.value : undefined,
    skipsCrds: knownText(nodeAt(spec, 'install', 'crds')) === 'Skip' || isTrue(childOf(spec, 'install'), 'skipCRDs'),
    values: (defaults) => releaseValues(definition, defaults, around),
  };
}
