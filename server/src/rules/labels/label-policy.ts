/** Reports labels that violate the label policy in the configuration. */

import { isLabelValue } from '../../engine/index.ts';
import { addEntry, removeEntry, replaceScalar } from '../../manifests/write/write-text.ts';
import type { WrittenLabel } from '../../settings/label-shapes.ts';
import { localize } from '../../text/localize.ts';
import { misspelling } from '../../text/misspelling.ts';
import { addLabelsAt } from '../fixes/add-labels.ts';
import { isAnchored, isRequired } from '../fixes/move-label.ts';
import { type Fact, type Fix, rule } from '../framework/rule.ts';
import { labelRegistryFor } from '../framework/team-settings.ts';
import { type Violation, violations } from '../helpers/policy-violations.ts';
import { objectNameOf, shorten } from '../helpers/sentences.ts';
import { isWrittenElsewhere, writesLabels, writtenViolations } from '../helpers/written-violations.ts';

type Broken = Fact &
  Violation & {
    /** Set if a different file contains the map of labels: whether the position contains exactly the key or value. */
    readonly written?: 'in place' | 'in a string';
  };

export const labelPolicy = rule<Broken>({
  id: 'label-policy',
  severity: 'off',
  asApplied: true,
  summary:
    'A label that is missing, forbidden, replaced or in a selector, or that has a value, contrary to the label policy.',
  why: 'Cost reports, alerts and access control often depend on labels that every object must have. The policy is in `labels` and `labelPolicy` of `.selector-lens.yaml`, or in the settings: see [labels.md](../labels.md). If a policy is configured, this rule is enabled, and its findings are warnings.',
  bad: [
    {
      title: 'A value that the policy does not allow.',
      settings: { labelPolicy: [{ key: 'team', required: true, values: ['blue', 'red'] }] },
      text: `apiVersion: v1
kind: ConfigMap
metadata:
  name: prices
  labels:
    team: bleu
`,
    },
    {
      title: 'A required label is missing.',
      settings: { labelPolicy: [{ key: 'team', required: true, values: ['blue', 'red'] }] },
      text: `apiVersion: v1
kind: ConfigMap
metadata:
  name: prices
`,
    },
    {
      title: 'A forbidden label.',
      settings: { labelPolicy: [{ key: 'example.com/old', forbidden: true }] },
      text: `apiVersion: v1
kind: ConfigMap
metadata:
  name: prices
  labels:
    app: prices
    example.com/old: "yes"
`,
    },
  ],
  good: [
    {
      title: 'A label with an allowed value.',
      text: `apiVersion: v1
kind: ConfigMap
metadata:
  name: prices
  labels:
    team: blue
`,
    },
  ],
  isEnabledBy: (context) => labelRegistryFor(context).hasPolicy,
  dependsOnOthers: ({ uri, workspace }) =>
    writesLabels(workspace, uri) || hasSources(workspace.configs().of(uri)?.config.values.labels),
  *check(context) {
    const { manifest, file, workspace } = context;
    // A configuration file declares external objects, which other teams own.
    if (file.config !== undefined) return;
    const registry = labelRegistryFor(context);
    if (registry.hasPolicy)
      for (const { violation, related, isInPlace } of writtenViolations(context, registry))
        yield { ...violation, related, severity: 'warning', written: isInPlace ? 'in place' : 'in a string' };
    if (workspace.scopes().isPatch(file.uri)) return;
    const seen = new Set<string>();
    for (const object of registry.hasPolicy ? manifest.objects.toReversed() : []) {
      if (!object.forCluster) continue;
      for (const fact of violations(context, registry, object)) {
        if ('entry' in fact && isWrittenElsewhere(context, fact)) continue;
        const isOfPods = fact.how === 'missing' && fact.place.template !== undefined;
        const id = `${fact.how} ${fact.span.start} ${fact.label.key} ${isOfPods}`;
        if (!seen.has(id)) yield { ...fact, severity: 'warning' };
        seen.add(id);
      }
    }
  },
  message: messageOf,
  fixes(fact, { text }) {
    if (fact.written !== undefined && (fact.how !== 'value' || fact.written === 'in a string')) return [];
    switch (fact.how) {
      case 'missing':
        return addOne(fact, text);
      case 'forbidden':
        return removeIt(fact, text);
      case 'value':
        return changeValue(fact);
      case 'replaced':
        return addReplacement(fact, text);
      case 'selector':
        // Only the author knows which pods the selector should match without the label.
        return [];
    }
  },
});

