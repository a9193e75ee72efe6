/** Evaluates selectors: determines what a selector matches, and why it does not match other objects. No other module makes this decision. */

import type { Catalogue } from '../../engine/catalogue/types.ts';
import {
  evaluate,
  everything,
  type LabelSet,
  type Selector,
  satisfiable,
  termSatisfiable,
} from '../../engine/index.ts';
import { once } from '../../engine/memoize.ts';
import type { SelectorSite } from '../../manifests/model.ts';
import { versionOfSite } from '../../manifests/sites/site-at.ts';
import { localize } from '../../text/localize.ts';
import { countBefore } from '../../text/order.ts';
import { kindKey } from '../index/file-outline.ts';
import { appliedInTurn, appliedVersions, isPatch, versionsOf } from '../kustomize/view.ts';
import type { Candidate, IsWanted, LabeledObjectInFile, ObjectInFile, Workspace } from '../model.ts';
import { mutatedKeys } from '../mutations.ts';
import { areVersions } from '../same-object.ts';
import { everyCluster, type Relation } from '../scopes/model.ts';
import { leadFirst, type Perspective } from '../scopes/perspective.ts';
import { fileOfPlace, placeOf } from '../scopes/scope-facts.ts';
import { appliedSelection } from './applied-selection.ts';
import { allAround, fewCandidates, neighbours } from './around.ts';
import { Comparisons } from './comparison-budget.ts';
import { isLeftOutInCrowd } from './crowding.ts';
import { effectiveSelector, selectorOfTerm, termsOf } from './effective-selector.ts';
import { endpointAnswers } from './endpoint-answers.ts';
import { excludeEachOther } from './excluding-conditions.ts';
import { fieldAnswer, fieldsOfSite } from './field-answers.ts';
import { LazySelection, nothingKnown } from './lazy-selection.ts';
import { anyOf, joinedSelection } from './merged-selection.ts';
import type { Match, ScopedSelection, Selection } from './model.ts';
import { type Answer, reachFrom } from './namespaces.ts';
import { isCorrectable, matchesMakers, maximumNearMisses, nearMissesOf } from './near-misses.ts';
import { byDistance, nearestFirst } from './nearness.ts';
import { nameAnswer, weaker } from './node-terms.ts';
import { sharedCompany, sharedJoined, sharedSelection } from './shared-selections.ts';
import { answerElsewhere, isUsual, requiresMore } from './template-values.ts';
import { uncertainty } from './uncertainty.ts';

/** Evaluates the selector at `site` of `owner` in each scope that applies it, since each overlay applies its own version of an object of a base. The scope of the perspective comes first. The result is empty if every kustomization removes the selector. */
export function selectionsOf(
  workspace: Workspace,
  catalogue: Catalogue,
  owner: ObjectInFile,
  site: SelectorSite,
  perspective?: Perspective,
  comparisons?: Comparisons,
): readonly ScopedSelection[] {
  const versions = appliedVersions(workspace, catalogue, owner.file.uri);
  if (versions.length === 0) {
    if (isPatch(workspace, owner)) return [];
    const scopes = workspace.scopes().of(placeOf(owner));
    const selection = selectionIn(workspace, catalogue, owner, site, comparisons);
    return scopes.slice(0, 1).map((scope) => ({ scope, selection, site, owner }));
  }
  const isWritten = owner.object.selectorSites.some(({ path }) => path === site.path);
  const ordered = perspective === undefined ? versions : leadFirst(versions, perspective);
  return ordered.flatMap((version) =>
    versionsOf(version, owner.object).flatMap((each): readonly ScopedSelection[] => {
      const found = versionOfSite(each.object.selectorSites, site, owner.object.selectorSites);
      const applied = found ?? (isWritten ? undefined : site);
      if (applied === undefined) return [];
      const selection = selectionIn(version.workspace, catalogue, each, applied, comparisons);
      return [{ scope: version.scope, selection, site: applied, owner: each }];
    }),
  );
}

