/** Is every label value one that Kubernetes accepts? */

import { type Problem, validateAnnotationKey, validateLabelValue } from '../engine/index.ts';
import type { LabelSite, ManifestObject, SelectorSite } from '../manifests/manifest.ts';
import { addAnnotation, removeEntry, replaceScalar } from '../manifests/write.ts';
import { type LabelPlace, labelPlaces } from './label-places.ts';
import { mendValue } from './mend-label.ts';
import { type Fact, type Fix, rule } from './rule.ts';
import { sayProblems, shorten } from './say.ts';

interface InvalidValue extends Fact {
  readonly place: LabelPlace;
  readonly problems: readonly Problem[];
}

export const labelValueSyntax = rule<InvalidValue>({
  id: 'label-value-syntax',
  severity: 'error',
  summary: 'A label value that Kubernetes does not accept.',
  why: 'The API server refuses an object with an invalid label value, so nothing of it is applied. A value is empty, or up to 63 characters (letters, digits, `-`, `_` and `.`) with a letter or digit at both ends. Text that is longer or freer belongs in an annotation.',
  bad: [
    {
      title: 'A sentence is no label value.',
      text: `apiVersion: v1
kind: ConfigMap
metadata:
  name: prices
  labels:
    owner: Team Blue
`,
    },
    {
      title: 'A dash at the end, in the labels of a pod template.',
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
        track: canary-
`,
    },
  ],
  good: [
    {
      title: 'The empty value is valid.',
      text: `apiVersion: v1
kind: ConfigMap
metadata:
  name: prices
  labels:
    owner: team-blue
    canary: ""
`,
    },
  ],
  *check({ manifest }) {
    for (const place of labelPlaces(manifest)) {
      const { value } = place.entry;
      if (value.type !== 'string' || typeof value.value !== 'string') continue;
      const problems = validateLabelValue(value.value);
      const severity = place.severity;
      if (problems.length > 0) yield { span: value.span, place, problems, ...(severity && { severity }) };
    }
  },
  say: ({ problems }) => sayProblems(problems),
  mend: ({ place }, { text }) => [...changeValue(place), ...moveToAnnotations(place, text)],
});

function changeValue(place: LabelPlace): readonly Fix[] {
  const { value } = place.entry;
  return mendValue(value.text).map((mended, index) => ({
    title: `Change the value to '${shorten(mended.text)}'`,
    edits: [replaceScalar(value, mended.text)],
    preferred: index === 0,
  }));
}

/** Labels that something may select by stay labels; the rest of an object's metadata may hold any text. */
function moveToAnnotations({ object, site, entry }: LabelPlace, text: string): readonly Fix[] {
  if (!isLabelSite(site) || !site.path.endsWith('metadata.labels')) return [];
  if (isAskedFor(object, entry.key.text) || isAnchored(text, site)) return [];
  if (validateAnnotationKey(entry.key.text).length > 0) return [];
  const removed = removeEntry(text, entry, site);
  if (removed === undefined) return [];
  const added = addAnnotation(text, annotationsBeside(object, site), site, entry.key.text, entry.value.text);
  return [{ title: 'Move the label to the annotations', edits: [added, removed], preferred: false }];
}

function isLabelSite(site: LabelSite | SelectorSite): site is LabelSite {
  return 'place' in site;
}

/** A selector of the object itself needs the label: a Deployment's template must carry what its selector demands. */
function isAskedFor(object: ManifestObject, key: string): boolean {
  return object.selectorSites.some(
    ({ entries, expressions }) =>
      entries.some((entry) => entry.key.text === key) || expressions.some((each) => each.key?.text === key),
  );
}

/** Aliases show the map in other places too. */
function isAnchored(text: string, site: LabelSite): boolean {
  return text.slice(site.keySpan.end, site.span.start).includes('&');
}

function annotationsBeside(object: ManifestObject, labels: LabelSite): LabelSite | undefined {
  const path = labels.path.replace(/labels$/, 'annotations');
  return object.labelSites.find((site) => site.path === path && site.place.holds === 'annotations');
}
