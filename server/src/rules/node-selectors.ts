/** Which selectors of a file choose nodes by terms, and where does each stand in its tree? */

import type { ManifestObject, SelectorSite } from '../manifests/manifest.ts';
import type { Node } from '../manifests/tree.ts';
import { isBuiltIn } from './label-places.ts';
import { storedObjects } from './object-places.ts';
import type { RuleContext } from './rule.ts';
import { placeAt, stepsOf, treeOf } from './trees.ts';

export interface NodeSelectorPlace {
  readonly object: ManifestObject;
  readonly site: SelectorSite;
  readonly root: Node;
  /** The selector, or the one term that stands alone. */
  readonly node: Node;
  /** The API server looks into it. */
  readonly checked: boolean;
}

/** Selectors with `nodeSelectorTerms`, and terms that stand alone; what an alias shows again is there once. */
export function* nodeSelectorPlaces(context: RuleContext): Iterable<NodeSelectorPlace> {
  // Of broken text nobody knows which term was meant to hold a requirement.
  if (context.manifest.syntaxErrors > 0) return;
  const seen = new Set<number>();
  for (const object of storedObjects(context)) {
    for (const site of object.selectorSites) {
      const isTerms = site.fact.form === 'nodeSelector' || site.fact.form === 'nodeSelectorTerm';
      if (!isTerms || !site.fact.plain || site.state === 'null' || seen.has(site.span.start)) continue;
      seen.add(site.span.start);
      const root = treeOf(context, object);
      const place = placeAt(root, stepsOf(site.path));
      if (root === undefined || place === undefined) continue;
      yield { object, site, root, node: place.node, checked: isBuiltIn(object.group) };
    }
  }
}
