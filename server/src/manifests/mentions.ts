/**
 * Detects rare terms in a text. The result is stored with the facts of the file, so that later steps need not search
 * the text again.
 */

import { mayHoldSelectors } from './inline/candidates.ts';
import { prometheusPrefix } from './sites/prometheus-names.ts';

const patterns = {
  /** We: a comment or an annotation may silence a rule. */
  us: (text: string) => text.includes('selector-lens'),
  /** Lines that a template may leave out. */
  templates: (text: string) => text.includes('{{') || text.includes('#@'),
  /** A template that decides, in whatever language, also where nothing says what it decides about. */
  conditions: (text: string) =>
    (text.includes('{{') || text.includes('{%') || text.includes('#@')) &&
    /\{\{-? ?(?:if|else|range|with)\b|\{%|#@ ?(?:if|for)\b/.test(text),
  /** The half of an affinity's fields that was designed and never built. */
  unbuiltAffinity: (text: string) => text.includes('SchedulingRequiredDuringExecution'),
  /** Fields that the system sets. */
  systemFields: (text: string) =>
    /\b(?:uid|resourceVersion|creationTimestamp|managedFields|selfLink|deletionTimestamp|generation)["']?:/.test(
      text,
    ) || /^["' ]*status["']?:/m.test(text),
  /** References to owners. */
  owners: (text: string) => text.includes('ownerReferences'),
  finalizers: (text: string) => text.includes('finalizers'),
  /** Selectors in commands or URLs. */
  commands: mayHoldSelectors,
  /** Labels by the names that Prometheus has for them. */
  relabelings: (text: string) => text.includes(prometheusPrefix),
} satisfies Readonly<Record<string, (text: string) => boolean>>;

export type Mention = keyof typeof patterns;

const all = Object.keys(patterns) as readonly Mention[]; // they are its own keys

/** Returns all terms that a text mentions. */
export function mentionsOf(text: string): readonly Mention[] {
  return all.filter((each) => patterns[each](text));
}

/** Whether a text mentions one term. */
export function isMentioned(text: string, what: Mention): boolean {
  return patterns[what](text);
}
