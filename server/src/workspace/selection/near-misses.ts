/** Finds the near misses of a selector: objects whose labels almost match. */

import { allowsAbsence } from '../../engine/evaluate.ts';
import {
  evaluate,
  evaluateRequirement,
  explain,
  type LabelSet,
  type Requirement,
  type Selector,
} from '../../engine/index.ts';
import { BoundedMap, getOrAdd } from '../../engine/memoize.ts';
import { editDistance } from '../../text/edit-distance.ts';
import { localize } from '../../text/localize.ts';
import { haveSimilarLetters } from '../../text/misspelling.ts';
import { kindKey } from '../index/file-outline.ts';
import type { Candidate, Workspace } from '../model.ts';
import type { Comparisons } from './comparison-budget.ts';
import type { Match } from './model.ts';

/** The maximum number of near misses that are returned; users do not need more. */
export const maximumNearMisses = 5;

/** The inputs for finding near misses: a selector, and the objects to which it applies. */
export interface Missed {
  readonly workspace: Workspace;
  readonly selector: Selector;
  /** All objects of the selected kinds in the scope of the selector, including its matches. */
  readonly here: readonly Candidate[];
  readonly outOfReach: readonly Match[];
  readonly nearest: (a: Candidate, b: Candidate) => number;
  readonly comparisons?: Comparisons | undefined;
}

/** Orders objects that do not match by their distance from the selector, and removes objects that have nothing in common with it. */
export function nearMissesOf(missed: Missed): readonly Match[] {
  const { workspace, selector, here, outOfReach, nearest, comparisons } = missed;
  if (selector.kind !== 'all') return [];
  comparisons?.addMisses(here.length * Math.max(1, selector.requirements.length));
  const telling = tellingRequirements(selector, here);
  const ranked: { readonly miss: Candidate; readonly cost: number; readonly isOnMaker?: boolean }[] = [];
  for (const miss of outOfReach) ranked.push({ miss, cost: 0 });
  for (const miss of here) {
    if (evaluate(selector, miss.labelSet) !== 'no') continue;
    const isOnMaker = matchesMaker(workspace, selector, miss);
    const cost = isOnMaker ? 1 : costOf(selector, miss, telling);
    if (cost !== undefined) ranked.push({ miss, cost, isOnMaker });
  }
  return ranked
    .toSorted((a, b) => a.cost - b.cost || nearest(a.miss, b.miss))
    .slice(0, maximumNearMisses)
    .map(({ miss, isOnMaker }) => {
      if (isOnMaker === undefined) return miss;
      return miss.because(isOnMaker ? [onMaker(miss)] : whyNot(selector, miss));
    });
}

function onMaker({ object, labeledObject }: Candidate): string {
  return localize`the labels are on ${object.kind}/${object.name?.text ?? ''} itself, not in \`${labeledObject.via}\``;
}

function whyNot(selector: Selector, { labelSet }: Candidate): readonly string[] {
  return explain(selector, labelSet).flatMap(({ answer, reason }) => (answer === 'no' ? [reason] : []));
}

/** Whether the selector matches the labels of the object that creates the candidate, such as a Deployment, instead of the labels of the candidate itself. */
export function matchesMaker(workspace: Workspace, selector: Selector, { isMade, id, labelSet }: Candidate): boolean {
  if (!isMade || isExcluded(selector, labelSet)) return false;
  const itself = makersIn(workspace, id.uri, kindKey(id.location)).get(id.object);
  if (itself === undefined || Object.keys(itself.labels).length === 0) return false;
  return evaluate(selector, itself) === 'yes';
}

/** Whether any object of the kinds that create the candidates has the required labels itself. The index is sufficient to determine this. */
export function matchesMakers(
  workspace: Workspace,
  files: ReadonlySet<string>,
  selector: Selector,
  makers: ReadonlySet<string>,
): boolean {
  return [...makers].some((kind) => {
    for (const { answer } of workspace.find(kind, selector, undefined, files)) if (answer === 'yes') return true;
    return false;
  });
}

