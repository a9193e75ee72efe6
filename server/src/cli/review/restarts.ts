/** Finds workloads whose pods are replaced only because a label or an annotation of their template changed. */

import { replacesPods, replicasIn } from '../../compare/replicas.ts';
import { getOrAdd } from '../../engine/memoize.ts';
import type { AppliedObject } from '../objects/applied-objects.ts';
import { type Named, shownName } from '../objects/compared-names.ts';
import type { Tree } from '../objects/objects-of-tree.ts';
import { counted } from '../output/counts.ts';
import { listedNames } from '../output/names.ts';
import type { ChangedField } from './changed-fields.ts';
import type { Statement } from './model.ts';
import type { Pair } from './object-pairs.ts';
import { type placesIn, shownPlaces } from './places.ts';

/** The fields whose change is no other reason for a restart. */
const withoutRestart: ReadonlySet<ChangedField> = new Set<ChangedField>(['labels', 'selectors', 'replicas']);

/** Returns a statement for each label or annotation because of which pods restart. */
export function restartedBy(
  after: Tree,
  changed: readonly { readonly pair: Pair; readonly fields: readonly ChangedField[] }[],
  placesOf: ReturnType<typeof placesIn>,
): readonly Statement[] {
  const byKey = new Map<string, { readonly workloads: Named[]; pods: number; isKnown: boolean }>();
  for (const { pair, fields } of changed) {
    const { named, before: old, after: fresh } = pair;
    if (old === undefined || fresh === undefined || !replacesPods(fresh)) continue;
    if (fields.some((field) => !withoutRestart.has(field))) continue;
    const key = changedKey(old, fresh);
    if (key === undefined) continue;
    const group = getOrAdd(byKey, key, () => ({ workloads: [], pods: 0, isKnown: true }));
    const replicas = fresh.object.kind === 'DaemonSet' ? undefined : replicasIn({ side: after.side, applied: fresh });
    group.workloads.push(named);
    group.pods += replicas ?? 0;
    group.isKnown &&= replicas !== undefined;
  }
  return [...byKey].map(([key, { workloads, pods, isKnown }]) => {
    const names = [...new Set(workloads.map((each) => shownName(each, true)))];
    const places = placesOf(workloads);
    const [only] = workloads;
    const shown =
      places.names.length > 1 || only === undefined
        ? `${listedNames(names)} ${shownPlaces(places)}`
        : `${listedNames(names)}${shownName(only, false).slice(shownName(only, true).length)}`;
    const count = isKnown ? counted(pods, 'pod') : pods === 0 ? 'the pods' : `at least ${counted(pods, 'pod')}`;
    const verb = isKnown && pods === 1 ? 'is' : 'are';
    const text = `${count.charAt(0).toUpperCase()}${count.slice(1)} of ${shown} ${verb} replaced: only ${key} of the pod template changed.`;
    return { text, count: workloads.length, ...(places.names.length > 1 && { places: places.names }) };
  });
}

/** Returns the first label or annotation of the templates that differs. */
function changedKey({ object: old }: AppliedObject, { object: fresh }: AppliedObject): string | undefined {
  for (const { path } of fresh.templates)
    for (const field of ['labels', 'annotations']) {
      const [was, is] = [old, fresh].map(
        (each) => new Map(siteAt(each, `${path}.metadata.${field}`).map(({ key, value }) => [key.text, value.text])),
      );
      for (const key of new Set([...(was?.keys() ?? []), ...(is?.keys() ?? [])]))
        if (was?.get(key) !== is?.get(key)) return `${field === 'labels' ? 'label' : 'annotation'} \`${key}\``;
    }
  return undefined;
}

function siteAt({ labelSites }: AppliedObject['object'], path: string) {
  return labelSites.find((site) => site.path === path)?.entries ?? [];
}
