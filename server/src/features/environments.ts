/** In which of several environments is what found? An object of a base belongs to every overlay, and none is summed. */

import { placeOf } from '../workspace/scope-facts.ts';
import type { Scope } from '../workspace/scopes.ts';
import type { Selection } from '../workspace/selection.ts';
import { folderOf, isWithin, relativePath } from '../workspace/uri.ts';
import type { ObjectInFile } from '../workspace/workspace.ts';
import type { View } from './view.ts';

/** What an object's selector finds in one of its scopes. */
export interface Environment {
  /** How it is told from the others; '' where it is the only one. */
  readonly name: string;
  readonly selection: Pick<Selection, 'matches' | 'maybe' | 'nearMisses'>;
}

/** The scopes of an object, the one first that the reader looks at. */
export function scopesOf({ workspace }: View, where: ObjectInFile): readonly Scope[] {
  return workspace.scopes().of(placeOf(where));
}

/** What is found, in each scope of the object by itself; the first one leads. */
export function environmentsOf(view: View, owner: ObjectInFile, selection: Selection): readonly Environment[] {
  const scopes = scopesOf(view, owner);
  if (scopes.length <= 1) return [{ name: '', selection }];
  const names = namesOf(scopes);
  return scopes.map((scope, index) => {
    const isIn = within(scopes, scope);
    return {
      name: names[index] ?? scope.path,
      selection: {
        matches: selection.matches.filter(isIn),
        maybe: selection.maybe.filter(isIn),
        get nearMisses() {
          return selection.nearMisses.filter(isIn);
        },
      },
    };
  });
}

/** Only what belongs to the scope that leads. */
export function inLead<T extends ObjectInFile>(view: View, owner: ObjectInFile, found: readonly T[]): readonly T[] {
  const scopes = scopesOf(view, owner);
  const [lead] = scopes;
  return lead === undefined || scopes.length === 1 ? found : found.filter(within(scopes, lead));
}

/** True for what is in a scope, or in none of them: what is declared to be applied with it, for example. */
function within(scopes: readonly Scope[], scope: Scope): (where: ObjectInFile) => boolean {
  return ({ file }) => scope.files.has(file.uri) || scopes.every((each) => !each.files.has(file.uri));
}

/** The paths of scopes below the folder that holds all of them. */
function namesOf(scopes: readonly Scope[]): readonly string[] {
  const paths = scopes.map(({ path, name }) => (name === undefined ? path : `${path}/${name}`));
  const [first = ''] = paths;
  let common = folderOf(first);
  while (common !== '' && !paths.every((path) => isWithin(path, common))) common = folderOf(common);
  return paths.map((path) => relativePath(common, path));
}
