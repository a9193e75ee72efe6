/** Finds the files that are applied differently after some files changed, although most of them did not change themselves. */

import { addsOrDeletes } from '../absent-file.ts';
import type { Structure } from '../kustomize/named-files.ts';
import type { FileChange } from '../model.ts';
import { changedScopes } from '../scopes/changed-scopes.ts';
import type { Scope, Scopes } from '../scopes/model.ts';
import { maximumSiblings } from '../scopes/sibling-folders.ts';
import { folderOf } from '../uri.ts';
import { Neighbors } from './neighbors.ts';

/** The files that changes of other files concern because they are applied or listed differently. */
interface MovedFiles {
  /** The files of the scopes that differ: how their objects are related to objects of other scopes may differ. */
  readonly moved: ReadonlySet<string>;
  /** The files that are only compared with a changed file, or with the list of a changed kustomization. */
  readonly compared: ReadonlySet<string>;
}

/** The maximum number of files whose relations to all other files are examined. */
const maximumMoved = 2_000;

/** Returns the files that are applied or listed differently after changes; undefined if this may concern every file. */
export function movedFiles(
  before: Structure,
  after: Structure,
  changes: readonly FileChange[],
): MovedFiles | undefined {
  const changed = changedScopes(before.scopes(), after.scopes());
  if (changed === undefined) return undefined;
  const moved = new Set(changed.files);
  const compared = new Set<string>();
  const sides = [
    { structure: before, scopes: changed.before },
    { structure: after, scopes: changed.after },
  ];
  const isKustomization = ({ before: was, after: is }: FileChange) =>
    was.kustomization !== undefined || is.kustomization !== undefined;
  const kustomizations = changes.filter(isKustomization).map(({ after: { uri } }) => uri);
  const others = changes.filter(addsOrDeletes).map(({ after: { uri } }) => uri);
  for (const { structure, scopes } of sides) {
    const neighbors = new Neighbors(structure);
    const built = kustomizations.flatMap((uri) => structure.scopes().building(uri));
    for (const scope of new Set([...scopes, ...built])) for (const uri of neighbors.filesOf(scope)) moved.add(uri);
    for (const uri of neighbors.listingOrListed(kustomizations)) compared.add(uri);
    for (const uri of neighbors.comparingNames(others)) compared.add(uri);
  }
  if (moved.size > maximumMoved) return undefined;
  for (const uri of inCrossedFolders(before.scopes(), after.scopes(), [...changed.before, ...changed.after]))
    compared.add(uri);
  return { moved, compared };
}

/** Returns the files of plain folders that are next to so many others in only one of the states that they are not compared with each other. */
function inCrossedFolders(before: Scopes, after: Scopes, changed: readonly Scope[]): readonly string[] {
  const parents = new Set(changed.flatMap(({ kind, path }) => (kind === 'folder' ? [folderOf(path)] : [])));
  if (parents.size === 0) return [];
  const [were, are] = [before, after].map((scopes) =>
    scopes.all().filter(({ kind, path }) => kind === 'folder' && parents.has(folderOf(path))),
  );
  return [...parents].flatMap((parent) => {
    const isHere = ({ path }: Scope) => folderOf(path) === parent;
    const sides = [were ?? [], are ?? []].map((scopes) => scopes.filter(isHere));
    const areMany = sides.map(({ length }) => length > maximumSiblings);
    return areMany[0] === areMany[1] ? [] : sides.flat().flatMap(({ files }) => [...files]);
  });
}
