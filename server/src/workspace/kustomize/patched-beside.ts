/** Finds the objects that patches in the folder of a file change: another file in the folder that contains such an object is probably an alternative patch. */

import { getOrAdd } from '../../engine/memoize.ts';
import type { Scopes } from '../scopes/model.ts';
import { scopeQuery } from '../scopes/recorded-scopes.ts';
import { folderOf } from '../uri.ts';
import { withoutNamespace } from './listed-together.ts';

/** Returns the kinds and names of the objects that the patches of kustomizations in a folder change, in the form that `nameIn` returns. */
export const patchedIn = scopeQuery(
  'patched in',
  (scopes, folder: string): readonly string[] =>
    (patchesByFolder(scopes).get(folder) ?? []).flatMap((uri) =>
      (scopes.factsOf(uri)?.identities ?? []).map(withoutNamespace),
    ),
  (names) => names.join('\n\n'),
);

/** The patches change only with the structure of the scopes. */
const known = new WeakMap<ReturnType<Scopes['structure']>, ReadonlyMap<string, readonly string[]>>();

function patchesByFolder(scopes: Scopes): ReadonlyMap<string, readonly string[]> {
  const structure = scopes.structure();
  return getOrAdd(known, structure, () => {
    const found = new Map<string, string[]>();
    for (const uri of structure.keys())
      if (scopes.isPatch(uri) && !scopes.isTriedOut(uri)) getOrAdd(found, folderOf(uri), () => []).push(uri);
    return found;
  });
}
