/** Completion of the labels that Cilium and Calico derive from the namespaces and service accounts of pods. */

import { nameLabel } from '../../engine/catalogue/name-labels.ts';
import { namespaceKey, namespaceLabelPrefix, sourcedKey } from '../../engine/cilium/label-keys.ts';
import type { SelectorSite } from '../../manifests/model.ts';
import { localize } from '../../text/localize.ts';
import { knownNamespaces } from '../selected/known-namespaces.ts';
import type { FileView } from '../view.ts';

/** The prefixes of labels in Calico, with the kinds of the labeled objects. */
const calicoPrefixes = [
  ['pcns.', '/Namespace'],
  ['pcsa.', '/ServiceAccount'],
] as const;
const calicoNames: ReadonlySet<string> = new Set(['projectcalico.org/namespace', 'pcns.projectcalico.org/name']);

/** Returns the values of a derived label, each with its description; empty for other labels. */
export function derivedValues(
  view: FileView,
  { fact, path }: Pick<SelectorSite, 'fact' | 'path'>,
  key: string,
): ReadonlyMap<string, string> {
  if (fact.language === 'cilium') {
    const plain = sourcedKey(key).key;
    if (plain === namespaceKey) return knownNamespaces(view);
    return plain.startsWith(namespaceLabelPrefix)
      ? labelValues(view, '/Namespace', plain.slice(namespaceLabelPrefix.length))
      : none;
  }
  if (fact.language !== 'calico') return none;
  if (isOfNamespaces(path)) return key === 'projectcalico.org/name' ? knownNamespaces(view) : none;
  if (calicoNames.has(key)) return knownNamespaces(view);
  const [prefix, kind] = calicoPrefixes.find(([each]) => key.startsWith(each)) ?? [];
  return prefix === undefined || kind === undefined ? none : labelValues(view, kind, key.slice(prefix.length));
}

/** Returns the derived keys that begin with the typed text, which is not empty. */
export function derivedCalicoKeys(
  view: FileView,
  { path }: Pick<SelectorSite, 'path'>,
  typed: string,
): readonly string[] {
  if (typed === '' || isOfNamespaces(path)) return [];
  const labels = calicoPrefixes.flatMap(([prefix, kind]) =>
    [...view.workspace.labelCounts(kind).keys()].map(([key]) => `${prefix}${key}`),
  );
  return [...calicoNames, ...labels].filter((key) => key.startsWith(typed) && key !== `pcns.${nameLabel}`);
}

const none: ReadonlyMap<string, string> = new Map();

function isOfNamespaces(path: string): boolean {
  return /(?:namespaceSelector|serviceAccountSelector|serviceAccounts\.selector)$/.test(path);
}

function labelValues(
  { workspace }: FileView,
  kind: (typeof calicoPrefixes)[number][1],
  key: string,
): ReadonlyMap<string, string> {
  const values = workspace.labelCounts(kind).values(key);
  const description = kind === '/Namespace' ? localize`label of a namespace` : localize`label of a service account`;
  return new Map([...values].map(([value]) => [value, description]));
}
