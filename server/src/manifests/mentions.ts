/** Detects rare terms in a text. The result is stored with the facts of the file, so that later steps do not search the text again. */

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
  /** The name of this extension, because a comment or an annotation can disable a rule. */
  us: (text: string) => text.includes('selector-lens'),
  /** Template syntax, because a template can omit lines. */
  templates: (text: string) => text.includes('{{') || text.includes('#@'),
  /** A condition in any template language, even if nothing marks the content that depends on it. */
  conditions: (text: string) =>
    (text.includes('{{') || text.includes('{%') || text.includes('#@')) &&
    /\{\{-? ?(?:if|else|range|with)\b|\{%|#@ ?(?:if|for)\b/.test(text),
  /** Affinity fields that were designed but never implemented. */
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
  /** The comment that excludes a file from a plain directory source of Argo CD. */
  skipsArgo: (text: string) => text.includes('+argocd:skip-file-rendering'),
  /** The Prometheus names of labels. */
  relabelings: (text: string) => text.includes(prometheusPrefix),
} satisfies Readonly<Record<string, (text: string) => boolean>>;

export type Mention = keyof typeof patterns;

const all = Object.keys(patterns) as readonly Mention[]; // the keys of `patterns`

/** Returns all rare terms that a text mentions. */
export function mentionsOf(text: string): readonly Mention[] {
  return all.filter((each) => patterns[each](text));
}

/** Whether a text mentions a given term. */
export function isMentioned(text: string, what: Mention): boolean {
  return patterns[what](text);
}
