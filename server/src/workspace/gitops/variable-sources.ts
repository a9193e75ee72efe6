/** Finds the Flux Kustomizations that use the content of a ConfigMap or Secret as variables. */

import { getOrAdd, memoized } from '../../engine/memoize.ts';
import type { ManifestObject } from '../../manifests/model.ts';
import type { Workspace } from '../model.ts';
import type { Scopes } from '../scopes/model.ts';
import { gitopsScopesOf } from './defined-scopes.ts';
import { nearestOf } from './flux-variables.ts';
import type { GitopsObject } from './model.ts';
import { filesGenerating, filesWithIdentity } from './scope-questions.ts';
import { readable } from './source-clusters.ts';

/** Returns the Kustomizations, by the kinds and names of the objects that provide their variables. */
const usersIn = memoized((scopes: Scopes): ReadonlyMap<string, readonly GitopsObject[]> => {
  const found = new Map<string, GitopsObject[]>();
  for (const { gitops } of gitopsScopesOf(scopes))
    for (const source of gitops.facts.variableSources ?? []) getOrAdd(found, source, () => []).push(gitops);
  return found;
});

/** Returns the Kustomizations that certainly use the content of an object in a file: if several objects in their clusters have its name, it must be the nearest. */
export function kustomizationsWithVariables(
  workspace: Workspace,
  uri: string,
  { kind, group, name, namespace }: ManifestObject,
): readonly GitopsObject[] {
  const provided = kind === 'SealedSecret' ? 'Secret' : kind;
  const own = namespace?.text ?? '';
  const scopes = workspace.scopes();
  return (usersIn(scopes).get(`${provided}/${name?.text}`) ?? []).filter((gitops) => {
    if (own !== '' && own !== gitops.facts.namespace) return false;
    const namespaces = new Set([gitops.facts.namespace, '']);
    const uris = [...namespaces].flatMap((each) =>
      filesWithIdentity(scopes, `${group}\n${kind}\n${each}\n${name?.text}`),
    );
    const generators = filesGenerating(`${provided}/${name?.text}`)(scopes);
    const used = new Set(readable(scopes, gitops, [...uris, ...generators]));
    const files = uris.flatMap((each) => (used.has(each) ? (workspace.files.get(each) ?? []) : []));
    return nearestOf(files, gitops.uri)?.uri === uri;
  });
}