function messageOf(fact: Broken): string {
  const key = shorten(fact.label.key);
  const name = objectNameOf(fact.object);
  switch (fact.how) {
    case 'missing':
      return fact.place.template === undefined
        ? localize`${name} has no label '${key}'; the label policy requires it.`
        : localize`The pod template of ${name} has no label '${key}'; the label policy requires it.`;
    case 'forbidden':
      return localize`Label '${key}' is not allowed by the label policy.`;
    case 'value':
      return localize`Label '${key}' is '${shorten(fact.entry.value.text)}'; the label policy allows only ${fact.values?.text ?? ''}.`;
    case 'replaced':
      return localize`Label '${shorten(fact.entry.key.text)}' is replaced by '${key}' in the label policy.`;
    case 'selector':
      return localize`The selector uses the label '${key}'; the label policy does not allow this label in selectors.`;
  }
}

type Of<How extends Violation['how']> = Violation & { readonly how: How };

/** The maximum number of values among which the fixes offer a choice. */
const mostChoices = 10;

/** Returns the fix that adds the only allowed value; if several values are allowed, a fix for each of them. Which of them is right is known only to the author, so none of them is preferred. */
function addOne({ place, label, values }: Of<'missing'>, text: string): readonly Fix[] {
  const choices = values?.isComplete ? values.listed : [];
  if (choices.length > mostChoices) return [];
  return choices.flatMap((value): readonly Fix[] => {
    const edits = addLabelsAt(text, place, [[label.key, value]]);
    if (edits === undefined) return [];
    const title = localize`Add '${shorten(label.key)}: ${shorten(value)}'`;
    return [{ title, edits, preferred: choices.length === 1 && place.template === undefined }];
  });
}

function removeIt({ object, site, entry }: Of<'forbidden'>, text: string): readonly Fix[] {
  if (isRequired(object, entry.key.text)) return [];
  const removed = isAnchored(text, site) ? undefined : removeEntry(text, entry, site);
  return removed === undefined ? [] : [{ title: localize`Remove the label`, edits: [removed], preferred: true }];
}

/** Returns the fix that changes the value to the only allowed value that is spelled similarly, or to the only allowed value; otherwise, a fix for each allowed value. */
function changeValue({ object, values, entry }: Of<'value'>): readonly Fix[] {
  if (values === undefined || isRequired(object, entry.key.text)) return [];
  const near = values.listed.filter((value) => misspelling(entry.value.text, value) !== undefined);
  const choices = near.length > 0 ? near : values.isComplete ? values.listed : [];
  if (choices.length > mostChoices) return [];
  return choices.map((value) => ({
    title: localize`Change the value to '${shorten(value)}'`,
    edits: [replaceScalar(entry.value, value)],
    preferred: choices.length === 1 && near.length > 0,
  }));
}

/** Returns the fix that adds the label that replaces another one, with its value if it is allowed. The old label is kept, because selectors may use it. */
function addReplacement({ site, entry, label, values }: Of<'replaced'>, text: string): readonly Fix[] {
  const { value } = entry.value;
  if (typeof value !== 'string' || !isLabelValue(value) || isAnchored(text, site)) return [];
  if (values !== undefined && values.allows(value) !== true) return [];
  const edits = [addEntry(text, site, label.key, value)];
  return [
    {
      title: localize`Add '${shorten(label.key)}: ${shorten(value)}'`,
      edits,
      preferred: site.path === 'metadata.labels',
    },
  ];
}

/** Whether the values of a label come from other files. */
function hasSources(labels: Readonly<Record<string, WrittenLabel>> | undefined): boolean {
  return Object.values(labels ?? {}).some(({ from }) => from !== undefined);
}
