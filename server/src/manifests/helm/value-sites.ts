/** Finds the values of a chart that its templates write into labels, selectors and similar fields. */

import type { KindFact } from '../../engine/catalogue/types.ts';
import type { MapEntry, Node } from '../yaml/tree.ts';
import type { ValueSite } from './value-site.ts';
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
    for (const entry of node.entries) {
      const over = hasMeaning && entry.key.pattern !== undefined ? loopedOver(entry.key.text) : undefined;
      if (over === undefined) {
        if (!entry.rendered) visit(entry.value, [...path, entry.key.text]);
      } else if (isCopied(entry, over)) sites.push({ ...type, path, value: over, looped: true });
    }
  };
  visit(root, []);
  return sites;
}

/** Whether a loop writes each entry of a value as it is, and leaves out none of them. */
function isCopied({ value, condition }: MapEntry, over: readonly string[]): boolean {
  const code = `.Values.${over.join('.')}`;
  if (value.kind !== 'scalar' || condition === undefined) return false;
  const copies = [`${code}[]`, `tpl ${code}[] .`, `tpl (toString ${code}[]) .`];
  return copies.some((copy) => value.text === `{{ ${copy} }}`) && condition.split(', ').at(-1) === `range ${code}`;
}

const maximumDepth = 20;

function pathsOf({ labels, selectors, labelKeys, templates }: KindFact): readonly string[] {
  const facts = [...labels, ...selectors, ...labelKeys].map(({ path }) => path);
  const tolerations = templates.flatMap(({ path, makes }) =>
    makes.kind === 'Pod' ? `${path === '' ? '' : `${path}.`}spec.tolerations` : [],
  );
  return ['metadata.labels', 'metadata.annotations', ...facts, ...tolerations];
}

/** Whether a path is, or contains, one of the paths `places` of labels or selectors. */
function isTelling(path: readonly string[], places: readonly string[]): boolean {
  const start = path.join('.').replaceAll('.[]', '[]');
  return places.some(
    (place) => place === start || (place.startsWith(start) && '.['.includes(place[start.length] ?? '')),
  );
}
