/** Reports objects without the labels that the configuration recommends. */

import type { ManifestObject } from '../../manifests/model.ts';
import type { RegisteredLabel } from '../../settings/label-registry.ts';
import { localize } from '../../text/localize.ts';
import { type Described, derivedLabel } from '../../workspace/derived-labels.ts';
import { treeOf } from '../../workspace/object-trees.ts';
import { placeOf } from '../../workspace/scopes/scope-facts.ts';
import { addLabelsAt, type Label } from '../fixes/add-labels.ts';
import { type Fact, type RuleContext, rule } from '../framework/rule.ts';
import { labelRegistryFor } from '../framework/team-settings.ts';
import { basketDeployment } from '../helpers/example-manifests.ts';
import { isDemanded, isLabeledHere, type LabelPlace, labelPlaces } from '../helpers/label-demands.ts';
import { isRelabelled } from '../helpers/relabeled.ts';
import { objectNameOf } from '../helpers/sentences.ts';

interface Missing extends Fact {
  readonly place: LabelPlace;
  readonly keys: readonly string[];
  /** The missing labels whose values can be derived from the object; empty if there are none. */
  readonly labels: readonly Label[];
}

export const recommendedLabels = rule<Missing>({
  id: 'recommended-labels',
  severity: 'off',
  needs: 'objects',
  asApplied: true,
  summary: 'An object without recommended labels.',
  why: 'Tools that list and manage applications use labels such as `app.kubernetes.io/name`. The labels and kinds can be configured in `.selector-lens.yaml` or in the settings. By default, workloads should have `app.kubernetes.io/name`, `app.kubernetes.io/instance` and `app.kubernetes.io/managed-by`.',
  bad: [
    {
      title: 'A workload without labels.',
      text: basketDeployment,
    },
  ],
  good: [
    {
      title: 'A workload with all recommended labels.',
      change: [
        'name: basket',
        `name: basket
  labels:
    app.kubernetes.io/name: basket
    app.kubernetes.io/instance: basket
    app.kubernetes.io/managed-by: kubectl`,
      ],
    },
  ],
  *check(context) {
    if (!isLabeledHere(context)) return;
    const entries = labelRegistryFor(context).entries.filter(({ recommended }) => recommended !== undefined);
    for (const object of entries.length === 0 ? [] : context.manifest.objects) {
      if (!object.forCluster || isRelabelled(context, object)) continue;
      for (const place of labelPlaces(object)) yield* missingAt(context, entries, place);
    }
  },
  message({ place, keys, labels }) {
    const which = keys.map((key) => `'${key}'`).join(', ');
    const s = keys.length === 1 ? '' : 's';
    const name = objectNameOf(place.object);
    if (place.template !== undefined)
      return localize`The pod template of ${name} lacks the recommended label${s} ${which}.`;
    return labels.length > 0
      ? localize`${name} lacks the recommended label${s} ${which}.`
      : localize`${name} lacks the recommended label${s} ${which}; the value${s} cannot be derived from the file.`;
  },
  fixes({ place, labels }, { text }) {
    const edits = labels.length === 0 ? undefined : addLabelsAt(text, place, labels);
    const title = labels.length === 1 ? localize`Add '${labels[0]?.[0]}'` : localize`Add the recommended labels`;
    // A label on a pod template restarts the pods.
    return edits === undefined ? [] : [{ title, edits, preferred: place.template === undefined }];
  },
});

/** Yields the recommended labels that a place lacks: those whose values can be derived, and the others. */
function* missingAt(
  context: RuleContext,
  entries: readonly RegisteredLabel[],
  place: LabelPlace,
): Generator<Missing, void> {
  const { object, span } = place;
  if (place.mayHaveMore || place.entries.some(({ key, conditional }) => conditional || typeof key.value !== 'string'))
    return;
  const has = new Set(place.entries.map((entry) => entry.key.text));
  const isLacking = ({ key, recommended }: RegisteredLabel) =>
    recommended !== undefined && !has.has(key) && isDemanded(context, recommended, place);
  const missing = [...new Set(entries.filter(isLacking).map(({ key }) => key))];
  const labels = missing.flatMap((key): Label[] => {
    const value = derivedLabel(key, describe(context, object));
    return value === undefined ? [] : [[key, value]];
  });
  const rendered = labels.map(([key]) => key);
  const untold = missing.filter((key) => !rendered.includes(key));
  if (rendered.length > 0) yield { span, place, keys: rendered, labels };
  if (untold.length > 0) yield { span, place, keys: untold, labels: [] };
}

function describe(context: RuleContext, object: ManifestObject): Described {
  const { workspace, file } = context;
  const scope = workspace.appliedBy ?? workspace.scopes().of(placeOf({ file, object }))[0];
  return {
    object,
    get root() {
      return treeOf(context, object);
    },
    scope,
  };
}
