/** Reports labels that violate the label policy in the configuration. */

import { isLabelValue } from '../../engine/index.ts';
import type { LabelEntry, LabelSite, ManifestObject } from '../../manifests/model.ts';
import { nameSpan } from '../../manifests/sites/object-sites.ts';
import { removeEntry, replaceScalar } from '../../manifests/write/write-text.ts';
import type { LabelPolicy } from '../../settings/settings.ts';
import { localize } from '../../text/localize.ts';
import { misspelling } from '../../text/misspelling.ts';
import { addLabels } from '../fixes/add-labels.ts';
import { isAnchored, isRequired } from '../fixes/move-label.ts';
import { type Fact, type Fix, type RuleContext, rule } from '../framework/rule.ts';
import { labelPolicyFor } from '../framework/team-settings.ts';
import { isRelabelled } from '../helpers/relabeled.ts';
import { objectNameOf, shorten } from '../helpers/sentences.ts';
import { isKnownMap } from '../helpers/validated-labels.ts';

interface Broken extends Fact {
  readonly object: ManifestObject;
  readonly policy: LabelPolicy;
  readonly how: 'missing' | 'forbidden' | 'value';
  readonly site?: LabelSite;
  readonly entry?: LabelEntry;
}

export const labelPolicy = rule<Broken>({
  id: 'label-policy',
  severity: 'off',
  asApplied: true,
  summary: 'A label that is missing or forbidden, or that has a value that the label policy does not allow.',
  why: 'Cost reports, alerts and access control often depend on labels that every object must have. The policy is in `labelPolicy` of `.selector-lens.yaml`, or in the settings. If a policy is configured, this rule is enabled, and its findings are warnings.',
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
  isEnabledBy: (context) => labelPolicyFor(context).length > 0,
  *check(context) {
    const { manifest, file, workspace } = context;
    // A configuration file declares external objects, which other teams own.
    if (file.config !== undefined || workspace.scopes().isPatch(file.uri)) return;
    const policies = labelPolicyFor(context);
    const seen = new Set<string>();
    for (const object of policies.length === 0 ? [] : manifest.objects.toReversed()) {
      if (!object.forCluster) continue;
      for (const fact of policies.flatMap((policy) => broken(context, object, policy))) {
        const id = `${fact.how} ${fact.span.start} ${fact.policy.key}`;
        if (!seen.has(id)) yield { ...fact, severity: 'warning' };
        seen.add(id);
      }
    }
  },
  message({ object, policy, how, entry }) {
    const key = shorten(policy.key);
    if (how === 'missing')
      return localize`${objectNameOf(object)} has no label '${key}'; the label policy requires it.`;
    if (how === 'forbidden') return localize`Label '${key}' is not allowed by the label policy.`;
    const values = (policy.values ?? []).map((value) => `'${shorten(value)}'`).join(', ');
    return localize`Label '${key}' is '${shorten(entry?.value.text ?? '')}'; the label policy allows only ${values}.`;
  },
  fixes(fact, { text }) {
    if (fact.how === 'missing') return addOne(fact, text);
    return fact.how === 'forbidden' ? removeIt(fact, text) : changeValue(fact);
  },
});

function broken(context: RuleContext, object: ManifestObject, policy: LabelPolicy): readonly Broken[] {
  const facts = object.labelSites
    .filter((site) => site.place.holds === 'labels' && isKnownMap(site) && isMeant(policy, object, site))
    .flatMap((site) => inMap(object, policy, site));
  return isMissing(context, object, policy)
    ? [...facts, { span: nameSpan(object), object, policy, how: 'missing' }]
    : facts;
}

/** Whether a policy applies to an object or, for the labels of a template, to the kind of object that the template creates. A policy without `kinds` applies to every object in the files. */
function isMeant({ kinds = [] }: LabelPolicy, object: ManifestObject, site?: LabelSite): boolean {
  if (kinds.length === 0 || kinds.includes('*')) return true;
  return kinds.includes(site?.place.of?.kind ?? object.kind);
}

function inMap(object: ManifestObject, policy: LabelPolicy, site: LabelSite): readonly Broken[] {
  const entry = site.entries.findLast(({ key, merged, conditional }) => {
    return key.value === policy.key && !merged && !conditional;
  });
  if (entry === undefined) return [];
  if (policy.forbidden === true) return [{ span: entry.key.span, object, policy, how: 'forbidden', site, entry }];
  const { value, type, span } = entry.value;
  if (policy.values === undefined || typeof value !== 'string' || type === 'null') return [];
  return policy.values.includes(value) ? [] : [{ span, object, policy, how: 'value', site, entry }];
}

/** Whether the object certainly lacks the label in the cluster. */
function isMissing(context: RuleContext, object: ManifestObject, policy: LabelPolicy): boolean {
  if (policy.required !== true || policy.forbidden === true || !isMeant(policy, object)) return false;
  const entries = [...object.inherited, ...(object.labels?.entries ?? [])];
  if (entries.some(({ key }) => key.text === policy.key || typeof key.value !== 'string')) return false;
  return object.labels?.open !== true && !isRelabelled(context, object);
}

/** Returns the fix that adds the label, if the policy allows only one value. */
function addOne({ object, policy }: Broken, text: string): readonly Fix[] {
  const [value, ...others] = (policy.values ?? []).filter(isLabelValue);
  const edits = value === undefined || others.length > 0 ? undefined : addLabels(text, object, [[policy.key, value]]);
  if (value === undefined || edits === undefined) return [];
  return [{ title: localize`Add '${shorten(policy.key)}: ${shorten(value)}'`, edits, preferred: true }];
}

function removeIt({ object, site, entry }: Broken, text: string): readonly Fix[] {
  if (site === undefined || entry === undefined || isRequired(object, entry.key.text)) return [];
  const removed = isAnchored(text, site) ? undefined : removeEntry(text, entry, site);
  return removed === undefined ? [] : [{ title: localize`Remove the label`, edits: [removed], preferred: true }];
}

/** Returns the fix that changes the value to the only allowed value, or to the only allowed value that is spelled similarly. */
function changeValue({ object, policy, entry }: Broken): readonly Fix[] {
  if (entry === undefined || isRequired(object, entry.key.text)) return [];
  const allowed = (policy.values ?? []).filter(isLabelValue);
  const near = allowed.filter((value) => misspelling(entry.value.text, value) !== undefined);
  const [value, ...others] = near.length > 0 ? near : allowed;
  if (value === undefined || others.length > 0) return [];
  const edits = [replaceScalar(entry.value, value)];
  return [{ title: localize`Change the value to '${shorten(value)}'`, edits, preferred: near.length > 0 }];
}
