/** Determines whether two objects are certainly applied together and are not alternatives. */

import { getOrAdd } from '../../engine/memoize.ts';
import type { ObjectInFile, Workspace } from '../../workspace/model.ts';
import { isRendered, type Scope } from '../../workspace/scopes/model.ts';
import { placeOf, type ScopeFacts } from '../../workspace/scopes/scope-facts.ts';
import { isIn } from '../../workspace/snapshot.ts';

/** Whether two objects are in one file, built by one kustomization, or in one declared scope. A common folder is not sufficient, since it may contain samples that are applied separately. In a chart, conditions determine which objects exist. */
export function areTogether(workspace: Workspace, a: ObjectInFile, b: ObjectInFile): boolean {
  if (mayBeLeftOut(workspace, a) || mayBeLeftOut(workspace, b)) return false;
  if (a.file.uri === b.file.uri) return placeOf(a) === placeOf(b);
  const scopes = workspace.scopes();
  const others = scopes.of(placeOf(b));
  return scopes
    .of(placeOf(a))
    .some((scope) => (isRendered(scope) || scope.kind === 'declared') && others.includes(scope));
}

/** Whether two objects in different files of one plain folder are applied together: `yes` if both have the same namespace, which separate samples rarely have; `maybe` if neither sets one; `no` if one of the files repeats an object of another file in the folder, since these are alternatives. */
export function areBesideEachOther(workspace: Workspace, a: ObjectInFile, b: ObjectInFile): 'yes' | 'maybe' | 'no' {
  const namespace = a.object.namespace?.value;
  if (namespace !== b.object.namespace?.value || (namespace !== undefined && typeof namespace !== 'string'))
    return 'no';
  if (a.file.uri === b.file.uri || mayBeLeftOut(workspace, a) || mayBeLeftOut(workspace, b)) return 'no';
  const scopes = workspace.scopes();
  const [from, to] = [placeOf(a), placeOf(b)];
  const others = scopes.of(to);
  const shared = scopes.of(from).find((scope) => scope.kind === 'folder' && others.includes(scope));
  if (shared === undefined || scopes.relation(from, to, b) !== 'here') return 'no';
  const repeated = repeatedIn(shared, scopes.facts());
  const isAlternative = [a, b].some(({ file }) => file.scope.identities.some((identity) => repeated.has(identity)));
  return isAlternative ? 'no' : namespace === undefined ? 'maybe' : 'yes';
}

const repeatedByScope = new WeakMap<Scope, ReadonlySet<string>>();

/** Returns the identities that several files of a scope contain, except those of Namespaces, which are often repeated next to their content. */
function repeatedIn(scope: Scope, facts: ReadonlyMap<string, ScopeFacts>): ReadonlySet<string> {
  return getOrAdd(repeatedByScope, scope, () => {
    const all = [...scope.files].flatMap((uri) => facts.get(uri)?.identities ?? []);
    const seen = new Set<string>();
    return new Set(all.filter((each) => !each.startsWith('\nNamespace\n') && (seen.has(each) || !seen.add(each))));
  });
}

/** Whether an object is in a chart, where a condition may omit or replace it. */
export function mayBeLeftOut(workspace: Workspace, where: ObjectInFile): boolean {
  if (where.file.manifest.unresolved) return true;
  return isIn(workspace, placeOf(where), 'chart');
}
