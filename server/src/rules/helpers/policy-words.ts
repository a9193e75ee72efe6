/** Finds the namespaces and labels that policies name outside of the requirements that decide alone: namespaces in lists, and, in selectors of Cilium and Calico, labels of namespaces, service accounts, alternatives, and keys that only the system defines. */

import { parseCalicoSelector } from '../../engine/calico/index.ts';
import type { CalicoComparison, CalicoNode, CalicoToken } from '../../engine/calico/types.ts';
import { nameLabel } from '../../engine/catalogue/name-labels.ts';
import {
  clusterKey,
  isPodSource,
  namespaceKey,
  namespaceLabelPrefix,
  serviceAccountKey,
} from '../../engine/cilium/label-keys.ts';
import type { ManifestObject, SelectorSite, Written } from '../../manifests/model.ts';
import { isNamespaceOfPolicy, isOfPolicy } from '../../manifests/sites/references.ts';
import { editDistance } from '../../text/edit-distance.ts';
import { isLikelyMisspelling } from '../../text/misspelling.ts';
import { spanInText } from './text-span.ts';

/** A word in a selector: the name of a namespace or of a service account, or the value of a label of a namespace or of a pod. */
export interface PolicyWord {
  readonly of: 'namespace' | 'service account' | 'namespace label' | 'pod label';
  /** The key of the label, without a prefix. */
  readonly key: string;
  readonly value: Written;
  /** The key as it is written, and the prefix that it has. */
  readonly keyAt: Written;
  readonly prefix: string;
  /** The values of the key in all alternatives. */
  readonly beside: readonly string[];
  /** Set if the selector excludes the value. */
  readonly isExcluded?: true;
}

/** A key in a selector that is similar to a key which only Cilium or Calico defines. */
export interface MisspelledKey {
  readonly key: Written;
  /** The key that was probably intended, as it would be written. */
  readonly actual: string;
  /** The key without the source of the label. */
  readonly label: string;
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
    ...entries.map(({ key, value }) => ({ key, values: [value], isExcluded: false })),
    ...expressions.flatMap(({ key, operator, values }) =>
      key !== undefined && (operator?.text === 'In' || operator?.text === 'NotIn')
        ? [{ key, values, isExcluded: operator.text === 'NotIn' }]
        : [],
    ),
  ];
  for (const { key, values, isExcluded } of pairs) {
    const plain = key.text.replace(/^(?:k8s|any):/, '');
    const place = ciliumPlaceOf(plain);
    if (place === undefined || (isExcluded && place.of !== 'namespace')) continue;
    const prefix = key.text.slice(0, key.text.length - place.key.length);
    const beside = values.map(({ text }) => text);
    for (const value of values)
      yield { ...place, value, keyAt: key, prefix, beside, ...(isExcluded && { isExcluded: true as const }) };
  }
}

function ciliumPlaceOf(plain: string): Pick<PolicyWord, 'of' | 'key'> | undefined {
  if (plain === namespaceKey || plain === `${namespaceLabelPrefix}${nameLabel}`)
    return { of: 'namespace', key: nameLabel };
  if (plain === serviceAccountKey) return { of: 'service account', key: plain };
  return plain.startsWith(namespaceLabelPrefix)
    ? { of: 'namespace label', key: plain.slice(namespaceLabelPrefix.length) }
    : undefined;
}

function calicoWords(site: SelectorSite, text: Written): readonly PolicyWord[] {
  const { root, open } = parseCalicoSelector(text.text, { placeholders: site.placeholders ?? [] });
  if (root === undefined || open) return [];
  const found = [...comparisonsIn(root, { isAlternative: false, isNegated: false })];
  return found.flatMap(({ node, isAlternative, isExcluded }): readonly PolicyWord[] => {
    const place = placeOf(node, site.path, isAlternative);
    if (place === undefined || (isExcluded && place.of !== 'namespace')) return [];
    const beside = found.flatMap((each) => (each.node.key.text === node.key.text ? each.node.values : []));
    return node.values.flatMap((token): readonly PolicyWord[] => {
      const [value, keyAt] = [inText(text, token), inText(text, node.key)];
      if (value === undefined || keyAt === undefined) return [];
      const others = beside.map((each) => each.text);
      return [{ ...place, value, keyAt, beside: others, ...(isExcluded && { isExcluded: true as const }) }];
    });
  });
}

interface Position {
  readonly isAlternative: boolean;
  readonly isNegated: boolean;
}

interface FoundComparison {
  readonly node: CalicoComparison;
  readonly isAlternative: boolean;
  /** Whether the comparison excludes the values. */
  readonly isExcluded: boolean;
}

/** Yields the comparisons that require or exclude some values. */
function* comparisonsIn(node: CalicoNode, { isAlternative, isNegated }: Position): Iterable<FoundComparison> {
  if (node.kind === 'and' || node.kind === 'or') {
    const position = { isAlternative: isAlternative || node.kind === 'or', isNegated };
    for (const operand of node.operands) yield* comparisonsIn(operand, position);
  } else if (node.kind === 'not') yield* comparisonsIn(node.operand, { isAlternative, isNegated: !isNegated });
  else if (node.kind === 'comparison') {
    const isNegative = node.operator === '!=' || node.operator === 'not in';
    if (isNegative || node.operator === '==' || node.operator === 'in')
      yield {
        node,
        isAlternative: isAlternative || node.values.length > 1,
        isExcluded: isNegative !== isNegated,
      };
  }
}

