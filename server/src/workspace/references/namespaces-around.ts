/** Finds the names of the namespaces around an object, and counts the uses of a name in the whole workspace. */

import { nameLabel } from '../../engine/catalogue/name-labels.ts';
import { getOrAdd, memoized } from '../../engine/memoize.ts';
import type { ManifestObject, Written } from '../../manifests/model.ts';
import { hashOf } from '../../text/hash.ts';
import { nameTerm } from '../dependencies/questions.ts';
import type { Workspace } from '../model.ts';
import { everyCluster, initialNamespaces, type Scope, type Scopes } from '../scopes/model.ts';
import { scopeQuery, unrecordedScopes } from '../scopes/recorded-scopes.ts';
import { allIdentities, type ScopeFacts } from '../scopes/scope-facts.ts';
import { filesInSiblings } from '../scopes/sibling-folders.ts';

export function makesNamespace({ nameLabels }: ManifestObject): boolean {
  return nameLabels?.includes(nameLabel) ?? false;
}

/** Returns the scalar with the name of a namespace in an object that creates the namespace or is in it. */
export function namespaceNameOf(object: ManifestObject): Written | undefined {
  return makesNamespace(object) ? object.name : object.namespace;
}

export interface KnownNamespace {
  readonly uri: string;
  /** Whether the namespace certainly exists: a Namespace object exists, or several objects are in the namespace. */
  readonly certain: boolean;
  /** Whether only other GitOps objects of the cluster use the namespace. */
  readonly isOutside?: true;
}

type KnownNamespaces = ReadonlyMap<string, KnownNamespace>;

/** The names of namespaces, cached for the data on which they depend: the facts of all files, or the objects that a kustomization applies; and by the files of a scope. */
const knownNames = new WeakMap<object, Map<ReadonlySet<string>, KnownNamespaces>>();

/** Returns the namespaces of a scope: the namespaces that its files create, and the namespaces of its objects. */
export function namespacesAround(workspace: Workspace, place: string): KnownNamespaces {
  if (workspace.appliedBy === undefined) return namespacesWritten(workspace.scopes(), place);
  if (workspace.appliedBy.gitops !== undefined) workspace.questions?.note({ about: 'gitops' });
  const files = workspace.scopes().filesAround(place);
  const byFiles = getOrAdd(knownNames, workspace, () => new Map<ReadonlySet<string>, KnownNamespaces>());
  return getOrAdd(byFiles, files, () => {
    const { known, add } = collected();
    const scopes = unrecordedScopes(workspace);
    for (const uri of [...files, ...filesInSiblings(scopes, place), everyCluster]) {
      for (const object of workspace.files.get(uri)?.manifest.objects ?? []) {
        const name = object.forCluster ? namespaceNameOf(object) : undefined;
        if (typeof name?.value === 'string') add(uri, name.value, makesNamespace(object));
      }
    }
    for (const [name, uri] of namespacesOfCluster(workspace, scopes)) {
      const before = known.get(name);
      if (before === undefined) known.set(name, { uri, certain: true, isOutside: true });
      else if (!before.certain) known.set(name, { uri, certain: true });
    }
    return known;
  });
}

function collected() {
  const known = new Map<string, KnownNamespace>();
  const add = (uri: string, name: string, certain: boolean) => {
    const before = known.get(name);
    if (name === '' || before?.certain) return;
    const isOnlyCertain = uri === everyCluster && before !== undefined;
    known.set(name, { uri: isOnlyCertain ? before.uri : uri, certain: certain || before !== undefined });
  };
  return { known, add };
}

const namespacesWritten = scopeQuery(
  'namespaces around',
  (scopes, place: string): KnownNamespaces => {
    const files = scopes.filesAround(place);
    const byFiles = getOrAdd(knownNames, scopes.facts(), () => new Map<ReadonlySet<string>, KnownNamespaces>());
    return getOrAdd(byFiles, files, () => {
      const { known, add } = collected();
      for (const uri of [...files, ...filesInSiblings(scopes, place)]) {
        const facts = scopes.isPatch(uri) ? undefined : scopes.factsOf(uri);
        for (const { name, isMade } of facts === undefined ? [] : namespacesIn(facts)) add(uri, name, isMade);
      }
      for (const name of initialNamespaces) add(everyCluster, name, true);
      return known;
    });
  },
  memoized((known) => hashOf(JSON.stringify([...known]))),
);

