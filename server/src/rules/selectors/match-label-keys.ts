/** Reports `matchLabelKeys` and `mismatchLabelKeys` that the API server rejects. */

import { isBuiltIn } from '../../engine/catalogue/built-in-groups.ts';
import type { LabelKeySite, ManifestObject, SelectorSite } from '../../manifests/model.ts';
import { localize } from '../../text/localize.ts';
import { type Fact, type RuleContext, rule } from '../framework/rule.ts';
import { ownPods } from '../helpers/own-pods.ts';
import { isRelabelled } from '../helpers/relabeled.ts';
import { shorten } from '../helpers/sentences.ts';

interface Rejected extends Fact {
  readonly field: Field;
  readonly key: string;
  readonly because: 'no selector' | 'in the selector' | 'in both lists';
}

type Field = 'matchLabelKeys' | 'mismatchLabelKeys';

export const matchLabelKeys = rule<Rejected>({
  id: 'match-label-keys',
  severity: 'error',
  needs: 'stored',
  asApplied: true,
  summary: 'A key in `matchLabelKeys` or `mismatchLabelKeys` that the API server rejects.',
  why: 'For each key in `matchLabelKeys` and `mismatchLabelKeys`, the API server adds the label value of a new pod to the `labelSelector` of the same term. It rejects a term with one of these lists but without a `labelSelector`, a key that is in both lists, and a pod with a label whose key is in `matchLabelKeys` and also in the `labelSelector`. In the last case, the workload is accepted, but none of its pods can be created.',
  withoutFix: 'Only the author knows which of the two is intended.',
  bad: [
    {
      title: 'The selector already requires a value of the label.',
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
          whenUnsatisfiable: DoNotSchedule
          labelSelector:
            matchLabels:
              app: basket
          matchLabelKeys: [app]
`,
    },
    {
      title: 'Keys without a `labelSelector`.',
      text: `apiVersion: v1
kind: Pod
metadata:
  name: basket
  labels:
    tenant: blue
spec:
  affinity:
    podAffinity:
      requiredDuringSchedulingIgnoredDuringExecution:
        - topologyKey: topology.kubernetes.io/zone
          matchLabelKeys: [tenant]
`,
    },
  ],
  good: [
    {
      title: 'The constraint spreads the pods of each revision.',
      change: ['matchLabelKeys: [app]', 'matchLabelKeys: [pod-template-hash]'],
    },
  ],
  *check(context) {
    for (const object of context.stored) {
      const keys = object.labelKeySites.flatMap(keyIn);
      if (keys.length === 0 || !isBuiltIn(object.group) || isRelabelled(context, object) || mayBeDecided(context))
        continue;
      const seen = new Set<number>();
      for (const key of keys) {
        const because = reasonOf(context, object, key, keys);
        // Aliases may repeat one key at several sites.
        if (because === undefined || seen.has(key.site.key.span.start)) continue;
        seen.add(key.site.key.span.start);
        yield { span: key.site.key.span, field: key.field, key: key.key, because };
      }
    }
  },
  message({ field, key, because }) {
    switch (because) {
      case 'no selector':
        return localize`\`${field}\` requires a \`labelSelector\` next to it; without one, the API server rejects it.`;
      case 'in the selector':
        return localize`'${shorten(key)}' must not be in both \`${field}\` and \`labelSelector\`; the API server rejects the pods.`;
      case 'in both lists':
        return localize`'${shorten(key)}' must not be in both \`matchLabelKeys\` and \`mismatchLabelKeys\`; the API server rejects it.`;
    }
  },
  fixes: () => [],
});

/** A key in `matchLabelKeys` or `mismatchLabelKeys`; `term` is the path of the map that contains the list, with a trailing dot. */
interface ListedKey {
  readonly site: LabelKeySite;
  readonly term: string;
  readonly field: Field;
  readonly key: string;
}

function keyIn(site: LabelKeySite): readonly ListedKey[] {
  const [, term = '', field] = /^(.*\.)(matchLabelKeys|mismatchLabelKeys)\[\d+\]$/.exec(site.path) ?? [];
  const { value } = site.key;
  if ((field !== 'matchLabelKeys' && field !== 'mismatchLabelKeys') || typeof value !== 'string' || value === '')
    return [];
  return [{ site, term, field, key: value }];
}

/** Whether a template may decide whether a list, or the selector next to it, exists. */
function mayBeDecided({ manifest, text }: RuleContext): boolean {
  return manifest.unresolved === true || /\{\{-?[ \t]*(?:if|else|range|with)\b/.test(text);
}

/** Returns the reason why the API server rejects a key. Follows `validateMatchLabelKeysAndMismatchLabelKeys` in k8s.io/kubernetes/pkg/apis/core/validation. */
function reasonOf(
  { manifest }: RuleContext,
  object: ManifestObject,
  { term, field, key, site }: ListedKey,
  keys: readonly ListedKey[],
): Rejected['because'] | undefined {
  const selector = object.selectorSites.find(({ path }) => path === `${term}labelSelector`);
  if (selector === undefined || selector.state === 'null') return manifest.syntaxErrors > 0 ? undefined : 'no selector';
  if (field === 'mismatchLabelKeys') return undefined;
  if (keys.some((other) => other.term === term && other.field === 'mismatchLabelKeys' && other.key === key))
    return 'in both lists';
  if (!requires(selector, key)) return undefined;
  // Pods without the label are accepted, because no requirement is added to their selector.
  const pods = site.place.of && ownPods(object, site.path, [site.place.of]);
  return pods !== undefined && Object.hasOwn(pods.labels, key) ? 'in the selector' : undefined;
}

function requires({ entries, expressions }: SelectorSite, key: string): boolean {
  return (
    entries.some((entry) => !entry.conditional && entry.key.value === key) ||
    expressions.some((expression) => expression.key?.value === key)
  );
}
