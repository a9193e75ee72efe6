/** Can anything match the selector at all? */

import { formatRequirement, satisfiable, simplify } from '../engine/index.ts';
import type { SelectorSite } from '../manifests/manifest.ts';
import { removeRequirement } from './mend-selector.ts';
import { type RequirementPlace, requirementPlaces } from './requirement-places.ts';
import { type Fact, type Fix, rule } from './rule.ts';
import { shorten } from './say.ts';

interface Contradiction extends Fact {
  readonly site: SelectorSite;
  /** The requirements that contradict each other, in the order of the file. */
  readonly places: readonly RequirementPlace[];
}

export const selectorUnsatisfiable = rule<Contradiction>({
  id: 'selector-unsatisfiable',
  severity: 'warning',
  about: 'selectors',
  summary: 'A selector with requirements that contradict each other.',
  why: 'All requirements of a selector must hold together. Where two of them contradict each other, nothing can ever match, and Kubernetes does not say so.',
  bad: [
    {
      title: 'A value that another requirement rules out.',
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
      title: 'Two requirements on one key that leave a value.',
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
      for (const site of object.selectorSites) {
        if (
          !site.fact.plain ||
          site.state === 'ignored' ||
          site.selector?.ok !== true ||
          satisfiable(site.selector.value)
        )
          continue;
        const places = contradiction(site);
        const last = places.at(-1);
        if (last === undefined || seen.has(last.key.start)) continue;
        // An alias shows the same requirements at several sites.
        seen.add(last.key.start);
        const related = places.slice(0, -1).map(({ key }) => ({
          file,
          span: key,
          message: 'The other requirement is here.',
        }));
        yield { span: last.value, site, places, related };
      }
    }
  },
  say({ places }) {
    const [first, ...others] = places.map(({ requirement }) => `'${shorten(formatRequirement(requirement))}'`);
    if (others.length === 0) return `Nothing can match: no label value meets ${first}.`;
    return `Nothing can match: ${[first, ...others.slice(0, -1)].join(', ')} and ${others.at(-1)} contradict each other.`;
  },
  mend: ({ site, places }, { text }) =>
    places.flatMap((place): readonly Fix[] => {
      const removed = removeRequirement(text, site, place);
      if (removed === undefined) return [];
      const title = `Remove '${shorten(formatRequirement(place.requirement))}' from the selector`;
      return [{ title, edits: [removed], preferred: false }];
    }),
});

/** What is left of such a selector once it is simplified is why nothing matches. */
function contradiction(site: SelectorSite): readonly RequirementPlace[] {
  if (site.selector?.ok !== true) return [];
  const reason = simplify(site.selector.value);
  if (reason.kind !== 'all') return [];
  return requirementPlaces(site).filter(({ requirement }) => reason.requirements.includes(requirement));
}
