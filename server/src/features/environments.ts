/** Evaluates a selector separately in each scope that applies it. An object of a base is in the scope of every overlay, so counts of different scopes are never added. */

import type { SelectorSite } from '../manifests/model.ts';
import { isPatch } from '../workspace/kustomize/view.ts';
import type { ObjectInFile } from '../workspace/model.ts';
import { isRendered, type Scope } from '../workspace/scopes/model.ts';
import { leadFirst } from '../workspace/scopes/perspective.ts';
import { placeOf } from '../workspace/scopes/scope-facts.ts';
import { scopeName } from '../workspace/scopes/scope-names.ts';
import { matchesInEveryCluster } from '../workspace/selection/every-cluster.ts';
import type { Selection } from '../workspace/selection/model.ts';
import { selectionsOf } from '../workspace/selection/selection.ts';
import { type ClusterMatches, clusterMatches } from './selected/cluster-relations.ts';
import type { View } from './view.ts';

/** The result of evaluating an object's selector in one of its scopes. */
export interface Environment {
  /** The name that distinguishes this environment from the other environments; '' if there is only one environment. */
  readonly name: string;
  readonly path: string;
  /** The scopes that this environment comprises. */
  readonly scopes: readonly Scope[];
  /** The selector as it is applied in this scope, and the object that contains it. */
  readonly site: SelectorSite;
  readonly owner: ObjectInFile;
  readonly selection: Pick<Selection, 'matches' | 'maybe' | 'nearMisses'>;
}

/** An environment, and the matches of the selector in other GitOps objects of its cluster; absent if there are too many environments. */
export interface EnvironmentInCluster extends Environment {
  readonly beside?: ClusterMatches;
}

/** The maximum number of environments whose clusters are compared, since each of them may contain many GitOps objects. */
const mostCompared = 10;

/** Like `environmentsOf`, with the matches in the cluster of each environment. */
export function environmentsInClusters(
  view: View,
  owner: ObjectInFile,
  site: SelectorSite,
  selection: Selection,
): readonly EnvironmentInCluster[] {
  return environmentsOf(view, owner, site, selection).map((each, index) =>
    index < mostCompared ? { ...each, beside: clusterMatches(view, owner, each.site, each.path) } : each,
  );
}

/** Returns the scopes of an object, with the one of the perspective first. */
function scopesOf({ workspace, perspective }: View, where: ObjectInFile): readonly Scope[] {
  const scopes = workspace.scopes().of(placeOf(where));
  return leadFirst(
    scopes.map((scope) => ({ scope })),
    perspective,
  ).map(({ scope }) => scope);
}

function withEveryCluster({ workspace }: View, site: SelectorSite, selection: Selection): Environment['selection'] {
  const common = matchesInEveryCluster(workspace, site, selection);
  if (common.length === 0) return selection;
  return {
    matches: [...selection.matches, ...common],
    maybe: selection.maybe,
    get nearMisses() {
      return selection.nearMisses;
    },
  };
}

/** Evaluates a selector separately in each scope that applies it; the scope of the perspective comes first. */
function environmentsOf(view: View, owner: ObjectInFile, site: SelectorSite, given: Selection): readonly Environment[] {
  const selection = withEveryCluster(view, site, given);
  if (owner.object.inline) return [{ name: '', path: '', scopes: [], site, owner, selection }];
  const { workspace, catalogue, perspective } = view;
  const scopes = scopesOf(view, owner);
  const [only, ...more] = scopes;
  // Only a kustomization changes a selector before it is applied.
  if (more.length === 0 && (only === undefined || !isRendered(only)) && !isPatch(workspace, owner)) {
    return [{ name: '', path: only?.path ?? '', scopes, site, owner, selection }];
  }
  const applied = selectionsOf(workspace, catalogue, owner, site, perspective).map((each) => ({
    ...each,
    selection: withEveryCluster(view, each.site, each.selection),
  }));
  const [first, ...others] = applied;
  if (others.length > 0) {
    const scopes = applied.map(({ scope }) => scope);
    return applied.map(({ scope, ...each }) => {
      return { name: scopeName(scope, scopes), path: scope.path, scopes: [scope], ...each };
    });
  }
  if (scopes.length <= 1) {
    if (first === undefined) return [{ name: '', path: only?.path ?? '', scopes, site, owner, selection }];
    const { scope } = first;
    return [{ name: '', path: scope.path, scopes: [scope], site: first.site, owner: first.owner, selection }];
  }
  return scopes.map((scope) => {
    const isIn = within(scopes, scope);
    return {
      name: scopeName(scope, scopes),
      path: scope.path,
      scopes: [scope],
      site,
      owner,
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

/** Returns a predicate for objects that are in `scope`, or in none of the scopes, such as an external object that a configuration declares. */
function within(scopes: readonly Scope[], scope: Scope): (where: ObjectInFile) => boolean {
  return ({ file }) => scope.files.has(file.uri) || scopes.every((each) => !each.files.has(file.uri));
}