/** Evaluates the selector at `site` of `owner`. If several kustomizations apply it, a match in all of them is certain, and a match in only some of them is possible. `comparisons` counts the objects with which the selector is compared. */
export function selectionOf(
  workspace: Workspace,
  catalogue: Catalogue,
  owner: ObjectInFile,
  site: SelectorSite,
  comparisons?: Comparisons,
): Selection {
  // A command is not an object that a kustomization applies.
  if (owner.object.inline) {
    return appliedSelection(workspace, catalogue, placeOf(owner), (each) => selectionIn(each, catalogue, owner, site));
  }
  return sharedJoined(workspace, owner, site, comparisons, () => {
    const [first, ...others] = selectionsOf(workspace, catalogue, owner, site, undefined, comparisons);
    if (first === undefined)
      return isPatch(workspace, owner) ? nothingKnown : selectionIn(workspace, catalogue, owner, site, comparisons);
    return others.length === 0 ? first.selection : joinedSelection(first, others);
  });
}

/** Evaluates the selector in a workspace without building kustomizations. */
function selectionIn(
  workspace: Workspace,
  catalogue: Catalogue,
  owner: ObjectInFile,
  site: SelectorSite,
  comparisons?: Comparisons,
): Selection {
  return sharedSelection(workspace, owner, site, comparisons, () => {
    if (comparisons !== undefined && isLeftOutInCrowd(workspace, owner, site, comparisons)) return nothingKnown;
    return ownSelection(workspace, catalogue, owner, site, comparisons);
  });
}

function ownSelection(
  workspace: Workspace,
  catalogue: Catalogue,
  owner: ObjectInFile,
  site: SelectorSite,
  comparisons = new Comparisons(),
): Selection {
  const question = { ...questionOf(workspace, catalogue, owner, site), comparisons };
  const { place } = question;
  const selector = effectiveSelector(site);
  // An unsatisfiable selector must not be reported as matching labels that are partly unknown.
  if (selector !== undefined) {
    return select(workspace, { ...question, selector: satisfiable(selector) ? selector : { kind: 'nothing' } });
  }
  const fields = fieldsOfSite(site);
  if (fields !== undefined) {
    return select(workspace, {
      ...question,
      selector: everything,
      site: { open: false },
      fields: (candidate) => fieldAnswer(workspace, catalogue, fields, candidate),
    });
  }
  const terms = termsOf(site)
    .filter(termSatisfiable)
    .map((term) =>
      select(workspace, {
        ...question,
        selector: selectorOfTerm(term),
        place: (candidate) => weaker(place(candidate), nameAnswer(term, candidate)),
      }),
    );
  return terms.length === 0 ? nothingKnown : anyOf(terms);
}

/** Evaluates a different selector as if it were at the position of `site`. */
export function selectionOfSelector(
  workspace: Workspace,
  catalogue: Catalogue,
  owner: ObjectInFile,
  site: SelectorSite,
  selector: Selector,
): Selection {
  const evaluated = (each: Workspace, where: ObjectInFile) =>
    select(each, { ...questionOf(each, catalogue, where, site), selector, site: { open: false } });
  if (owner.object.inline)
    return appliedSelection(workspace, catalogue, placeOf(owner), (each) => evaluated(each, owner));
  const first = firstApplied(workspace, catalogue, owner);
  return evaluated(first.workspace, first.owner);
}

/** Returns an object as applied by the scope of the perspective, or else by the first one that includes it. */
export function firstApplied(
  workspace: Workspace,
  catalogue: Catalogue,
  owner: ObjectInFile,
  perspective?: Perspective,
) {
  if (owner.object.inline) return { workspace, owner };
  for (const version of appliedInTurn(workspace, catalogue, owner.file.uri, perspective)) {
    const [first] = versionsOf(version, owner.object);
    if (first !== undefined) return { workspace: version.workspace, owner: first };
  }
  return { workspace, owner };
}

/** Returns the kinds of objects that a selector selects. */
export function targetsOf(workspace: Workspace, { fact }: Pick<SelectorSite, 'fact'>): readonly string[] {
  const isAny = fact.targets.some(({ kind }) => kind === '*');
  return isAny ? [...workspace.targets()] : fact.targets.map(kindKey);
}

