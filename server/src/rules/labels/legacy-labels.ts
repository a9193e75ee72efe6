/** Reports legacy labels such as `app` without the recommended label that replaces them. */

import { isLabelValue } from '../../engine/index.ts';
import type { LabelSite } from '../../manifests/model.ts';
import { addEntry } from '../../manifests/write/write-text.ts';
import { localize } from '../../text/localize.ts';
import { isAnchored } from '../fixes/move-label.ts';
import { type Fact, rule } from '../framework/rule.ts';
import { isLabeledHere } from '../helpers/label-demands.ts';
import { isRelabelled } from '../helpers/relabeled.ts';
import { isLabelSite, type LabelMapEntry, labelMapEntries } from '../helpers/validated-labels.ts';

interface Legacy extends Fact {
  readonly place: LabelMapEntry;
  readonly site: LabelSite;
  readonly twin: string;
}

/** Maps the labels that charts and examples used before the recommended labels existed to the recommended labels. */
const twins: ReadonlyMap<string, string> = new Map([
  ['app', 'app.kubernetes.io/name'],
  ['chart', 'helm.sh/chart'],
  ['heritage', 'app.kubernetes.io/managed-by'],
  ['release', 'app.kubernetes.io/instance'],
]);

export const legacyLabels = rule<Legacy>({
  id: 'legacy-labels',
  severity: 'off',
  needs: 'maps',
  asApplied: true,
  summary: 'The label `app`, `chart`, `heritage` or `release` without the recommended label that replaces it.',
  why: 'These keys come from early Helm charts. Current tools use `app.kubernetes.io/name`, `helm.sh/chart`, `app.kubernetes.io/managed-by` and `app.kubernetes.io/instance`. Keep the old label as long as selectors use it, and add the recommended label.',
  bad: [
    {
      title: 'Only the legacy label.',
      text: `apiVersion: v1
kind: ConfigMap
metadata:
  name: prices
  labels:
    app: prices
`,
    },
  ],
  good: [
    {
      title: 'Both labels: the legacy label for selectors, the recommended label for tools.',
      change: [
        'app: prices',
        `app: prices
    app.kubernetes.io/name: prices`,
      ],
    },
  ],
  *check(context) {
    if (!isLabeledHere(context)) return;
    for (const place of labelMapEntries(context.manifest)) {
      const { object, site, entry } = place;
      const twin = twins.get(entry.key.text);
      if (twin === undefined || entry.conditional || !isLabelSite(site) || mayHave(site, twin)) continue;
      if (isRelabelled(context, object)) continue;
      // A Prometheus selects its monitors and rules by the label `release`, whose value is the release of the Prometheus.
      if (entry.key.text === 'release' && object.group === 'monitoring.coreos.com') continue;
      yield { span: entry.key.span, place, site, twin };
    }
  },
  message: ({ place, twin }) =>
    localize`Label '${place.entry.key.text}' is a legacy label; add the recommended label '${twin}' as well.`,
  fixes({ place, site, twin }, { text }) {
    const { value } = place.entry.value;
    // If the map has an anchor, a selector may be an alias of it and would then also require the new label.
    if (typeof value !== 'string' || !isLabelValue(value) || isAnchored(text, site)) return [];
    return [{ title: localize`Add '${twin}'`, edits: [addEntry(text, site, twin, value)], preferred: true }];
  },
});

function mayHave({ entries, open }: LabelSite, key: string): boolean {
  return open || entries.some((entry) => entry.key.text === key || typeof entry.key.value !== 'string');
}
