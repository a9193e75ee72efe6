/** Finds objects that the installation of a chart does not create: a condition of their template excludes them with the values of the chart, or they are tests. */

import { localize } from '../../text/localize.ts';
import { isInTemplates } from '../../workspace/charts/chart-files.ts';
import { valuesOf } from '../../workspace/charts/helm-stops.ts';
import { eventsIn, hookKey, isTestEvent } from '../../workspace/gitops/chart-hooks.ts';
import type { ObjectInFile } from '../../workspace/model.ts';
import { isSameObject } from '../../workspace/same-object.ts';
import { hasDefaultValues } from '../../workspace/scopes/model.ts';
import { placeOf } from '../../workspace/scopes/scope-facts.ts';
import type { Line } from '../presentation/rich-text.ts';
import type { View } from '../view.ts';

/** Whether no chart certainly creates an object with its default values, with the chosen ones, or with those of GitOps objects. */
export function isNotCreated({ workspace, catalogue, complete }: View, where: ObjectInFile): boolean {
  const { object } = where;
  const scopes = workspace.scopes().of(placeOf(where));
  if (!complete || !object.forCluster || object.inline || object.inValues || scopes.length === 0) return false;
  return scopes.every(({ path, release, gitops }) => {
    const rendering = (release ?? gitops) && workspace.rendering(path, catalogue);
    const isKnown = rendering?.known?.has(where.file.uri) === true && !rendering.isCut;
    return isKnown && !rendering.objects.some((each) => isSameObject(each, where));
  });
}

/** Returns a clause for an object that an installation of its chart does not create; undefined for all other objects. */
export function notCreatedLine(view: View, where: ObjectInFile): Line | undefined {
  if (!isNotCreated(view, where))
    return isTest(where) ? [localize`created by `, { kind: 'code', text: 'helm test' }] : undefined;
  const scopes = view.workspace.scopes().of(placeOf(where));
  if (scopes.every(hasDefaultValues)) return [localize`not created with chart defaults`];
  const [values = '', ...others] = new Set(scopes.map(valuesOf));
  if (others.length > 0) return [localize`not created with any of ${others.length + 1} sets of values`];
  return [
    localize`not created with `,
    scopes.some(({ gitops }) => gitops !== undefined) ? values : { kind: 'code', text: values },
  ];
}

/** Whether only `helm test` creates an object. */
function isTest({ file: { uri }, object: { labelSites } }: ObjectInFile): boolean {
  if (!isInTemplates(uri)) return false;
  const annotations = labelSites
    .filter(({ path }) => path === 'metadata.annotations')
    .flatMap(({ entries }) => entries);
  const hooks = annotations.find(({ key }) => key.text === hookKey)?.value.value;
  return typeof hooks === 'string' && eventsIn(hooks).every(isTestEvent);
}
