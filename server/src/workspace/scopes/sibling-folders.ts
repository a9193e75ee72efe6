/** Finds neighboring plain folders, such as `app/` and `policies/`, which are often parts of one application in one namespace. */

import { getOrAdd } from '../../engine/memoize.ts';
import { folderOf } from '../uri.ts';
import type { Scope, Scopes } from './model.ts';
import { scopeQuery } from './recorded-scopes.ts';

/** The maximum number of plain folders next to each other. A folder that contains more is a collection of applications, not one application. */
const maximumSiblings = 40;

/** The plain folders by their parent folder, cached for the list of all scopes, which the scopes of all renderings share. */
const foldersByParent = new WeakMap<readonly Scope[], ReadonlyMap<string, readonly Scope[]>>();

/** Returns the files of the plain folders next to the folder of a position; none if the position is not in a plain folder. These files are in other scopes, but their objects may be applied together with the position, in a namespace that both name. */
export function filesInSiblings(scopes: Scopes, place: string): readonly string[] {
  // All files of a folder have the same siblings.
  const folders = scopes.of(place).filter(({ kind }) => kind === 'folder');
  return folders.flatMap(({ path, generated }) => filesBeside(scopes, path, generated === true ? 'generated' : ''));
}

const filesBeside = scopeQuery(
  'files in sibling folders',
  (scopes, path: string, generated: string): readonly string[] => {
    const byParent = getOrAdd(foldersByParent, scopes.all(), groupFolders);
    const siblings = byParent.get(folderOf(path)) ?? [];
    if (siblings.length > maximumSiblings) return [];
    const isOwn = (each: Scope) => each.path === path && (each.generated === true) === (generated !== '');
    return siblings.filter((each) => !isOwn(each)).flatMap(({ files }) => [...files]);
  },
  (uris) => uris.join(' '),
);

function groupFolders(scopes: readonly Scope[]): ReadonlyMap<string, readonly Scope[]> {
  const groups = new Map<string, Scope[]>();
  for (const scope of scopes) {
    if (scope.kind === 'folder') getOrAdd(groups, folderOf(scope.path), (): Scope[] => []).push(scope);
  }
  return groups;
}
