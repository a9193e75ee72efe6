/** Finds out why a rejected update succeeds nevertheless: some tools delete an object and create it again. */

import type { ManifestObject } from '../../manifests/model.ts';

/**
 * The effect instead of a rejection, as a sentence without a period. `silent`: the object is deleted before each
 * update.
 */
export type Escape = { readonly sentence: string } | 'silent';

const byFlux: Escape = { sentence: 'Flux (force) recreates the object' };

/**
 * The escape of an update, by the annotations of the object before and now.
 * Sources: Flux kustomize-controller `docs/spec/v1/kustomizations.md` (Force), Argo CD
 * `docs/user-guide/sync-options.md` and `resource_hooks.md`, Helm's chart hooks.
 */
export function escapeOf(before: ManifestObject, now: ManifestObject): Escape | undefined {
  const annotations = annotationsOf(now);
  if (isHook(annotations)) return 'silent';
  if (isOn(annotations.get('kustomize.toolkit.fluxcd.io/force'))) return byFlux;
  const options = wordsIn(annotations.get('argocd.argoproj.io/sync-options'));
  if (options.includes('force=true') && options.includes('replace=true'))
    return { sentence: 'Argo CD (Force=true,Replace=true) recreates the object' };
  return isOn(annotationsOf(before).get('kustomize.toolkit.fluxcd.io/force')) ? byFlux : undefined;
}

/** Annotations and labels that are known. */
function annotationsOf({ labelSites }: ManifestObject): ReadonlyMap<string, string> {
  const own = labelSites.filter(({ path }) => path === 'metadata.annotations' || path === 'metadata.labels');
  return new Map(
    own
      .flatMap(({ entries }) => entries)
      .flatMap(({ key, value }) => (typeof value.value === 'string' ? [[key.text, value.value] as const] : [])),
  );
}

/** Hooks are deleted before they run again, unless another policy is chosen. */
function isHook(annotations: ReadonlyMap<string, string>): boolean {
  return [
    ['helm.sh/hook', 'helm.sh/hook-delete-policy', 'before-hook-creation'],
    ['argocd.argoproj.io/hook', 'argocd.argoproj.io/hook-delete-policy', 'beforehookcreation'],
  ].some(([hook = '', policy = '', usual = '']) => {
    const chosen = wordsIn(annotations.get(policy));
    return annotations.has(hook) && (chosen.length === 0 || chosen.includes(usual));
  });
}

function isOn(value: string | undefined): boolean {
  return value?.toLowerCase() === 'enabled';
}

function wordsIn(value: string | undefined): readonly string[] {
  return (value ?? '')
    .split(',')
    .map((word) => word.trim().toLowerCase())
    .filter((word) => word !== '');
}
