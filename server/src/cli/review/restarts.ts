/** Finds workloads whose pods are replaced only because a label or an annotation of their template changed. */

import { replacesPods, replicasIn } from '../../compare/replicas.ts';
import { getOrAdd } from '../../engine/memoize.ts';
import { compareText } from '../../text/order.ts';
import type { AppliedObject } from '../objects/applied-objects.ts';
import { type Named, shownName } from '../objects/compared-names.ts';
import { counted } from '../output/counts.ts';
import { capitalized, listed, listedNames } from '../output/names.ts';
import type { Tree } from '../trees/tree.ts';
import type { ChangedField } from './changed-fields.ts';
import type { Statement } from './model.ts';
import type { Pair } from './pairs-of-trees.ts';
import { type placesIn, shownPlaces } from './places.ts';

/** The fields whose change is no other reason for a restart. */
const withoutRestart: ReadonlySet<ChangedField> = new Set<ChangedField>(['labels', 'selectors', 'replicas']);

const accepted = 'The API server accepts this change: the immutable selector does not contain the label.';

/** Returns a statement for each label or annotation because of which pods restart. */
export function restartedBy(
  after: Tree,
  changed: readonly { readonly pair: Pair; readonly fields: readonly ChangedField[] }[],
  placesOf: ReturnType<typeof placesIn>,
): readonly Statement[] {
  const byKey = new Map<string, { readonly workloads: Named[]; pods: number; isKnown: boolean; outside: boolean }>();
  for (const { pair, fields } of changed) {
    const { named, before: old, after: fresh } = pair;
    if (old === undefined || fresh === undefined || !replacesPods(fresh)) continue;
    if (fields.some((field) => !withoutRestart.has(field))) continue;
    const key = changedKeys(old, fresh);
    if (key === '') continue;
    const group = getOrAdd(byKey, key, () => ({ workloads: [], pods: 0, isKnown: true, outside: true }));
    const replicas = fresh.object.kind === 'DaemonSet' ? undefined : replicasIn({ side: after.side, applied: fresh });
    group.workloads.push(named);
    group.pods += replicas ?? 0;
    group.isKnown &&= replicas !== undefined;
    group.outside &&= isSingleLabelOutside(old, fresh);
  }
  return [...byKey].map(([key, { workloads, pods, isKnown, outside }]) => {
    const names = [...new Set(workloads.map((each) => shownName(each, true)))];
    const places = placesOf(workloads);
    const [only] = workloads;
    const shown =
      places.names.length > 1 || only === undefined
        ? `${listedNames(names)} ${shownPlaces(places)}`
        : `${listedNames(names)}${shownName(only, false).slice(shownName(only, true).length)}`;
    const count = isKnown ? counted(pods, 'pod') : pods === 0 ? 'the pods' : `at least ${counted(pods, 'pod')}`;
    const verb = isKnown && pods === 1 ? 'is' : 'are';
    const text = `${capitalized(count)} of ${shown} ${verb} replaced, because ${key} of the pod template changed.`;
    return {
      text,
      ...(outside && { more: accepted }),
      count: workloads.length,
      ...(places.names.length > 1 && { places: places.names }),
    };
  });
}

/** Lists the labels and annotations of the templates that differ; empty if there are none. */
function changedKeys({ object: old }: AppliedObject, { object: fresh }: AppliedObject): string {
  const names = ['labels', 'annotations'].flatMap((field) => {
    const keys = new Set(fresh.templates.flatMap(({ path }) => differing(old, fresh, `${path}.metadata.${field}`)));
    if (keys.size === 0) return [];
    return [`${keys.size === 1 ? field.slice(0, -1) : field} ${listed([...keys].map((key) => `\`${key}\``))}`];
  });
  return listed(names);
}

/** Whether one label of the pod template changed, and nothing else there, which the selector of the workload does not contain. */
function isSingleLabelOutside({ object: old }: AppliedObject, { object: fresh }: AppliedObject): boolean {
  const [labels, annotations] = ['labels', 'annotations'].map((field) =>
    fresh.templates.flatMap(({ path }) => differing(old, fresh, `${path}.metadata.${field}`)),
  );
  const [key, second] = labels ?? [];
  if (key === undefined || second !== undefined || (annotations?.length ?? 0) > 0) return false;
  const sites = fresh.selectorSites.filter(({ fact }) => fact.mustMatchTemplate);
  return (
    fresh.group === 'apps' &&
    sites.length > 0 &&
    sites.every(({ selector, open }) => {
      if (open || selector?.ok !== true || selector.value.kind !== 'all') return false;
      return selector.value.requirements.every((each) => each.key !== key);
    })
  );
}

/** Returns the keys of the map at a path whose values differ. */
function differing(old: AppliedObject['object'], fresh: AppliedObject['object'], path: string): readonly string[] {
  const [was, is] = [valuesAt(old, path), valuesAt(fresh, path)];
  return [...new Set([...was.keys(), ...is.keys()])].filter((key) => was.get(key) !== is.get(key)).sort(compareText);
}

function valuesAt(object: AppliedObject['object'], path: string): ReadonlyMap<string, string> {
  return new Map(siteAt(object, path).map(({ key, value }) => [key.text, value.text]));
}

function siteAt({ labelSites }: AppliedObject['object'], path: string) {
  return labelSites.find((site) => site.path === path)?.entries ?? [];
}
