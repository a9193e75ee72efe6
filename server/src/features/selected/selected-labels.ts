/** Finds the labels of selected objects to which a field next to the selector refers by key, such as `targetLabels`. */

import { labelKeyAt } from '../../manifests/cursor/cursor-target.ts';
import { kindKey } from '../../workspace/index/file-outline.ts';
import type { ObjectInFile } from '../../workspace/model.ts';
import type { Match } from '../../workspace/selection/model.ts';
import { selectionOf } from '../../workspace/selection/selection.ts';
import { isWritten } from '../locations.ts';
import { namedKeys } from '../navigation/named-keys.ts';
import type { View } from '../view.ts';

/** The key to which a field refers, with its range, and the certainly selected objects that have a label with this key. */
export interface SelectedLabels {
  readonly key: string;
  readonly matches: readonly Match[];
  readonly site: NonNullable<ReturnType<typeof labelKeyAt>>['site'];
}

/** Returns the selected labels to which the field at an offset refers; undefined if there are none, or if the key is ambiguous. */
export function selectedLabelsAt(
  { workspace, catalogue, ...view }: View,
  { file, object }: ObjectInFile,
  offset: number,
): SelectedLabels | undefined {
  const site = labelKeyAt([object], offset)?.site;
  const of = site?.place.of;
  if (site === undefined || of === undefined || object.inline || site.key.origin !== undefined) return undefined;
  const [key, ...others] = namedKeys({ workspace, catalogue, ...view }, site);
  if (key === undefined || others.length > 0) return undefined;
  const selectors = object.selectorSites.filter(({ fact }) =>
    fact.targets.some((target) => kindKey(target) === kindKey(of)),
  );
  const matches = selectors.flatMap((selector) => {
    return selectionOf(workspace, catalogue, { file, object }, selector).matches.filter(
      ({ labeledObject, ...match }) => {
        return (
          isWritten(match) && kindKey(labeledObject.target) === kindKey(of) && Object.hasOwn(labeledObject.labels, key)
        );
      },
    );
  });
  return matches.length === 0 ? undefined : { key, matches, site };
}