const namespaceNames: ReadonlySet<string> = new Set([
  'projectcalico.org/namespace',
  'pcns.projectcalico.org/name',
  `pcns.${nameLabel}`,
]);

const accountNames: ReadonlySet<string> = new Set(['projectcalico.org/serviceaccount', 'pcsa.projectcalico.org/name']);

const ownName = 'projectcalico.org/name';

function placeOf(
  { key: { text } }: CalicoComparison,
  path: string,
  isAlternative: boolean,
): Pick<PolicyWord, 'of' | 'key' | 'prefix'> | undefined {
  const isOfNamespaces = isNamespaceSelector(path);
  const isOfAccounts = isAccountSelector(path);
  if (isOfNamespaces ? text === ownName || text === nameLabel : namespaceNames.has(text))
    return { of: 'namespace', key: nameLabel, prefix: '' };
  if (isOfAccounts ? text === ownName : accountNames.has(text)) return { of: 'service account', key: text, prefix: '' };
  if (text.startsWith('pcns.')) return { of: 'namespace label', key: text.slice('pcns.'.length), prefix: 'pcns.' };
  // A requirement that is no alternative decides alone, so that another rule compares it.
  if (!isAlternative || isOfAccounts || /^(?:pcsa\.|projectcalico\.org\/)/.test(text)) return undefined;
  return { of: isOfNamespaces ? 'namespace label' : 'pod label', key: text, prefix: '' };
}

function isNamespaceSelector(path: string): boolean {
  return /\.namespaceSelector$/.test(path);
}

function isAccountSelector(path: string): boolean {
  return /\.serviceAccount(?:Selector|s\.selector)$/.test(path);
}

/** Returns the keys of a selector that are similar to a key which only Cilium or Calico defines. */
export function misspelledKeysIn(site: SelectorSite): readonly MisspelledKey[] {
  if (site.state !== 'present') return [];
  if (site.fact.language === 'cilium')
    return [...site.entries, ...site.expressions].flatMap(({ key }) => (key === undefined ? [] : ciliumKey(key)));
  if (site.fact.language !== 'calico' || site.text === undefined) return [];
  const { text } = site;
  const { root, open } = parseCalicoSelector(text.text, { placeholders: site.placeholders ?? [] });
  const isOfPods = !isNamespaceSelector(site.path) && !isAccountSelector(site.path);
  const known = isOfPods ? keysOfPods : [ownName];
  return root === undefined || open ? [] : keysIn(root).flatMap((token) => calicoKey(inText(text, token), known));
}

const keysOfPods = [...namespaceNames, ...accountNames, 'projectcalico.org/orchestrator'];

function keysIn(node: CalicoNode): readonly CalicoToken[] {
  switch (node.kind) {
    case 'and':
    case 'or':
      return node.operands.flatMap(keysIn);
    case 'not':
      return keysIn(node.operand);
    case 'comparison':
      return [node.key];
    default:
      return [];
  }
}

function calicoKey(key: Written | undefined, known: readonly string[]): readonly MisspelledKey[] {
  if (key === undefined || known.includes(key.text)) return [];
  const [actual, ...others] = known.filter((each) => isLikelyMisspelling(key.text, each));
  return actual === undefined || others.length > 0 ? [] : [{ key, actual, label: key.text }];
}

function ciliumKey(key: Written): readonly MisspelledKey[] {
  if (typeof key.value !== 'string') return [];
  const at = key.text.indexOf(':');
  const [source, label] = at === -1 ? ['', key.text] : [key.text.slice(0, at), key.text.slice(at + 1)];
  if (source !== '' && !isPodSource(source)) {
    const near = ['k8s', 'any'].find((each) => editDistance(source.toLowerCase(), each, 1) <= 1);
    return near === undefined || label === '' ? [] : [{ key, actual: `${near}:${label}`, label: key.text }];
  }
  const isKnown = label.startsWith(namespaceLabelPrefix) || ciliumKeys.includes(label);
  const [head, rest] = atSegment(label, namespaceLabelPrefix.split('.').length - 1);
  const near = isKnown ? [] : ciliumKeys.filter((each) => isLikelyMisspelling(label, each));
  if (!isKnown && rest !== '' && isLikelyMisspelling(head, namespaceLabelPrefix.slice(0, -1)))
    near.push(`${namespaceLabelPrefix}${rest}`);
  const [actual, ...others] = near;
  if (actual === undefined || others.length > 0) return [];
  return [{ key, actual: source === '' ? actual : `${source}:${actual}`, label }];
}

const ciliumKeys = [namespaceKey, serviceAccountKey, clusterKey];

/** Splits a key after some of its segments. */
function atSegment(key: string, segments: number): readonly [head: string, rest: string] {
  const parts = key.split('.');
  return [parts.slice(0, segments).join('.'), parts.slice(segments).join('.')];
}

/** Returns a token without its quotes as a scalar; undefined if its position in the file is unknown. */
function inText(scalar: Written, { text, start, end }: CalicoToken): Written | undefined {
  const quotes = (end - start - text.length) / 2;
  const span = spanInText(scalar, { start: start + quotes, end: end - quotes });
  if (span.end - span.start !== text.length || scalar.origin !== undefined) return undefined;
  return { text, value: text, type: 'string', style: 'plain', span };
}
