/** Reports custom keys of labels, annotations and taints that are not in lower case with dashes. */

import type { Catalogue } from '../../engine/catalogue/types.ts';
import { isLabelKey, isReservedPrefix } from '../../engine/index.ts';
import { childOf, itemsOf, nodeAt } from '../../manifests/yaml/tree.ts';
import { localize } from '../../text/localize.ts';
import { treeOf } from '../../workspace/object-trees.ts';
import { type Fact, type RuleContext, rule } from '../framework/rule.ts';
import { shorten } from '../helpers/sentences.ts';
import { type KeySite, keySites, renameKey } from '../helpers/written-keys.ts';

interface OddKey extends Fact {
  readonly key: string;
  /** The site of the key; absent for the key of a taint. */
  readonly place?: KeySite;
  readonly styled: string;
}

export const labelKeyStyle = rule<OddKey>({
  id: 'label-key-style',
  severity: 'off',
  needs: 'objects',
  summary: 'A key of a label, an annotation or a taint that is not in lower case with dashes.',
  why: 'Label keys are case-sensitive and compared exactly: `costCenter`, `cost_center` and `cost-center` are three different labels. If all keys follow one style, authors do not need to look them up. The keys of Kubernetes itself are in lower case with dashes.',
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
    for (const place of keySites(manifest)) {
      const key = place.key.text;
      if (place.where !== 'map' || !isLabelKey(key) || isOfOthers(key, catalogue)) continue;
      const styled = inStyle(key);
      if (styled !== key && isLabelKey(styled)) yield { span: place.key.span, key, place, styled };
    }
    yield* taintsIn(context);
  },
  message: ({ key, place, styled }) =>
    localize`${place === undefined ? 'Taint' : place.as === 'label' ? 'Label' : 'Annotation'} key '${shorten(key)}' should be in lower case with dashes: '${shorten(styled)}'.`,
  fixes({ place, styled }) {
    // Only label keys are renamed: the programs that read an annotation or a taint are unknown.
    const edits = place?.as === 'label' ? renameKey(place.object, place.key.text, styled) : undefined;
    return edits === undefined
      ? []
      : [{ title: localize`Change the key to '${shorten(styled)}'`, edits, preferred: true }];
  },
});

function* taintsIn(context: RuleContext): Iterable<OddKey> {
  for (const object of context.stored) {
    if (context.catalogue.kind(object.group, object.version, object.kind)?.namespaced !== false) continue;
    const taints = nodeAt(treeOf(context, object), 'spec', 'taints');
    for (const taint of itemsOf(taints)) {
      const key = childOf(taint, 'key');
      if (key?.kind !== 'scalar' || key.pattern !== undefined || !isLabelKey(key.text)) continue;
      const styled = inStyle(key.text);
      if (styled !== key.text && !isOfOthers(key.text, context.catalogue))
        yield { span: key.span, key: key.text, styled };
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