/** Returns all parts of a question except the selector. */
export function questionOf(workspace: Workspace, catalogue: Catalogue, owner: ObjectInFile, site: SelectorSite) {
  const reaches = reachFrom(workspace, catalogue, owner, site);
  const others = endpointAnswers(workspace, catalogue, owner, site);
  const targets = targetsOf(workspace, site);
  // Only for such owners, the objects elsewhere are deserialized.
  const mayHaveVersions =
    !owner.object.inline && (owner.object.templates.length > 0 || targets.includes(kindKey(owner.object)));
  return {
    site,
    targets,
    place:
      others === undefined
        ? ({ where }: Candidate): Answer => reaches(where)
        : (each: Candidate): Answer => weaker(reaches(each.where), others(each)),
    isExcluded: (candidate: LabeledObjectInFile, relation: Relation) =>
      excludeEachOther(owner, candidate) ||
      (mayHaveVersions && relation === 'elsewhere' && areVersions(owner.object, candidate.object)),
    mutated: (selector: Selector) => mutatedKeys(workspace, owner, site, selector),
    // A command is in no scope, since it queries the cluster.
    from: owner.object.inline ? undefined : placeOf(owner),
    near: placeOf(owner),
  };
}

/** Evaluates a selector that is not in a file. It matches objects by their own labels, and objects that create matching pods. */
export function selectionOfText(workspace: Workspace, catalogue: Catalogue, selector: Selector): Selection {
  return appliedSelection(workspace, catalogue, undefined, (each) =>
    select(each, {
      selector,
      site: { open: false },
      targets: [...each.targets()],
      place: () => ({ answer: 'yes' }),
      from: undefined,
      near: undefined,
    }),
  );
}

interface Question {
  readonly selector: Selector;
  /** The facts about requirements that a template adds to the selector. */
  readonly site: Pick<SelectorSite, 'open' | 'parts'>;
  /** The kinds that the selector selects, as `kindKey`s. */
  readonly targets: readonly string[];
  /** Whether the selector applies to the namespace of a candidate. */
  readonly place: (candidate: Candidate) => Answer;
  /** Whether a candidate is never created together with the object that contains the selector. */
  readonly isExcluded?: (candidate: LabeledObjectInFile, relation: Relation) => boolean;
  /** Returns the keys that a selector requires and that an admission policy may change in the selected objects. */
  readonly mutated?: (selector: Selector) => ReadonlySet<string>;
  /** The position of the selector; undefined if it has none, so that all objects are in its scope. */
  readonly from: string | undefined;
  /** The position for ordering results by distance. */
  readonly near: string | undefined;
  /** Counts the candidates that are compared with the selector. */
  readonly comparisons?: Comparisons;
  /** Whether the fields of a candidate match; absent for a label selector. */
  readonly fields?: (candidate: Candidate) => Answer;
}

function select(workspace: Workspace, question: Question): Selection {
  const { from } = question;
  const files = from === undefined ? undefined : workspace.scopes().filesAround(from);
  const here = sortOut(workspace, question, (uri) => files?.has(uri) ?? true, files);
  // Most callers need only the matches in the scope, and other scopes may contain hundreds of matches.
  const sortOutOthers = (isEnough?: (sorted: Sorted) => boolean) =>
    files === undefined ? noneElsewhere : sortOut(workspace, question, (uri) => !files.has(uri), undefined, isEnough);
  const rest = once(sortOutOthers);
  const hasOthers = ({ elsewhere, uncertain }: Sorted) => elsewhere.length > 0 || uncertain;
  const mutated = question.mutated?.(question.selector);
  const isMutated = mutated !== undefined && mutated.size > 0;
  const nearest = byDistance(question.near);
  // Near misses and `hasCompany` require all objects of the scope, and few callers use them.
  const around = once(() => company(workspace, question));
  const changed = isMutated ? matchesIfMutated(question, mutated, around(), here) : [];
  const maybe = [...here.maybe, ...changed].toSorted(
    (a, b) => Number(!isUsual(question.selector, a)) - Number(!isUsual(question.selector, b)) || nearest(a, b),
  );
  return new LazySelection(here.matches.toSorted(nearest), maybe, {
    elsewhere: () => nearestFirst([...here.elsewhere, ...rest().elsewhere], question.near),
    nearMisses: () =>
      files === undefined
        ? []
        : nearMissesOf({
            ...question,
            workspace,
            here: resembling(workspace, question, files) ?? around(),
            outOfReach: here.outOfReach,
            nearest,
          }),
    hasCompany: () => here.matches.length > 0 || hasAnyAround(workspace, question, around),
    uncertain: () => here.uncertain || isMutated || rest().uncertain,
    uncertainHere: () => here.uncertain || isMutated,
    mayMatchOthers: () => hasOthers(here) || isMutated || hasOthers(sortOutOthers(hasOthers)),
  });
}

