/** Evaluates the selector of a command. Commands query the cluster, so objects that kustomizations change are evaluated as they are applied. */

import type { Catalogue } from '../../engine/catalogue/types.ts';
import { keyOf } from '../index/index-entries.ts';
import { seenBy } from '../kustomize/view.ts';
import type { Workspace } from '../model.ts';
import { isEdited } from '../scopes/model.ts';
import { LazySelection } from './lazy-selection.ts';
import type { Match, Selection } from './model.ts';
import { byDistance } from './nearness.ts';

/** The maximum number of kustomizations to build for a command. If there are more, only the written objects are evaluated. */
const mostBuilt = 8;

/** Combines the results of `ask` for the written objects and for the objects that each kustomization applies. An object to which several overlays give the same name and namespace is included once; objects with different names or namespaces can all be in one cluster. */
export function appliedSelection(
  workspace: Workspace,
  catalogue: Catalogue,
  near: string | undefined,
  ask: (workspace: Workspace) => Selection,
): Selection {
  const written = ask(workspace);
  const views = viewsOf(workspace, catalogue);
  if (views.length === 0) return written;
  const isBuilt = ({ file }: Match) => views.some(({ scope }) => scope.files.has(file.uri));
  const applied = views.map(({ scope, view }) => ({
    selection: ask(view),
    isWanted: ({ file }: Match) => view.scopes().of(file.uri)[0] === scope,
  }));
  const all = [{ selection: written, isWanted: (match: Match) => !isBuilt(match) }, ...applied];
  const matches = once(all.flatMap(({ selection, isWanted }) => selection.matches.filter(isWanted)));
  const nearest = byDistance(near);
  const taken = new Set(matches.map(appliedKey));
  const maybe = once(all.flatMap(({ selection, isWanted }) => selection.maybe.filter(isWanted)));
  const untaken = maybe.filter((match) => !taken.has(appliedKey(match)));
  return new LazySelection(matches.toSorted(nearest), untaken, {
    elsewhere: () => written.elsewhere,
    nearMisses: () => written.nearMisses,
    hasCompany: () => all.some(({ selection }) => selection.hasCompany),
    uncertain: () => all.some(({ selection }) => selection.uncertain),
    uncertainHere: () => all.some(({ selection }) => selection.uncertainHere),
    mayMatchOthers: () => written.mayMatchOthers,
  });
}

function viewsOf(workspace: Workspace, catalogue: Catalogue) {
  const edited = workspace.scopes().all().filter(isEdited);
  if (edited.length > mostBuilt) return [];
  return edited.flatMap((scope) => {
    const view = seenBy(workspace, catalogue, scope);
    return view === undefined ? [] : [{ scope, view }];
  });
}

/** Returns a key that is equal for a labeled object of a file in all overlays that apply it with the same name and namespace. */
function appliedKey(match: Match): string {
  const { name, namespace } = match.object;
  return `${keyOf(match)}\n${namespace?.text ?? ''}\n${name?.text ?? ''}`;
}

function once(matches: readonly Match[]): readonly Match[] {
  return [...new Map(matches.toReversed().map((match) => [appliedKey(match), match])).values()].toReversed();
}
