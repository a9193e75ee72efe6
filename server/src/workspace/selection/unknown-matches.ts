/** Determines whether a selector may match objects that are in no list of its selection: objects that are in no file, and objects with unknown labels. */

import type { Catalogue } from '../../engine/catalogue/types.ts';
import { satisfiable } from '../../engine/index.ts';
import { once } from '../../engine/memoize.ts';
import type { SelectorSite } from '../../manifests/model.ts';
import { localize } from '../../text/localize.ts';
import { firstFailure } from '../charts/helm-stops.ts';
import { filesOfReleases } from '../gitops/releases.ts';
import { isPatch } from '../kustomize/view.ts';
import type { ObjectInFile, Workspace } from '../model.ts';
import { mayCreate } from '../references/producers.ts';
import { isRendered, type Scope } from '../scopes/model.ts';
import { placeOf } from '../scopes/scope-facts.ts';
import { alternativesOf } from './effective-selector.ts';
import { impliedNamespaces } from './implied-namespaces.ts';
import type { Selection } from './model.ts';
import { selectsNodes } from './node-fits.ts';
import { homeOf } from './own-namespace.ts';
import { selectionOf, selectionsOf } from './selection.ts';

/** A selector, and the scopes in which its matches are wanted. */
export interface SelectorInScopes {
  readonly workspace: Workspace;
  readonly catalogue: Catalogue;
  readonly owner: ObjectInFile;
  readonly site: SelectorSite;
  readonly scopes: readonly Scope[];
}

/** Returns why it is unknown whether a selector matches further objects in its scopes, as a clause; undefined if it certainly matches none. */
export function unknownMatches(selector: SelectorInScopes): string | undefined {
  const { workspace, catalogue, owner, site, scopes } = selector;
  if (isOfUnknownObject(workspace, catalogue, owner, site))
    return workspace.scopes().isTriedOut(owner.file.uri)
      ? localize`this file is an input of a test, so it is not applied`
      : localize`the object that this patch changes is unknown`;
  if (!alternativesOf(site).some(satisfiable)) return undefined;
  const rendered = scopes.filter(isRendered);
  const failure = firstFailure(workspace, catalogue, rendered);
  if (failure !== undefined) return failure;
  if (rendered.some(({ path }) => workspace.rendering(path, catalogue)?.isCut))
    return localize`the chart is executed only in part`;
  const selections = selectionsIn(selector);
  // Cloud providers create Nodes, so that manifests rarely contain them.
  if (selectsNodes(site) && !selections.some(({ hasCompany }) => hasCompany))
    return localize`no Node or node pool is applied together with it`;
  if (impliedNamespaces(workspace, catalogue, owner, site).some(({ answer }) => answer === 'maybe'))
    return localize`the labels of namespaces without Namespace objects are unknown`;
  if (selections.some(({ uncertainHere }) => uncertainHere))
    return localize`controllers or templates may add labels to objects`;
  return objectsInNoFile(selector);
}

/** Evaluates a selector in its scopes alone: the objects that only another overlay applies, and their unknown labels, do not concern them. */
function selectionsIn({ workspace, catalogue, owner, site, scopes }: SelectorInScopes): readonly Selection[] {
  const paths = new Set(scopes.map(({ path }) => path));
  const own = owner.object.inline ? [] : selectionsOf(workspace, catalogue, owner, site);
  const wanted = own.flatMap(({ scope, selection }) => (paths.has(scope.path) ? [selection] : []));
  return wanted.length > 0 ? wanted : [selectionOf(workspace, catalogue, owner, site)];
}

/** Whether a selector belongs to a patch that, as far as is known, changes no object. */
function isOfUnknownObject(
  workspace: Workspace,
  catalogue: Catalogue,
  owner: ObjectInFile,
  site: SelectorSite,
): boolean {
  return isPatch(workspace, owner) && selectionsOf(workspace, catalogue, owner, site).length === 0;
}

/** Returns why the scopes of a selector over pods or Services may contain objects that are in no file. */
function objectsInNoFile({ workspace, owner, site, scopes }: SelectorInScopes): string | undefined {
  const isOver = (name: string) => site.fact.targets.some(({ group, kind }) => group === '' && kind === name);
  if (!(isOver('Pod') || isOver('Service'))) return undefined;
  const from = { place: placeOf(owner), namespace: homeOf(owner, site) };
  const installing = once(
    () => new Set(alternativesOf(site).flatMap((each) => filesOfReleases(workspace, each, from))),
  );
  const reasons = scopes.flatMap(({ closed }) => {
    if (closed === true) return [];
    if (closed.areReleases === true && installing().size === 0) return [];
    // A release is named only if the selector may match its objects.
    const { released = [], openBecause } = closed;
    const others = openBecause.filter((each) => !released.some(({ sentence }) => sentence === each));
    const named = released.filter(({ uri }) => installing().has(uri));
    const spread = installing().size === 0 ? [] : released;
    return [...named.map(({ sentence }) => sentence), ...others, ...spread.map(({ sentence }) => sentence)];
  });
  const [reason] = reasons;
  if (reason !== undefined) return reason.replace(/\.$/, '');
  // The labels of a created Service contain the name of the object for which an operator creates it.
  const values = alternativesOf(site).flatMap((each) => (each.kind === 'all' ? each.requirements : []));
  const names = values.flatMap((each) => each.values.filter((value) => typeof value === 'string'));
  const isCreated =
    isOver('Service') && scopes.some((scope) => names.some((name) => mayCreate(workspace, scope, name)));
  return isCreated ? localize`an operator may create Services for the custom objects beside it` : undefined;
}
