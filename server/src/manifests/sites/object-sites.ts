/** Finds the labels and selectors of an object at the field paths in the catalogue for its kind. */

import { isBuiltIn } from '../../engine/catalogue/built-in-groups.ts';
import type { IgnoredWhere, KindFact, LabelField, SelectorFact, TemplateFact } from '../../engine/catalogue/types.ts';
import { getOrAdd } from '../../engine/memoize.ts';
import { globMatcher } from '../../text/glob.ts';
import type { Span } from '../../text/span.ts';
import type { LabelKeySite, LabelSite, ManifestObject, Mutable, SelectorSite, TemplateSite } from '../model.ts';
import { readKey } from '../yaml/scalar-types.ts';
import { childOf, entryOf, type MapEntry, type Node } from '../yaml/tree.ts';
import { concretePath, type Found, findFieldSites, itemsAt, nodeAt } from './catalogue-paths.ts';
import { imagesOf } from './images.ts';
import { labelKeySite } from './label-key-sites.ts';
import { namespaceNames } from './listed-namespaces.ts';
import { peerSelectors } from './network-policy-peers.ts';
import { containerPorts } from './ports.ts';
import { knownLabels, labelSite, selectorSite, withSelectors, written } from './sites.ts';

const ownLabels: LabelField = { path: 'metadata.labels', holds: 'labels' };
const ownAnnotations: LabelField = { path: 'metadata.annotations', holds: 'annotations' };

export interface Sites {
  readonly labelSites: readonly LabelSite[];
  readonly selectorSites: readonly SelectorSite[];
  readonly templates: readonly TemplateSite[];
  readonly labelKeySites: readonly LabelKeySite[];
}

/** The previous version of an object, and the sites in it. */
export interface Before {
  readonly root: Node;
  readonly sites: Sites;
}

/** Finds the sites in an object; `facts` describes its kind. Parts that are unchanged since `before` keep their sites. */
export function sitesOf(root: Node, facts: KindFact, before?: Before): Sites {
  const labelSites = ownSites(root, before);
  const selectorSites: SelectorSite[] = [];
  const labelKeySites: LabelKeySite[] = [];
  const templates: (Found | TemplateSite)[] = [];
  for (const found of findFieldSites(root, facts, before?.root)) {
    const { place, path, node, entry } = found;
    if (place.kind === 'same' && before !== undefined) {
      const { sites } = before;
      for (const site of sites.labelSites) if (isAt(site, path) && !labelSites.includes(site)) labelSites.push(site);
      for (const site of sites.selectorSites) if (isAt(site, path)) selectorSites.push(switched(root, site));
      for (const site of sites.labelKeySites) if (isAt(site, path)) labelKeySites.push(site);
      for (const site of sites.templates) if (isAt(site, path)) templates.push(site);
    }
    if (place.kind === 'labels' && entry !== undefined && !labelSites.some((site) => site.path === path))
      labelSites.push(labelSite(path, place.fact, entry));
    if (place.kind === 'selector') {
      const namespaces = namespaceNames(root, place.fact.reach, path);
      const there = entry === undefined ? node : whereItIs(entry);
      const isExact = place.fact.form === 'labelSelector' && isBuiltIn(facts.group);
      const site = selectorSite(path, place.fact, there, entry?.key.span ?? startOf(node), namespaces, isExact);
      selectorSites.push(switched(root, site));
    }
    if (place.kind === 'template' && creates(root, place.fact)) templates.push(found);
    const labelKey = place.kind === 'labelKey' ? labelKeySite(path, place.fact, node) : undefined;
    if (labelKey !== undefined) labelKeySites.push(labelKey);
  }
  for (const fact of getOrAdd(effectiveUnwritten, facts, effectiveIfUnwritten))
    for (const { path, span } of placesOf(root, fact)) {
      if (selectorSites.some((site) => site.path === path)) continue;
      const replaced = (fact.absentUnless ?? []).map((each) => presenceOf(root, concretePath(each, path)));
      if (replaced.includes('yes')) continue;
      selectorSites.push(unwrittenSite(root, facts, fact, { path, span, isUncertain: replaced.includes('maybe') }));
    }
  return {
    labelSites,
    selectorSites: selectorSites.map((site) =>
      withWeight(root, withPeer(root, facts, withDefaults(root, site, labelSites))),
    ),
    labelKeySites,
    templates: templates.length === 0 ? [] : templates.flatMap((each) => templateSite(each, labelSites)),
  };
}

const effectiveUnwritten = new WeakMap<KindFact, readonly SelectorFact[]>();

/** Returns the facts about selectors that select objects even if they are absent: a NetworkPolicy without `podSelector` applies to all pods in its namespace, and a ReplicationController without `selector` uses the labels of its template. */
function effectiveIfUnwritten({ group, selectors }: KindFact): readonly SelectorFact[] {
  const isFilled = (fact: SelectorFact) =>
    isBuiltIn(group) && fact.filledFrom === 'templateLabels' && !fact.path.includes('[');
  return selectors.filter((fact) => fact.absentUnless !== undefined || isFilled(fact));
}

