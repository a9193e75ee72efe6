/** Names of namespaces in selectors that no file knows, next to a namespace whose name is almost the same. */

import { getOrAdd } from '../engine/kept.ts';
import type { ManifestObject, SelectorSite, Written } from '../manifests/manifest.ts';
import { misspelling } from '../text/misspelling.ts';
import type { Span } from '../text/span.ts';
import { placeOf } from '../workspace/scope-facts.ts';
import { everyCluster } from '../workspace/scopes.ts';
import { filesInSiblings } from '../workspace/sibling-folders.ts';
import type { ObjectInFile, Workspace, WorkspaceFile } from '../workspace/workspace.ts';
import { makesNamespace } from './namespaces.ts';

/** A name that is off, and the name of the namespace that was meant. */
export interface NearNamespace {
  readonly wanted: Written;
  readonly actual: string;
  /** Where the name is written: in what makes the namespace, or is in it. */
  readonly at: { readonly file: WorkspaceFile; readonly span: Span } | undefined;
}

const nameLabel = 'kubernetes.io/metadata.name';

/** The names of namespaces in a selector, or listed beside it, that are misspelled. */
export function nearNamespaces(
  workspace: Workspace,
  where: ObjectInFile,
  site: SelectorSite,
): readonly NearNamespace[] {
  const names = namesIn(site);
  if (names.length === 0) return [];
  const known = namespacesAround(workspace, placeOf(where));
  return names.flatMap((wanted): readonly NearNamespace[] => {
    if (typeof wanted.value !== 'string' || known.has(wanted.value)) return [];
    const meant = closestTo(wanted.value, known);
    if (meant === undefined || isElsewhere(workspace, wanted.value)) return [];
    return [{ wanted, actual: meant.actual, at: placeOfName(workspace, meant.uri, meant.actual) }];
  });
}

/** Values of the label that every Namespace has, and names in the list beside a selector. */
function namesIn({ fact, entries, expressions, namespaces }: SelectorSite): readonly Written[] {
  const listed = namespaces?.written ?? [];
  if (!fact.targets.some(({ group, kind }) => group === '' && kind === 'Namespace')) return listed;
  return [
    ...listed,
    ...entries.flatMap(({ key, value }) => (key.text === nameLabel ? [value] : [])),
    ...expressions.flatMap(({ key, values }) => (key?.text === nameLabel ? values : [])),
  ];
}

function placeOfName(workspace: Workspace, uri: string, name: string): NearNamespace['at'] {
  const file = uri === everyCluster ? undefined : workspace.files.get(uri);
  const written = file?.manifest.objects.map(nameOf).find((each) => each?.text === name);
  return file && written && written.origin === undefined ? { file, span: written.span } : undefined;
}

interface Known {
  readonly uri: string;
  /** A Namespace is written, or several objects are in it. */
  readonly certain: boolean;
}

/** The only namespace whose name is almost the wanted one. */
function closestTo(
  wanted: string,
  known: ReadonlyMap<string, Known>,
): (Known & { readonly actual: string }) | undefined {
  const near = [...known].flatMap(([actual, each]) => {
    const likeness = misspelling(wanted, actual);
    if (likeness === undefined || (likeness === 'possible' && !(each.certain && wanted[0] === actual[0]))) return [];
    return [{ ...each, actual, likeness }];
  });
  const evident = near.filter(({ likeness }) => likeness === 'evident');
  const closest = evident.length > 0 ? evident : near;
  // What one object alone says may itself be misspelled.
  const certain = closest.filter((each) => each.certain);
  const [only, ...others] = certain.length > 0 ? certain : closest;
  return others.length > 0 ? undefined : only;
}

/** The name of a namespace in an object that makes it or is in it. */
function nameOf(object: ManifestObject): Written | undefined {
  return makesNamespace(object) ? object.name : object.namespace;
}

/** By what the names follow from: the files of a scope and what they write, or what one kustomization applies. */
const knownNames = new WeakMap<object, ReadonlyMap<string, Known>>();

/** The namespaces of a scope: those that its files make, and those that its objects are in. */
function namespacesAround(workspace: Workspace, place: string): ReadonlyMap<string, Known> {
  const scopes = workspace.scopes();
  const files = scopes.filesAround(place);
  return getOrAdd(knownNames, workspace.appliedBy === undefined ? files : workspace, () => {
    const known = new Map<string, Known>();
    const add = (uri: string, name: string, certain: boolean) => {
      const before = known.get(name);
      if (name !== '' && !before?.certain) known.set(name, { uri, certain: certain || before !== undefined });
    };
    const addObjects = (uri: string) => {
      for (const object of workspace.files.get(uri)?.manifest.objects ?? []) {
        const name = object.forCluster ? nameOf(object) : undefined;
        if (typeof name?.value === 'string') add(uri, name.value, makesNamespace(object));
      }
    };
    for (const uri of [...files, ...filesInSiblings(scopes, place)]) {
      if (workspace.appliedBy !== undefined) addObjects(uri);
      else if (!scopes.isPatch(uri)) {
        for (const identity of scopes.facts().get(uri)?.identities ?? []) {
          const [, , namespace = '', name = ''] = identity.split('\n');
          const isMade = identity.startsWith('\nNamespace\n');
          add(uri, isMade ? name : namespace, isMade);
        }
      }
    }
    addObjects(everyCluster);
    return known;
  });
}

/**
 * The namespace that an object was meant to be in, if the one that it names holds nothing else and the other one holds
 * what its selector matches.
 */
export function nearHome(
  workspace: Workspace,
  where: ObjectInFile,
  others: readonly string[],
): NearNamespace | undefined {
  const wanted = where.object.namespace;
  if (typeof wanted?.value !== 'string' || wanted.origin !== undefined || makesNamespace(where.object))
    return undefined;
  const known = namespacesAround(workspace, placeOf(where));
  if (known.get(wanted.value)?.certain !== false) return undefined;
  const meant = closestTo(wanted.value, new Map([...known].filter(([name]) => others.includes(name))));
  return meant && { wanted, actual: meant.actual, at: placeOfName(workspace, meant.uri, meant.actual) };
}

/** Whether anything in the workspace is in a namespace of that name, or makes it. */
function isElsewhere(workspace: Workspace, name: string): boolean {
  for (const [uri, { identities, kustomization }] of workspace.scopes().facts()) {
    if (identities.some((identity) => isOf(identity, name))) return true;
    if (kustomization !== undefined && workspace.files.get(uri)?.kustomization?.namespace?.text === name) return true;
  }
  return false;
}

function isOf(identity: string, namespace: string): boolean {
  return identity === `\nNamespace\n\n${namespace}` || identity.split('\n')[2] === namespace;
}
