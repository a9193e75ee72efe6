/** Reports custom keys of labels, annotations, taints and tolerations that are not in lower case with dashes. */

import type { Catalogue } from '../../engine/catalogue/types.ts';
import { isLabelKey, isReservedPrefix } from '../../engine/index.ts';
import { childOf, type Node } from '../../manifests/yaml/tree.ts';
import { localize } from '../../text/localize.ts';
import { type Fact, type RuleContext, rule } from '../framework/rule.ts';
import { canRenameInHelpers } from '../helpers/labels-in-helpers.ts';
import { hasParts } from '../helpers/labels-in-parts.ts';
import { appliedParts } from '../helpers/patch-parts.ts';
import { shorten } from '../helpers/sentences.ts';
import { taintListsIn } from '../helpers/taint-lists.ts';
import { type KeySite, keySites, keysInHelpers, keysInPatches, renameKey } from '../helpers/written-keys.ts';

interface OddKey extends Fact {
  readonly key: string;
  /** The site of the key; absent for the key of a taint. */
  readonly place?: KeySite;
  readonly styled: string;
}

export const labelKeyStyle = rule<OddKey>({
  id: 'label-key-style',
  severity: 'off',
  dependsOnOthers: hasParts,
  summary: 'A key of a label, an annotation, a taint or a toleration that is not in lower case with dashes.',
  why: 'Label keys are case-sensitive and compared exactly: `costCenter`, `cost_center` and `cost-center` are three different labels. If all keys follow one style, authors do not need to look them up. The keys of Kubernetes itself are in lower case with dashes. Keys that patches and helpers of charts write are reported there.',
  bad: [
    {
      title: 'Camel case.',
      text: `apiVersion: v1
kind: ConfigMap
metadata:
  name: prices
  labels:
    costCenter: blue
`,
    },
  ],
  good: [
    {
      title: 'Keys in lower case with dashes, and keys with a prefix. Keys with a prefix belong to other projects.',
      change: [
        'costCenter: blue',
        `shop.example.com/cost-center: blue
    grafana_dashboard: "1"`,
      ],
    },
  ],
  *check(context) {
    const { manifest, file, catalogue } = context;
    if (file.config !== undefined) return;
    for (const place of [...keySites(manifest), ...keysInPatches(context), ...keysInHelpers(context)]) {
      const key = place.key.text;
      if (place.where !== 'map' || !isLabelKey(key) || isOfOthers(key, catalogue)) continue;
      const styled = inStyle(key);
      if (styled !== key && isLabelKey(styled)) yield { span: place.key.span, key, place, styled };
    }
    yield* taintsIn(context);
  },
  message: ({ key, place, styled }) =>
    localize`${place === undefined ? 'Taint' : place.as === 'label' ? 'Label' : 'Annotation'} key '${shorten(key)}' should be in lower case with dashes: '${shorten(styled)}'.`,
  fixes({ key, place, styled }, context) {
    if (place?.inHelpers && !canRenameInHelpers(context, key, styled)) return [];
    // Only label keys are renamed: the programs that read an annotation or a taint are unknown.
    const edits = place?.as === 'label' ? renameKey(place.object, place.key.text, styled) : undefined;
    return edits === undefined
      ? []
      : [{ title: localize`Change the key to '${shorten(styled)}'`, edits, preferred: true }];
  },
});

/** Yields the keys of the taints and tolerations in objects and patches, and of the taints in commands. */
function* taintsIn(context: RuleContext): Iterable<OddKey> {
  const odd = (key: string) => {
    const styled = inStyle(key);
    return isLabelKey(key) && styled !== key && !isOfOthers(key, context.catalogue) ? [{ key, styled }] : [];
  };
  for (const word of context.manifest.words ?? []) {
    const key = word.is === 'taint' ? (/^[\w./-]*\w(?=[=:]|-$)/.exec(word.letters.text)?.[0] ?? '') : '';
    const span = { start: word.letters.startOf(0), end: word.letters.endOf(Math.max(key.length - 1, 0)) };
    for (const each of odd(key)) yield { span, ...each };
  }
  if (!context.mentions('taints')) return;
  const seen = new Set<Node>();
  const roots = appliedParts(context).flatMap((part) => part.rootOf() ?? []);
  for (const { node } of roots.flatMap((root) => [...taintListsIn(root, seen)])) {
    for (const item of node.items) {
      const key = childOf(item, 'key');
      if (key?.kind !== 'scalar' || key.pattern !== undefined) continue;
      for (const each of odd(key.text)) yield { span: key.span, ...each };
    }
  }
}

/** Whether a key or its prefix is defined by Kubernetes or another project. */
function isOfOthers(key: string, catalogue: Catalogue): boolean {
  if (catalogue.key(key) !== undefined) return true;
  const slash = key.indexOf('/');
  if (slash === -1) return false;
  const prefix = key.slice(0, slash + 1);
  return isReservedPrefix(key.slice(0, slash)) || catalogue.keys().some((fact) => fact.key.startsWith(prefix));
}

/** Returns the key in the required style. A valid prefix is already in lower case. */
function inStyle(key: string): string {
  const slash = key.indexOf('/') + 1;
  const words = key
    .slice(slash)
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1-$2');
  return key.slice(0, slash) + words.toLowerCase().replace(/[-_]+/g, '-');
}
