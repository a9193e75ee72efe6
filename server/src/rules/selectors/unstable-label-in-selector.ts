/** Reports immutable selectors with a label that changes with every release. */

import type { Requirement } from '../../engine/index.ts';
import type { ManifestObject, SelectorSite } from '../../manifests/model.ts';
import { splitImage } from '../../manifests/sites/images.ts';
import { localize } from '../../text/localize.ts';
import { isPositive } from '../fixes/fit-selector.ts';
import { removeRequirement } from '../fixes/fix-selector.ts';
import { type Fact, rule } from '../framework/rule.ts';
import { hasControllerOwner } from '../helpers/controller-owner.ts';
import { templateOf } from '../helpers/pod-template.ts';
import { type RequirementSite, requirementSites } from '../helpers/requirement-ranges.ts';
import { shorten } from '../helpers/sentences.ts';
import { changes, onlyValue } from '../helpers/unstable-keys.ts';

interface Unstable extends Fact {
  readonly site: SelectorSite;
  readonly place: RequirementSite;
  /** The reason, as the end of a sentence that begins with the key or value: `changes with every release`. */
  readonly why: string;
}

export const unstableLabelInSelector = rule<Unstable>({
  id: 'unstable-label-in-selector',
  severity: 'warning',
  needs: 'selectors',
  summary: 'An immutable selector that contains a label that changes with every release.',
  why: 'The API server rejects every change of this selector. When the version, chart or commit in the label changes, the object cannot be updated and must be deleted and recreated.',
  bad: [
    {
      title: 'A label with the chart version.',
      text: `apiVersion: apps/v1
kind: Deployment
metadata:
  name: basket
spec:
  selector:
    matchLabels:
      app.kubernetes.io/name: basket
      helm.sh/chart: basket-1.4.2
  template:
    metadata:
      labels:
        app.kubernetes.io/name: basket
        helm.sh/chart: basket-1.4.2
`,
    },
  ],
  good: [
    {
      title: 'A version that names a variant and does not change.',
      text: `apiVersion: apps/v1
kind: Deployment
metadata:
  name: basket-v1
spec:
  selector:
    matchLabels:
      app: basket
      version: v1
  template:
    metadata:
      labels:
        app: basket
        version: v1
        helm.sh/chart: basket-1.4.2
`,
    },
  ],
  *check(context) {
    for (const object of context.stored) {
      // The controller of an object, such as the Deployment of a ReplicaSet, creates a new object for each release.
      if (hasControllerOwner(context, object)) continue;
      for (const site of object.selectorSites) {
        if (!site.fact.immutable || !site.fact.mustMatchTemplate || !site.fact.plain) continue;
        const whyNot = (requirement: Requirement) =>
          isPositive(requirement.operator)
            ? isVariant(object, requirement)
              ? undefined
              : (changes(requirement) ?? namesImage(object, site, requirement))
            : undefined;
        for (const place of requirementSites(site, (requirement) => whyNot(requirement) !== undefined)) {
          const why = whyNot(place.requirement);
          if (why !== undefined && (!place.entry?.merged || place.entry.rendered))
            yield { span: place.key, site, place, why };
        }
      }
    }
  },
  message: ({ place, why }) =>
    localize`Label '${shorten(place.requirement.key)}' is in an immutable selector, but ${why}; the API server rejects the next update.`,
  fixes({ site, place }, { text }) {
    if (site.entries.length + site.expressions.length < 2 || place.entry?.rendered) return [];
    // A version may distinguish workloads such as a canary, but the workloads of a release share its chart.
    if (!/(?:^|\/)chart$/.test(place.requirement.key)) return [];
    const removed = removeRequirement(text, site, place);
    if (removed === undefined) return [];
    return [
      {
        title: localize`Remove '${shorten(place.requirement.key)}' from the selector`,
        edits: [removed],
        preferred: true,
      },
    ];
  },
});

/** Whether a version such as `v2` is a part of the object's name, so that another version is another object. */
function isVariant({ name }: ManifestObject, { key, values }: Requirement): boolean {
  const value = onlyValue(values);
  if (value === undefined || !/^[A-Za-z]*\d{1,2}$/.test(value) || !/(?:^|\/)version$/.test(key)) return false;
  return name?.text.split(/[-.]/).includes(value) ?? false;
}

/** Returns the reason why a value is unstable if it is the tag of an image; undefined if it is not, or for a tag such as `v1` or `stable`, which may be stable. */
function namesImage(object: ManifestObject, site: SelectorSite, { values }: Requirement): string | undefined {
  const value = onlyValue(values);
  if (value === undefined || !/\d/.test(value) || /^[A-Za-z]*\d{1,2}$/.test(value)) return undefined;
  const images = templateOf(object, site)?.template.images ?? [];
  const isTag = images.some((image) => splitImage(image).tag === value);
  return isTag ? localize`its value is the tag of an image` : undefined;
}
