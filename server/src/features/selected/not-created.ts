/** Finds objects that a chart does not create with its values: a condition of their template excludes them. */

import { localize } from '../../text/localize.ts';
import type { ObjectInFile } from '../../workspace/model.ts';
import { isSameObject } from '../../workspace/same-object.ts';
import { placeOf } from '../../workspace/scopes/scope-facts.ts';
import { chosenValuesOf } from '../perspective.ts';
import type { Line } from '../presentation/rich-text.ts';
import type { View } from '../view.ts';

/** Whether no chart certainly creates an object with its default values, or with the chosen ones. */
export function isNotCreated({ workspace, catalogue, complete }: View, where: ObjectInFile): boolean {
  const { object } = where;
  const scopes = workspace.scopes().of(placeOf(where));
  if (!complete || !object.forCluster || object.inline || object.inValues || scopes.length === 0) return false;
  return scopes.every(({ path, release }) => {
    const rendering = release && workspace.rendering(path, catalogue);
    if (rendering === undefined || !rendering.isWhole || rendering.isCut || rendering.failures !== undefined)
      return false;
    return !rendering.objects.some((each) => isSameObject(each, where));
  });
}

/** Returns a clause for an object that its chart does not create; undefined for all other objects. */
export function notCreatedLine(view: View, where: ObjectInFile): Line | undefined {
  if (!isNotCreated(view, where)) return undefined;
  const values = chosenValuesOf(view.workspace, where.file.uri);
  if (values === undefined) return [localize`not created with chart defaults`];
  return [localize`not created with `, { kind: 'code', text: values }];
}
