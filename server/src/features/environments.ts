/** In which of several environments is what found? An object of a base belongs to every overlay, and none is summed. */

import type { SelectorSite } from '../manifests/manifest.ts';
import { placeOf } from '../workspace/scope-facts.ts';
import { scopeName } from '../workspace/scope-names.ts';
import type { Scope } from '../workspace/scopes.ts';
import { activeFirst, type Selection, selectionsOf } from '../workspace/selection.ts';
import type { ObjectInFile } from '../workspace/workspace.ts';
import type { View } from './view.ts';

/** What an object's selector finds in one of its scopes. */
export interface Environment {
  /** How it is told from the others; '' where it is the only one. */
  readonly name: string;
  readonly selection: Pick<Selection, 'matches' | 'maybe' | 'nearMisses'>;
}

/** The scopes of an object, the one first that the reader looks at. */
export function scopesOf({ workspace, activeScope }: View, where: ObjectInFile): readonly Scope[] {
  const scopes = workspace.scopes().of(placeOf(where));
  return activeFirst(
    scopes.map((scope) => ({ scope })),
    activeScope,
  ).map(({ scope }) => scope);
}

/** What a selector finds in each scope that applies it, by itself; the first one leads. */
export function environmentsOf(
  view: View,
  owner: ObjectInFile,
  site: SelectorSite,
  selection: Selection,
): readonly Environment[] {
  if (owner.object.inline) return [{ name: '', selection }];
  const { workspace, catalogue, activeScope } = view;
  const applied = selectionsOf(workspace, catalogue, owner, site, activeScope);
  if (applied.length > 1) {
    const scopes = applied.map(({ scope }) => scope);
    return applied.map((each) => ({ name: scopeName(each.scope, scopes), selection: each.selection }));
  }
  const scopes = scopesOf(view, owner);
  if (scopes.length <= 1) return [{ name: '', selection }];
  return scopes.map((scope) => {
    const isIn = within(scopes, scope);
    return {
      name: scopeName(scope, scopes),
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
