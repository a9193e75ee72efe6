/** Determines why an update that the API server would reject succeeds nevertheless: some tools delete the object and create it again. */

import { getOrAdd } from '../engine/memoize.ts';
import type { ManifestObject } from '../manifests/model.ts';
import { english, localize } from '../text/localize.ts';
import type { Workspace } from '../workspace/model.ts';
import type { Scope } from '../workspace/scopes/model.ts';
import type { ScopeFacts } from '../workspace/scopes/scope-facts.ts';

/** The effect of the update instead of a rejection, as a sentence without a period. `silent`: the object is deleted before every update in any case. */
export type Escape = { readonly sentence: string } | 'silent';

const byFlux: Escape = { sentence: english`Flux (force) recreates the object` };

/** Returns the reason why an update that the API server would reject succeeds nevertheless, based on the annotations of the object before and after the update. `isForced` determines whether a Flux Kustomization with `spec.force` applies the object. Sources: Flux kustomize-controller `docs/spec/v1/kustomizations.md` (Force), Argo CD `docs/user-guide/sync-options.md` and `resource_hooks.md`, Helm's chart hooks. */
export function escapeOf(before: ManifestObject, now: ManifestObject, isForced: () => boolean): Escape | undefined {
  const annotations = annotationsOf(now);
  if (isHook(annotations)) return 'silent';
  if (isOn(annotations.get('kustomize.toolkit.fluxcd.io/force'))) return byFlux;
  const options = wordsIn(annotations.get('argocd.argoproj.io/sync-options'));
  if (options.includes('force=true') && options.includes('replace=true'))
    return { sentence: localize`Argo CD (Force=true,Replace=true) recreates the object` };
  return isOn(annotationsOf(before).get('kustomize.toolkit.fluxcd.io/force')) || isForced() ? byFlux : undefined;
}

function annotationsOf({ labelSites }: ManifestObject): ReadonlyMap<string, string> {
  const own = labelSites.filter(({ path }) => path === 'metadata.annotations' || path === 'metadata.labels');
  return new Map(
    own
      .flatMap(({ entries }) => entries)
      .flatMap(({ key, value }) => (typeof value.value === 'string' ? [[key.text, value.value] as const] : [])),
  );
}

/** Whether the object is a hook, which is created again instead of updated. Helm creates hooks for every run, regardless of their deletion policy. Argo CD deletes hooks before they run again or after they have succeeded, unless a different policy is set. */
function isHook(annotations: ReadonlyMap<string, string>): boolean {
  if (annotations.has('helm.sh/hook')) return true;
  const chosen = wordsIn(annotations.get('argocd.argoproj.io/hook-delete-policy'));
  const isDeleted = chosen.length === 0 || chosen.includes('beforehookcreation') || chosen.includes('hooksucceeded');
  return annotations.has('argocd.argoproj.io/hook') && isDeleted;
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

/** Whether a Flux Kustomization with `spec.force` applies a file in the given scope, or in any scope if none is given. The path in a Flux Kustomization is relative to the root of a repository, which may be outside of the workspace folders, so only the end of the path is compared. */
export function isForcedByFlux(workspace: Workspace, uri: string, scope?: Scope): boolean {
  const folders = forcedFoldersIn(workspace);
  if (folders.length === 0) return false;
  const scopes = scope === undefined ? workspace.scopes().ofFile(uri) : [scope];
  const places = [
    uri,
    ...scopes.flatMap(({ path, gitops }) => gitops?.contents.flatMap((each) => each?.folder ?? []) ?? [path]),
  ];
  return folders.some((folder) => folder === '' || places.some((place) => `${place}/`.includes(`/${folder}/`)));
}

const known = new WeakMap<ReadonlyMap<string, ScopeFacts>, readonly string[]>();

function forcedFoldersIn(workspace: Workspace): readonly string[] {
  const facts = workspace.scopes().facts();
  return getOrAdd(known, facts, () => [...facts.values()].flatMap(({ forcedFolders = [] }) => forcedFolders));
}