/** Returns the paths that a selector may have, one in each item of its list, and the ranges at which messages about an absent selector are shown. */
function placesOf(root: Node, { path }: SelectorFact): readonly { readonly path: string; readonly span: Span }[] {
  if (!path.includes('[')) return [{ path, span: entryOf(root, 'kind')?.value.span ?? startOf(root) }];
  const at = path.lastIndexOf('[]') + 2;
  return itemsAt(root, path.slice(0, at)).map((item) => ({
    path: `${item.path}${path.slice(at)}`,
    span: startOf(item.node),
  }));
}

/** Returns the site with the labels that the API server uses as the default selector. The default applies to an equality selector if it is absent or empty, and to a label selector only if it is absent (`SetDefaults_ReplicationController` in k8s.io/kubernetes/pkg/apis/core/v1). */
function withDefaults(root: Node, site: SelectorSite, labelSites: readonly LabelSite[]): SelectorSite {
  const { fact, state, path, open } = site;
  if (fact.filledFrom !== 'templateLabels' || fact.templateLabelsAt === undefined) return site;
  if (state === 'present' || state === 'ignored' || (state === 'empty' && fact.form !== 'map')) return site;
  const labelsPath = concretePath(fact.templateLabelsAt, path);
  const labels = labelSites.find((each) => each.path === labelsPath);
  const known = knownLabels(labels?.entries ?? [], labels?.open ?? mayBeWritten(root, labelsPath));
  return withSelectors({ ...site, defaults: { labels: known.labels, open: known.open || open } });
}

/** Returns the site; if its selector is null and the only selector of its network policy peer, the site is marked. */
function withPeer(root: Node, facts: KindFact, site: SelectorSite): SelectorSite {
  const { state, fact, path } = site;
  const fields = state === 'null' ? peerSelectors(facts, fact.path) : [];
  if (fields.length === 0) return site;
  const peer = nodeAt(root, path.slice(0, path.lastIndexOf('.')));
  const isAlone = peer?.kind === 'map' && !peer.open && fields.every((field) => isNull(entryOf(peer, field)));
  if (isAlone === (site.aloneInPeer === true)) return site;
  const { aloneInPeer: _, ...others } = site;
  return withSelectors(isAlone ? { ...others, aloneInPeer: true } : others);
}

/** Returns the site of a preferred node selector term, with the weight that is set next to the term. */
function withWeight(root: Node, site: SelectorSite): SelectorSite {
  if (site.fact.role !== 'nodePreference') return site;
  const node = nodeAt(root, `${site.path.slice(0, site.path.lastIndexOf('.'))}.weight`);
  const weight = node?.kind === 'scalar' ? written(node).value : undefined;
  if (weight === site.weight) return site;
  const { weight: _, ...others } = site;
  return withSelectors(weight === undefined ? others : { ...others, weight });
}

function isNull(entry: MapEntry | undefined): boolean {
  return entry === undefined || (!entry.conditional && entry.value.kind === 'scalar' && entry.value.type === 'null');
}

function unwrittenSite(
  root: Node,
  facts: KindFact,
  fact: SelectorFact,
  { path, span, isUncertain }: { readonly path: string; readonly span: Span; readonly isUncertain: boolean },
): SelectorSite {
  return withSelectors({
    path,
    fact,
    keySpan: span,
    span,
    state: 'absent',
    entries: [],
    expressions: [],
    open: isUncertain || mayBeWritten(root, path) || isNarrowed(root, facts, fact),
    data: {},
  });
}

/** Whether other selectors of the object, in a form that is not evaluated, may restrict an absent selector of that form. */
function isNarrowed(root: Node, { selectors }: KindFact, { form, path }: SelectorFact): boolean {
  const others = form === 'other' ? selectors.filter((each) => each.form === form && !each.path.includes('[')) : [];
  return others.some((each) => each.path !== path && presenceOf(root, each.path) !== 'no');
}

/** Whether a template may write a field that the object does not contain. */
function mayBeWritten(root: Node, path: string): boolean {
  return presenceOf(root, path) === 'maybe';
}

/** Whether a field is set: null and an empty list have the same effect as an absent field. */
function presenceOf(root: Node, path: string): 'yes' | 'no' | 'maybe' {
  let node: Node | undefined = root;
  let isConditional = false;
  for (const key of path.split(/\]?[.[]|\]$/)) {
    if (node?.kind === 'list') {
      node = node.items[Number(key)];
      continue;
    }
    if (node?.kind === 'scalar') return node.pattern === undefined ? 'no' : 'maybe';
    const entry = entryOf(node, key);
    if (entry === undefined) {
      const isOpen = node?.kind === 'map' && (node.open || node.entries.some((each) => each.key.pattern !== undefined));
      return isOpen ? 'maybe' : 'no';
    }
    isConditional ||= entry.conditional;
    node = entry.value;
  }
  if (node === undefined) return 'no';
  if (node.kind === 'scalar' && node.pattern !== undefined) return 'maybe';
  if (node.kind === 'scalar' ? node.type === 'null' : node.kind === 'list' && !node.open && node.items.length === 0)
    return 'no';
  return isConditional || (node.kind === 'list' && node.items.length === 0) ? 'maybe' : 'yes';
}

