/** Finds the values of a chart that its templates write into labels, selectors and similar fields. */

import type { KindFact } from '../../engine/catalogue/types.ts';
import type { ValueSite } from '../model.ts';
import type { Node } from '../yaml/tree.ts';
import { loopedOver, valuesWrittenBy } from './written-values.ts';

/** The maximum number of sites in a template that values contribute to. */
const maximumSites = 200;

/** Finds the sites in one object to which values contribute. `facts` contains the paths of labels and selectors for its kind. */
export function valueSitesIn(
  root: Node,
  type: Omit<ValueSite, 'path' | 'value'>,
  facts: KindFact | undefined,
): readonly ValueSite[] {
  const places = facts === undefined ? [] : pathsOf(facts);
  const sites: ValueSite[] = [];
  const visit = (node: Node, path: readonly string[]): void => {
    if (node.kind === 'scalar' || path.length > maximumDepth || sites.length >= maximumSites) return;
    if (node.kind === 'list') {
      for (const item of node.items) visit(item, [...path, '[]']);
      return;
    }
    const hasMeaning = isTelling(path, places);
    for (const part of hasMeaning ? (node.parts ?? []) : [])
      for (const value of valuesWrittenBy(part)) sites.push({ ...type, path, value });
    for (const { key, value, rendered } of node.entries) {
      const over = hasMeaning && key.pattern !== undefined ? loopedOver(key.text) : undefined;
      if (over !== undefined) sites.push({ ...type, path, value: over, looped: true });
      else if (!rendered) visit(value, [...path, key.text]);
    }
  };
  visit(root, []);
  return sites;
}

const maximumDepth = 20;

function pathsOf({ labels, selectors, labelKeys }: KindFact): readonly string[] {
  const facts = [...labels, ...selectors, ...labelKeys].map(({ path }) => path);
  return ['metadata.labels', 'metadata.annotations', ...facts];
}

/** Whether a path is, or contains, one of the paths `places` of labels or selectors. */
function isTelling(path: readonly string[], places: readonly string[]): boolean {
  const start = path.join('.').replaceAll('.[]', '[]');
  return places.some(
    (place) => place === start || (place.startsWith(start) && '.['.includes(place[start.length] ?? '')),
  );
}