/** Returns the objects in the scope that match all requirements except those whose labels an admission policy may change. */
function matchesIfMutated(
  { selector, place, fields }: Question,
  mutated: ReadonlySet<string>,
  around: readonly Candidate[],
  { matches, maybe }: { readonly matches: readonly Match[]; readonly maybe: readonly Match[] },
): readonly Match[] {
  if (selector.kind !== 'all' || fields !== undefined) return [];
  const kept = selector.requirements.filter(({ key }) => !mutated.has(key));
  if (kept.length === 0) return [];
  const rest: Selector = { ...selector, requirements: kept };
  const known = new Set([...matches, ...maybe].map((match) => match.labeledObject));
  return around.flatMap((candidate): readonly Match[] => {
    if (evaluate(rest, candidate.labelSet) !== 'yes' || place(candidate).answer === 'no') return [];
    if (known.has(candidate.labeledObject)) return [];
    return [candidate.because([localize`an admission policy may change its labels`])];
  });
}

interface Sorted {
  readonly elsewhere: readonly Match[];
  readonly uncertain: boolean;
}

const noneElsewhere: Sorted = { elsewhere: [], uncertain: false };

/** Groups the possible matches of a selector in some files by their relation to the selector and by certainty; stops when `isEnough` returns true. Files outside of `within` are ignored. */
function sortOut(
  workspace: Workspace,
  question: Question,
  isWanted: IsWanted,
  within: ReadonlySet<string> | undefined,
  isEnough?: (sorted: Sorted) => boolean,
) {
  const matches: Match[] = [];
  const maybe: Match[] = [];
  const elsewhere: Match[] = [];
  const outOfReach: Match[] = [];
  const addNearest = addingNearest(byDistance(question.near));
  let uncertain = question.site.open;
  const { selector, from } = question;
  const around = from === undefined ? undefined : workspace.scopes().filesAround(from);
  // Objects in other scopes that would match only by unknown labels are ignored, because there may be hundreds.
  const isWorthALook: IsWanted = (uri, labels, answer) => {
    if (!isWanted(uri, labels, answer)) return false;
    const isVague = answer === 'maybe' && around !== undefined && !around.has(uri);
    return !isVague || (!uncertain && hasKnownKey(selector, labels));
  };
  for (const candidate of candidatesOf(workspace, question, isWorthALook, within, isEnough !== undefined)) {
    question.comparisons?.add(1);
    if (isEnough?.({ elsewhere, uncertain })) break;
    const relation = relationOf(workspace, from, candidate);
    if (relation === 'apart' || question.isExcluded?.(candidate, relation)) continue;
    const place = question.place(candidate);
    if (place.answer === 'no') {
      if (relation === 'here' && (candidate.answer === 'yes' || hasEvidence(selector, candidate)))
        addNearest(outOfReach, candidate, place);
      continue;
    }
    const fields = question.fields?.(candidate);
    if (fields?.answer === 'no' || (fields?.answer === 'maybe' && relation === 'elsewhere')) continue;
    const labels = relation === 'elsewhere' ? answerElsewhere(selector, candidate) : candidate.answer;
    if (labels === 'maybe' && (relation === 'elsewhere' || !hasEvidence(selector, candidate))) {
      uncertain ||= relation === 'here' || hasKnownKey(selector, candidate.labelSet);
      continue;
    }
    // The labels of other scopes do not come from the template that adds the requirements.
    if (relation === 'elsewhere' && requiresMore(question.site, candidate)) continue;
    const match = candidate.because(
      uncertainty({ ...question, labels, others: [place, fields] }, candidate, candidate.labelSet),
    );
    if (relation === 'elsewhere') elsewhere.push(match);
    else if (match.reasons.length === 0) matches.push(match);
    else maybe.push(match);
  }
  return { matches, maybe, elsewhere, outOfReach, uncertain };
}

