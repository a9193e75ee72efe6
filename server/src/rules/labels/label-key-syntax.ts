/** Reports label keys that Kubernetes does not accept. */

import { isBuiltIn } from '../../engine/catalogue/built-in-groups.ts';
import { isLabelKey, type Problem, validateLabelKey } from '../../engine/index.ts';
import { isNode } from '../../manifests/label-sets.ts';
import type { ManifestObject, Written } from '../../manifests/model.ts';
import { removeEntry } from '../../manifests/write/write-text.ts';
import { readKey } from '../../manifests/yaml/scalar-types.ts';
import { localize } from '../../text/localize.ts';
import { correctLabel, isNameless, wellKnownKey } from '../fixes/fix-label.ts';
import { type Fact, rule } from '../framework/rule.ts';
import { linkedKeys } from '../helpers/linked-labels.ts';
import { hasOperations, patchParts } from '../helpers/patch-parts.ts';
import { describeProblems } from '../helpers/sentences.ts';
import { allLabelMapEntries, isLabelSite, type LabelMapEntry } from '../helpers/validated-labels.ts';

interface InvalidKey extends Fact {
  readonly key: Written;
  /** The label whose key is invalid; absent if the key is the value of a field, such as `topologyKey`. */
  readonly place?: LabelMapEntry;
  readonly problems: readonly Problem[];
}

export const labelKeySyntax = rule<InvalidKey>({
  id: 'label-key-syntax',
  severity: 'error',
  validatesFields: true,
  summary: 'A label key that Kubernetes does not accept.',
  why: 'The API server rejects an object with an invalid label key, so it is not applied. A key is a name of up to 63 characters (letters, digits, `-`, `_` and `.`, with a letter or digit at both ends), optionally preceded by a prefix and a `/`. The prefix is a DNS subdomain in lower case.',
  bad: [
    {
      title: 'An upper-case letter in the prefix.',
      text: `apiVersion: v1
kind: ConfigMap
metadata:
  name: prices
  labels:
    Shop.example.com/team: blue
`,
    },
    {
      title: 'A space in a key of a selector.',
      text: `apiVersion: v1
kind: Service
metadata:
  name: basket
spec:
  selector:
    app name: basket
`,
    },
  ],
  good: [
    {
      title: 'The name may contain upper-case letters, but the prefix must not.',
      change: ['Shop.example.com/team: blue', 'shop.example.com/Team: blue'],
    },
  ],
  dependsOnOthers: hasOperations,
  *check(context) {
    const { manifest } = context;
    for (const place of allLabelMapEntries(manifest)) {
      const { entry, severity, free } = place;
      const { key } = entry;
      if (free || typeof key.value !== 'string') continue;
      const read = readKey(key);
      // Nearly all keys are valid, and this check is faster than collecting problems.
      if (isLabelKey(read) || isOmission.test(key.text)) continue;
      yield { span: key.span, key, place, problems: validateLabelKey(read), ...(severity && { severity }) };
    }
    yield* namedKeys([...manifest.objects, ...patchParts(context).map(({ object }) => object)]);
  },
  message: ({ problems }) => describeProblems(problems),
  fixes: ({ key, place }, { text, catalogue }) => {
    const meant = wellKnownKey(catalogue, 'label', key.text);
    if (place === undefined) return correctLabel('key', [key], [], validateLabelKey, meant);
    const [same, maps] = linkedKeys(place);
    const fixes = correctLabel('key', same, maps, validateLabelKey, meant);
    if (fixes.length > 0 || !isLabelSite(place.site) || !isNameless.test(key.text)) return fixes;
    const edit = removeEntry(text, place.entry, place.site);
    return edit === undefined ? [] : [{ title: localize`Remove the label`, edits: [edit], preferred: key.text === '' }];
  },
});

/** Matches dots that represent entries which an excerpt omits. */
const isOmission = /^(?:\.\.\.|\u2026)$/;

/** Yields invalid label keys in fields such as `topologyKey`: in built-in kinds, whose fields are completely known, and in other kinds if nodes have the labels. */
function* namedKeys(objects: readonly ManifestObject[]): Iterable<InvalidKey> {
  const seen = new Set<number>();
  for (const object of objects) {
    if (!object.forCluster) continue;
    const isKnown = isBuiltIn(object.group);
    for (const { path, key, place } of object.labelKeySites) {
      if (!isKnown && (place.of === undefined || place.form !== undefined || !isNode(place.of))) continue;
      // A field without a value is incomplete, so it is not reported.
      if (typeof key.value !== 'string' || key.type === 'null' || seen.has(key.span.start)) continue;
      seen.add(key.span.start);
      const problems = validateLabelKey(key.value);
      const isAccepted = !isKnown || (key.value !== '' && acceptedUnchecked.test(path));
      if (problems.length > 0) yield { span: key.span, key, problems, ...(isAccepted && { severity: 'warning' }) };
    }
  }
}

/** The API server requires the topology key of a spread constraint, but does not validate it. */
const acceptedUnchecked = /\.topologySpreadConstraints\[\d+\]\.topologyKey$/;
