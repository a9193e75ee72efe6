/** Determines whether policies in the workspace may change objects when they are created (their labels, containers, ports and volumes), or generate objects. */

import type { GroupKind } from '../engine/catalogue/types.ts';
import type { LabelSet, Selector } from '../engine/index.ts';
import { memoized } from '../engine/memoize.ts';
import { type GeneratedObject, mayBeGenerated } from '../manifests/kinds/generated-objects.ts';
import {
  type MutatedList,
  type Mutation,
  mutatedLabels,
  mutatesKind,
  mutatesLabel,
} from '../manifests/kinds/mutations.ts';
import type { LabeledObject, SelectorSite } from '../manifests/model.ts';
import { globMatcher } from '../text/glob.ts';
import type { ObjectInFile, Workspace } from './model.ts';
import { scopeQuery } from './scopes/recorded-scopes.ts';
import { placeOf, type ScopeFacts } from './scopes/scope-facts.ts';
import { namespaceOf } from './selection/namespaces.ts';
import { selectsInOwnNamespace } from './selection/own-namespace.ts';

/** What the policies of a workspace do: the mutations by file, and the generated objects. */
interface Effects {
  readonly mutations: ReadonlyMap<string, readonly Mutation[]>;
  readonly generated: readonly GeneratedObject[];
}

const effectsIn = memoized((structure: ReadonlyMap<string, ScopeFacts>): Effects => {
  const mutations = new Map<string, readonly Mutation[]>();
  const generated: GeneratedObject[] = [];
  for (const [uri, facts] of structure) {
    if (facts.mutations !== undefined) mutations.set(uri, facts.mutations);
    if (facts.generatesObjects !== undefined) generated.push(...facts.generatesObjects);
  }
  return { mutations, generated };
});

/** Returns the mutations by file. */
const mutationsIn = scopeQuery(
  'mutations',
  (scopes) => effectsIn(scopes.structure()).mutations,
  (mutations) => (mutations.size === 0 ? '' : JSON.stringify([...mutations])),
);

const generatedIn = scopeQuery(
  'generated objects',
  (scopes) => effectsIn(scopes.structure()).generated,
  (generated) => (generated.length === 0 ? '' : JSON.stringify(generated)),
);

function hasMutations(workspace: Workspace): boolean {
  return mutationsIn(workspace.scopes()).size > 0;
}

/** Whether a policy of the workspace may generate an object of one of the kinds with a name. */
export function isGenerated(workspace: Workspace, kinds: readonly string[], name: string): boolean {
  return generatedIn(workspace.scopes()).some((each) => mayBeGenerated(each, kinds, name));
}

/** Yields the mutations that may concern objects in the cluster and the namespace of an object; in all namespaces if `isEverywhere` is set. */
function* mutationsAround(workspace: Workspace, where: ObjectInFile, isEverywhere: boolean): Iterable<Mutation> {
  const byFile = mutationsIn(workspace.scopes());
  if (byFile.size === 0) return;
  const place = placeOf(where);
  const namespace = isEverywhere ? undefined : namespaceOf(workspace, where)?.value;
  for (const [uri, mutations] of byFile) {
    if (workspace.scopes().relation(place, uri) === 'apart') continue;
    for (const mutation of mutations)
      if (
        mutation.namespaces === undefined ||
        typeof namespace !== 'string' ||
        globMatcher(mutation.namespaces)(namespace)
      )
        yield mutation;
  }
}

/** Returns the keys that a selector requires and that a policy may change in the objects that the selector at `site` of `owner` may match. */
export function mutatedKeys(
  workspace: Workspace,
  owner: ObjectInFile,
  site: SelectorSite,
  selector: Selector,
): ReadonlySet<string> {
  if (!hasMutations(workspace) || selector.kind !== 'all') return noKeys;
  const keys = new Set(selector.requirements.map(({ key }) => key));
  const found = new Set<string>();
  const isEverywhere = !selectsInOwnNamespace(owner.object, site);
  for (const mutation of mutationsAround(workspace, owner, isEverywhere))
    for (const key of keys) if (site.fact.targets.some((target) => mutatesLabel(mutation, target, key))) found.add(key);
  return found;
}

const noKeys: ReadonlySet<string> = new Set();

/** Returns the keys of the labels that a policy may change in an object or, for another kind, in the objects that it creates. */
function changeableLabels(workspace: Workspace, where: ObjectInFile, target: GroupKind): readonly string[] {
  const found = new Set<string>();
  for (const mutation of mutationsAround(workspace, where, false))
    for (const key of mutatedLabels(mutation, target)) found.add(key);
  return [...found];
}

/** Returns the labels of an object, with the keys that a policy may change. */
export function labelSetIn(
  workspace: Workspace,
  where: ObjectInFile,
  { labels, open, target }: LabeledObject,
): LabelSet {
  const changeable = changeableLabels(workspace, where, target);
  return { labels, ...(open && { open }), ...(changeable.length > 0 && { changeable }) };
}

/** Whether a policy may change labels that a selector requires. */
export function mayMutateLabels(
  workspace: Workspace,
  owner: ObjectInFile,
  site: SelectorSite,
  selector: Selector,
): boolean {
  return mutatedKeys(workspace, owner, site, selector).size > 0;
}

/** Whether a policy may add items to a list of the pods of an object: of a pod, or of a workload. */
export function mayMutateList(workspace: Workspace, where: ObjectInFile, list: MutatedList): boolean {
  for (const mutation of mutationsAround(workspace, where, false))
    if (mutation.lists.includes(list) && mayConcernPods(mutation, where.object)) return true;
  return false;
}

/** Whether a policy may add items to a list of any pods in the namespace of an object. */
export function mayMutatePods(workspace: Workspace, where: ObjectInFile, list: MutatedList): boolean {
  for (const mutation of mutationsAround(workspace, where, false)) if (mutation.lists.includes(list)) return true;
  return false;
}

function mayConcernPods(mutation: Mutation, { kind, templates }: ObjectInFile['object']): boolean {
  return mutatesKind(mutation, kind) || templates.some(({ fact }) => mutatesKind(mutation, fact.makes.kind));
}
