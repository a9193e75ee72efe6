/** Finds the selectors that match an object of a base, but no longer match it after a patch has changed its labels. */

import { sourceOf } from '../../compare/update-data.ts';
import type { Selector } from '../../engine/index.ts';
import { labeledObjectsOf } from '../../manifests/label-sets.ts';
import type { LabeledObject } from '../../manifests/model.ts';
import { isPatch } from '../../workspace/kustomize/view.ts';
import type { ObjectInFile } from '../../workspace/model.ts';
import { isSameObject } from '../../workspace/same-object.ts';
import { type SelectingObject, selectingObjectsAround } from '../../workspace/selection/selecting-objects.ts';
import { appliedLead } from '../presentation/applied-name.ts';
import type { View } from '../view.ts';
import { selectorKey } from './cluster-relations.ts';

/** Returns the selectors in the overlay of the perspective that would match a patched object if a patch did not change some of its labels; empty for an object that is not a patch. */
export function noLongerSelecting(
  view: View,
  patch: ObjectInFile,
  { via }: LabeledObject,
  keys: readonly string[],
): readonly SelectingObject[] {
  const { workspace, catalogue } = view;
  if (!isPatch(workspace, patch)) return [];
  const { workspace: applied, owner } = appliedLead(view, patch);
  const written = sourceOf({ workspace }, owner)?.object;
  const [before, after] = [written, owner.object].map((object) =>
    object === undefined ? undefined : labeledObjectsOf(object).find((each) => each.via === via),
  );
  if (before === undefined || after === undefined) return [];
  const changed = keys.filter((key) => before.labels[key] !== after.labels[key]);
  if (changed.length === 0) return [];
  const asksForIt = (selector: Selector) =>
    selector.kind === 'all' && selector.requirements.some(({ key }) => changed.includes(key));
  const selecting = (labeledObject: LabeledObject) =>
    selectingObjectsAround(applied, catalogue, { ...owner, labeledObject }, asksForIt);
  const kept = Object.entries(after.labels).filter(([key]) => !changed.includes(key));
  const former = changed.flatMap((key) => {
    const value = before.labels[key];
    return value === undefined ? [] : [[key, value] as const];
  });
  const now = new Set(selecting(after).map(selectorKey));
  return selecting({ ...after, labels: Object.fromEntries([...kept, ...former]) }).filter(
    (each) => each.relation === 'here' && each.certain && !now.has(selectorKey(each)) && !isSameObject(each, owner),
  );
}
