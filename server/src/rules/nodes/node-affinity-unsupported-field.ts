/** Reports affinity fields that Kubernetes never implemented. */

import { isBuiltIn } from '../../engine/catalogue/built-in-groups.ts';
import type { MapEntry, Node } from '../../manifests/yaml/tree.ts';
import { localize } from '../../text/localize.ts';
import { treeOf } from '../../workspace/object-trees.ts';
import { type Fact, rule } from '../framework/rule.ts';
import { storedParts } from '../helpers/certain-objects.ts';

interface UnsupportedField extends Fact {
  readonly entry: MapEntry;
  /** The field that Kubernetes implements instead; undefined if the object already has this field. */
  readonly instead: string | undefined;
}

const never = 'RequiredDuringExecution';
const built = 'IgnoredDuringExecution';
const affinities: ReadonlySet<string> = new Set(['nodeAffinity', 'podAffinity', 'podAntiAffinity']);

export const nodeAffinityUnsupportedField = rule<UnsupportedField>({
  id: 'node-affinity-unsupported-field',
  severity: 'error',
  needs: 'objects',
  summary:
    'An affinity field that Kubernetes never implemented, such as `requiredDuringSchedulingRequiredDuringExecution`.',
  why: 'No release of Kubernetes has this field. `kubectl apply` rejects the object. Without field validation, the API server drops the field, so the pod may run on any node.',
  bad: [
    {
      title: 'Kubernetes does not evict running pods whose affinity rules are no longer met.',
      text: `apiVersion: v1
kind: Pod
metadata:
  name: basket
spec:
  affinity:
    nodeAffinity:
      requiredDuringSchedulingRequiredDuringExecution:
        nodeSelectorTerms:
          - matchExpressions:
              - { key: disk, operator: Exists }
`,
    },
  ],
  good: [
    {
      title: 'A supported field.',
      change: ['requiredDuringSchedulingRequiredDuringExecution:', 'requiredDuringSchedulingIgnoredDuringExecution:'],
    },
  ],
  *check(context) {
    if (!context.mentions('unbuiltAffinity')) return;
    const seen = new Set<Node>();
    for (const object of storedParts(context)) {
      const root = treeOf(context, object);
      if (root === undefined) continue;
      const severity = isBuiltIn(object.group) ? {} : { severity: 'warning' as const };
      for (const found of unsupportedIn(root, seen)) yield { ...found, ...severity };
    }
  },
  message: ({ entry }) =>
    localize`Field \`${entry.key.text}\` was never implemented; the API server rejects or ignores it.`,
  fixes({ entry, instead }) {
    if (instead === undefined) return [];
    const text = entry.key.style === 'double' ? JSON.stringify(instead) : instead;
    return [
      { title: localize`Change the field to \`${instead}\``, edits: [{ span: entry.key.span, text }], preferred: true },
    ];
  },
});

/** Yields the unsupported affinity fields in a syntax tree. Nodes that aliases repeat are visited once. */
function* unsupportedIn(root: Node, seen: Set<Node>): Iterable<UnsupportedField> {
  const waiting: Node[] = [root];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (seen.has(node) || node.kind === 'scalar') continue;
    seen.add(node);
    if (node.kind === 'list') for (const each of node.items) waiting.push(each);
    else {
      for (const { key, value } of node.entries) {
        waiting.push(value);
        if (affinities.has(key.text) && value.kind === 'map') yield* unsupportedFields(value.entries);
      }
    }
  }
}

function unsupportedFields(entries: readonly MapEntry[]): readonly UnsupportedField[] {
  return entries
    .filter(({ key }) => /^(?:required|preferred)DuringSchedulingRequiredDuringExecution$/.test(key.text))
    .map((entry) => {
      const instead = entry.key.text.replace(never, built);
      const isFree = entries.every(({ key }) => key.text !== instead);
      return { span: entry.key.span, entry, instead: isFree ? instead : undefined };
    });
}
