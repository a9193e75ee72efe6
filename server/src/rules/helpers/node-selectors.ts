/** Finds the node selectors of a file that consist of terms, and their nodes in the syntax tree. */

import { isBuiltIn } from '../../engine/catalogue/built-in-groups.ts';
import type { Catalogue, GroupKind } from '../../engine/catalogue/types.ts';
import type { ManifestObject, SelectorSite } from '../../manifests/model.ts';
import type { Node } from '../../manifests/yaml/tree.ts';
import { stepsOf, targetAt, targetWith } from '../../workspace/object-trees.ts';
import type { RuleContext } from '../framework/rule.ts';
import { appliedParts, withTree } from './patch-parts.ts';

/** Whether objects of a kind are nodes: the kubelet labels them with their host names. */
export function isNode({ group, kind }: GroupKind, catalogue: Catalogue): boolean {
  return group === '' && catalogue.key('kubernetes.io/hostname', 'label')?.kinds.includes(kind) === true;
}

export interface NodeSelectorSite {
  readonly object: ManifestObject;
  readonly site: SelectorSite;
  /** The node of the selector, or of a single term that is not in a list. */
  readonly node: Node;
  /** The parent of `node` in the syntax tree. */
  readonly parent: Node | undefined;
  /** Whether the API server validates this selector. */
  readonly checked: boolean;
}

/** Yields the node selectors with `nodeSelectorTerms`, and single terms that are not in a list. If aliases repeat a selector, it is yielded only once. */
export function* nodeSelectorSites(context: RuleContext): Iterable<NodeSelectorSite> {
  // After a syntax error, it is uncertain to which term a requirement belongs.
  if (context.manifest.readInPart) return;
  const seen = new Set<number>();
  const inValues = context.manifest.objects.filter((object) => object.inValues);
  const parts = [...inValues.map((object) => withTree(context, object)), ...appliedParts(context)];
  for (const { object, isKindKnown, rootOf } of parts) {
    for (const site of object.selectorSites) {
      const isTerms = site.fact.form === 'nodeSelector' || site.fact.form === 'nodeSelectorTerm';
      if (!isTerms || !site.fact.plain || site.state === 'null' || seen.has(site.span.start)) continue;
      seen.add(site.span.start);
      const root = rootOf();
      const target = object.inValues ? targetWith(root, site.span) : targetAt(root, stepsOf(site.path));
      if (target === undefined) continue;
      yield { object, site, node: target.node, parent: target.parent, checked: isBuiltIn(object.group) && isKindKnown };
    }
  }
}
