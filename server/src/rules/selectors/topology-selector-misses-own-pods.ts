/** Reports topology spread constraints that do not match the pods that contain them, and anti-affinities that almost match these pods. */

import { type Explanation, evaluate, explain } from '../../engine/index.ts';
import type { LabeledObject, ManifestObject, SelectorSite } from '../../manifests/model.ts';
import { localize } from '../../text/localize.ts';
import { mayMutateLabels } from '../../workspace/mutations.ts';
import { entryOf, fitToLabels } from '../fixes/fit-selector.ts';
import { type Fact, type RuleContext, rule } from '../framework/rule.ts';
import { differenceOf } from '../helpers/difference.ts';
import { correctionOf } from '../helpers/near-miss.ts';
import { ownPods } from '../helpers/own-pods.ts';
import { isRelabelled } from '../helpers/relabeled.ts';
import { type RequirementSite, requirementSites } from '../helpers/requirement-ranges.ts';

interface Miss extends Fact {
  readonly place: RequirementSite;
  readonly own: LabeledObject;
  readonly explanation: Explanation;
  readonly about: 'spread' | 'anti-affinity';
}

export const topologySelectorMissesOwnPods = rule<Miss>({
  id: 'topology-selector-misses-own-pods',
  severity: 'warning',
  needs: 'selectors',
  acrossFiles: true,
  asApplied: true,
  summary:
    'A topology spread constraint that does not match its own pods, or an anti-affinity that almost matches them.',
  why: 'A topology spread constraint counts the pods that its selector matches. If the selector does not match the pods of its own template, these pods are not spread, and Kubernetes does not report an error.',
  bad: [
    {
      title: 'A constraint that matches no pods.',
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
    spec:
      topologySpreadConstraints:
        - maxSkew: 1
          topologyKey: topology.kubernetes.io/zone
          whenUnsatisfiable: ScheduleAnyway
          labelSelector:
            matchLabels:
              app: baskets
`,
    },
  ],
  good: [
    {
      title: 'An anti-affinity to the pods of a different application.',
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
    spec:
      affinity:
        podAntiAffinity:
          requiredDuringSchedulingIgnoredDuringExecution:
            - topologyKey: kubernetes.io/hostname
              labelSelector:
                matchLabels:
                  app: cache
      topologySpreadConstraints:
        - maxSkew: 1
          topologyKey: topology.kubernetes.io/zone
          whenUnsatisfiable: ScheduleAnyway
          labelSelector:
            matchLabels:
              app: basket
`,
    },
  ],
  *check(context) {
    for (const object of context.stored) {
      for (const site of object.selectorSites) {
        const about = aboutOf(site);
        const own = about && ownPods(object, site.path, site.fact.targets);
        if (about === undefined || own === undefined || site.state !== 'present') continue;
        if (site.selector?.ok !== true || isRelabelled(context, object)) continue;
        const labels = { labels: own.labels, open: own.open };
        if (evaluate(site.selector.value, labels) !== 'no') continue;
        if (mayMutateLabels(context.workspace, { file: context.file, object }, site, site.selector.value)) continue;
        const failed = explain(site.selector.value, labels).filter(({ answer }) => answer === 'no');
        const places = requirementSites(site);
        const near = about === 'spread' ? failed[0] : nearMiss(failed, own);
        const place = places.find(({ requirement }) => requirement === near?.requirement);
        if (near === undefined || place === undefined) continue;
        if (about === 'anti-affinity' && meansOthers(context, object, site)) continue;
        yield factOf(context, place, own, near, about);
      }
    }
  },
  message({ explanation, about, own }) {
    const what =
      about === 'spread'
        ? localize`The spread constraint does not match the pods of its own template`
        : localize`The anti-affinity term almost matches the pods of its own template`;
    return `${what}: ${differenceOf(explanation, own, localize`the pods have`)}.`;
  },
  fixes: ({ place, own }) => fitToLabels(place, own.site?.entries ?? []),
});

function factOf(
  { file }: RuleContext,
  site: RequirementSite,
  own: LabeledObject,
  explanation: Explanation,
  about: Miss['about'],
): Miss {
  const entry = entryOf(own.site?.entries ?? [], site.requirement.key);
  const at = entry?.value.span ?? own.site?.keySpan;
  return {
    span: entry === undefined ? site.key : site.value,
    place: site,
    own,
    explanation,
    about,
    related: at === undefined ? [] : [{ file, span: at, message: localize`The pod labels are defined here.` }],
    ...(about === 'anti-affinity' &&
      correctionOf(site.requirement, own)?.likeness === 'possible' && { severity: 'information' as const }),
  };
}

function aboutOf({ fact }: SelectorSite): Miss['about'] | undefined {
  if (!fact.plain) return undefined;
  if (fact.role === 'topologySpread') return 'spread';
  return fact.role === 'podAntiAffinity' ? 'anti-affinity' : undefined;
}

/** Returns the failed requirement if it is the only one and differs from a label of the pods by a few characters. */
function nearMiss(failed: readonly Explanation[], own: LabeledObject): Explanation | undefined {
  const [only, ...others] = failed;
  if (only === undefined || others.length > 0) return undefined;
  const likeness = correctionOf(only.requirement, own)?.likeness;
  return likeness === undefined || likeness === 'variant' ? undefined : only;
}

/** Whether the selector is meant for pods of other objects, or for pods in other namespaces. */
function meansOthers(context: RuleContext, object: ManifestObject, site: SelectorSite): boolean {
  const beside = site.path.slice(0, site.path.lastIndexOf('.') + 1);
  const selectsAround = object.selectorSites.some((other) => other !== site && other.path.startsWith(beside));
  if (selectsAround || site.namespaces !== undefined) return true;
  const { matches, maybe, elsewhere } = context.selectionOf(object, site);
  if (context.comparisons.isIncomplete) return true;
  return matches.length + maybe.length + elsewhere.length > 0;
}
