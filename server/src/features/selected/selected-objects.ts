/** Collects all objects that any selector of an object matches, for views that show the object rather than one selector. */

import type { SelectorSite } from '../../manifests/model.ts';
import { keyOf } from '../../workspace/index/index-entries.ts';
import type { ObjectInFile } from '../../workspace/model.ts';
import { isSameObject, isVersionOfAny } from '../../workspace/same-object.ts';
import { scopeName } from '../../workspace/scopes/scope-names.ts';
import { alternativesOf } from '../../workspace/selection/effective-selector.ts';
import type { Match } from '../../workspace/selection/model.ts';
import { selectionOf, selectionsOf } from '../../workspace/selection/selection.ts';
import { patchedObject } from '../presentation/applied-name.ts';
import type { View } from '../view.ts';
import { type ClusterMatches, clusterMatches, withoutCluster } from './cluster-relations.ts';
import { type ImpliedNamespace, impliedNamespaces } from './implied-namespaces.ts';
import { possibleMatches } from './other-values.ts';

export interface SelectedObjects {
  /** The overlay whose matches are listed; undefined if there is only one. */
  readonly lead: { readonly name: string; readonly path: string } | undefined;
  /** The selectors that were evaluated, without those in list items, such as peers and affinity terms. */
  readonly sites: readonly SelectorSite[];
  readonly matches: readonly Match[];
  readonly maybe: readonly Match[];
  readonly elsewhere: readonly Match[];
  /** The matches in other GitOps objects of the cluster of the first scope. */
  readonly inCluster: ClusterMatches;
  /** The matching namespaces without Namespace objects. */
  readonly namespaces: readonly ImpliedNamespace[];
}

/** Returns the matches of all selectors of `owner`, except `owner` itself. Each object occurs once, with its most certain match. */
export function selectedObjects(view: View, owner: ObjectInFile): SelectedObjects {
  const sites = owner.object.selectorSites.filter(({ path }) => !path.includes('['));
  const valid = sites.filter(
    (site) => site.state !== 'ignored' && site.fact.targets.length > 0 && alternativesOf(site).length > 0,
  );
  const { workspace, catalogue, perspective } = view;
  // The matches in the overlay of the perspective; those elsewhere concern every overlay.
  const inPerspective = valid.map((site) => {
    const joined = selectionOf(workspace, catalogue, owner, site);
    const versions = selectionsOf(workspace, catalogue, owner, site, perspective);
    const lead = versions[0]?.selection ?? joined;
    // The matches that only other values of a chart could cause are not listed.
    const { maybe } = possibleMatches(versions[0]?.site ?? site, lead.maybe);
    return { site, joined, lead: { matches: lead.matches, maybe }, scopes: versions.map(({ scope }) => scope) };
  });
  const [{ scopes } = { scopes: [] }] = inPerspective;
  const [first, ...others] = scopes;
  const selections = inPerspective.map(({ lead }) => lead);
  const own = patchedObject(view, owner);
  const seen = new Set<string>();
  const unseen = (matches: readonly Match[]) =>
    matches.filter((match) => {
      const key = keyOf(match);
      if (seen.has(key) || isSameObject(match, own)) return false;
      seen.add(key);
      return true;
    });
  const inClusters = valid.map((site) => clusterMatches(view, owner, site));
  const inCluster = {
    matches: distinct(inClusters.flatMap(({ matches }) => matches)),
    maybe: distinct(inClusters.flatMap(({ maybe }) => maybe)),
  };
  const known = [...inCluster.matches, ...inCluster.maybe];
  const matches = unseen(selections.flatMap((each) => each.matches));
  const maybe = unseen(selections.flatMap((each) => each.maybe));
  const elsewhere = unseen(inPerspective.flatMap(({ joined }) => joined.elsewhere)).filter(
    (each) => !isVersionOfAny(each, matches),
  );
  return {
    lead: first && others.length > 0 ? { name: scopeName(first, scopes), path: first.path } : undefined,
    sites: valid,
    matches,
    maybe,
    inCluster,
    namespaces: inPerspective.flatMap(({ site, joined }) => impliedNamespaces(view, owner, site, joined)),
    elsewhere: withoutCluster(view, owner, elsewhere, known),
  };
}

/** Returns each applied object once. */
function distinct(matches: readonly Match[]): readonly Match[] {
  return [...new Map(matches.map((match) => [match.object, match])).values()];
}
