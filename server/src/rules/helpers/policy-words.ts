/** Finds the namespaces and labels that policies name outside of the requirements that decide alone: namespaces in lists, and, in selectors of Cilium and Calico, labels of namespaces and alternatives. */

import { parseCalicoSelector } from '../../engine/calico/index.ts';
import type { CalicoComparison, CalicoNode, CalicoToken } from '../../engine/calico/types.ts';
import { nameLabel } from '../../engine/catalogue/name-labels.ts';
import { namespaceKey, namespaceLabelPrefix } from '../../engine/cilium/label-keys.ts';
import type { ManifestObject, SelectorSite, Written } from '../../manifests/model.ts';
import { isNamespaceOfPolicy, isOfPolicy } from '../../manifests/sites/references.ts';
import { spanInText } from './text-span.ts';

/** A word in a selector: the name of a namespace, or the value of a label of a namespace or of a pod. */
export interface PolicyWord {
  readonly of: 'namespace' | 'namespace label' | 'pod label';
  /** The key of the label, without a prefix. */
  readonly key: string;
  readonly value: Written;
  /** The key as it is written, and the prefix that it has. */
  readonly keyAt: Written;
  readonly prefix: string;
  /** The values of the key in all alternatives. */
  readonly beside: readonly string[];
}

/** Returns the namespaces that a policy names in lists. Lists beside a selector are compared with the selector. */
export function namespaceWordsIn({ references = [], selectorSites }: ManifestObject): readonly PolicyWord[] {
  const named = references.filter(({ fact }) => isOfPolicy(fact));
  if (named.length === 0) return [];
  const compared = new Set(selectorSites.flatMap(({ namespaces }) => namespaces?.names ?? []));
  const listed = named.filter(isNamespaceOfPolicy);
  const names = listed.map(({ name }) => name.text);
  const word = (value: Written, beside: readonly string[]): PolicyWord => {
    return { of: 'namespace', key: nameLabel, value, keyAt: value, prefix: '', beside };
  };
  return [
    ...listed.flatMap(({ name }) => (compared.has(name.value) ? [] : [word(name, names)])),
    ...named.flatMap(({ fact, namespace }) =>
      fact.form === 'account' && namespace !== undefined ? [word(namespace, [])] : [],
    ),
  ];
}

/** Returns the words of a selector; none for selectors of other systems. */
export function policyWordsIn(site: SelectorSite): readonly PolicyWord[] {
  if (site.state !== 'present') return [];
  if (site.fact.language === 'cilium') return [...ciliumWords(site)];
  return site.fact.language === 'calico' && site.text !== undefined ? calicoWords(site, site.text) : [];
}

function* ciliumWords({ entries, expressions }: SelectorSite): Iterable<PolicyWord> {
  const pairs = [
    ...entries.map(({ key, value }) => ({ key, values: [value] })),
    ...expressions.flatMap(({ key, operator, values }) =>
      key !== undefined && operator?.text === 'In' ? [{ key, values }] : [],
    ),
  ];
  for (const { key, values } of pairs) {
    const plain = key.text.replace(/^(?:k8s|any):/, '');
    const isName = plain === namespaceKey || plain === `${namespaceLabelPrefix}${nameLabel}`;
    if (!isName && !plain.startsWith(namespaceLabelPrefix)) continue;
    const own = isName ? nameLabel : plain.slice(namespaceLabelPrefix.length);
    const prefix = key.text.slice(0, key.text.length - own.length);
    for (const value of values)
      yield {
        of: isName ? 'namespace' : 'namespace label',
        key: own,
        value,
        keyAt: key,
        prefix,
        beside: values.map(({ text }) => text),
      };
  }
}

function calicoWords(site: SelectorSite, text: Written): readonly PolicyWord[] {
  const { root, open } = parseCalicoSelector(text.text, { placeholders: site.placeholders ?? [] });
  if (root === undefined || open) return [];
  const found = [...comparisonsIn(root, false)];
  const isOfNamespaces = /\.namespaceSelector$/.test(site.path);
  return found.flatMap(({ node, isAlternative }): readonly PolicyWord[] => {
    const place = placeOf(node, isOfNamespaces, isAlternative);
    if (place === undefined) return [];
    const beside = found.flatMap((each) => (each.node.key.text === node.key.text ? each.node.values : []));
    return node.values.flatMap((token): readonly PolicyWord[] => {
      const [value, keyAt] = [inText(text, token), inText(text, node.key)];
      if (value === undefined || keyAt === undefined) return [];
      return [{ ...place, value, keyAt, beside: beside.map((each) => each.text) }];
    });
  });
}

/** Yields the comparisons that require one of some values, except in negations. */
function* comparisonsIn(
  node: CalicoNode,
  isAlternative: boolean,
): Iterable<{ readonly node: CalicoComparison; readonly isAlternative: boolean }> {
  if (node.kind === 'and' || node.kind === 'or')
    for (const operand of node.operands) yield* comparisonsIn(operand, isAlternative || node.kind === 'or');
  else if (node.kind === 'comparison' && (node.operator === '==' || node.operator === 'in'))
    yield { node, isAlternative: isAlternative || node.values.length > 1 };
}

const names: ReadonlySet<string> = new Set([
  'projectcalico.org/namespace',
  'pcns.projectcalico.org/name',
  `pcns.${nameLabel}`,
]);

function placeOf(
  { key: { text } }: CalicoComparison,
  isOfNamespaces: boolean,
  isAlternative: boolean,
): Pick<PolicyWord, 'of' | 'key' | 'prefix'> | undefined {
  if (isOfNamespaces ? text === 'projectcalico.org/name' || text === nameLabel : names.has(text))
    return { of: 'namespace', key: nameLabel, prefix: '' };
  if (text.startsWith('pcns.')) return { of: 'namespace label', key: text.slice('pcns.'.length), prefix: 'pcns.' };
  // A requirement that is no alternative decides alone, so that another rule compares it.
  if (!isAlternative || /^(?:pcsa\.|projectcalico\.org\/)/.test(text)) return undefined;
  return { of: isOfNamespaces ? 'namespace label' : 'pod label', key: text, prefix: '' };
}

/** Returns a token without its quotes as a scalar; undefined if its position in the file is unknown. */
function inText(scalar: Written, { text, start, end }: CalicoToken): Written | undefined {
  const quotes = (end - start - text.length) / 2;
  const span = spanInText(scalar, { start: start + quotes, end: end - quotes });
  if (span.end - span.start !== text.length || scalar.origin !== undefined) return undefined;
  return { text, value: text, type: 'string', style: 'plain', span };
}
