/** Reports label values that are not strings in YAML 1.1, the version that Kubernetes uses, and `labels` fields that are not a map. */

import { isBuiltIn } from '../../engine/catalogue/built-in-groups.ts';
import { isLabelKey, isLabelValue } from '../../engine/index.ts';
import type { LabelEntry, Written } from '../../manifests/model.ts';
import { fieldAt, liftEntries } from '../../manifests/write/write-field.ts';
import { quoteAsTyped } from '../../manifests/write/write-text.ts';
import { readKey } from '../../manifests/yaml/scalar-types.ts';
import { localize } from '../../text/localize.ts';
import { correctLabel } from '../fixes/fix-label.ts';
import { type Fact, type Fix, rule } from '../framework/rule.ts';
import { isStringInKustomize } from '../helpers/kustomize-strings.ts';
import { fixNotAMap, type NotAMap, notMapsIn, shownValue } from '../helpers/not-a-map.ts';
import { shorten } from '../helpers/sentences.ts';
import {
  isLabelSite,
  type LabelMapEntry,
  labelMapEntries,
  labelsInCommands,
  mergedLabelEntries,
} from '../helpers/validated-labels.ts';
import { type TypedTag, typedTag, withoutTag } from '../helpers/yaml-tags.ts';

interface NotAString extends Fact {
  readonly scalar: Written;
  readonly is: 'key' | 'value';
  /** The tag that changes the type, if there is one. */
  readonly tag?: TypedTag | undefined;
  /**
   * The kind of the object, if its selector is a plain map that contains a field of label selectors, such as
   * `matchLabels`.
   */
  readonly plainIn?: string;
}

