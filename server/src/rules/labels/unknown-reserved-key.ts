/**
 * Reports label keys that are almost a well-known key, and unknown keys with a prefix that is reserved for Kubernetes.
 */

import type { Catalogue } from '../../engine/catalogue/types.ts';
import { isReservedPrefix } from '../../engine/index.ts';
import { editDistance } from '../../text/edit-distance.ts';
import { localize } from '../../text/localize.ts';
import { type Fact, rule } from '../framework/rule.ts';
import { shorten } from '../helpers/sentences.ts';
import { type KeySite, keySites, renameKey } from '../helpers/written-keys.ts';

interface UnknownKey extends Fact {
  readonly place: KeySite;
  /** The probably intended well-known key. */
  readonly meant?: string;
}

export const unknownReservedKey = rule<UnknownKey>({
  id: 'unknown-reserved-key',
  severity: 'warning',
  summary:
    'A label key that is almost a well-known key, or an unknown key with a prefix that is reserved for Kubernetes.',
  why: 'Tools look for the exact key `app.kubernetes.io/name` and ignore a misspelled one. The prefixes `kubernetes.io` and `k8s.io` are reserved for Kubernetes, so a later release may give your key another meaning.',
  bad: [
    {
      title: 'Two letters are swapped.',
      text: `apiVersion: v1
kind: ConfigMap
metadata:
  name: prices
  labels:
    app.kubernetes.io/nmae: prices
`,
    },
    {
      title: 'A misspelled prefix.',
      text: `apiVersion: v1
kind: ConfigMap
metadata:
  name: prices
  labels:
    app.kubernets.io/part-of: shop
`,
    },
  ],
  good: [
    {
      title: 'Other keys under a subdomain, and a prefix of your own.',
      text: `apiVersion: v1
kind: ConfigMap
metadata:
  name: prices
  labels:
    app.kubernetes.io/name: prices
    app.kubernetes.io/tier: backend
    shop.example.com/nmae: prices
`,
    },
  ],
  *check({ manifest, catalogue }) {
    for (const place of keySites(manifest)) {
      if (place.as === 'annotation' || !place.key.text.includes('/') || isNodeQuestion(place, catalogue)) continue;
      if (catalogue.key(place.key.text, 'label') !== undefined) continue;
      const meant = meantBy(place.key.text, catalogue);
      if (meant !== undefined) yield { span: place.key.span, place, meant };
      else if (place.where === 'map' && isReservedItself(place.key.text))
        yield { span: place.key.span, place, severity: 'information' };
    }
  },
  message({ place, meant }) {
    const key = shorten(place.key.text);
    if (meant !== undefined) return localize`Label key '${key}' is not known. Did you mean '${meant}'?`;
    const prefix = key.slice(0, key.indexOf('/'));
    return localize`Label key '${key}' is not known, and the prefix '${prefix}' is reserved for Kubernetes; use a prefix of your own.`;
  },
  fixes({ place, meant }) {
    const edits = meant === undefined ? undefined : renameKey(place.object, place.key.text, meant);
    if (edits === undefined) return [];
    return [{ title: localize`Change the key to '${meant}'`, edits, preferred: true }];
  },
});

/** Whether another rule covers the key: labels of nodes have a rule of their own. */
function isNodeQuestion({ where, labeledObjects }: KeySite, catalogue: Catalogue): boolean {
  if (where !== 'asked') return false;
  const nodes = catalogue.key('kubernetes.io/hostname', 'label')?.kinds ?? [];
  return labeledObjects.some(({ group, kind }) => group === '' && nodes.includes(kind));
}

function isReservedItself(key: string): boolean {
  return (key.startsWith('kubernetes.io/') || key.startsWith('k8s.io/')) && !usedByAddOns.has(key);
}

/** Unlisted labels that add-ons of clusters have used for long and that administrators select by. */
const usedByAddOns: ReadonlySet<string> = new Set([
  'kubernetes.io/name',
  'kubernetes.io/minikube-addons',
  'kubernetes.io/minikube-addons-endpoint',
]);

/** The only well-known label under a reserved prefix that differs by a typing mistake. */
function meantBy(key: string, catalogue: Catalogue): string | undefined {
  const slash = key.indexOf('/');
  const near = catalogue.keys().filter((fact) => {
    if (fact.pattern || (fact.type !== 'label' && fact.type !== 'both')) return false;
    const end = fact.key.indexOf('/');
    if (end === -1 || !isReservedPrefix(fact.key.slice(0, end))) return false;
    const [prefix, name] = [fact.key.slice(0, end), fact.key.slice(end + 1)];
    if (prefix === key.slice(0, slash)) return isSlip(key.slice(slash + 1), name);
    return name === key.slice(slash + 1) && isSlip(key.slice(0, slash), prefix);
  });
  const keys = new Set(near.map((fact) => fact.key));
  return keys.size === 1 ? [...keys][0] : undefined;
}

/**
 * Whether two words differ by a typing mistake. In a short word, only a missing, additional or swapped letter: two
 * short words may differ by one letter.
 */
function isSlip(typed: string, word: string): boolean {
  if (bare(typed) === bare(word)) return true;
  const limit = word.length < 7 ? 1 : 2;
  const distance = editDistance(typed, word, limit);
  if (distance > limit || digitsOf(typed) !== digitsOf(word)) return false;
  return word.length >= 7 || typed.length !== word.length || sorted(typed) === sorted(word);
}

function bare(text: string): string {
  return text.toLowerCase().replace(/[-_.]/g, '');
}

function digitsOf(text: string): string {
  return text.replace(/[^0-9]/g, '');
}

function sorted(text: string): string {
  return [...text].toSorted().join('');
}
