/** Determines which selectors would newly match, or no longer match, an object if one of its labels changed. */

import type { Selector } from '../../engine/index.ts';
import { labeledObjectsOf } from '../../manifests/label-sets.ts';
import type { SelectorSite } from '../../manifests/model.ts';
import { appliedVersions, versionsOf } from '../../workspace/kustomize/view.ts';
import type { LabeledObjectInFile } from '../../workspace/model.ts';
import { alternativesOf } from '../../workspace/selection/effective-selector.ts';
import { type SelectingObject, selectingObjectsOf } from '../../workspace/selection/selecting-objects.ts';
import { objectName } from '../presentation/object-names.ts';
import type { View } from '../view.ts';

/** A label to set; without a value, a label to remove. */
export interface LabelChange {
  readonly key: string;
  readonly value?: string;
}

/** The name of each object with a matching selector. The key is the position of the selector and whether the match is certain (`… true`). */
type Names = ReadonlyMap<string, string>;

/** Returns the selectors that match a labeled object only after a change, and the selectors that match it only before the change, in any of the kustomizations that apply the object. */
export function selectionChange(
  view: View,
  candidate: LabeledObjectInFile,
  { key, value }: LabelChange,
): { readonly gained: Names; readonly lost: Names } {
  const gained = new Map<string, string>();
  const lost = new Map<string, string>();
  for (const { workspace, where } of appliedCandidates(view, candidate)) {
    const { [key]: _, ...others } = where.labeledObject.labels;
    const labels = value === undefined ? others : { ...others, [key]: value };
    const selecting = (labeledObject: LabeledObjectInFile['labeledObject']) =>
      selectingNames(
        selectingObjectsOf(workspace, view.catalogue, { ...where, labeledObject }, ({ site }) => asksAbout(site, key)),
      );
    const [was, becomes] = [selecting(where.labeledObject), selecting({ ...where.labeledObject, labels })];
    for (const [place, name] of becomes) if (!was.has(place)) gained.set(place, name);
    for (const [place, name] of was) if (!becomes.has(place)) lost.set(place, name);
  }
  return { gained, lost };
}

/** Returns the labeled object as each kustomization applies it, or as it is in the file if no kustomization applies it. */
function appliedCandidates({ workspace, catalogue }: View, { file, object, labeledObject }: LabeledObjectInFile) {
  const applied = appliedVersions(workspace, catalogue, file.uri).flatMap((version) =>
    versionsOf(version, object).flatMap((each) => {
      const found = labeledObjectsOf(each.object).find(({ via }) => via === labeledObject.via);
      return found === undefined ? [] : [{ workspace: version.workspace, where: { ...each, labeledObject: found } }];
    }),
  );
  return applied.length > 0 ? applied : [{ workspace, where: { file, object, labeledObject } }];
}

export function asksAbout(site: SelectorSite, key: string): boolean {
  return alternativesOf(site).some((selector) => requires(selector, key));
}

function requires(selector: Selector, label: string): boolean {
  return selector.kind === 'all' && selector.requirements.some(({ key }) => key === label);
}

/** Returns the names of the objects whose selectors match, by the positions of these selectors. */
function selectingNames(found: readonly SelectingObject[]): Names {
  return new Map(
    found.map(({ file, object, site, certain }) => [
      `${file.uri} ${object.kindSpan.start} ${site.path} ${certain}`,
      objectName(object),
    ]),
  );
}
