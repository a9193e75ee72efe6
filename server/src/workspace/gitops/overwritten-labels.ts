/** Finds the labels that Argo CD overwrites to track objects, and the selectors that matched these labels. */

import type { Catalogue } from '../../engine/catalogue/types.ts';
import { evaluate, type Selector } from '../../engine/index.ts';
import { labeledObjectsOf } from '../../manifests/label-sets.ts';
import type { LabelEntry, LabeledObject, SelectorSite } from '../../manifests/model.ts';
import { kindKey } from '../index/file-outline.ts';
import type { ObjectInFile, Workspace } from '../model.ts';
import type { Scope } from '../scopes/model.ts';
import { gitopsScopesOf } from './defined-scopes.ts';
import { trackingOfScope } from './tracking-of-scope.ts';

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

/** Whether a selector certainly matched an object of the workspace if Argo CD did not overwrite its label. */
export function matchedBeforeTracking(
  workspace: Workspace,
  catalogue: Catalogue,
  { fact }: SelectorSite,
  selector: Selector,
): boolean {
  if (selector.kind !== 'all') return false;
  const targets = new Set(fact.targets.map(kindKey));
  for (const scope of gitopsScopesOf(workspace.scopes())) {
    const tracking = trackingOfScope(workspace, scope);
    if (tracking === undefined || selector.requirements.every(({ key }) => key !== tracking.key)) continue;
    workspace.questions?.note({ about: 'anything' });
    for (const { before } of overwrittenLabels(workspace, catalogue, scope))
      if (targets.has(kindKey(before.target)) && evaluate(selector, before) === 'yes') return true;
  }
  return false;
}
