/** What does a selector miss by little? */

import { evaluate, explain, type LabelSet, type Requirement, type Selector } from '../engine/index.ts';
import { editDistance } from '../text/edit-distance.ts';
import type { Candidate } from './found.ts';
import type { Match } from './selection.ts';
import type { CarrierInFile } from './workspace.ts';

/** At most so many near misses are worth reading. */
export const maximumNearMisses = 5;

/** Orders what does not match by how little separates it, and leaves out what has nothing in common with the selector. */
export function nearMissesOf(
  selector: Selector,
  here: readonly Candidate[],
  outOfReach: readonly Match[],
  nearest: (a: CarrierInFile, b: CarrierInFile) => number,
): readonly Match[] {
  if (selector.kind !== 'all') return [];
  const isTelling = tellingRequirements(selector, here);
  const ranked = outOfReach.map((miss) => ({ miss, cost: 0 }));
  for (const candidate of here) {
    if (evaluate(selector, candidate.labelSet) !== 'no') continue;
    const near = nearness(selector, candidate, isTelling);
    if (near !== undefined) ranked.push({ miss: candidate.because(near.reasons), cost: near.cost });
  }
  return ranked
    .toSorted((a, b) => a.cost - b.cost || nearest(a.miss, b.miss))
    .slice(0, maximumNearMisses)
    .map((each) => each.miss);
}

/** Meeting `version=v1` says little where most candidates do: a requirement tells where few meet it. */
function tellingRequirements(
  selector: Selector & { readonly kind: 'all' },
  candidates: readonly Candidate[],
): (requirement: Requirement) => boolean {
  const telling = new Set<Requirement>();
  for (const requirement of selector.requirements) {
    const single: Selector = { kind: 'all', requirements: [requirement] };
    const count = candidates.filter((candidate) => evaluate(single, candidate.labelSet) === 'yes').length;
    if (count <= 3 || count * 4 <= candidates.length) telling.add(requirement);
  }
  return (requirement) => telling.has(requirement);
}

interface Nearness {
  readonly cost: number;
  readonly reasons: readonly string[];
}

function nearness(
  selector: Selector & { readonly kind: 'all' },
  miss: Candidate,
  isTelling: (requirement: Requirement) => boolean,
): Nearness | undefined {
  const own = miss.object.labels;
  if (miss.carrier.via !== undefined && own !== undefined && evaluate(selector, ownLabels(miss)) === 'yes') {
    const reason = `the labels are on ${nameOf(miss)} itself, not on what \`${miss.carrier.via}\` makes`;
    return { cost: 1, reasons: [reason] };
  }
  const answers = explain(selector, miss.labelSet);
  const failed = answers.filter((each) => each.answer === 'no');
  const letters = failed.map((each) => lettersApart(each.requirement, miss));
  const close = letters.every((count) => count <= 2);
  const shared = failed.length === 1 && answers.some((each) => each.answer === 'yes' && isTelling(each.requirement));
  if (!close && !shared) return undefined;
  const cost = close ? 1 + letters.reduce((sum, count) => sum + count, 0) : 10;
  return { cost, reasons: failed.map((each) => each.reason) };
}

function ownLabels(miss: CarrierInFile): LabelSet {
  const entries = miss.object.labels?.entries ?? [];
  return { labels: Object.fromEntries(entries.map((entry) => [entry.key.text, entry.value.value])) };
}

function nameOf(miss: CarrierInFile): string {
  return `${miss.object.kind}/${miss.object.name?.text ?? ''}`;
}

/** How many letters of a value or key separate the labels from a requirement; many where it is not a matter of letters. */
function lettersApart(requirement: Requirement, miss: Candidate): number {
  const many = 3;
  const wanted = requirement.values.filter((value) => typeof value === 'string');
  if (!['=', '==', 'in'].includes(requirement.operator) || wanted.length === 0) return many;
  const { labels } = miss.labelSet;
  if (Object.hasOwn(labels, requirement.key)) {
    const value = labels[requirement.key];
    if (typeof value !== 'string' || value.length < 4) return many;
    return Math.min(...wanted.map((each) => editDistance(value, each, many)));
  }
  const keys = Object.keys(labels).filter((key) => wanted.some((value) => value === labels[key]));
  return Math.min(many, ...keys.map((key) => editDistance(key, requirement.key, many)));
}
