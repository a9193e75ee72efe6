/** Finds the spans of a file that mention a label: in label maps, in selectors of every form, and in fields that contain only the key. */

import { evaluateRequirement, type Requirement } from '../../engine/index.ts';
import type { Cursor } from '../../manifests/cursor/cursor-target.ts';
import type { LabelEntry, LabelSite, Manifest, ManifestObject, SpeakingSite } from '../../manifests/model.ts';
import { prometheusName } from '../../manifests/sites/prometheus-names.ts';
import { textTree } from '../../manifests/sites/text-requirements.ts';
import { spanInText } from '../../rules/helpers/text-span.ts';
import { isKnownMap } from '../../rules/helpers/validated-labels.ts';
import { type Span, touches } from '../../text/span.ts';
import { entrySpan } from '../locations.ts';

/** A label key with values; an empty list of values means any value. */
export interface LabelName {
  readonly key: string;
  readonly values: readonly string[];
  /** Whether the key is in the form to which Prometheus converts it. */
  readonly prometheus?: true;
}

export interface Mention extends LabelName {
  readonly kind: 'label' | 'selector';
  readonly span: Span;
}

/** Returns all mentions of labels in an object; text that an alias repeats is returned for each use. */
export function mentionsIn(object: ManifestObject): readonly Mention[] {
  return [
    ...object.labelSites.filter(isSelectable).flatMap((site) => site.entries.map(labelMention)),
    ...object.selectorSites.flatMap(mentionsOfSelector),
    ...mentionsOfKeys(object),
  ];
}

/** Returns the mentions of label keys without values in an object or a command, such as topology keys, field paths and columns. */
export function mentionsOfKeys({ labelKeySites }: Pick<ManifestObject, 'labelKeySites'>): readonly Mention[] {
  return labelKeySites.map(({ key, place: { form } }) => {
    const about = { kind: 'selector' as const, key: key.text, values: [], span: key.span };
    return form === 'prometheus' ? { ...about, prometheus: true } : about;
  });
}

/** Returns all mentions of labels in a file: in its objects and, if the file is open, in its commands. */
export function mentionsInFile({ objects, inline = [] }: Manifest): readonly Mention[] {
  return [...objects, ...inline].flatMap(mentionsIn);
}

/** Whether selectors can match a map: annotations, and maps that are merely named `labels`, are excluded. */
export function isSelectable(site: LabelSite): boolean {
  return site.place.holds === 'labels' && isKnownMap(site);
}

function labelMention(entry: LabelEntry): Mention {
  return { kind: 'label', key: entry.key.text, values: [entry.value.text], span: entrySpan(entry) };
}

/** Returns the mentions of labels in a selector, with a separate mention for each value of a list. */
export function mentionsOfSelector(site: SpeakingSite): readonly Mention[] {
  return [
    ...site.entries.map((entry) => ({ ...labelMention(entry), kind: 'selector' as const })),
    ...site.expressions.flatMap(({ key, values }) => {
      if (key === undefined) return [];
      const about = { kind: 'selector' as const, key: key.text };
      if (values.length === 0) return [{ ...about, values: [], span: key.span }];
      return values.map(({ text, span }) => ({ ...about, values: [text], span }));
    }),
    ...mentionsInText(site),
  ];
}

function mentionsInText({ text, fact }: SpeakingSite): readonly Mention[] {
  if (text === undefined || (fact.form !== 'string' && fact.form !== 'calicoSelector')) return [];
  return textTree(text.text, fact).requirements.flatMap(({ key, values, requirement }) => {
    if (key === undefined || requirement === undefined) return [];
    const about = { kind: 'selector' as const, key: requirement.key };
    const only = values.length === 1 ? values[0] : undefined;
    if (values.length === 0) return [{ ...about, values: [], span: spanInText(text, key) }];
    return values.map((value) => {
      const described = text.text.slice(value.start, value.end);
      // `key=value` is a single mention; in a list, each value is a separate mention.
      const span = spanInText(
        text,
        only === undefined ? value : { start: key.start, end: Math.max(key.end, value.end) },
      );
      return { ...about, values: requirement.values.includes(described) ? [described] : [], span };
    });
  });
}

/** Whether a mention refers to the label: to the same key, and to one of the values if both have values. */
export function concerns(label: LabelName, mention: LabelName): boolean {
  const { values } = mention;
  const isPrometheus = label.prometheus === true || mention.prometheus === true;
  const keyOf = ({ key }: LabelName) => (isPrometheus ? prometheusName(key) : key);
  if (keyOf(mention) !== keyOf(label)) return false;
  return values.length === 0 || label.values.length === 0 || values.some((value) => label.values.includes(value));
}

/** Whether a requirement on the key concerns the label: it lists one of the values, or matches one without listing it, like `Exists`. */
export function concernsLabel(requirement: Requirement, { key, values }: LabelName): boolean {
  if (values.length === 0) return true;
  let isKnown = true;
  for (const value of requirement.values) {
    if (typeof value !== 'string') isKnown = false;
    else if (values.includes(value)) return true;
  }
  const { operator } = requirement;
  if (operator === '!=' || operator === 'notin') return false;
  if (isKnown && (operator === '=' || operator === '==' || operator === 'in')) return false;
  return values.some((value) => evaluateRequirement(requirement, { labels: { [key]: value } }) === 'yes');
}

/** Returns the label at an offset. In a requirement with several values, the label has the value at the offset or, if the offset is not in a value, all values. */
export function labelAt(cursorTarget: Cursor, offset: number): LabelName | undefined {
  if (cursorTarget.kind === 'labelKey') {
    const isPrometheus = cursorTarget.site.place.form === 'prometheus';
    return { key: cursorTarget.site.key.text, values: [], ...(isPrometheus && { prometheus: true }) };
  }
  if (cursorTarget.kind === 'labels' || cursorTarget.kind === 'object') return undefined;
  if (cursorTarget.kind === 'label')
    return isSelectable(cursorTarget.site) ? labelNameOf(cursorTarget.entry) : undefined;
  if (cursorTarget.part?.kind === 'entry') return labelNameOf(cursorTarget.part.entry);
  const mentions = mentionsOfSelector(cursorTarget.site);
  const here = mentions.find(({ span }) => touches(span, offset));
  if (here !== undefined) return here;
  const expression = cursorTarget.part?.kind === 'expression' ? cursorTarget.part.expression : undefined;
  if (expression?.key === undefined) return undefined;
  return { key: expression.key.text, values: expression.values.map(({ text }) => text) };
}

function labelNameOf({ key, value }: LabelEntry): LabelName {
  return { key: key.text, values: [value.text] };
}
