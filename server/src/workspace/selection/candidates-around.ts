/** Lists the objects for which a selector that matches nothing may be intended. */

import type { Catalogue } from '../../engine/catalogue/types.ts';
import { evaluate, type Selector } from '../../engine/index.ts';
import type { SelectorSite } from '../../manifests/model.ts';
import type { Candidate, IsWanted, ObjectInFile, Workspace } from '../model.ts';
import { filesInSiblings } from '../scopes/sibling-folders.ts';
import { type Around, allAround, aroundOf, fewCandidates, neighbours } from './around.ts';
import type { CandidateIndex } from './candidate-index.ts';
import { Comparisons } from './comparison-budget.ts';
import type { Answer } from './namespaces.ts';
import { questionOf, relationOf } from './selection.ts';
import { sharedBeside } from './shared-selections.ts';

/** The possible targets of a selector. */
export interface CandidatesAround {
  readonly size: number;
  /** The kinds of the objects whose templates create possible targets, as `kindKey`s; possibly also kinds without any. */
  readonly makers: ReadonlySet<string>;
  /**
   * Returns the targets that meet a condition. The condition is tested before the scopes of an object are compared,
   * because it excludes nearly all objects. `isOutside` is as for `RankedCandidate`. With `among`, only the objects that
   * it finds in an index are tested; undefined if all objects must be tested.
   */
  filter(isWanted: (candidate: Candidate, isOutside: boolean) => boolean, among?: Among): readonly RankedCandidate[];
  /** Returns the targets whose labels a selector certainly matches. */
  matching(selector: Selector): readonly RankedCandidate[];
  /** Returns the targets in namespaces to which the selector applies or may apply; none if more objects than `maximum` are in them, including objects of other scopes. */
  reached(maximum: number): readonly RankedCandidate[];
}

/** Finds all objects that may meet a condition, in any order and possibly with others and duplicates. */
export type Among = (index: CandidateIndex) => Iterable<Candidate> | undefined;

/** A possible target of a selector, and whether the selector applies to its namespace. */
export interface RankedCandidate {
  readonly candidate: Candidate;
  /**
   * Whether the selector applies to the namespace of the candidate. Computed lazily, because it matters for few
   * candidates.
   */
  place(): Answer;
  /** Whether the candidate is a built object that is not in the workspace of the selector. */
  readonly isOutside?: true;
}

/** Returns all possible targets of a selector, and whether the selector applies to the namespace of each target: objects of the selected kinds in its scope, and objects in neighboring plain folders if both name the namespace. The targets include the matches. */
export function candidatesAround(
  workspace: Workspace,
  catalogue: Catalogue,
  owner: ObjectInFile,
  site: SelectorSite,
  comparisons = new Comparisons(),
): CandidatesAround {
  const question = questionOf(workspace, catalogue, owner, site);
  const { from, targets } = question;
  const placed = (candidate: Candidate): RankedCandidate => ({ candidate, place: () => question.place(candidate) });
  const files = from === undefined ? new Set<string>() : workspace.scopes().filesAround(from);
  const here = allAround(workspace, files, targets);
  const beside = besideOf(workspace, owner, from, targets);
  const isBeside = (each: Candidate) =>
    each.where.object.namespace !== undefined &&
    relationOf(workspace, from, each) === 'elsewhere' &&
    question.place(each).answer === 'yes';
  const isHere = (each: Candidate) => relationOf(workspace, from, each) === 'here';
  const chosen = ({ candidates, index }: Around, among: Among | undefined): readonly Candidate[] => {
    const found = candidates.length < fewCandidates ? undefined : among?.(index());
    const all = found === undefined ? candidates : index().inOrder(found);
    comparisons.addMisses(all.length);
    return all;
  };
  const filter: CandidatesAround['filter'] = (isWanted, among) => [
    ...chosen(here, among).flatMap((each) => (isWanted(each, false) && isHere(each) ? placed(each) : [])),
    ...chosen(beside, among).flatMap((each) => (isWanted(each, false) && isBeside(each) ? placed(each) : [])),
  ];
  return {
    size: here.candidates.length + beside.candidates.length,
    makers: beside.makers.size === 0 ? here.makers : new Set([...here.makers, ...beside.makers]),
    filter,
    matching: (selector) => {
      const isMatch: IsWanted = (_, __, answer) => answer === 'yes';
      const found = targets.flatMap((target) => [...workspace.find(target, selector, isMatch, files)]);
      const matchesBeside = beside.candidates.filter(({ labelSet }) => evaluate(selector, labelSet) === 'yes');
      return [...found.filter(isHere), ...matchesBeside.filter(isBeside)].map(placed);
    },
    reached: (maximum) => {
      const reached = new Set<Candidate>();
      for (const each of [...here.candidates, ...beside.candidates]) {
        if (question.place(each).answer !== 'no') reached.add(each);
        if (reached.size > maximum) return [];
      }
      return filter(
        (each) => reached.has(each),
        () => reached,
      );
    },
  };
}

/** Returns the objects in neighboring plain folders, if the selector's object names its namespace. */
function besideOf(
  workspace: Workspace,
  { file, object }: ObjectInFile,
  from: string | undefined,
  targets: readonly string[],
): Around {
  if (from === undefined || object.namespace === undefined) return none;
  return sharedBeside(workspace, file.uri, `${from}\n${targets.join('\n')}`, () => {
    const files = filesInSiblings(workspace.scopes(), from);
    return files.length === 0 ? none : aroundOf(neighbours(workspace, files, targets));
  });
}

const none = aroundOf([]);
