/** Writes selectors as text. */

import { placedSelector } from '../../engine/cilium/own-requirements.ts';
import { format, type NodeSelectorTerm } from '../../engine/index.ts';
import type { SelectorSite } from '../../manifests/model.ts';
import {
  alternativesOf,
  effectiveSelector,
  selectorOfTerm,
  termsOf,
} from '../../workspace/selection/effective-selector.ts';

/** Returns a selector in the syntax of `kubectl get -l`, with alternatives joined with `or`; an expression of Calico as it is written. */
export function selectorText(site: SelectorSite): string {
  const { data, fact, path, state } = site;
  if (fact.language === 'calico' && typeof data === 'string') return data.trim();
  if (fact.language === 'cilium' && state === 'present') return sourcedText(data, path, fact.reach === 'all');
  const terms = effectiveSelector(site) === undefined ? termsOf(site) : [];
  const all = terms.length > 0 ? terms.map(termText) : alternativesOf(site).map((each) => format(each, 'canonical'));
  const plain = all.join(' or ');
  return [...wildcardsIn(site), plain].filter((text) => text !== '').join(',');
}

/** Returns the requirements of a term of a node selector, including those in `matchFields`. */
function termText(term: NodeSelectorTerm): string {
  const fields = term.fields.map(
    ({ field, operator, value }) => `${field}${operator}${typeof value === 'string' ? value : value.unknown}`,
  );
  return [format(selectorOfTerm(term), 'canonical'), ...fields].filter((text) => text !== '').join(',');
}

/** Returns the entries of a selector of Kyverno with wildcards, which are no requirements of Kubernetes. */
function wildcardsIn({ fact, entries }: SelectorSite): readonly string[] {
  if (fact.language !== 'rules' || fact.plain) return [];
  return entries.map(({ key, value }) => `${key.text}=${value.text}`).filter((text) => /[*?]/.test(text));
}

/** Returns a selector of Cilium with the sources of its keys. */
function sourcedText(data: unknown, path: string, isClusterwide: boolean): string {
  const isPeer = path.endsWith(']');
  const placed = placedSelector(data, isPeer ? 'peer' : 'endpointSelector', isClusterwide && !isPeer);
  const requirements = (placed?.selector.requirements ?? []).map(({ source, key, operator, values }) => ({
    key: source === 'any' ? key : `${source}:${key}`,
    operator,
    values,
  }));
  return format({ kind: 'all', requirements }, 'canonical');
}
