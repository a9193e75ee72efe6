/** Where in one object are its labels and selectors? The places that the catalogue names, as they are filled. */

import type { KindFact, LabelPlace } from '../engine/catalogue/types.ts';
import type { Span } from '../text/span.ts';
import type { LabelKeySite, LabelSite, SelectorSite, TemplateSite } from './manifest.ts';
import { concretePath, type Found, findPlaces, nodeAt } from './places.ts';
import { containerPorts } from './ports.ts';
import { namespaceNames } from './reach-values.ts';
import { labelSite, selectorSite, withSelectors, written } from './sites.ts';
import { childOf, entryOf, type MapEntry, type Node } from './tree.ts';

const ownLabels: LabelPlace = { path: 'metadata.labels', holds: 'labels' };
const ownAnnotations: LabelPlace = { path: 'metadata.annotations', holds: 'annotations' };

export interface Sites {
  readonly labelSites: readonly LabelSite[];
  readonly selectorSites: readonly SelectorSite[];
  readonly templates: readonly TemplateSite[];
  readonly labelKeySites: readonly LabelKeySite[];
}

/** The sites of an object of a kind; `facts` say where they may be. */
export function sitesOf(root: Node, facts: KindFact): Sites {
  const labelSites: LabelSite[] = [];
  const selectorSites: SelectorSite[] = [];
  const labelKeySites: LabelKeySite[] = [];
  const templates: Found[] = [];
  const metadata = childOf(root, 'metadata');
  for (const place of [ownLabels, ownAnnotations]) {
    const entry = entryOf(metadata, place.holds);
    if (entry !== undefined) labelSites.push(labelSite(place.path, place, entry));
  }
  for (const found of findPlaces(root, facts)) {
    const { place, path, node, entry } = found;
    const known = labelSites.some((site) => site.path === path);
    if (place.kind === 'labels' && entry !== undefined && !known) labelSites.push(labelSite(path, place.fact, entry));
    if (place.kind === 'selector') {
      const namespaces = namespaceNames(root, place.fact.reach, path);
      const there = entry === undefined ? node : whereItIs(entry);
      const site = selectorSite(path, place.fact, there, entry?.key.span ?? startOf(node), namespaces);
      selectorSites.push(isIgnored(root, site) ? withSelectors({ ...site, state: 'ignored' }) : site);
    }
    if (place.kind === 'template') templates.push(found);
    if (place.kind === 'labelKey' && node.kind === 'scalar' && node.type !== 'null') {
      labelKeySites.push({ path, place: place.fact, key: written(node) });
    }
  }
  return {
    labelSites,
    selectorSites,
    labelKeySites,
    templates: templates.length === 0 ? [] : templates.flatMap((found) => templateSite(found, labelSites)),
  };
}

/** Another field of the object says that the selector does not count; what a template decides says nothing. */
function isIgnored(root: Node, { fact: { ignored }, path, state }: SelectorSite): boolean {
  if (ignored === undefined || state !== 'present') return false;
  const node = nodeAt(root, concretePath(ignored.at, path));
  if (node !== undefined && (node.kind !== 'scalar' || node.pattern !== undefined)) return false;
  return ignored.is === undefined ? node?.text !== ignored.unless : node?.text === ignored.is;
}

/** The value of an entry where that is there: what decides on the entry decides on nothing in it. */
function whereItIs({ value, conditional, condition }: MapEntry): Node {
  return conditional && condition !== undefined ? without(value, condition) : value;
}

function without(node: Node, condition: string): Node {
  if (node.kind === 'scalar') return node;
  if (node.kind === 'list') return { ...node, items: node.items.map((item) => without(item, condition)) };
  const entries = node.entries.map((entry): MapEntry => {
    const { condition: own, ...others } = { ...entry, value: without(entry.value, condition) };
    if (own === condition) return { ...others, conditional: false };
    // The inner comes first.
    if (own?.endsWith(`, ${condition}`)) return { ...others, condition: own.slice(0, -condition.length - 2) };
    return own === undefined ? others : { ...others, condition: own };
  });
  const parts = node.parts?.map((part) =>
    part.startsWith(`${condition}, `) ? part.slice(condition.length + 2) : part,
  );
  return { ...node, entries, ...(parts && { parts }) };
}

/** An item of a list has no key: what is said about it stands at its first character. */
function startOf(node: Node): Span {
  return { start: node.span.start, end: Math.min(node.span.start + 1, node.span.end) };
}

function templateSite(found: Found, labelSites: readonly LabelSite[]): readonly TemplateSite[] {
  if (found.place.kind !== 'template') return [];
  const { labelsAt } = found.place.fact;
  const path = labelsAt === undefined ? joined(found.path, 'metadata.labels') : concretePath(labelsAt, found.path);
  const labels = labelSites.find((site) => site.path === path);
  const ports = containerPorts(found.node);
  return [
    {
      path: found.path,
      fact: found.place.fact,
      span: found.entry?.key.span ?? startOf(found.node),
      ...(labels && { labels }),
      ...(ports && { ports }),
    },
  ];
}

function joined(base: string, path: string): string {
  return base === '' ? path : `${base}.${path}`;
}
