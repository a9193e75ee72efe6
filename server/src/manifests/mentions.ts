/**
 * Detects rare terms in a text. The result is stored with the facts of the file, so that later steps need not search
 * the text again.
 */

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

const inUnusualPath = /fieldPath["']?[ \t]*:(?![ \t]*metadata\.(?:name|namespace|uid)[ \t]*\r?(?:\n|$))/;

const patterns = {
  /** The name of this extension: a comment or an annotation may disable a rule. */
  us: (text: string) => text.includes('selector-lens'),
  /** Lines that a template may leave out. */
  templates: (text: string) => text.includes('{{') || text.includes('#@'),
  /** A condition of a template in any language, also without a sign of the content that depends on it. */
  conditions: (text: string) =>
    (text.includes('{{') || text.includes('{%') || text.includes('#@')) &&
    /\{\{-? ?(?:if|else|range|with)\b|\{%|#@ ?(?:if|for)\b/.test(text),
  /** The fields of affinities that were designed and never implemented. */
  unbuiltAffinity: (text: string) => text.includes('SchedulingRequiredDuringExecution'),
  /** Fields that the system sets. */
  systemFields: (text: string) =>
    (systemFields.some((field) => text.includes(field)) && inSystemFields.test(text)) ||
    (text.includes('status') && /^["' ]*status["']?:/m.test(text)),
  /** References to owners. */
  owners: (text: string) => text.includes('ownerReferences'),
  finalizers: (text: string) => text.includes('finalizers'),
  /** Paths of the downward API, except those that are supported everywhere: most are, and parsing them takes time. */
  fieldPaths: (text: string) => text.includes('fieldRef') && inUnusualPath.test(text),
  /** DNS names of Services. */
  serviceNames: mayHoldServiceNames,
  /** Selectors in commands or URLs. */
  commands: mayHoldSelectors,
  /** A plain folder of Argo CD leaves the file out. */
  skipsArgo: (text: string) => text.includes('+argocd:skip-file-rendering'),
  /** The Prometheus names of labels. */
  relabelings: (text: string) => text.includes(prometheusPrefix),
} satisfies Readonly<Record<string, (text: string) => boolean>>;

export type Mention = keyof typeof patterns;

const all = Object.keys(patterns) as readonly Mention[]; // the keys of `patterns`

/** Returns all terms that a text mentions. */
export function mentionsOf(text: string): readonly Mention[] {
  return all.filter((each) => patterns[each](text));
}

/** Whether a text mentions one term. */
export function isMentioned(text: string, what: Mention): boolean {
  return patterns[what](text);
}
