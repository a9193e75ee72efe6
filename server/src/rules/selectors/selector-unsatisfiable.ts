/** Reports selectors with requirements that contradict each other. */

import { formatRequirement, satisfiable, simplify, termSatisfiable } from '../../engine/index.ts';
import type { ManifestObject, SelectorSite } from '../../manifests/model.ts';
import { localize } from '../../text/localize.ts';
import { type Fact, rule } from '../framework/rule.ts';
import { type RequirementSite, requirementSites, type TermSites, termSites } from '../helpers/requirement-ranges.ts';
import { shorten } from '../helpers/sentences.ts';

interface Contradiction extends Fact {
  /** The conflicts in the order of the file, with a `nodeSelector` before the affinity. */
  readonly conflicts: readonly RequirementSite[];
  /** Whether the requirements are in one term of a node selector. */
  readonly ofTerm: boolean;
}

export const selectorUnsatisfiable = rule<Contradiction>({
  id: 'selector-unsatisfiable',
  severity: 'warning',
  needs: 'objects',
  summary: 'A selector with requirements that contradict each other.',
  why: 'An object must meet all requirements of a selector. If two requirements contradict each other, no object can ever match, and Kubernetes does not report this. The same is true for the requirements in one term of a node selector (the terms themselves are ORed), and for a `nodeSelector` next to a required node affinity.',
  withoutFix: 'Only the author knows which of the contradicting requirements is wrong.',
  bad: [
    {
      title: 'A value that another requirement excludes.',
      text: `apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: basket
spec:
  minAvailable: 1
  selector:
    matchLabels:
      app: basket
    matchExpressions:
      - key: app
        operator: NotIn
        values: [basket]
`,
    },
  ],
  good: [
    {
      title: 'Two requirements that one value of the key can meet.',
      text: `apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: basket
spec:
  minAvailable: 1
  selector:
    matchExpressions:
      - key: track
        operator: Exists
      - key: track
        operator: NotIn
        values: [canary]
`,
    },
  ],
  *check({ file, stored }) {
    const seen = new Set<number>();
    for (const object of [...stored, ...(file.manifest.inline ?? [])]) {
      for (const contradiction of contradictionsIn(object)) {
        const { conflicts } = contradiction;
        const last = conflicts.at(-1);
        // Aliases may repeat requirements at several sites.
        if (last === undefined || seen.has(last.key.start)) continue;
        seen.add(last.key.start);
        const related = conflicts.slice(0, -1).map((place) => ({
          file,
          span: place.key,
          message: localize`This requirement contradicts the reported one.`,
        }));
        yield { ...contradiction, span: last.value, related };
      }
    }
  },
  message({ conflicts, ofTerm }) {
    const [first, ...others] = conflicts.map((place) => `'${shorten(formatRequirement(place.requirement))}'`);
    const effect = ofTerm ? localize`This term matches no node` : localize`Nothing can match`;
    if (others.length === 0) return localize`${effect}: no label value satisfies ${first}.`;
    return localize`${effect}: ${[first, ...others.slice(0, -1)].join(', ')} and ${others.at(-1)} contradict each other.`;
  },
  fixes: () => [],
});

function* contradictionsIn({ selectorSites }: ManifestObject): Iterable<Omit<Contradiction, 'span'>> {
  for (const site of selectorSites) {
    if (!site.fact.plain || site.state === 'ignored') continue;
    const selector = site.selector?.ok ? site.selector.value : undefined;
    if (selector !== undefined && !satisfiable(selector)) {
      const places = conflicting(requirementSites(site));
      yield { conflicts: places, ofTerm: false };
    }
    const required = requiredLabels(selectorSites, site);
    for (const each of termSites(site)) yield { conflicts: conflictsOfTerm(each, required), ofTerm: true };
  }
}

/** Returns the requirements that contradict each other: the requirements that remain after the selector is simplified. */
function conflicting(sites: readonly RequirementSite[]): readonly RequirementSite[] {
  const reason = simplify({ kind: 'all', requirements: sites.map(({ requirement }) => requirement) });
  return reason.kind === 'all' ? sites.filter(({ requirement }) => reason.requirements.includes(requirement)) : [];
}

/** Returns the requirements of the `nodeSelector` next to a required node affinity. A pod is scheduled only on nodes that match both. */
function requiredLabels(sites: readonly SelectorSite[], { fact, path }: SelectorSite): SelectorSite | undefined {
  const at = path.lastIndexOf('affinity.nodeAffinity.required');
  if (fact.form !== 'nodeSelector' || at === -1) return undefined;
  return sites.find((each) => each.fact.form === 'nodeSelectorMap' && each.path === `${path.slice(0, at)}nodeSelector`);
}

/** Returns the requirements that contradict each other, among the requirements of a term and the labels that are required in addition. */
function conflictsOfTerm({ term, places }: TermSites, required: SelectorSite | undefined): readonly RequirementSite[] {
  const labels = places.filter(({ requirement }) => term.labels.includes(requirement));
  if (!termSatisfiable(term)) {
    const isAboutLabels = !satisfiable({ kind: 'all', requirements: term.labels });
    if (isAboutLabels) return conflicting(labels);
    return places.filter(
      ({ requirement }) => requirement.key === 'metadata.name' && !term.labels.includes(requirement),
    );
  }
  if (required === undefined) return [];
  const all = [...requirementSites(required), ...labels];
  return satisfiable({ kind: 'all', requirements: all.map(({ requirement }) => requirement) }) ? [] : conflicting(all);
}
