/** Reports label keys without a prefix in kustomizations and charts, which add labels to the objects of their users. */

import type { Catalogue } from '../../engine/catalogue/types.ts';
import { isLabelKey } from '../../engine/index.ts';
import type { ManifestObject } from '../../manifests/model.ts';
import { childOf, itemsOf, type Node, nodeAt } from '../../manifests/yaml/tree.ts';
import { localize } from '../../text/localize.ts';
import { treeOf } from '../../workspace/object-trees.ts';
import { type Fact, type RuleContext, rule } from '../framework/rule.ts';
import { objectsOfHelpers } from '../helpers/labels-in-helpers.ts';
import { shorten } from '../helpers/sentences.ts';
import { isLabelSite, labelMapEntries } from '../helpers/validated-labels.ts';

/** Conventional keys that no tool reads, so that they are private to the user. In a kustomization, they are those of its own users. */
const ofPeople: ReadonlySet<string> = new Set(['team', 'environment', 'env', 'track', 'partition']);

interface PrivateKey extends Fact {
  readonly key: string;
}

export const labelKeyPrefix = rule<PrivateKey>({
  id: 'label-key-prefix',
  severity: 'off',
  acrossFiles: true,
  summary: 'A label key without a prefix in a kustomization, a chart or a mutation.',
  why: 'Keys without a prefix are private to the user. Automation that adds labels to objects of its users must use keys with a prefix, so that these labels cannot replace or select labels of the users. Turn the rule on for kustomizations and charts that other teams use. Keys that tools use, such as `app` and `version`, are not reported. Conventional keys such as `team` and `environment` are reported in charts and mutations, but not in kustomizations, which usually change the objects of their own users. The mutations of Kyverno policies are checked, too. The keys that helpers of a chart write are reported in the file of the helpers.',
  withoutFix: 'Only the author knows the domain of the prefix, and selectors may use the key.',
  bad: [
    {
      title: 'A kustomization adds a private key to all objects.',
      file: 'kustomization.yaml',
      text: `kind: Kustomization
labels:
  - pairs:
      rota: blue
`,
    },
  ],
  good: [
    {
      title: 'A key with a prefix.',
      change: ['rota: blue', 'shop.example.com/rota: blue'],
    },
  ],
  *check(context) {
    const { manifest, catalogue, workspace, uri } = context;
    const isInChart = workspace
      .scopes()
      .ofFile(uri)
      .some(({ kind }) => kind === 'chart');
    for (const { object, site, entry } of labelMapEntries(manifest)) {
      const { text, value } = entry.key;
      // A kustomization is not applied itself, but its labels are added to objects.
      const isAdded = isInChart || (!object.forCluster && object.inValues === undefined);
      if (!isAdded || !isLabelSite(site) || typeof value !== 'string' || text.includes('/') || !isLabelKey(text))
        continue;
      if (isInChart ? mayBeReplaced(catalogue, text) : catalogue.key(text, 'label') === undefined)
        yield { span: entry.key.span, key: text };
    }
    yield* inHelpers(context);
    for (const object of context.stored) if (isKyverno(object)) yield* inMutations(catalogue, treeOf(context, object));
  },
  message: ({ key }) =>
    localize`Label key '${shorten(key)}' has no prefix; automation that adds labels to objects of its users must use one.`,
  fixes: () => [],
});

/** Yields the private keys that the helpers in a file write into the labels of a chart, each of them once. */
function* inHelpers(context: RuleContext): Iterable<PrivateKey> {
  const objects = objectsOfHelpers(context);
  if (objects.length === 0) return;
  for (const { site, entry } of labelMapEntries({ ...context.manifest, objects })) {
    const { text, value, span } = entry.key;
    const isPrivate = isLabelSite(site) && typeof value === 'string' && !text.includes('/') && isLabelKey(text);
    if (isPrivate && mayBeReplaced(context.catalogue, text)) yield { span, key: text };
  }
}

/** Whether no tool requires a key without a prefix. */
function mayBeReplaced(catalogue: Catalogue, key: string): boolean {
  return ofPeople.has(key) || catalogue.key(key, 'label') === undefined;
}

function isKyverno({ group, kind }: ManifestObject): boolean {
  return group === 'kyverno.io' && /^(?:Cluster)?Policy$/.test(kind);
}

/** Yields the private keys that the mutations of a Kyverno policy add to the labels of objects; the key may be in an anchor such as `+(team)`. */
function* inMutations(catalogue: Catalogue, root: Node | undefined): Iterable<PrivateKey> {
  for (const rule of itemsOf(nodeAt(root, 'spec', 'rules'))) {
    const mutate = childOf(rule, 'mutate');
    for (const part of [mutate, ...itemsOf(childOf(mutate, 'foreach'))]) {
      const patch = childOf(part, 'patchStrategicMerge');
      const templates = [patch, nodeAt(patch, 'spec', 'template')];
      for (const labels of templates.map((each) => nodeAt(each, 'metadata', 'labels'))) {
        for (const { key } of labels?.kind === 'map' ? labels.entries : []) {
          const name = /^\+?\((.*)\)$/.exec(key.text)?.[1] ?? key.text;
          const isPrivate = key.pattern === undefined && !name.includes('/') && isLabelKey(name);
          if (isPrivate && mayBeReplaced(catalogue, name)) yield { span: key.span, key: name };
        }
      }
    }
  }
}
