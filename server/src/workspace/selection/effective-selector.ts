/** Determines the effective selector, which the cluster uses. The catalogue defines what null and empty selectors mean in each field. */

import type { Meaning } from '../../engine/catalogue/types.ts';
import { fromMap, type LabelSet, type NodeSelectorTerm, type Selector } from '../../engine/index.ts';
import type { SelectorSite } from '../../manifests/model.ts';

/** Returns the meaning of an absent, null or empty selector in its field. */
export function meaningOf(site: SelectorSite): Meaning {
  if (site.state === 'absent') return site.fact.absent;
  if (site.aloneInPeer) return 'nothing';
  const stated = site.state === 'null' ? site.fact.null : site.fact.empty;
  return stated === 'sameAsAbsent' ? site.fact.absent : stated;
}

/** Returns the alternative terms of a node selector; none for any other selector, or if no term can be parsed. */
export function termsOf(site: SelectorSite): readonly NodeSelectorTerm[] {
  if (site.state !== 'present') return [];
  const read = site.nodeSelector;
  return (read?.ok ? read.value : read?.partial)?.terms ?? [];
}

/** Returns the label requirements of a node selector term; its field requirements are separate. */
export function selectorOfTerm({ labels, open }: NodeSelectorTerm): Selector {
  if (labels.length === 0 && !open) return { kind: 'everything' };
  return { kind: 'all', requirements: labels, ...(open && { open }) };
}

/** Returns the selectors of which at least one must match: the terms of a node selector, or else the selector itself; empty if it cannot be parsed. */
export function alternativesOf(site: SelectorSite): readonly Selector[] {
  const selector = effectiveSelector(site);
  return selector === undefined ? termsOf(site).map(selectorOfTerm) : [selector];
}

/** Returns the effective selector; undefined if the selector cannot be parsed, or is not a label selector. */
export function effectiveSelector(site: SelectorSite): Selector | undefined {
  if (site.selector === undefined) return undefined;
  if (site.defaults !== undefined) return defaultSelector(site.defaults);
  if (site.state === 'present') return site.selector.ok ? site.selector.value : undefined;
  if (site.state === 'ignored') return { kind: 'nothing' };
  const meaning = meaningOf(site);
  if (meaning === 'nothing' || meaning === 'invalid') return { kind: 'nothing' };
  return { kind: 'everything' };
}

/** Whether the matches of a selector are unknown: another system evaluates it in a form that is not supported, or selects objects of kinds that its own fields determine. */
export function isUnevaluated(site: SelectorSite): boolean {
  return site.state !== 'ignored' && (site.fact.targets.length === 0 || hasUnevaluatedForm(site));
}

/** Whether another system evaluates a selector in a form that is not supported. */
export function hasUnevaluatedForm({
  state,
  fact,
  selector,
  nodeSelector,
  fieldSelector,
  text,
}: SelectorSite): boolean {
  if (fact.form === 'other') return state !== 'ignored' && selector === undefined;
  if (state !== 'present' || nodeSelector !== undefined || fieldSelector !== undefined) return false;
  if (selector === undefined) return true;
  if (fact.language !== undefined) return false;
  if (fact.plain) return false;
  if (!selector.ok || text !== undefined) return true;
  const { value } = selector;
  // Prefixes of keys, such as `k8s:`, labels that Cilium adds, and wildcards have a meaning only in the other system.
  const isSpecial = (each: unknown) =>
    typeof each === 'string' &&
    /[:*?]|^io\.(?:kubernetes\.(?:pod\.namespace|service\.(?:name|namespace))$|cilium\.)/.test(each);
  return value.kind === 'all' && value.requirements.some(({ key, values }) => [key, ...values].some(isSpecial));
}

/** Returns the selector that the API server creates from the labels of a template; the API server rejects a template without labels. */
function defaultSelector({ labels, open }: LabelSet): Selector | undefined {
  if (Object.keys(labels).length === 0 && !open) return { kind: 'nothing' };
  const read = fromMap(labels);
  if (!read.ok) return undefined;
  if (!open) return read.value;
  return { kind: 'all', requirements: read.value.kind === 'all' ? read.value.requirements : [], open };
}
