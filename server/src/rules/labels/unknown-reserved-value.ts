/** Reports values of well-known labels and annotations that are almost equal to one of their known values. */

import type { Catalogue } from '../../engine/catalogue/types.ts';
import type { LabelEntry, ManifestObject } from '../../manifests/model.ts';
import { replaceScalar } from '../../manifests/write/write-text.ts';
import { localize } from '../../text/localize.ts';
import { type Fact, rule } from '../framework/rule.ts';
import { annotationsInParts, hasParts, labelsInParts } from '../helpers/labels-in-parts.ts';
import { meantValue } from '../helpers/meant-value.ts';
import { shorten } from '../helpers/sentences.ts';
import { annotationEntries, isLabelSite, labelMapEntries, labelsInCommands } from '../helpers/validated-labels.ts';

interface UnknownValue extends Fact {
  readonly entry: LabelEntry;
  /** The known value that was probably intended; absent for a value that the API server rejects and that resembles none. */
  readonly meant?: string;
  /** The values that the API server accepts, as text; absent if it accepts any value. */
  readonly accepted?: string;
}

export const unknownReservedValue = rule<UnknownValue>({
  id: 'unknown-reserved-value',
  severity: 'warning',
  summary: 'A value of a well-known label or annotation that resembles one of its known values.',
  why: 'Programs compare the values of their labels and annotations exactly: `istio-injection: enable` does not inject anything, because the value is `enabled`. A value is reported only if it resembles exactly one known value, or if the API server rejects it: the levels and versions of Pod Security on a Namespace. Values that patches and helpers of charts write are reported there.',
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
      change: [
        'istio-injection: enable',
        `istio-injection: enabled
    kubernetes.io/metadata.name: shop
  annotations:
    linkerd.io/inject: custom`,
      ],
    },
  ],
  dependsOnOthers: hasParts,
  *check(context) {
    const { manifest, catalogue } = context;
    for (const { object, site, entry } of [...labelMapEntries(manifest), ...labelsInParts(context)]) {
      const isOwn = isLabelSite(site) && site.path === 'metadata.labels';
      const accepted = isOwn ? acceptedBy(object, entry, catalogue) : undefined;
      if (accepted === undefined) yield* unknownIn(entry, 'label', catalogue);
      else yield { ...rejected(entry, catalogue), accepted };
    }
    for (const { entry } of labelsInCommands(manifest)) yield* unknownIn(entry, 'label', catalogue);
    for (const { entry } of [...annotationEntries(manifest), ...annotationsInParts(context)])
      yield* unknownIn(entry, 'annotation', catalogue);
  },
  message({ entry: { key, value }, meant = '', accepted }) {
    if (accepted !== undefined)
      return localize`The value of '${shorten(key.text)}' must be ${accepted}, not '${shorten(value.text)}'; the API server rejects it.`;
    return localize`'${shorten(value.text)}' is not a known value of '${shorten(key.text)}'. Did you mean '${meant}'?`;
  },
  fixes({ entry, meant }) {
    if (meant === undefined) return [];
    const edits = [replaceScalar(entry.value, meant)];
    return [{ title: localize`Change the value to '${meant}'`, edits, preferred: true }];
  },
});

const podSecurity = /^pod-security\.kubernetes\.io\/(?:enforce|audit|warn)(-version)?$/;

/** Returns the values of a label that the API server accepts on a Namespace, as text, if it rejects the written value. Defined by `PolicyToEvaluate` in k8s.io/pod-security-admission. */
function acceptedBy({ kind, group }: ManifestObject, { key, value, conditional }: LabelEntry, catalogue: Catalogue) {
  const [, isVersion] = podSecurity.exec(key.text) ?? [undefined];
  const fact = catalogue.key(key.text, 'label');
  if (!podSecurity.test(key.text) || group !== '' || fact?.kinds.includes(kind) !== true) return undefined;
  if (conditional || typeof value.value !== 'string' || value.type !== 'string' || value.origin !== undefined)
    return undefined;
  if (isVersion !== undefined)
    return /^(?:latest|v1\.(?:0|[1-9]\d*))$/.test(value.text)
      ? undefined
      : localize`'latest' or a version such as 'v1.34'`;
  if (fact.values?.includes(value.text) !== false) return undefined;
  const known = fact.values.map((each) => `'${each}'`);
  return localize`${known.slice(0, -1).join(', ')} or ${known.at(-1) ?? ''}`;
}

function rejected(entry: LabelEntry, catalogue: Catalogue): UnknownValue {
  const { key, value } = entry;
  const known = catalogue.key(key.text, 'label')?.values ?? [];
  const meant = known.find((each) => each === value.text.toLowerCase()) ?? meantValue(entry, 'label', catalogue);
  return { span: value.span, entry, severity: 'error', ...(meant !== undefined && { meant }) };
}

function* unknownIn(entry: LabelEntry, as: 'label' | 'annotation', catalogue: Catalogue) {
  const meant = meantValue(entry, as, catalogue);
  if (meant !== undefined) yield { span: entry.value.span, entry, meant };
}
