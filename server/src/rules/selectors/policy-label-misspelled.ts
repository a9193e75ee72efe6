/** Reports namespaces, service accounts and labels in policies that no object has, beside a similar name or label. */

import { getOrAdd, memoized } from '../../engine/memoize.ts';
import type { Written } from '../../manifests/model.ts';
import { replaceScalar } from '../../manifests/write/write-text.ts';
import { localize } from '../../text/localize.ts';
import { isLikelyMisspelling, misspelling } from '../../text/misspelling.ts';
import { SimilarNames } from '../../text/similar-names.ts';
import type { ObjectInFile } from '../../workspace/model.ts';
import { nearName } from '../../workspace/references/near-names.ts';
import { type Fact, type RuleContext, rule } from '../framework/rule.ts';
import { nearNamespaceName } from '../helpers/near-namespace.ts';
import { misspelledKeysIn, namespaceWordsIn, type PolicyWord, policyWordsIn } from '../helpers/policy-words.ts';
import { shorten } from '../helpers/sentences.ts';

interface Misspelled extends Fact {
  /** Absent for a key that only the system defines. */
  readonly word?: PolicyWord;
  /** The misspelled key or value, and the text that was probably intended. */
  readonly wanted: Written;
  readonly actual: string;
}

const beside = {
  'namespace.yaml': `apiVersion: v1
kind: Namespace
metadata:
  name: shop
  labels:
    team: bakery
`,
};

const policy = (peer: string) => `apiVersion: cilium.io/v2
kind: CiliumNetworkPolicy
metadata:
  name: basket
  namespace: shop
spec:
  endpointSelector: {}
  ingress:
    - fromEndpoints:
        - matchLabels:
            io.cilium.k8s.namespace.labels.team: ${peer}
`;

export const policyLabelMisspelled = rule<Misspelled>({
  id: 'policy-label-misspelled',
  severity: 'warning',
  needs: 'stored',
  acrossFiles: true,
  acrossScopes: true,
  asApplied: true,
  summary: 'A namespace, service account or label in a policy that no object has, beside a similar one.',
  why: 'A policy that names a namespace, a label of namespaces or an alternative that does not exist allows less than intended, or applies to less; an excluded namespace that does not exist excludes nothing. Namespaces are compared in policies of Cilium, Calico, Istio, Kyverno and Gatekeeper; labels of namespaces, service accounts, alternatives and the keys that only the system defines in selectors of Cilium and Calico. The rule reports a name or label only if no object in the workspace has it, and exactly one has a similar one.',
  bad: [
    {
      title: 'A misspelled label of a namespace.',
      text: policy('bakrey'),
      beside,
    },
  ],
  good: [
    {
      title: 'The label that the Namespace has.',
      text: policy('bakery'),
      beside,
    },
  ],
  *check(context) {
    const { file, workspace } = context;
    const seen = new Set<number>();
    for (const object of context.stored) {
      const words = [...namespaceWordsIn(object), ...object.selectorSites.flatMap(policyWordsIn)];
      for (const word of words) {
        const found = nearOf(context, { file, object }, word);
        if (found === undefined || found.wanted.origin !== undefined || seen.has(found.wanted.span.start)) continue;
        seen.add(found.wanted.span.start);
        yield { span: found.wanted.span, word, ...found };
      }
      for (const site of object.selectorSites)
        for (const { key, actual, label } of misspelledKeysIn(site))
          if (key.origin === undefined && !workspace.hasKey(undefined, label))
            yield { span: key.span, wanted: key, actual };
    }
  },
  message({ word, wanted, actual }) {
    const [was, is] = [shorten(wanted.text), shorten(actual)];
    if (word === undefined) return localize`No object has the label '${was}'. Closest: '${is}'.`;
    const { of, key, value, beside, isExcluded } = word;
    if (of === 'service account')
      return localize`No ServiceAccount '${was}' in this scope. Closest: ServiceAccount/${is}.`;
    if (of === 'namespace')
      return isExcluded
        ? localize`Nothing else in this scope is in the excluded namespace '${was}'. Closest: namespace '${is}'.`
        : localize`Nothing else in this scope is in namespace '${was}'. Closest: namespace '${is}'.`;
    const what = of === 'namespace label' ? localize`Namespace` : localize`object`;
    const isKey = wanted !== value;
    const label = `${shorten(key)}=${shorten(value.text)}`;
    const near = isKey ? `${is}=${shorten(value.text)}` : `${shorten(key)}=${is}`;
    const others = beside.length > 1 && !isKey ? localize`, so this alternative has no effect` : '';
    return localize`No ${what} has ${label}${others}. Closest: ${near}.`;
  },
  fixes: ({ word, wanted, actual }) => [
    {
      title: localize`Change to '${shorten(actual)}'`,
      edits: [replaceScalar(wanted, word === undefined || wanted === word.value ? actual : `${word.prefix}${actual}`)],
      preferred: true,
    },
  ],
});

