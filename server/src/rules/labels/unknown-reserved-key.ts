/** Reports keys of labels and annotations that are almost equal to a well-known key, and unknown label keys with a prefix that is reserved for Kubernetes. */

import type { Catalogue } from '../../engine/catalogue/types.ts';
import { isReservedPrefix } from '../../engine/index.ts';
import { BoundedMap, getOrAdd } from '../../engine/memoize.ts';
import { replaceScalar } from '../../manifests/write/write-text.ts';
import type { Edit } from '../../text/edit.ts';
import { editDistance } from '../../text/edit-distance.ts';
import { localize } from '../../text/localize.ts';
import { type Fact, rule } from '../framework/rule.ts';
import { canRenameInHelpers, hasHelpers } from '../helpers/labels-in-helpers.ts';
import { isNode } from '../helpers/node-selectors.ts';
import { hasOperations } from '../helpers/patch-parts.ts';
import { shorten } from '../helpers/sentences.ts';
import {
  type KeySite,
  keySites,
  keysInCommands,
  keysInHelpers,
  keysInPatches,
  keysInReleases,
  renameKey,
  setsValues,
} from '../helpers/written-keys.ts';

interface UnknownKey extends Fact {
  readonly place: KeySite;
  /** The key that was probably intended. */
  readonly meant?: string;
  /** The prefix that was probably intended, if the key with this prefix is not known either. */
  readonly prefix?: string;
}

export const unknownReservedKey = rule<UnknownKey>({
  id: 'unknown-reserved-key',
  severity: 'warning',
  summary:
    'A key that resembles a well-known key, or an unknown label key with a prefix that is reserved for Kubernetes.',
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
      change: ['app.kubernetes.io/nmae: prices', 'app.kubernets.io/part-of: shop'],
    },
    {
      title: 'An annotation that no tool finds.',
      text: `apiVersion: v1
kind: Service
metadata:
  name: prices
  annotations:
    prometheus.io/scrap: "true"
`,
    },
  ],
  good: [
    {
      title: 'Other keys under a subdomain, and a prefix of your own.',
      change: [
        'app.kubernetes.io/nmae: prices',
        `app.kubernetes.io/name: prices
    app.kubernetes.io/tier: backend
    shop.example.com/nmae: prices`,
      ],
    },
  ],
  dependsOnOthers: (context) => hasOperations(context) || setsValues(context) || hasHelpers(context),
  *check(context) {
    const { manifest, catalogue } = context;
    const inFile = [...keySites(manifest), ...keysInCommands(manifest), ...keysInPatches(context)];
    for (const place of [...inFile, ...keysInHelpers(context), ...keysInReleases(context)]) {
      if (!place.key.text.includes('/') || isNodeQuestion(place, catalogue)) continue;
      const known = catalogue.key(place.key.text, place.as);
      // A catalogue entry for all keys of a prefix (`PREFIX/*`) does not confirm that a key is known.
      if (known !== undefined && !known.key.endsWith('/*')) continue;
      const meant = meantBy(place, catalogue);
      const prefix = meant === undefined ? meantPrefix(place.key.text) : undefined;
      if (meant !== undefined) yield { span: place.key.span, place, meant };
      else if (prefix !== undefined) yield { span: place.key.span, place, prefix };
      else if (place.as === 'label' && place.where === 'map' && isReservedItself(place.key.text))
        yield { span: place.key.span, place, severity: 'information' };
    }
  },
  message({ place, meant, prefix: misspelled }) {
    const key = shorten(place.key.text);
    const what = place.as === 'label' ? 'Label' : 'Annotation';
    if (meant !== undefined) return localize`${what} key '${key}' is not known. Did you mean '${meant}'?`;
    const prefix = key.slice(0, key.indexOf('/'));
    if (misspelled !== undefined)
      return localize`The prefix of ${what.toLowerCase()} key '${key}' is not known. Did you mean '${misspelled}'?`;
    return localize`Label key '${key}' is not known, and the prefix '${prefix}' is reserved for Kubernetes; use a prefix of your own.`;
  },
  fixes({ place, meant, prefix }, context) {
    const { text } = place.key;
    const other = prefix === undefined ? undefined : `${prefix}${text.slice(text.indexOf('/'))}`;
    // A key that is reserved itself would be another mistake.
    const to = meant ?? (other !== undefined && isReservedItself(other) ? undefined : other);
    if (to === undefined || (place.inHelpers && !canRenameInHelpers(context, text, to))) return [];
    const edits = renamed(place, to);
    if (edits === undefined) return [];
    return [{ title: localize`Change the key to '${to}'`, edits, preferred: true }];
  },
});

/** Whether the key is a label of nodes, for which a separate rule (`unknown-node-label`) exists. */
function isNodeQuestion({ where, labeledObjects }: KeySite, catalogue: Catalogue): boolean {
  return where === 'asked' && labeledObjects.some((each) => isNode(each, catalogue));
}

