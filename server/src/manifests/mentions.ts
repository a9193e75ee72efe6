/** Detects terms that are rare in manifests. The result is stored with the facts of the file, so that later steps need not search the text again. */

import { mayHoldSelectors } from './inline/candidates.ts';
import { mayHoldServiceNames } from './service-names.ts';
import { prometheusPrefix } from './sites/prometheus-names.ts';

const systemFields = [
  'uid',
  'resourceVersion',
  'creationTimestamp',
  'managedFields',
  'selfLink',
  'deletionTimestamp',
  'generation',
];
const inSystemFields = new RegExp(`\\b(?:${systemFields.join('|')})["']?:`);

/** Searches for parts of the names of system fields. Parts that begin with a capital letter are found fastest, because it is rare. */
function maySetSystemFields(text: string): boolean {
  if (text.includes('Timestamp') || text.includes('Fields') || text.includes('Link')) return true;
  return /uid|resourceVersion|generation/.test(text);
}

const inUnusualPath = /fieldPath["']?[ \t]*:(?![ \t]*metadata\.(?:name|namespace|uid)[ \t]*\r?(?:\n|$))/;

const patterns = {
  /** The name of this extension, which occurs in comments and annotations that disable a rule. */
  us: (text: string) => text.includes('selector-lens'),
  /** Template syntax: a template may omit lines of the file. */
  templates: (text: string) => text.includes('{{') || text.includes('#@') || text.includes('</#'),
  /**
   * A condition in any template language, including languages that do not mark the content that depends on the
   * condition.
   */
  conditions: (text: string) =>
    (text.includes('{{') || text.includes('{%') || text.includes('#@') || text.includes('</#')) &&
    /\{\{-? ?(?:if|else|range|with)\b|\{%|#@ ?(?:if|for)\b|<\/#/.test(text),
  /** Names of affinity fields that were designed but never implemented in Kubernetes. */
  unbuiltAffinity: (text: string) => text.includes('SchedulingRequiredDuringExecution'),
  /** Fields that only the API server or controllers set. */
  systemFields: (text: string) =>
    (maySetSystemFields(text) && inSystemFields.test(text)) ||
    (text.includes('status') && /^["' ]*status["']?:/m.test(text)),
  owners: (text: string) => text.includes('References') && text.includes('ownerReferences'),
  finalizers: (text: string) => text.includes('finalizers'),
  taints: (text: string) =>
    text.includes('tolerations') || text.includes('kubeletExtraArgs') || /[tT]aints?["']?:/.test(text),
  /**
   * Field paths of the downward API, except common paths that are always valid. Most files contain only the latter, and
   * parsing field paths takes time.
   */
  fieldPaths: (text: string) => text.includes('fieldRef') && inUnusualPath.test(text),
  serviceNames: mayHoldServiceNames,
  commands: mayHoldSelectors,
  /** The comment by which a file is excluded from a plain directory source of Argo CD. */
  skipsArgo: (text: string) => text.includes('+argocd:skip-file-rendering'),
  relabelings: (text: string) => text.includes(prometheusPrefix),
} satisfies Readonly<Record<string, (text: string) => boolean>>;

export type Mention = keyof typeof patterns;

const all = Object.keys(patterns) as readonly Mention[]; // the keys of `patterns`

/** Returns all of the rare terms that a text contains. */
export function mentionsOf(text: string): readonly Mention[] {
  return all.filter((each) => patterns[each](text));
}

export function isMentioned(text: string, what: Mention): boolean {
  return patterns[what](text);
}