/** Returns the site, with the state `ignored` if a different field of the object disables the selector. */
function switched(root: Node, site: SelectorSite): SelectorSite {
  const { state, fact, path } = site;
  if (fact.ignored === undefined || (state !== 'present' && state !== 'ignored')) return site;
  const isOff = isIgnored(fact.ignored, nodeAt(root, concretePath(fact.ignored.at, path)));
  return isOff === (state === 'ignored') ? site : withSelectors({ ...site, state: isOff ? 'ignored' : 'present' });
}

/** Whether the value of a field disables a selector. A value that depends on a template does not disable it. */
function isIgnored(where: IgnoredWhere, node: Node | undefined): boolean {
  if (node !== undefined && (node.kind !== 'scalar' || node.pattern !== undefined)) return false;
  const word = node && readKey(node);
  return where.is === undefined ? word !== where.unless : word === where.is;
}

function ownSites(root: Node, before: Before | undefined): LabelSite[] {
  const sites: LabelSite[] = [];
  const metadata = childOf(root, 'metadata');
  const metadataBefore = childOf(before?.root, 'metadata');
  for (const place of [ownLabels, ownAnnotations]) {
    const entry = entryOf(metadata, place.holds);
    if (entry === undefined) continue;
    const site = before?.sites.labelSites.find(({ path }) => path === place.path);
    const node = childOf(metadataBefore, place.holds);
    const known = site && node?.kind === 'map' ? { site, node } : undefined;
    sites.push(known?.node === entry.value ? known.site : labelSite(place.path, place, entry, known));
  }
  return sites;
}

function isAt(site: { readonly path: string }, path: string): boolean {
  if (!site.path.startsWith(path)) return false;
  const next = site.path[path.length];
  return next === undefined || next === '.' || next === '[';
}

/** Returns the value of a conditional entry for the case that the entry exists: its condition is removed from the nodes in the value. */
function whereItIs({ value, conditional, condition }: MapEntry): Node {
  return conditional && condition !== undefined ? without(value, condition) : value;
}

function without(node: Node, condition: string): Node {
  if (node.kind === 'scalar') return node;
  if (node.kind === 'list') return { ...node, items: node.items.map((item) => without(item, condition)) };
  const entries = node.entries.map((entry): MapEntry => {
    const { condition: own, ...others } = { ...entry, value: without(entry.value, condition) };
    if (own === condition) return { ...others, conditional: false };
    // In a combined condition, outer conditions come last.
    if (own?.endsWith(`, ${condition}`)) return { ...others, condition: own.slice(0, -condition.length - 2) };
    return own === undefined ? others : { ...others, condition: own };
  });
  const parts = node.parts?.map((part) =>
    part.startsWith(`${condition}, `) ? part.slice(condition.length + 2) : part,
  );
  return { ...node, entries, ...(parts && { parts }) };
}

/** Returns the range at which messages about a list item are shown: its first character, because it has no key. */
function startOf(node: Node): Span {
  return { start: node.span.start, end: Math.min(node.span.start + 1, node.span.end) };
}

/** Whether an object creates the objects of a template in its namespace. */
function creates(root: Node, { unless }: TemplateFact): boolean {
  const value = unless === undefined ? undefined : nodeAt(root, unless.at);
  if (unless === undefined || value?.kind !== 'scalar' || value.pattern !== undefined) return true;
  return !globMatcher(unless.values)(value.text);
}

function templateSite(found: Found | TemplateSite, labelSites: readonly LabelSite[]): readonly TemplateSite[] {
  if ('fact' in found) return [withLabels(found, labelSites)];
  if (found.place.kind !== 'template') return [];
  const path = labelsPathOf(found.path, found.place.fact);
  const labels = labelSites.find((site) => site.path === path);
  const ports = containerPorts(found.node);
  const images = imagesOf(found.node);
  const site: Mutable<TemplateSite> = {
    path: found.path,
    fact: found.place.fact,
    span: found.entry?.key.span ?? startOf(found.node),
  };
  if (labels !== undefined) site.labels = labels;
  if (ports !== undefined) site.ports = ports;
  if (images.length > 0) site.images = images;
  return [site];
}

function withLabels(template: TemplateSite, labelSites: readonly LabelSite[]): TemplateSite {
  if (template.labels !== undefined && labelSites.includes(template.labels)) return template;
  const path = labelsPathOf(template.path, template.fact);
  const labels = labelSites.find((site) => site.path === path);
  if (labels === template.labels) return template;
  const { labels: _, ...rest } = template;
  return { ...rest, ...(labels && { labels }) };
}

function labelsPathOf(path: string, { labelsAt }: TemplateFact): string {
  return labelsAt === undefined ? joined(path, 'metadata.labels') : concretePath(labelsAt, path);
}

function joined(base: string, path: string): string {
  return base === '' ? path : `${base}.${path}`;
}

/** Returns the span of an object's name or, if it has no name, of its kind. */
export function nameSpan({ name, generateName, kindSpan }: ManifestObject): Span {
  return (name ?? generateName)?.span ?? kindSpan;
}
