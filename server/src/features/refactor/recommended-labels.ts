/** The refactoring that adds missing recommended labels to the object under the cursor. */

import type { ManifestObject } from '../../manifests/model.ts';
import { addLabels, type Label } from '../../rules/fixes/add-labels.ts';
import { labelRegistryFor } from '../../rules/framework/team-settings.ts';
import { isDemanded, labelPlaces } from '../../rules/helpers/label-demands.ts';
import { localize } from '../../text/localize.ts';
import { derivedLabel } from '../../workspace/derived-labels.ts';
import { treeOf } from '../../workspace/object-trees.ts';
import { placeOf } from '../../workspace/scopes/scope-facts.ts';
import type { RefactorContext, Refactoring } from './model.ts';

/** Returns the refactoring that adds the labels that the team recommends, with values derived from the object and its scope. */
export function addRecommended(context: RefactorContext, object: ManifestObject): readonly Refactoring[] {
  const { workspace, file, text } = context;
  const [place] = labelPlaces(object);
  const keys = labelRegistryFor(context).entries.flatMap(({ key, recommended }) =>
    recommended !== undefined && place !== undefined && isDemanded(context, recommended, place) ? [key] : [],
  );
  if (keys.length === 0) return [];
  if (
    object.labels?.open === true ||
    object.labels?.entries.some(({ key }) => typeof key.value !== 'string' || key.origin !== undefined)
  )
    return [];
  const has = new Set([...object.inherited, ...(object.labels?.entries ?? [])].map(({ key }) => key.text));
  const root = treeOf(context, object);
  const scope = workspace.scopes().of(placeOf({ file, object }))[0];
  const added = [...new Set(keys)].flatMap((key): readonly Label[] => {
    const value = has.has(key) ? undefined : derivedLabel(key, { object, root, scope });
    return value === undefined ? [] : [[key, value]];
  });
  const edits = () => (added.length === 0 ? undefined : addLabels(text, object, added));
  if (edits() === undefined) return [];
  return [{ id: 'recommended-labels', title: localize`Add the recommended labels`, kind: 'refactor.rewrite', edits }];
}