const namespacesIn = memoized(({ identities, unnamed = [] }: ScopeFacts) =>
  [...identities, ...unnamed].map((identity) => {
    const [, , namespace = '', name = ''] = identity.split('\n');
    const isMade = identity.startsWith('\nNamespace\n');
    return { name: isMade ? name : namespace, isMade };
  }),
);

/** Yields the namespaces that other GitOps objects certainly create, or set on their objects, in the cluster of a view. */
function* namespacesOfCluster(
  { appliedBy }: Workspace,
  scopes: Scopes,
): Iterable<readonly [name: string, uri: string]> {
  if (appliedBy?.gitops === undefined) return;
  for (const scope of scopes.all()) {
    if (scope.gitops === undefined || !scopes.shareCluster(appliedBy, scope)) continue;
    if (scope.namespace !== undefined) yield [scope.namespace, scope.gitops.uri];
    for (const made of namespacesMadeIn(scope, scopes)) yield made;
  }
}

const madeNames = new WeakMap<object, Map<Scope, readonly (readonly [name: string, uri: string])[]>>();

function namespacesMadeIn(scope: Scope, scopes: Scopes): readonly (readonly [name: string, uri: string])[] {
  const facts = scopes.facts();
  const made = getOrAdd(madeNames, facts, () => new Map<Scope, readonly (readonly [name: string, uri: string])[]>());
  return getOrAdd(made, scope, () =>
    [...scope.files].flatMap((uri) => {
      const identities = facts.get(uri)?.identities.filter((each) => each.startsWith('\nNamespace\n')) ?? [];
      return identities.map((identity) => [identity.split('\n')[3] ?? '', uri] as const);
    }),
  );
}

/** Returns the number of objects, kustomizations and GitOps objects in the workspace that set the given namespace. The count ends at `maximum`. */
export function usesOf(workspace: Workspace, name: string, maximum: number): number {
  const isTarget = ({ gitops, namespace }: Scope) => gitops !== undefined && namespace === name;
  workspace.questions?.note({ about: 'named', term: nameTerm.namespace(name) });
  const scopes = unrecordedScopes(workspace);
  let uses = scopes.all().filter(isTarget).length;
  for (const [uri, facts] of scopes.facts()) {
    uses += usesInAll(facts).get(name) ?? 0;
    if (facts.kustomization !== undefined && workspace.files.get(uri)?.kustomization?.namespace?.text === name) uses++;
    if (uses >= maximum) break;
  }
  return uses;
}

/** Returns the number of objects in a file that create a namespace or are in it. */
export function usesIn(workspace: Workspace, uri: string, name: string): number {
  const facts = workspace.scopes().factsOf(uri);
  return (facts && usesInObjects(facts).get(name)) ?? 0;
}

/** Returns the file that contains the Namespace with a name; '' if there is none. */
export function definitionOf(workspace: Workspace, name: string): string {
  workspace.questions?.note({ about: 'named', term: nameTerm.namespace(name) });
  for (const [uri, facts] of unrecordedScopes(workspace).facts()) if (namespacesMadeBy(facts).has(name)) return uri;
  return '';
}

const usesInAll = memoized((facts: ScopeFacts) => countsOf([...allIdentities(facts), ...(facts.unnamed ?? [])]));
const usesInObjects = memoized(({ identities, unnamed = [] }: ScopeFacts) => countsOf([...identities, ...unnamed]));

const namespacesMadeBy = memoized(
  (facts: ScopeFacts): ReadonlySet<string> =>
    new Set(
      allIdentities(facts).flatMap((each) => (each.startsWith(definition) ? [each.slice(definition.length)] : [])),
    ),
);

/** The start of the identities of Namespaces, before their name. */
const definition = '\nNamespace\n\n';

/** Returns how many of the identities create each namespace or are in it. */
function countsOf(identities: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const identity of identities) {
    const [, , namespace = ''] = identity.split('\n');
    const name = identity.startsWith(definition) ? identity.slice(definition.length) : namespace;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}