type Near = Pick<Misspelled, 'wanted' | 'actual'>;

function nearOf(context: RuleContext, where: ObjectInFile, word: PolicyWord): Near | undefined {
  const { value } = word;
  if (typeof value.value !== 'string') return undefined;
  if (word.of === 'namespace') {
    const actual = nearNamespaceName(context, where, value.value);
    if (actual === undefined || word.beside.includes(actual)) return undefined;
    // Other namespaces may exist in the cluster: `prod` beside `prom`, `istio-ingress` beside `istio-egress`.
    return isLikelyMisspelling(value.value, actual) ? { wanted: value, actual } : undefined;
  }
  if (word.of === 'service account') return nearAccount(context, where, word);
  return nearLabel(context, word, value.value);
}

/** Returns the only service account whose name is similar to that of a service account which does not exist. */
function nearAccount({ workspace, catalogue }: RuleContext, where: ObjectInFile, word: PolicyWord): Near | undefined {
  const { value } = word;
  const fact = { path: word.key, targets: [{ group: '', kind: 'ServiceAccount' }], form: 'pattern' } as const;
  const near = nearName(workspace, catalogue, where, { path: word.key, fact, name: value });
  if (near === undefined || near.place !== undefined || near.isUnused || word.beside.includes(near.name))
    return undefined;
  return isLikelyMisspelling(value.text, near.name) ? { wanted: value, actual: near.name } : undefined;
}

/** The values of the labels of a kind by their keys, or `open` if an object may have other labels. */
type KnownLabels = ReadonlyMap<string, SimilarNames> | 'open';

/** The labels of kinds, for all selectors of a file. */
const knownLabels = memoized((_: RuleContext): Map<string, KnownLabels> => new Map());

function labelsIn({ workspace }: RuleContext, target: string): KnownLabels {
  for (const { labelSet } of workspace.labelSets(target, { kind: 'everything' })) if (labelSet.open) return 'open';
  return new Map([...workspace.labelsOf(target)].map(([key, values]) => [key, new SimilarNames(values)]));
}

/** Returns the only label of all objects that is similar to a label which no object has. */
function nearLabel(context: RuleContext, word: PolicyWord, text: string): Near | undefined {
  const labels = getOrAdd(knownLabels(context), word.of === 'namespace label' ? '/Namespace' : '/Pod', (target) =>
    labelsIn(context, target),
  );
  if (labels === 'open') return undefined;
  const values = labels.get(word.key);
  if (values === undefined) {
    const keys = [...labels].flatMap(([key, of]) =>
      of.names.has(text) && isLikelyMisspelling(word.key, key) ? [key] : [],
    );
    return keys[0] === undefined || keys.length > 1 ? undefined : { wanted: word.keyAt, actual: keys[0] };
  }
  if (values.names.has(text)) return undefined;
  const near = values.near(text).filter((each) => isLikelyMisspelling(text, each));
  const evident = near.filter((each) => misspelling(text, each) === 'evident');
  const [only, ...others] = evident.length > 0 ? evident : near;
  return only === undefined || others.length > 0 || word.beside.includes(only)
    ? undefined
    : { wanted: word.value, actual: only };
}
