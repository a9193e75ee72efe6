/** Reports values of well-known labels and annotations that are almost equal to one of their known values. */

import type { Catalogue } from '../../engine/catalogue/types.ts';
import type { LabelEntry } from '../../manifests/model.ts';
import { replaceScalar } from '../../manifests/write/write-text.ts';
import { localize } from '../../text/localize.ts';
import { type Fact, rule } from '../framework/rule.ts';
import { meantValue } from '../helpers/meant-value.ts';
import { shorten } from '../helpers/sentences.ts';
import { annotationEntries, labelMapEntries } from '../helpers/validated-labels.ts';

interface UnknownValue extends Fact {
  readonly entry: LabelEntry;
  /** The known value that was probably intended. */
  readonly meant: string;
}

export const unknownReservedValue = rule<UnknownValue>({
  id: 'unknown-reserved-value',
  severity: 'warning',
  summary: 'A value of a well-known label or annotation that resembles one of its known values.',
  why: 'Programs compare the values of their labels and annotations exactly: `istio-injection: enable` does not inject anything, because the value is `enabled`. A value is reported only if it resembles exactly one known value.',
  bad: [
    {
      title: 'A value without its last letter.',
      text: `apiVersion: v1
kind: Namespace
metadata:
  name: shop
  labels:
    istio-injection: enable
`,
    },
  ],
  good: [
    {
      title: 'A known value, and a value that is not similar to one.',
      text: `apiVersion: v1
kind: Namespace
metadata:
  name: shop
  labels:
    istio-injection: enabled
    pod-security.kubernetes.io/enforce: custom
`,
    },
  ],
  *check({ manifest, catalogue }) {
    for (const { entry } of labelMapEntries(manifest)) yield* unknownIn(entry, 'label', catalogue);
    for (const { entry } of annotationEntries(manifest)) yield* unknownIn(entry, 'annotation', catalogue);
  },
  message: ({ entry: { key, value }, meant }) =>
    localize`'${shorten(value.text)}' is not a known value of '${shorten(key.text)}'. Did you mean '${meant}'?`,
  fixes: ({ entry, meant }) => [
    {
      title: localize`Change the value to '${meant}'`,
      edits: [replaceScalar(entry.value, meant)],
      preferred: true,
    },
  ],
});

function* unknownIn(entry: LabelEntry, as: 'label' | 'annotation', catalogue: Catalogue) {
  const meant = meantValue(entry, as, catalogue);
  if (meant !== undefined) yield { span: entry.value.span, entry, meant };
}