function isReservedItself(key: string): boolean {
  return (key.startsWith('kubernetes.io/') || key.startsWith('k8s.io/')) && !usedByAddOns.has(key);
}

/** Labels that are not listed anywhere, but that add-ons of clusters have used for a long time and that administrators select. */
const usedByAddOns: ReadonlySet<string> = new Set([
  'kubernetes.io/name',
  'kubernetes.io/minikube-addons',
  'kubernetes.io/minikube-addons-endpoint',
]);

const domain = 'kubernetes.io';

/** Returns a prefix with the domain of Kubernetes, if the domain of a prefix is evidently a misspelling of it. */
function meantPrefix(key: string): string | undefined {
  const prefix = key.slice(0, key.indexOf('/'));
  const own = prefix.split('.').slice(-2).join('.');
  if (own === domain || !isEvidentSlip(own, domain)) return undefined;
  return prefix.slice(0, prefix.length - own.length) + domain;
}

/** Returns the edits that rename a key. A label is renamed in the whole object, because selectors of the object may require it. */
function renamed({ object, key, as, inValues }: KeySite, to: string): readonly Edit[] | undefined {
  if (object.inline || inValues) return [replaceScalar(key, to)];
  if (as === 'label') return renameKey(object, key.text, to);
  const isUsed = object.labelSites.some(({ entries }) => entries.some((each) => each.key.text === to));
  return isUsed ? undefined : [replaceScalar(key, to)];
}

/** Caches the keys that were probably intended: the files of a workspace repeat the same keys, and comparing a key with all well-known keys is slow. */
const knownMeant = new WeakMap<Catalogue, BoundedMap<string, readonly string[]>>();

/** Returns the only well-known key that differs by a typing mistake. */
function meantBy({ key: { text: key }, as }: KeySite, catalogue: Catalogue): string | undefined {
  const known = getOrAdd(knownMeant, catalogue, () => new BoundedMap(1_000));
  const near = getOrAdd(known, `${as} ${key}`, () => nearKeys(key, as, catalogue));
  return near.length === 1 ? near[0] : undefined;
}

/** The prefixes of keys that their programs compare without regard to case, or accept in camel case and with dashes. */
const ignoresCase = /^(?:traefik\.ingress\.kubernetes\.io|[a-z.]+\.knative\.dev)$/;

function nearKeys(key: string, as: KeySite['as'], catalogue: Catalogue): readonly string[] {
  const slash = key.indexOf('/');
  const [ownPrefix, ownName] = [key.slice(0, slash), key.slice(slash + 1)];
  const near = catalogue.keys().filter((fact) => {
    if (fact.pattern || (fact.type !== as && fact.type !== 'both')) return false;
    const end = fact.key.indexOf('/');
    if (end === -1) return false;
    const [prefix, name] = [fact.key.slice(0, end), fact.key.slice(end + 1)];
    const isReserved = isReservedPrefix(prefix);
    const isNear = as === 'label' && isReserved ? isSlip : isEvidentSlip;
    if (prefix === ownPrefix && ignoresCase.test(prefix) && bare(name) === bare(ownName)) return false;
    if (prefix === ownPrefix) return isNear(ownName, name);
    return isReserved && name === ownName && isNear(ownPrefix, prefix);
  });
  return [...new Set(near.map((fact) => fact.key))];
}

/** Whether a difference is an evident typing mistake. Tools have many annotations with similar names, so a replaced letter or a plural is not evident. */
function isEvidentSlip(typed: string, word: string): boolean {
  if (bare(typed) === bare(word)) return true;
  if (word.length < 5 || `${typed}s` === word || typed === `${word}s` || digitsOf(typed) !== digitsOf(word))
    return false;
  if (typed.length === word.length) return sorted(typed) === sorted(word) && editDistance(typed, word, 2) <= 2;
  return editDistance(typed, word, 1) <= 1;
}

/** Whether two words differ by a typing mistake. In short words, only missing, additional or swapped letters are mistakes, since two short words often differ by one letter. */
function isSlip(typed: string, word: string): boolean {
  if (bare(typed) === bare(word)) return true;
  // A longer word, such as `viewer` for `view`.
  if (typed.startsWith(word) && typed.length > word.length + 1) return false;
  const limit = word.length < 7 ? 1 : 2;
  const distance = editDistance(typed, word, limit);
  if (distance > limit || digitsOf(typed) !== digitsOf(word)) return false;
  if (distance > 1 && differsInShortWord(typed, word)) return false;
  return word.length >= 7 || typed.length !== word.length || sorted(typed) === sorted(word);
}

/** Whether two keys differ in only one word, which has at most three letters: `created-at` is not a misspelled `created-by`. */
function differsInShortWord(one: string, other: string): boolean {
  const [words, others] = [one.split(/[-_.]/), other.split(/[-_.]/)];
  const [word = '', ...more] = words.filter((each, index) => each !== others[index]);
  return words.length === others.length && more.length === 0 && word.length < 4;
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
