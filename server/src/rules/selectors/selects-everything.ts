/** Reports empty selectors in fields where selecting everything is rarely intended. */

import { labeledObjectsOf } from '../../manifests/label-sets.ts';
import type { ManifestObject, SelectorSite } from '../../manifests/model.ts';
import { english, localize, localized } from '../../text/localize.ts';
import { kindKey } from '../../workspace/index/file-outline.ts';
import { effectiveSelector } from '../../workspace/selection/effective-selector.ts';
import { fillSelector, knownPairs, type Label } from '../fixes/fill-selector.ts';
import { type Fact, type Fix, type RuleContext, rule } from '../framework/rule.ts';
import { shorten } from '../helpers/sentences.ts';

interface Everything extends Fact {
  /** The selected objects: `every pod of the namespace`. */
  readonly what: string;
  readonly effect: string;
  readonly object: ManifestObject;
  readonly site: SelectorSite;
}

interface RarelyMeant {
  readonly isAt: (site: SelectorSite) => boolean;
  /** The kinds to which the entry applies; undefined if the path alone identifies the field. */
  readonly kinds?: ReadonlySet<string>;
  readonly what: string;
  readonly effect: string;
}

/** Fields in which an empty selector is valid but rarely intended. Fields in which it is often intended are omitted: the `podSelector` of a NetworkPolicy, the selectors of monitors in Prometheus, and the `namespaceSelector` of webhooks. */
const rarelyMeant: readonly RarelyMeant[] = [
  {
    isAt: ({ path }) => path === 'spec.selector',
    kinds: new Set(['policy/PodDisruptionBudget']),
    what: english`every pod in the namespace`,
    effect: english`so the budget limits evictions of all of them`,
  },
  {
    isAt: ({ path }) => path === 'spec.selector',
    kinds: new Set(['/PersistentVolumeClaim']),
    what: english`every volume`,
    effect: english`but volumes are never provisioned dynamically for a claim with a selector`,
  },
  {
    isAt: ({ fact }) => fact.role === 'volumeClaim',
    what: english`every volume`,
    effect: english`but volumes are never provisioned dynamically for claims with a selector`,
  },
  {
    isAt: ({ fact }) => fact.role === 'podAntiAffinity',
    what: english`every pod in the namespace`,
    effect: english`so these pods avoid all of them`,
  },
];

export const selectsEverything = rule<Everything>({
  id: 'selects-everything',
  severity: 'information',
  needs: 'selectors',
  summary: 'An empty selector in a field in which it selects everything, although this is rarely intended.',
  why: 'In some fields, an empty selector selects nothing; in others, it selects everything. A PodDisruptionBudget with an empty selector applies to all pods of its namespace. A PersistentVolumeClaim with an empty selector gets no provisioned volume, and stays pending until a volume is created manually.',
  bad: [
    {
      title: 'A budget that applies to all pods of the namespace.',
      text: `apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: basket
spec:
  maxUnavailable: 1
  selector: {}
`,
    },
  ],
  good: [
    {
      title: 'A policy that applies to all pods, which is common.',
      text: `apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  name: deny-all
spec:
  podSelector: {}
  policyTypes: [Ingress]
`,
    },
  ],
  *check({ manifest, stored }) {
    if (manifest.unresolved) return;
    for (const object of stored) {
      for (const site of object.selectorSites) {
        if (site.state !== 'empty' || site.open || !site.fact.plain) continue;
        const kind = `${object.group}/${object.kind}`;
        const rare = rarelyMeant.find(({ isAt, kinds }) => isAt(site) && (kinds?.has(kind) ?? true));
        if (rare === undefined || effectiveSelector(site)?.kind !== 'everything' || site.fact.empty !== 'all') continue;
        yield { span: site.keySpan, what: rare.what, effect: rare.effect, object, site };
      }
    }
  },
  message: ({ what, effect }) => localize`The empty selector selects ${localized(what)}, ${localized(effect)}.`,
  fixes,
});

/** Returns a fix that inserts the selector of the only workload in the file, if the field selects pods. */
function fixes({ object, site }: Everything, { stored, text }: RuleContext): readonly Fix[] {
  const kinds = new Set(site.fact.targets.map(kindKey));
  const makesThem = (each: ManifestObject) =>
    labeledObjectsOf(each).some(({ target, via }) => via !== undefined && kinds.has(kindKey(target)));
  const [only, ...others] = stored.filter(makesThem);
  if (only === undefined || only === object || others.length > 0) return [];
  if (only.namespace?.text !== object.namespace?.text) return [];
  const labels = selectedBy(only);
  const edit = labels && fillSelector(text, site, labels);
  if (edit === undefined) return [];
  const title = localize`Select the pods of ${shorten(`${only.kind}/${only.name?.text ?? ''}`)}`;
  // Only the author knows whether the selector is meant for these pods.
  return [{ title, edits: [edit], preferred: false }];
}

/** Returns the labels by which a workload selects its own pods, if its selector has no other requirements. */
function selectedBy({ selectorSites }: ManifestObject): readonly Label[] | undefined {
  const [own, ...others] = selectorSites.filter(({ fact }) => fact.mustMatchTemplate);
  if (own === undefined || others.length > 0 || own.open || own.expressions.length > 0 || own.entries.length === 0)
    return undefined;
  return knownPairs(own.entries);
}
