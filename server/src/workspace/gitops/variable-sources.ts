/** Finds the Flux Kustomizations that use the content of a ConfigMap or Secret as variables. */

import { getOrAdd, memoized } from '../../engine/memoize.ts';
import type { ManifestObject } from '../../manifests/model.ts';
import type { Workspace } from '../model.ts';
import type { Scopes } from '../scopes/model.ts';
import { scopeQuery } from '../scopes/recorded-scopes.ts';
import { gitopsScopesOf } from './defined-scopes.ts';
import { nearestOf } from './flux-substitution.ts';
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
  const type = `${group}\n${kind}`;
  const users = usersReading(workspace.scopes(), `${provided}/${name?.text}`, type, namespace?.text ?? '');
  return users.flatMap(({ gitops, files }) => {
    const providing = files.flatMap((each) => workspace.files.get(each) ?? []);
    return nearestOf(providing, gitops.uri)?.uri === uri ? [gitops] : [];
  });
}

/** Returns the Kustomizations that use the content of objects with a type, name and namespace as variables, and the files with such objects that each of them may read. */
const usersReading = scopeQuery(
  'users of variables',
  (scopes, source: string, type: string, own: string) => {
    const users = usersIn(scopes).get(source) ?? [];
    const name = source.slice(source.indexOf('/') + 1);
    return users
      .filter(({ facts: { namespace } }) => own === '' || own === namespace)
      .map((gitops) => {
        const namespaces = new Set([gitops.facts.namespace, '']);
        const uris = [...namespaces].flatMap((each) => filesWithIdentity(scopes, `${type}\n${each}\n${name}`));
        const used = new Set(readable(scopes, gitops, [...uris, ...filesGenerating(source)(scopes)]));
        return { gitops, files: uris.filter((each) => used.has(each)) };
      });
  },
  (users) => (users.length === 0 ? '' : JSON.stringify(users)),
);
