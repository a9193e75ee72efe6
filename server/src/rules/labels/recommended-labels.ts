/** Reports objects without the labels that the configuration recommends. */

import type { ManifestObject } from '../../manifests/model.ts';
import { nameSpan } from '../../manifests/sites/object-sites.ts';
import { localize } from '../../text/localize.ts';
import { type Described, derivedLabel } from '../../workspace/derived-labels.ts';
import { treeOf } from '../../workspace/object-trees.ts';
import { placeOf } from '../../workspace/scopes/scope-facts.ts';
import { addLabels, type Label } from '../fixes/add-labels.ts';
import { type Fact, type RuleContext, rule } from '../framework/rule.ts';
import { isMeant, recommendedLabelsFor } from '../framework/team-settings.ts';
import { isRelabelled } from '../helpers/relabeled.ts';
import { objectNameOf } from '../helpers/sentences.ts';

interface Missing extends Fact {
  readonly object: ManifestObject;
  readonly keys: readonly string[];
  /** The missing labels whose values can be derived from the object; empty if there are none. */
  readonly labels: readonly Label[];
}

export const recommendedLabels = rule<Missing>({
  id: 'recommended-labels',
  severity: 'off',
  asApplied: true,
  summary: 'An object without recommended labels.',
  why: 'Tools that list and manage applications use labels such as `app.kubernetes.io/name`. The labels and kinds can be configured in `.selector-lens.yaml` or in the settings. By default, workloads should have `app.kubernetes.io/name`, `app.kubernetes.io/instance` and `app.kubernetes.io/managed-by`.',
  bad: [
    {
      title: 'A workload without labels.',
      text: `apiVersion: apps/v1
kind: Deployment
metadata:
  name: basket
spec:
  selector:
    matchLabels:
      app: basket
  template:
    metadata:
      labels:
        app: basket
`,
    },
  ],
  good: [
    {
      title: 'A workload with all recommended labels.',
      text: `apiVersion: apps/v1
kind: Deployment
metadata:
  name: basket
  labels:
    app.kubernetes.io/name: basket
    app.kubernetes.io/instance: basket
    app.kubernetes.io/managed-by: kubectl
spec:
  selector:
    matchLabels:
      app: basket
  template:
    metadata:
      labels:
        app: basket
`,
    },
  ],
  *check(context) {
    const { manifest, file, workspace, catalogue } = context;
    // A configuration file declares external objects, which other teams own.
    if (file.config !== undefined || workspace.scopes().isPatch(file.uri)) return;
    const { keys, kinds } = recommendedLabelsFor(context);
    for (const object of manifest.objects) {
      if (!object.forCluster || !isMeant(object, kinds, catalogue) || mayHaveMore(context, object)) continue;
      const has = new Set([...object.inherited, ...(object.labels?.entries ?? [])].map((entry) => entry.key.text));
      const missing = keys.filter((key) => !has.has(key));
      const labels = missing.flatMap((key): Label[] => {
        const value = derivedLabel(key, describe(context, object));
        return value === undefined ? [] : [[key, value]];
      });
      const rendered = labels.map(([key]) => key);
      const untold = missing.filter((key) => !rendered.includes(key));
      const span = nameSpan(object);
      if (rendered.length > 0) yield { span, object, keys: rendered, labels };
      if (untold.length > 0) yield { span, object, keys: untold, labels: [] };
    }
  },
  message({ object, keys, labels }) {
    const which = keys.map((key) => `'${key}'`).join(', ');
    const s = keys.length === 1 ? '' : 's';
    return labels.length > 0
      ? localize`${objectNameOf(object)} lacks the recommended label${s} ${which}.`
      : localize`${objectNameOf(object)} lacks the recommended label${s} ${which}; the value${s} cannot be derived from the file.`;
  },
  fixes({ object, labels }, { text }) {
    const edits = labels.length === 0 ? undefined : addLabels(text, object, labels);
    const title = labels.length === 1 ? localize`Add '${labels[0]?.[0]}'` : localize`Add the recommended labels`;
    return edits === undefined ? [] : [{ title, edits, preferred: true }];
  },
});

function mayHaveMore(context: RuleContext, object: ManifestObject): boolean {
  return object.labels?.open === true || isRelabelled(context, object) || hasConditional(object);
}

function hasConditional({ labels }: ManifestObject): boolean {
  return labels?.entries.some((entry) => entry.conditional || typeof entry.key.value !== 'string') ?? false;
}

function describe(context: RuleContext, object: ManifestObject): Described {
  const { workspace, file } = context;
  const scope = workspace.scopes().of(placeOf({ file, object }))[0];
  return {
    object,
    get root() {
      return treeOf(context, object);
    },
    scope,
  };
}
