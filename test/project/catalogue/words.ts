/** Which words of the facts become which words of ours? */

import type { KeyFact, NameRule, SelectorForm } from '../../../server/src/engine/catalogue/types.ts';

/** How the facts name forms. Those that are no selectors at all have no row: they name keys, fields or objects. */
export const FORMS: Readonly<Record<string, SelectorForm>> = {
  labelSelector: 'labelSelector',
  matchLabelsOnly: 'matchLabelsOnly',
  matchExpressionsOnly: 'matchExpressionsOnly',
  map: 'map',
  nodeSelectorMap: 'nodeSelectorMap',
  nodeSelector: 'nodeSelector',
  nodeSelectorTerm: 'nodeSelectorTerm',
  requirements: 'requirements',
  string: 'string',
  fieldSelectorString: 'fieldSelectorString',
  fieldSelectorMap: 'fieldSelectorMap',
  topologySelectorTerms: 'other',
  calicoExpression: 'other',
  scopeSelector: 'other',
  cel: 'other',
  expr: 'other',
  featureExpressions: 'other',
  tagList: 'other',
  glob: 'other',
  list: 'other',
  fields: 'other',
  object: 'other',
};

/** Forms of entries that hold label keys; they become label key places. */
export const KEY_FORMS: ReadonlySet<string> = new Set(['labelKeys', 'labelKey']);

/** Forms of entries that say how objects belong together without any selector. */
export const NO_SELECTOR: ReadonlySet<string> = new Set(['labelReference', 'jsonPath', 'none']);

/** Name rules that we check; kinds with another rule have none here. */
export const NAME_RULES: ReadonlySet<string> = new Set<NameRule>([
  'dns1123Subdomain',
  'dns1123Label',
  'dns1035Label',
  'pathSegment',
]);

/** What kind of key it is. Keys of audit annotations are left out: no manifest holds them. */
export function keyType(type: string | readonly string[]): KeyFact['type'] | undefined {
  if (type === 'label' || type === 'annotation' || type === 'taint') return type;
  return type === 'auditAnnotation' ? undefined : 'both';
}

/** The pattern of a key: every kind of placeholder in the facts becomes `*`. */
export function keyPattern(key: string): string {
  return key.replaceAll(/<[^>]*>|\$[a-z]+|\{[a-z]+\}/g, '*');
}
