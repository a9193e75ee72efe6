/** Determines whether two objects are certainly applied together, and are no alternatives to each other. */

import { getOrAdd } from '../../engine/memoize.ts';
import type { ObjectInFile, Workspace } from '../../workspace/model.ts';
import type { Scope } from '../../workspace/scopes/model.ts';
import { placeOf, type ScopeFacts } from '../../workspace/scopes/scope-facts.ts';
import { isIn } from '../../workspace/snapshot.ts';

/**
 * In one file, built by one kustomization, or in one scope that a team declared. A folder is not enough: it may hold
 * samples of which each is meant alone. In a chart, conditions decide which objects are there.
 */
export function areTogether(workspace: Workspace, a: ObjectInFile, b: ObjectInFile): boolean {
  if (mayBeLeftOut(workspace, a) || mayBeLeftOut(workspace, b)) return false;
  if (a.file.uri === b.file.uri) return placeOf(a) === placeOf(b);
  const scopes = workspace.scopes();
  const others = scopes.of(placeOf(b));
  return scopes
    .of(placeOf(a))
    .some((scope) => (scope.kind === 'kustomization' || scope.kind === 'declared') && others.includes(scope));
}

/**
 * Whether two objects in different files of one plain folder are applied together: `yes` if both name the same
 * namespace, which samples that are meant alone seldom do, and `maybe` if neither names one. `no` if one of the files
 * repeats what another file of the folder holds: these are alternatives.
 */
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

/** The identities that several files of a scope write; that of a Namespace is often written beside what is in it. */
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
