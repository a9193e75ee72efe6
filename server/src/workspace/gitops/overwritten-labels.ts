/** Finds the labels that Argo CD overwrites to track objects, and the selectors that matched these labels. */

import type { Catalogue } from '../../engine/catalogue/types.ts';
import { evaluate, type Selector } from '../../engine/index.ts';
import { getOrAdd, memoized } from '../../engine/memoize.ts';
import { labeledObjectsOf } from '../../manifests/label-sets.ts';
import type { LabelEntry, LabeledObject, SelectorSite } from '../../manifests/model.ts';
import { kindKey } from '../index/file-outline.ts';
import type { ObjectInFile, Workspace } from '../model.ts';
import type { Scope, Scopes } from '../scopes/model.ts';
import { scopeQuery } from '../scopes/recorded-scopes.ts';
import { gitopsScopesOf } from './defined-scopes.ts';
import { trackingOfInstance, trackingOfScope } from './tracking-of-scope.ts';

/** A label of an object as Argo CD applies it, which replaces the value in its file or chart. */
export interface OverwrittenLabel extends ObjectInFile {
  readonly entry: LabelEntry;
  readonly replaced: string;
  /** The object with the value that is overwritten, and as it is applied. */
  readonly before: LabeledObject;
  readonly after: LabeledObject;
}

/** Yields the labels that the Application of a scope overwrites; none for other scopes. */
export function* overwrittenLabels(
  workspace: Workspace,
  catalogue: Catalogue,
  scope: Scope,
): Iterable<OverwrittenLabel> {
  if (trackingOfScope(workspace, scope) === undefined) return;
  for (const { file, object } of workspace.rendering(scope.path, catalogue)?.objects ?? []) {
    const entry = object.labels?.entries.find(({ value }) => value.replaced !== undefined);
    const replaced = entry?.value.replaced;
    const [after] = replaced === undefined ? [] : labeledObjectsOf(object);
    if (entry === undefined || replaced === undefined || after === undefined) continue;
    const before = { ...after, labels: { ...after.labels, [entry.key.text]: replaced } };
    yield { file, object, entry, replaced, before, after };
  }
}

/** The Applications by the namespaces of the instances that manage them. */
type Applications = ReadonlyMap<string, readonly Scope[]>;

/** Returns the Applications; a caller that reads more than the namespaces must record it. */
const applicationsIn = scopeQuery(
  'namespaces of Applications',
  memoized((scopes: Scopes): Applications => {
    const found = new Map<string, Scope[]>();
    for (const scope of gitopsScopesOf(scopes))
      if (scope.kind === 'argo-application') getOrAdd(found, scope.gitops.facts.namespace, () => []).push(scope);
    return found;
  }),
  (found) => [...found.keys()].join(' '),
);

/** Whether a selector certainly matched an object of the workspace if Argo CD did not overwrite its label. */
export function matchedBeforeTracking(
  workspace: Workspace,
  catalogue: Catalogue,
  { fact }: SelectorSite,
  selector: Selector,
): boolean {
  if (selector.kind !== 'all') return false;
  const targets = new Set(fact.targets.map(kindKey));
  const isOverwritten = (namespace: string) => {
    const tracking = trackingOfInstance(workspace, namespace);
    return tracking !== undefined && selector.requirements.some(({ key }) => key === tracking.key);
  };
  for (const [, scopes] of [...applicationsIn(workspace.scopes())].filter(([namespace]) => isOverwritten(namespace))) {
    workspace.questions?.note({ about: 'anything' });
    for (const scope of scopes)
      for (const { before } of overwrittenLabels(workspace, catalogue, scope))
        if (targets.has(kindKey(before.target)) && evaluate(selector, before) === 'yes') return true;
  }
  return false;
}
