/** Reports annotation keys that Kubernetes does not accept. */

import { type Problem, validateAnnotationKey } from '../../engine/index.ts';
import type { Written } from '../../manifests/model.ts';
import { removeEntry } from '../../manifests/write/write-text.ts';
import { readKey } from '../../manifests/yaml/scalar-types.ts';
import { localize } from '../../text/localize.ts';
import { correctLabel, isNameless, wellKnownKey } from '../fixes/fix-label.ts';
import { type Fact, rule } from '../framework/rule.ts';
import { describeProblems } from '../helpers/sentences.ts';
import { allAnnotationEntries, isLabelSite, type LabelMapEntry } from '../helpers/validated-labels.ts';

interface InvalidKey extends Fact {
  readonly key: Written;
  readonly place: LabelMapEntry;
  readonly problems: readonly Problem[];
}

export const annotationKeySyntax = rule<InvalidKey>({
  id: 'annotation-key-syntax',
  severity: 'error',
  needs: 'maps',
  summary: 'An annotation key that Kubernetes does not accept.',
  why: 'The API server rejects an object with an invalid annotation key, so it is not applied. A key is a name of up to 63 characters (letters, digits, `-`, `_` and `.`, with a letter or digit at both ends), optionally preceded by a DNS subdomain as a prefix and one `/`. The value can be any string.',
  bad: [
    {
      title: 'A second slash.',
      text: `apiVersion: v1
kind: ConfigMap
metadata:
  name: prices
  annotations:
    shop.example.com/prices/currency: euro
`,
    },
    {
      title: 'A key that is a sentence, in the annotations of a pod template.',
      text: `apiVersion: batch/v1
kind: Job
metadata:
  name: import
spec:
  template:
    metadata:
      annotations:
        who to ask: team blue
    spec:
      restartPolicy: Never
`,
    },
  ],
  good: [
    {
      title: 'The value can be any string. The prefix of an annotation key may contain upper-case letters.',
      change: ['shop.example.com/prices/currency: euro', `Shop.example.com/owner: 'Team Blue, room 12 (first floor)'`],
    },
  ],
  *check({ manifest }) {
    for (const place of allAnnotationEntries(manifest)) {
      const { key } = place.entry;
      if (typeof key.value !== 'string') continue;
      const problems = validateAnnotationKey(readKey(key));
      if (problems.length > 0)
        yield { span: key.span, key, place, problems, ...(place.severity && { severity: place.severity }) };
    }
  },
  message: ({ problems }) => describeProblems(problems),
  fixes({ key, place: { entry, site } }, { text, catalogue }) {
    const meant = wellKnownKey(catalogue, 'annotation', key.text);
    const fixes = correctLabel('key', [key], [site.entries], validateAnnotationKey, meant);
    if (fixes.length > 0 || !isLabelSite(site) || !isNameless.test(key.text)) return fixes;
    const edit = removeEntry(text, entry, site);
    return edit === undefined
      ? []
      : [{ title: localize`Remove the annotation`, edits: [edit], preferred: key.text === '' }];
  },
});
