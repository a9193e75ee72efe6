/** Determines whether the content of all scopes of an object is completely known. */

import type { Catalogue } from '../../engine/catalogue/types.ts';
import { memoized } from '../../engine/memoize.ts';
import type { ObjectInFile, Workspace } from '../model.ts';
import { areApart } from '../scopes/cluster.ts';
import type { Scope, Scopes } from '../scopes/model.ts';
import { scopeQuery } from '../scopes/recorded-scopes.ts';
import { placeOf } from '../scopes/scope-facts.ts';
import { mayCreate } from './producers.ts';

interface Around {
  readonly workspace: Workspace;
}

/** Whether an object is in a scope, and the content of all of its scopes is known. If `isReleased` is given, objects of charts that are not in any file may be missing, unless `isReleased` returns true. */
export function isInClosedScope({ workspace }: Around, where: ObjectInFile, isReleased?: () => boolean): boolean {
  const scopes = workspace.scopes().of(placeOf(where));
  return scopes.length > 0 && closedScopesOf({ workspace }, where, isReleased).length === scopes.length;
}

/** Returns the scopes of an object whose content is known; `isReleased` has the same meaning as for `isInClosedScope`. */
export function closedScopesOf(
  { workspace }: Around,
  where: ObjectInFile,
  isReleased?: () => boolean,
): readonly Scope[] {
  const isKnown = ({ closed }: Scope) =>
    closed === true || (closed.areReleases === true && isReleased !== undefined && !isReleased());
  return workspace.scopes().of(placeOf(where)).filter(isKnown);
}

/** Returns the scopes of an object in which all objects that may have one of some names are known: created objects usually have the name of the custom object for which a controller creates them. Objects of the kind `except` create none. */
export function namingScopesOf(
  { workspace }: Around,
  where: ObjectInFile,
  names: readonly string[],
  except?: string,
): readonly Scope[] {
  const isKnown = (scope: Scope) =>
    scope.closed === true ||
    (scope.closed.areObjects === true && !names.some((name) => mayCreate(workspace, scope, name, except)));
  return workspace.scopes().of(placeOf(where)).filter(isKnown);
}

/**
 * Whether the cluster of an object contains no GitOps object whose objects are all unknown: those of another repository, or
 * those that a ResourceSet renders. If `wanted` is given, objects that Flux applies to other namespaces are ignored.
 */
export function isInKnownCluster({ workspace }: Around, where: ObjectInFile, wanted?: string): boolean {
  const scopes = workspace.scopes();
  const own = scopes.of(placeOf(where));
  return unknownIn(scopes).every(({ scope, hasSet }) => {
    // Flux sets its target namespace on all objects.
    const { kind, namespace = wanted } = scope;
    const isElsewhere = !hasSet && wanted !== undefined && kind === 'flux-kustomization' && namespace !== wanted;
    return isElsewhere || !own.some((each) => scopes.shareCluster(each, scope));
  });
}

interface UnknownScope {
  readonly scope: Scope;
  /** Whether a ResourceSet is among its files. */
  readonly hasSet: boolean;
}

/** Returns the scopes in which a GitOps object of another repository or a ResourceSet creates objects. */
const unknownIn = scopeQuery(
  'unknown scopes',
  memoized((scopes: Scopes): readonly UnknownScope[] =>
    scopes.all().flatMap((scope) => {
      if (scope.kind === 'helm-release') return [];
      const hasSet = [...scope.files].some((uri) => hasResourceSet(scopes, uri));
      return hasSet || scope.gitops?.contents.includes(undefined) === true ? [{ scope, hasSet }] : [];
    }),
  ),
  (unknown) =>
    unknown.map(({ scope: { kind, path, namespace }, hasSet }) => [kind, path, namespace, hasSet].join(' ')).join('\n'),
);

/**
 * Whether all GitOps objects that may share the cluster with an object of a GitOps object are known, except objects of
 * releases of charts and objects in other namespaces.
 */
export function isInClosedCluster(context: Around & { readonly catalogue: Catalogue }, where: ObjectInFile): boolean {
  const { workspace, catalogue } = context;
  const scopes = workspace.scopes();
  const own = scopes.of(placeOf(where));
  const home = where.object.namespace?.text;
  workspace.questions?.note({ about: 'gitops' });
  const isKnown = (scope: Scope) => {
    const { kind, path, gitops, closed, files, namespace = home } = scope;
    if (gitops === undefined || closed === true || closed.areReleases || gitops.facts.releases !== undefined)
      return true;
    if (areApart(scopes, own, scope)) return true;
    // Flux sets its target namespace on all objects, Argo CD only on objects without a namespace.
    if (kind === 'flux-kustomization' && namespace !== home) return true;
    // Otherwise, the scope is open only because of GitOps objects in its files, which have scopes of their own.
    const isOpen = [...files].some((uri) => (scopes.factsOf(uri)?.openBecause.length ?? 0) > 0);
    return !isOpen && workspace.rendering(path, catalogue)?.isWhole === true;
  };
  return isInKnownCluster(context, where) && scopes.all().every(isKnown);
}

function hasResourceSet(scopes: Scopes, uri: string): boolean {
  const { identities = [] } = scopes.factsOf(uri) ?? {};
  return identities.some((identity) => identity.startsWith('fluxcd.controlplane.io\nResourceSet\n'));
}
