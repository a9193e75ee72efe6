/** Determines whether a selector may match objects that are in no file: those that controllers create, and those of remote files. */

import type { SelectorSite } from '../../manifests/model.ts';
import { localize } from '../../text/localize.ts';
import { matchesRelease } from '../gitops/releases.ts';
import type { ObjectInFile, Workspace } from '../model.ts';
import { isInClosedScope } from '../references/closed-scope.ts';
import { mayCreate } from '../references/producers.ts';
import { placeOf } from '../scopes/scope-facts.ts';
import { alternativesOf } from './effective-selector.ts';
import { homeOf } from './own-namespace.ts';

/** Returns why the scope of a selector over pods or Services may contain further objects that it matches, as a clause; undefined if it certainly contains none. */
export function unknownObjects(workspace: Workspace, where: ObjectInFile, site: SelectorSite): string | undefined {
  const isOver = (name: string) => site.fact.targets.some(({ group, kind }) => group === '' && kind === name);
  if (!(isOver('Pod') || isOver('Service'))) return undefined;
  const place = placeOf(where);
  const from = { place, namespace: homeOf(where, site) };
  const mayBeReleased = () => alternativesOf(site).some((each) => matchesRelease(workspace, each, from) !== 'no');
  const scopes = workspace.scopes().of(place);
  if (!isInClosedScope({ workspace }, where, mayBeReleased)) {
    const [reason] = scopes.flatMap(({ closed }) => (closed === true ? [] : closed.openBecause));
    return reason?.replace(/\.$/, '');
  }
  // The labels of a created Service contain the name of the object for which an operator creates it.
  const values = alternativesOf(site).flatMap((each) => (each.kind === 'all' ? each.requirements : []));
  const names = values.flatMap((each) => each.values.filter((value) => typeof value === 'string'));
  const isCreated =
    isOver('Service') && scopes.some((scope) => names.some((name) => mayCreate(workspace, scope, name)));
  return isCreated ? localize`an operator may create Services for the custom objects in its scope` : undefined;
}
