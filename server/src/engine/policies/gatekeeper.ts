/** Evaluates `match` of constraints and mutators of Gatekeeper. Source: pkg/mutation/match of Gatekeeper. */

import { fieldOf, isRecord } from '../structured.ts';
import {
  all,
  because,
  byTemplate,
  dependsOnTemplate,
  fieldAnswer,
  invalid,
  itemsOf,
  no,
  ofValue,
  selectorAnswer,
  stringsOf,
  yes,
} from './three-valued.ts';
import { isNamespace, type PolicyAnswer, type PolicyResource } from './types.ts';
import { matchesGlob } from './wildcards.ts';

/** Whether a constraint applies to an object that people apply, or that an expansion template makes. */
export function gatekeeperAnswer(
  match: unknown,
  resource: PolicyResource,
  source: 'Original' | 'Generated' = 'Original',
): PolicyAnswer {
  if (match === undefined || match === null) return yes;
  if (!isRecord(match)) return invalid;
  const of = (name: string, answer: (data: unknown) => PolicyAnswer) => fieldAnswer(match, name, answer);
  return all([
    of('source', (wanted) => sourceAnswer(wanted, source)),
    // Invalid selectors are found first, because they make the whole constraint invalid.
    of('labelSelector', (selector) => selectorAnswer(selector, resource.labels, 'its labels are unknown')),
    of('namespaceSelector', (selector) => namespaceSelectorAnswer(selector, resource)),
    of('kinds', (kinds) => kindsAnswer(itemsOf(kinds), resource)),
    of('scope', (scope) => scopeAnswer(scope, resource)),
    of('namespaces', (patterns) => namespacesAnswer(stringsOf(patterns), resource, false)),
    of('excludedNamespaces', (patterns) => namespacesAnswer(stringsOf(patterns), resource, true)),
    of('name', (pattern) => nameAnswer(pattern, resource)),
    dependsOnTemplate(match) ? byTemplate : yes,
  ]);
}

function sourceAnswer(wanted: unknown, source: string): PolicyAnswer {
  if (wanted === undefined || wanted === null || wanted === '' || wanted === 'All') return yes;
  if (wanted !== 'Original' && wanted !== 'Generated') return invalid;
  return { answer: wanted === source ? 'yes' : 'no' };
}

function namespaceSelectorAnswer(selector: unknown, resource: PolicyResource): PolicyAnswer {
  const reason = 'the labels of its namespace are unknown';
  if (isNamespace(resource)) return selectorAnswer(selector, resource.labels, reason);
  if (!resource.isNamespaced) {
    const { isInvalid } = selectorAnswer(selector, { labels: {} }, reason);
    return isInvalid ? invalid : yes;
  }
  return selectorAnswer(selector, resource.namespaceLabels, reason);
}

function kindsAnswer(entries: readonly unknown[], { group, kind }: PolicyResource): PolicyAnswer {
  if (entries.length === 0) return yes;
  const holds = (words: readonly string[], word: string) =>
    words.length === 0 || words.includes('*') || words.includes(word);
  const matches = (entry: unknown) =>
    holds(stringsOf(fieldOf(entry, 'apiGroups')), group) && holds(stringsOf(fieldOf(entry, 'kinds')), kind);
  return { answer: entries.some(matches) ? 'yes' : 'no' };
}

function scopeAnswer(scope: unknown, { isNamespaced }: PolicyResource): PolicyAnswer {
  if (scope !== 'Cluster' && scope !== 'Namespaced') return yes;
  return { answer: (scope === 'Namespaced') === isNamespaced ? 'yes' : 'no' };
}

/** Evaluates a list of patterns for namespaces. They concern a Namespace by its own name, and no other objects of the cluster. */
function namespacesAnswer(patterns: readonly string[], resource: PolicyResource, excludes: boolean): PolicyAnswer {
  if (patterns.length === 0) return yes;
  if (!resource.isNamespaced && !isNamespace(resource)) return yes;
  if (patterns.includes('*')) return excludes ? no : yes;
  const namespace = (isNamespace(resource) ? resource.name : resource.namespace) ?? { unknown: 'namespace' };
  const listed = ofValue(namespace, (text) => patterns.some((each) => matchesGlob(each, text)));
  const answer = excludes ? ({ yes: 'no', no: 'yes', maybe: 'maybe' } as const)[listed] : listed;
  return because(answer, 'its namespace is not set');
}

function nameAnswer(pattern: unknown, { name, generateName }: PolicyResource): PolicyAnswer {
  if (typeof pattern !== 'string' || pattern === '') return yes;
  if (name !== undefined)
    return because(
      ofValue(name, (text) => matchesGlob(pattern, text)),
      'its name is unknown',
    );
  if (!pattern.endsWith('*')) return no;
  return because(
    ofValue(generateName, (text) => matchesGlob(pattern, text)),
    'its name is generated',
  );
}
