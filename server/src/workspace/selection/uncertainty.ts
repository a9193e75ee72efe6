/** States why a match is uncertain. */

import { explain, type LabelSet, type Selector } from '../../engine/index.ts';
import type { SelectorSite } from '../../manifests/model.ts';
import { localize } from '../../text/localize.ts';
import type { LabeledObjectInFile } from '../model.ts';
import type { Answer } from './namespaces.ts';
import { requiresMore } from './template-values.ts';

/** The answers that decide a match. */
interface Decisive {
  readonly selector: Selector;
  readonly site: Pick<SelectorSite, 'open' | 'parts'>;
  readonly labels: 'yes' | 'maybe';
  /** Whether everything else matches, such as the namespaces. */
  readonly others: readonly (Answer | undefined)[];
}

/** Returns the reasons why a match is uncertain; empty for a certain match. */
export function uncertainty(
  { selector, site, labels, others }: Decisive,
  candidate: LabeledObjectInFile,
  labelSet: LabelSet,
): readonly string[] {
  const reasons: string[] = [];
  if (labels === 'maybe') {
    for (const each of explain(selector, labelSet)) if (each.answer === 'maybe') reasons.push(each.reason);
  }
  const isOpen = labels === 'maybe' && selector.kind === 'all' && selector.open === true;
  if (isOpen || requiresMore(site, candidate)) reasons.push(localize`a template adds requirements to the selector`);
  for (const other of others) if (other?.answer === 'maybe' && other.reason !== undefined) reasons.push(other.reason);
  return reasons;
}

/** The answers that decide a match between objects of different scopes. */
interface Match extends Decisive {
  /** Whether the namespace of the object with the selector is set, or ignored. */
  readonly isOwnerPlaced: boolean;
  readonly isTargetPlaced: boolean;
}

/** Returns the reason why a match between objects of different scopes is uncertain, without a period. */
export function reasonFor(match: Match, candidate: LabeledObjectInFile, labels: LabelSet): string {
  const reasons = uncertainty(match, candidate, labels);
  if (reasons.length > 0) return joined(reasons);
  if (!match.isTargetPlaced) return localize`its namespace is not set`;
  if (!match.isOwnerPlaced) return localize`the namespace of the selector is not set`;
  return unknownPart;
}

export function joined(reasons: readonly string[]): string {
  return reasons.length === 0 ? unknownPart : [...new Set(reasons)].join('; ');
}

const unknownPart = 'it depends on a template or a placeholder';
