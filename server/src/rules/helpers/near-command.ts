/** Finds misspelled values in the selectors of commands: values that no object has although several objects have a similar value. */

import { evaluate, type Requirement } from '../../engine/index.ts';
import { getOrAdd, memoized } from '../../engine/memoize.ts';
import { wordSpan } from '../../manifests/inline/command-arguments.ts';
import type { ManifestObject } from '../../manifests/model.ts';
import { slightDifference } from '../../text/misspelling.ts';
import { kindKey } from '../../workspace/index/file-outline.ts';
import { selectionOf } from '../../workspace/selection/selection.ts';
import { isPositive } from '../fixes/fit-selector.ts';
import type { RuleContext } from '../framework/rule.ts';
import { objectsPatchedBy } from './command-patches.ts';
import { type Correction, correctionOf } from './near-miss.ts';
import { type RequirementSite, requirementSites } from './requirement-ranges.ts';

/** A requirement in the selector of a command whose value is probably misspelled. */
export interface NearCommand {
  readonly place: RequirementSite;
  readonly correction: Correction;
  /** The number of objects that have the intended value. */
  readonly count: number;
}

/** The minimum number of objects that must have the intended value, because the value of a single object may itself be misspelled. */
const severalObjects = 2;

/** Returns the misspelled value in the selector of a command, if the selector matches nothing and there is only one value that may be intended. */
export function nearCommandOf(context: RuleContext, object: ManifestObject): NearCommand | undefined {
  const [site] = object.selectorSites;
  const selector = site?.selector?.ok ? site.selector.value : undefined;
  if (site === undefined || selector?.kind !== 'all') return undefined;
  // The patch of a command contains a map with the labels that it changes; the selector keeps its other labels.
  const isPatch = site.text === undefined;
  if (!isPatch && (selector.open || site.open)) return undefined;
  const targets = site.fact.targets.some(({ kind }) => kind === '*')
    ? [...context.workspace.targets()]
    : site.fact.targets.map(kindKey);
  const near = requirementSites(site).flatMap((place): readonly NearCommand[] => {
    const found = nearValue(context, targets, place.requirement);
    if (found === undefined) return [];
    const isWeak = found.correction.likeness === 'possible';
    const isCertain = (found.count >= severalObjects && !isWeak) || isMeantForObject(context, object, found);
    return isCertain ? [{ place, ...found }] : [];
  });
  const [only, ...others] = near;
  if (only === undefined || others.length > 0) return undefined;
  if (!isPatch) {
    const { matches, maybe, elsewhere } = context.selectionOf(object, site);
    // An overlay may contain the required value. A template that could write any value, however, is not sufficient
    // evidence.
    const isSomewhere = maybe.some(({ labelSet }) => evaluate(selector, labelSet) === 'yes');
    if (matches.length + elsewhere.length > 0 || isSomewhere) return undefined;
  }
  return writesLabel(context, only.place) ? undefined : only;
}

/** Whether a text contains a label in another place, except patches: a code block of a page, or a here-document of a script, may define the objects. */
function writesLabel(context: RuleContext, { requirement: { key, values }, value: own }: RequirementSite): boolean {
  const { text } = context;
  const { words = [] } = context.manifest;
  const [value] = values;
  const written = typeof value === 'string' ? writtenValues(context).get(value) : undefined;
  if (typeof value !== 'string' || written === undefined) return false;
  const patches = words.flatMap((word) => (word.is === 'patch' ? wordSpan(word) : []));
  return written.some((at) => {
    const end = at + value.length;
    const quote = text[at - 1] ?? '';
    const before = quote === ' ' ? `${key}: ` : `${key}: ${quote}`;
    const start = at - before.length;
    const isKey = text.startsWith(before, start) || (quote === '"' && text.startsWith(`"${key}": "`, start - 2));
    return (
      isKey &&
      !(start < own.start && own.end <= end) &&
      !patches.some((patch) => patch.start <= start && start < patch.end)
    );
  });
}

/** Returns the offsets of words after a colon and a space, by word: they may be the values of labels, with quotes or without. */
const writtenValues = memoized(({ text }: RuleContext): ReadonlyMap<string, readonly number[]> => {
  const found = new Map<string, number[]>();
  for (const { 1: quote = '', 2: word = '', 3: after, index } of text.matchAll(/: (["']?)([\w./-]+)(["']?)/g))
    if (quote === '' || after === quote) getOrAdd(found, word, () => []).push(index + 2 + quote.length);
  return found;
});

/** Returns the only value of the key that is similar to the required value; undefined if there is none or several, or if any object has the required value. */
function nearValue(
  { workspace, comparisons }: RuleContext,
  targets: readonly string[],
  requirement: Requirement,
): Omit<NearCommand, 'place'> | undefined {
  const { key, operator, values } = requirement;
  const [wanted] = values;
  if (!isPositive(operator) || values.length !== 1 || typeof wanted !== 'string') return undefined;
  if (workspace.carrying(key, wanted).length > 0) return undefined;
  const known = new Set<string>();
  for (const target of targets) for (const [value] of workspace.labelCounts(target).values(key)) known.add(value);
  comparisons.add(known.size);
  const near = [...known].flatMap((value): readonly Correction[] => {
    const correction = correctionOf(requirement, { labels: { [key]: value } });
    if (correction === undefined || correction.likeness === 'variant') return [];
    // In a short word, only two swapped letters are a sign of a mistake.
    const isOtherWord = correction.likeness === 'possible' && slightDifference(wanted, value) !== 'swap';
    return isOtherWord ? [] : [correction];
  });
  const [only, ...others] = near;
  if (only === undefined || others.length > 0) return undefined;
  // Objects of all kinds are counted, because a Service often has the same labels as its pods.
  const count = workspace.carrying(key, only.actual).reduce((sum, { objects }) => sum + objects, 0);
  return { correction: only, count };
}

/** Whether the object whose selector a command sets is in the workspace, and the value is evidently misspelled, or the object selects an object with the intended value. */
function isMeantForObject(
  context: RuleContext,
  command: ManifestObject,
  { correction }: Omit<NearCommand, 'place'>,
): boolean {
  const { workspace, catalogue, comparisons } = context;
  const objects = objectsSetBy(context, command);
  if (correction.likeness === 'evident') return objects.length > 0;
  return objects.some(({ file, object }) =>
    object.selectorSites.some((site) => {
      const { matches } = selectionOf(workspace, catalogue, { file, object }, site, comparisons);
      return matches.some(({ labeledObject }) => Object.values(labeledObject.labels).includes(correction.actual));
    }),
  );
}

/** Returns the objects of the workspace whose selectors a command sets: those of `kubectl patch`, and the Service of `kubectl set selector`. */
function objectsSetBy(context: RuleContext, { kind, kindSpan, name, namespace }: ManifestObject) {
  const word = context.manifest.words?.find(({ is, at }) => is === 'patch' && at.start === kindSpan.start);
  if (word?.is === 'patch') return objectsPatchedBy(context, word);
  if (!kind.endsWith(' set selector') || name === undefined) return [];
  const own = namespace && { namespace: namespace.text };
  return objectsPatchedBy(context, { resource: 'services', name: name.text, ...own });
}