/** The rule for labels that are not strings. It also covers a `labels` field that is not a map. */
export const labelValueType = rule<NotAString | NotAMap>({
  id: 'label-value-type',
  severity: 'error',
  summary: 'A label whose key or value is not a string in YAML, or labels that are not a map.',
  why: 'Kubernetes uses YAML 1.1, in which unquoted `true`, `yes`, `on`, `1.10` and `1e3` are not strings. The API server rejects an object with such a value. An unquoted key such as `on` or `010` is accepted but becomes a different key ("true", "8"), which no selector matches. kustomize and Flux use YAML 1.2, so words such as `yes`, `off` and `y` are strings in files that only they apply.',
  bad: [
    {
      title: 'A version that is a number in YAML.',
      text: `apiVersion: v1
kind: ConfigMap
metadata:
  name: prices
  labels:
    version: 1.10
`,
    },
    {
      title: 'A key that is a boolean in YAML.',
      change: ['version: 1.10', 'y: north'],
    },
    {
      title: 'A missing space after the colon, so that the labels are a string.',
      change: ['version: 1.10', 'app:prices'],
    },
  ],
  good: [
    {
      title: 'Quoted values are strings. Dates are strings even without quotes.',
      change: [
        'version: 1.10',
        `version: "1.10"
    enabled: 'yes'
    since: 2024-05-01`,
      ],
    },
  ],
  *check(context) {
    yield* notMapsIn(context, 'labels');
    // Uses `context.text` only for findings, because it may have to be read from disk first.
    for (const place of [...labelMapEntries(context.manifest), ...mergedLabelEntries(context.manifest)]) {
      const { entry, typeSeverity } = place;
      const { key, value } = entry;
      // The API server decodes the key to a string that differs from its text in the file.
      if (readKey(key) !== key.text && !isStringInKustomize(context, key))
        yield { span: key.span, scalar: key, is: 'key', severity: 'warning', tag: typedTag(context.text, key) };
      if (value.type === 'string' || value.type === 'null' || isStringInKustomize(context, value)) continue;
      // In a template, an action after the colon of the map may look like a key.
      if ((value.type === 'map' || value.type === 'list') && typeof key.value !== 'string') continue;
      const severity = typeSeverity && { severity: typeSeverity };
      // On a page, a word in brackets is a placeholder.
      if (
        context.page !== undefined &&
        /^\[[\w -]{1,60}\]/.test(context.text.slice(value.span.start, value.span.start + 62))
      )
        continue;
      const plainIn = kindWithPlainSelector(place);
      yield {
        ...(plainIn !== undefined && { plainIn }),
        span: visible(entry),
        scalar: value,
        is: 'value',
        tag: typedTag(context.text, value),
        ...severity,
        common: 'types',
        reportedAt: [value.span],
      };
    }
    // In the text of a patch, values have types.
    for (const { entry } of labelsInCommands(context.manifest)) {
      const { value } = entry;
      const isTyped = value.type === 'number' || value.type === 'boolean';
      if (isTyped && typeof value.value === 'string') yield { span: value.span, scalar: value, is: 'value' };
    }
  },
  message(fact) {
    if ('notMap' in fact) return localize`Labels must be a map of strings, not ${shownValue(fact)}.`;
    const { scalar, is, tag, plainIn } = fact;
    const text = shorten(scalar.text);
    if (plainIn !== undefined)
      return localize`The selector of a ${plainIn} is a plain map of labels, without \`matchLabels\` and \`matchExpressions\`.`;
    if (tag !== undefined)
      return localize`Label ${is} '${text}' must be a string; '${tag.name}' makes it a different type.`;
    if (is === 'key') return localize`Label key '${text}' must be quoted; unquoted, it becomes '${readKey(scalar)}'.`;
    if (scalar.type === 'map' || scalar.type === 'list')
      return localize`Label value must be a string, not a ${scalar.type}.`;
    if (!isLabelValue(scalar.text))
      return localize`Label value '${text}' is a ${scalar.type}, not a string; in quotes, it is not a valid label value either.`;
    return localize`Label value '${text}' must be quoted; unquoted, it is a ${scalar.type}, not a string.`;
  },
  fixes(fact, { text }) {
    if ('notMap' in fact) return fixNotAMap(text, fact);
    const { scalar, is, tag, plainIn } = fact;
    if (plainIn !== undefined) return liftLabels(text, fact.span.start);
    if (scalar.type === 'map' || scalar.type === 'list') return [];
    // Quotes in a patch could end the argument of the command.
    if (scalar.letters !== undefined) return [];
    if (tag !== undefined) return [{ ...withoutTag(scalar, tag), safe: is === 'value' }];
    const isValid = is === 'key' ? isLabelKey(scalar.text) : isLabelValue(scalar.text);
    if (isValid)
      return [
        { title: localize`Quote the ${is}`, edits: [quoteAsTyped(scalar)], preferred: true, safe: is === 'value' },
      ];
    // In quotes, the value would be a string but not a valid label value, so a corrected value is offered instead.
    return correctLabel(is, [scalar]);
  },
});

/** Returns the kind of an object whose selector is a plain map (such as a Service), if the entry is a `matchLabels` or `matchExpressions` in that map. */
function kindWithPlainSelector({ object, site, entry }: LabelMapEntry): string | undefined {
  if (isLabelSite(site) || site.fact.form !== 'map' || !isBuiltIn(object.group)) return undefined;
  const { key, value } = entry;
  const isOther =
    (key.text === 'matchLabels' && value.type === 'map') || (key.text === 'matchExpressions' && value.type === 'list');
  return isOther ? object.kind : undefined;
}

function liftLabels(text: string, offset: number): readonly Fix[] {
  const field = fieldAt(text, offset);
  const edit = field && field.entry.key.text === 'matchLabels' ? liftEntries(text, field) : undefined;
  return edit === undefined
    ? []
    : [{ title: localize`Write the labels without \`matchLabels\``, edits: [edit], preferred: true }];
}

/** Returns the span of the value or, for a list or map, only of the key, because a diagnostic should not cover a block. */
function visible({ key, value }: LabelEntry) {
  return value.type === 'list' || value.type === 'map' ? key.span : value.span;
}