/** Returns a function that adds a candidate to the nearest ones out of reach, of which only as many are kept as there can be near misses: there may be thousands for each selector. */
function addingNearest(nearest: (a: Candidate, b: Candidate) => number) {
  return (kept: Match[], candidate: Candidate, { reason }: Answer): void => {
    const at = countBefore(kept, (each) => nearest(each, candidate) <= 0);
    if (at >= maximumNearMisses) return;
    kept.splice(at, 0, candidate.because(reason === undefined ? [] : [reason]));
    kept.length = Math.min(kept.length, maximumNearMisses);
  };
}

/** For a selector that matches everything, only the matches in its scope are useful. */
function* candidatesOf(
  workspace: Workspace,
  { selector, targets, from }: Question,
  isWanted: IsWanted,
  within: ReadonlySet<string> | undefined,
  isAnyEnough: boolean,
): Iterable<Candidate> {
  if (selector.kind === 'everything' && from !== undefined) {
    const around = [...workspace.scopes().filesAround(from)].filter((uri) => isWanted(uri, { labels: {} }, 'yes'));
    yield* neighbours(workspace, around, targets);
    return;
  }
  for (const target of targets) yield* workspace.find(target, selector, isWanted, within, isAnyEnough);
}

/** Whether the known labels of a candidate meet, or almost meet, at least one requirement. Unknown labels, which a controller may add, could satisfy any selector. */
export function hasEvidence(selector: Selector, candidate: LabeledObjectInFile): boolean {
  return !candidate.labeledObject.guessed || selector.kind !== 'all' || hasKnownKey(selector, candidate.labeledObject);
}

function hasKnownKey(selector: Selector, { labels }: Pick<LabelSet, 'labels'>): boolean {
  return selector.kind === 'all' && selector.requirements.some(({ key }) => Object.hasOwn(labels, key));
}

/** Returns all objects of the selected kinds in the scope of the selector. */
function company(
  workspace: Workspace,
  { from, targets, comparisons }: Omit<Question, 'selector'>,
): readonly Candidate[] {
  if (from === undefined) return [];
  return sharedCompany(workspace, fileOfPlace(from), `${from}\n${targets.join('\n')}`, comparisons, () => {
    const { candidates } = allAround(workspace, workspace.scopes().filesAround(from), targets);
    comparisons?.add(candidates.length);
    return candidates.filter((each) => relationOf(workspace, from, each) === 'here');
  });
}

/** Whether objects of the selected kinds are in the scope of the selector. */
function hasAnyAround(workspace: Workspace, { from, targets }: Question, around: () => readonly Candidate[]): boolean {
  if (from === undefined) return around().length > 0;
  const { candidates } = allAround(workspace, workspace.scopes().filesAround(from), targets);
  return candidates.some((each) => relationOf(workspace, from, each) === 'here');
}

/** Returns all objects in the scope that a selector with one requirement may miss by a few letters; undefined if an index does not find them. */
function resembling(
  workspace: Workspace,
  { selector, from, targets, comparisons }: Question,
  files: ReadonlySet<string> | undefined,
): readonly Candidate[] | undefined {
  if (from === undefined || files === undefined || selector.kind !== 'all') return undefined;
  const [only, ...others] = selector.requirements;
  if (only === undefined || others.length > 0) return undefined;
  const { candidates, makers, index } = allAround(workspace, files, targets);
  if (candidates.length < fewCandidates || matchesMakers(workspace, files, selector, makers)) return undefined;
  const similar = isCorrectable(only) ? index().withinLetters(only) : [];
  comparisons?.add(similar.length);
  return index()
    .inOrder(similar)
    .filter((each) => relationOf(workspace, from, each) === 'here');
}

/** Returns the relation of a candidate to a position; without a position, all objects are `here`. */
export function relationOf(workspace: Workspace, from: string | undefined, candidate: Candidate) {
  if (from === undefined) return candidate.file.uri === everyCluster ? 'elsewhere' : 'here';
  return workspace.scopes().relation(from, placeOf(candidate.where), candidate);
}

/** Returns the labels of a labeled object in the form of the engine. */
export function labelSet(candidate: LabeledObjectInFile): LabelSet {
  return { labels: candidate.labeledObject.labels, open: candidate.labeledObject.open };
}
