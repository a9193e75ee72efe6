/** Reports subsets of Istio DestinationRules whose labels no pod of the host has. */

import { evaluate, evaluateRequirement } from '../../engine/index.ts';
import type { LabelEntry } from '../../manifests/model.ts';
import { replaceScalar } from '../../manifests/write/write-text.ts';
import { localize } from '../../text/localize.ts';
import { isLikelyMisspelling } from '../../text/misspelling.ts';
import type { Match } from '../../workspace/selection/model.ts';
import { selectionOf } from '../../workspace/selection/selection.ts';
import { isSubset, servicesOfHost } from '../../workspace/selection/subset-answers.ts';
import { type Fact, type RuleContext, rule } from '../framework/rule.ts';
import { isRelabelled } from '../helpers/relabeled.ts';
import { shorten } from '../helpers/sentences.ts';

interface EmptySubset extends Fact {
  readonly label: LabelEntry;
  readonly service: string;
  /** The values that the pods have for the key. */
  readonly values: readonly string[];
  /** The only similar value. */
  readonly near: string | undefined;
}

const destinationRule = (version: string) => `apiVersion: networking.istio.io/v1
kind: DestinationRule
metadata:
  name: basket
spec:
  host: basket
  subsets:
    - name: stable
      labels:
        version: ${version}
`;

const beside = {
  'basket.yaml': `apiVersion: v1
kind: Service
metadata:
  name: basket
spec:
  selector:
    app: basket
---
apiVersion: v1
kind: Pod
metadata:
  name: basket
  labels:
    app: basket
    version: stable
`,
};

export const subsetWithoutPods = rule<EmptySubset>({
  id: 'subset-without-pods',
  severity: 'hint',
  needs: 'selectors',
  acrossFiles: true,
  acrossScopes: true,
  asApplied: true,
  summary: 'A subset of an Istio DestinationRule whose labels no pod of its host has.',
  why: 'A subset consists of those pods of the Service in `host` that have the labels of the subset. Requests that a VirtualService routes to a subset without pods fail with status 503. Pods that are deployed later may have the labels, so the finding is a hint. It is a warning if the pods have a similar value.',
  bad: [{ title: 'A misspelled version.', text: destinationRule('stabel'), beside }],
  good: [{ title: 'The version that the pods have.', text: destinationRule('stable'), beside }],
  *check(context) {
    const { file } = context;
    for (const object of context.stored) {
      if (object.subsets === undefined || isRelabelled(context, object)) continue;
      const found = podsOf(context, { file, object });
      if (found === undefined) continue;
      for (const site of object.selectorSites) {
        if (!isSubset({ file, object }, site) || site.open || site.selector?.ok !== true) continue;
        const selector = site.selector.value;
        if (selector.kind !== 'all' || found.pods.some(({ labelSet }) => evaluate(selector, labelSet) !== 'no'))
          continue;
        const label = site.entries.find(({ key, value }) => {
          const requirement = { key: key.text, operator: '=' as const, values: [value.value] };
          return found.pods.every(({ labelSet }) => evaluateRequirement(requirement, labelSet) === 'no');
        });
        if (label === undefined || label.value.origin !== undefined) continue;
        const values = valuesOf(found.pods, label.key.text);
        const near = nearest(label.value.text, values);
        const severity = near === undefined ? undefined : ('warning' as const);
        yield { span: label.value.span, label, service: found.service, values, near, ...(severity && { severity }) };
      }
    }
  },
  message({ label: { key, value }, service, values }) {
    const wanted = `${shorten(key.text)}=${shorten(value.text)}`;
    const [first, ...others] = values;
    if (first === undefined)
      return localize`No pod of ${shorten(service)} has ${wanted}; requests to this subset fail.`;
    const more = others.length === 0 ? '' : localize` and ${others.length} more`;
    const have = `${shorten(key.text)}=${shorten(first)}`;
    return localize`No pod of ${shorten(service)} has ${wanted}; requests to this subset fail. Its pods have ${have}${more}.`;
  },
  fixes: ({ label, near }) =>
    near === undefined
      ? []
      : [{ title: localize`Change to '${shorten(near)}'`, edits: [replaceScalar(label.value, near)], preferred: true }],
});

/** Returns the pods of the Service that is the host of a DestinationRule, if all of them are known. */
function podsOf(
  context: RuleContext,
  owner: Parameters<typeof servicesOfHost>[2],
): { readonly service: string; readonly pods: readonly Match[] } | undefined {
  const services = servicesOfHost(context.workspace, context.catalogue, owner) ?? [];
  const [only, ...others] = services;
  const [site] = only?.object.selectorSites ?? [];
  if (only?.relation !== 'here' || others.length > 0 || site === undefined) return undefined;
  const { matches, maybe, mayMatchOthers } = selectionOf(context.workspace, context.catalogue, only, site);
  if (matches.length === 0 || maybe.length > 0 || mayMatchOthers) return undefined;
  return { service: `Service/${only.object.name?.text ?? ''}`, pods: matches };
}

function valuesOf(pods: readonly Match[], key: string): readonly string[] {
  return [
    ...new Set(
      pods.flatMap(({ labelSet: { labels } }) => {
        const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
        return typeof value === 'string' ? [value] : [];
      }),
    ),
  ];
}

function nearest(wanted: string, values: readonly string[]): string | undefined {
  const isNear = (value: string) => value.toLowerCase() === wanted.toLowerCase() || isLikelyMisspelling(wanted, value);
  const [only, ...others] = values.filter(isNear);
  return others.length > 0 ? undefined : only;
}
