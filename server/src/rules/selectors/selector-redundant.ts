/** Reports requirements that are implied by the other requirements of their selector. */

import { formatRequirement, type Requirement, satisfiable, simplify } from '../../engine/index.ts';
import type { SelectorSite } from '../../manifests/model.ts';
import { localize } from '../../text/localize.ts';
import { removeRequirement } from '../fixes/fix-selector.ts';
import { type Fact, rule } from '../framework/rule.ts';
import { type RequirementSite, requirementSites } from '../helpers/requirement-ranges.ts';
import { shorten } from '../helpers/sentences.ts';

interface Superfluous extends Fact {
  readonly site: SelectorSite;
  readonly place: RequirementSite;
  readonly others: readonly RequirementSite[];
}

export const selectorRedundant = rule<Superfluous>({
  id: 'selector-redundant',
  severity: 'hint',
  needs: 'selectors',
  summary: 'A requirement that follows from the other requirements of its selector.',
  why: 'Without the requirement, the selector matches the same objects and is easier to read.',
  bad: [
    {
      title: 'An `Exists` requirement for a key that must also have a certain value.',
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
        operator: Exists
`,
    },
  ],
  good: [
    {
      title: 'Requirements that each exclude some objects.',
      change: [
        '- key: app',
        `- key: track
        operator: NotIn
        values: [canary]
      - key: track`,
      ],
    },
  ],
  *check({ file, stored }) {
    const seen = new Set<number>();
    for (const object of [...stored, ...(file.manifest.inline ?? [])]) {
      for (const site of object.selectorSites) {
        for (const fact of superfluous(site)) {
          // Aliases may repeat requirements at several sites.
          if (seen.has(fact.span.start)) continue;
          seen.add(fact.span.start);
          const related = fact.others.map(({ key }) => ({
            file,
            span: key,
            message: localize`This requirement already implies it.`,
          }));
          yield { ...fact, related, tags: ['unnecessary'] };
        }
      }
    }
  },
  message: ({ place, others }) => {
    const described = others.map(({ requirement }) => `'${shorten(formatRequirement(requirement))}'`).join(' and ');
    return localize`'${shorten(formatRequirement(place.requirement))}' has no effect, because it is implied by ${described}.`;
  },
  fixes({ site, place }, { text }) {
    const removed = removeRequirement(text, site, place);
    if (removed === undefined) return [];
    return [{ title: localize`Remove the requirement`, edits: [removed], preferred: true, safe: true }];
  },
});

/** Whether each key has one value, as in a map, so that no requirement implies another. */
function isPlain(requirements: readonly Requirement[]): boolean {
  return requirements.every(
    ({ key, operator }, index) => operator === '=' && requirements.findIndex((other) => other.key === key) === index,
  );
}

function superfluous(site: SelectorSite): readonly Superfluous[] {
  const selector = site.fact.plain && site.selector?.ok ? site.selector.value : undefined;
  if (selector?.kind !== 'all' || selector.requirements.length < 2 || isPlain(selector.requirements)) return [];
  if (!satisfiable(selector)) return [];
  const simple = simplify(selector);
  const kept = simple.kind === 'all' ? simple.requirements : [];
  const places = requirementSites(site);
  return places
    .filter(({ requirement }) => !kept.includes(requirement))
    .map((place) => {
      const others = places.filter(
        ({ requirement }) => requirement.key === place.requirement.key && kept.includes(requirement),
      );
      return { span: place.key, site, place, others };
    });
}