/** Whether the selector excludes one of the labels, so that it would not match even if missing labels were added. */
export function isExcluded(selector: Selector, labels: LabelSet): boolean {
  if (selector.kind !== 'all') return false;
  return selector.requirements.some((each) => allowsAbsence(each) && evaluateRequirement(each, labels) === 'no');
}

/**
 * The labels of the objects in a few recent files, by kind and index: selectors of one file are evaluated in sequence.
 */
const makers = new WeakMap<Workspace, BoundedMap<string, ReadonlyMap<number, LabelSet>>>();
const maximumFiles = 16;

function makersIn(workspace: Workspace, uri: string, kind: string): ReadonlyMap<number, LabelSet> {
  const known = getOrAdd(makers, workspace, () => new BoundedMap<string, ReadonlyMap<number, LabelSet>>(maximumFiles));
  return getOrAdd(known, `${uri}\n${kind}`, () => {
    const own = workspace.labeledObjectsIn(uri, [kind]).filter(({ id }) => id.labeledObject === 0);
    return new Map(own.map(({ id, labelSet }) => [id.object, labelSet]));
  });
}

/** Returns the requirements that few candidates meet. If most candidates have `version=v1`, meeting that requirement is not significant. */
function tellingRequirements(
  { requirements }: Selector & { readonly kind: 'all' },
  candidates: readonly Candidate[],
): ReadonlySet<Requirement> {
  // With a single requirement, a near miss meets no requirement at all.
  if (requirements.length < 2) return new Set();
  const isTelling = (requirement: Requirement) => {
    const count = candidates.filter(({ labelSet }) => evaluateRequirement(requirement, labelSet) === 'yes').length;
    return count <= 3 || count * 4 <= candidates.length;
  };
  return new Set(requirements.filter(isTelling));
}

/** Returns the distance between the labels and the selector; undefined if it is too large. */
function costOf(
  { requirements }: Selector & { readonly kind: 'all' },
  { labelSet }: Candidate,
  telling: ReadonlySet<Requirement>,
): number | undefined {
  let letters = 0;
  let failed = 0;
  let isClose = true;
  let isShared = false;
  for (const requirement of requirements) {
    const answer = evaluateRequirement(requirement, labelSet);
    if (answer === 'yes') isShared ||= telling.has(requirement);
    if (answer !== 'no') continue;
    failed++;
    const apart = lettersApart(requirement, labelSet);
    letters += apart;
    isClose &&= apart <= 2;
  }
  if (isClose) return 1 + letters;
  return failed === 1 && isShared ? 10 : undefined;
}

/** The maximum number of values of a requirement that is compared with misspelled values, since each value is compared with each label. */
export const maximumCorrected = 20;

/** Whether an object can miss a requirement by a few letters of a key or value. */
export function isCorrectable({ operator, values }: Requirement): boolean {
  return ['=', '==', 'in'].includes(operator) && values.length <= maximumCorrected;
}

/** Returns the edit distance between a requirement and the labels, in characters of a value or key; it is large if the values or keys differ entirely. */
function lettersApart(requirement: Requirement, { labels }: LabelSet): number {
  const many = 3;
  const wanted = requirement.values.filter((value) => typeof value === 'string');
  if (!isCorrectable(requirement) || wanted.length === 0) return many;
  if (Object.hasOwn(labels, requirement.key)) {
    const value = labels[requirement.key];
    if (typeof value !== 'string' || value.length < 4) return many;
    const similar = wanted.filter((each) => haveSimilarLetters(value, each));
    return Math.min(many, ...similar.map((each) => editDistance(value, each, many - 1)));
  }
  const keys = Object.keys(labels).filter((key) => wanted.some((value) => value === labels[key]));
  return Math.min(many, ...keys.map((key) => editDistance(key, requirement.key, many - 1)));
}
