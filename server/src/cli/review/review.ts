/** States what a change of manifests means: sections of grouped sentences, the worst first. */

import { replacesPods, replicasIn } from '../../compare/replicas.ts';
import { sourceOf } from '../../compare/update-data.ts';
import { once } from '../../engine/memoize.ts';
import { relativePath, resolveUri } from '../../workspace/uri.ts';
import type { AppliedObject } from '../objects/applied-objects.ts';
import type { Change } from '../objects/compare.ts';
import { keyOf, type Named, shownName } from '../objects/compared-names.ts';
import { listedNames } from '../output/names.ts';
import type { ComparedTrees } from '../trees/compared-trees.ts';
import { absentSources, clustersOf, withDeniedNamespace } from './absent-sources.ts';
import { applicationNames } from './application-names.ts';
import { type Cause, causesIn, policyCause } from './causes.ts';
import { type ChangedField, changedFields } from './changed-fields.ts';
import { coverageOf, evaluatedIn, reasonsOf } from './completeness.ts';
import { connectionReasons } from './connection-reasons.ts';
import { connectionSentences } from './connection-sentences.ts';
import { countsByKind } from './counted-objects.ts';
import { changedDefinitions } from './definitions.ts';
import { newlyBroken } from './expectations.ts';
import { changedPolicies, followedSources } from './followed-sources.ts';
import { type Grouped, grouped, joinedByCause } from './grouped.ts';
import { changedImages, changedReplicas } from './images.ts';
import { invalidUpdates, type Rejection } from './invalid-updates.ts';
import { type Membership, membershipOf } from './membership.ts';
import type { Review, Section, SectionId, Statement } from './model.ts';
import { newApplications } from './new-applications.ts';
import { generatedHash, isPeer, isPolicy, withUses } from './new-objects.ts';
import { ownersIn } from './owners.ts';
import { hasUnknownChange, type Pair, pairsOf } from './pairs-of-trees.ts';
import { placesIn } from './places.ts';
import { coveredBy, hasNoPods, servicesOf } from './pod-matches.ts';
import { possibleMatches } from './possible-matches.ts';
import {
  conditionalOn,
  isMismatch,
  isWhileRejected,
  keptIn,
  lostByRecreation,
  lostUntilRecreated,
  rejectedIn,
  withConsequences,
} from './rejected.ts';
import { isDefault, onceDeleted, withoutStated, withRemoval } from './removed-policies.ts';
import { restartedBy } from './restarts.ts';
import { sectionOf, sectionOfParts, titles } from './sections.ts';
import { undeclaredNumbers } from './target-numbers.ts';
import { leftOutParts } from './unchanged-parts.ts';
import { newFailures, unknownParts } from './uncompared-fields.ts';
import { type ChangedPair, otherChanges, verdictOf } from './verdict.ts';

/** What differs between the objects of two trees. */
interface Differences {
  readonly pairs: ReadonlyMap<string, Pair>;
  readonly all: readonly Pair[];
  readonly added: readonly Pair[];
  readonly removed: readonly Pair[];
  /** The generated objects whose names differ only in the hash of their content. */
  readonly regenerated: readonly Pair[];
  readonly changed: readonly ChangedPair[];
  readonly membership: Membership;
  /** The objects whose labels the API server rejects. */
  readonly invalid: readonly Rejection[];
  /** The keys of the objects whose updates the API server rejects. */
  readonly rejected: ReadonlySet<string>;
}

function differencesOf({ trees, compared: { changes, names } }: ComparedTrees): Differences {
  const pairs = pairsOf(trees, names);
  const all = [...pairs.values()];
  const [added, removed, regenerated] = withoutRegenerated(
    withoutKnownFiles(trees, all, 'before', 'after'),
    withoutKnownFiles(trees, all, 'after', 'before'),
  );
  const changed = all.map((pair) => ({ pair, fields: changedFields(trees, pair) })).filter(hasFields);
  const invalid = invalidUpdates(trees[1], [...changed.map(({ pair }) => pair), ...added]);
  const rejected = new Set([
    ...rejectedIn(changes),
    ...invalid.flatMap((each) => each.pairs.map(({ named }) => keyOf(named))),
  ]);
  return { pairs, all, added, removed, regenerated, changed, membership: membershipOf(trees, all), invalid, rejected };
}

/** Reviews the changes between two trees. `ownersOf` returns the owners of a path relative to the new tree. */
export function reviewOf(compared: ComparedTrees, ownersOf: (path: string) => readonly string[]): Review {
  const { trees } = compared;
  const differences = differencesOf(compared);
  const { all, added, removed, regenerated, changed, membership } = differences;
  const expectations = newlyBroken(trees);
  const concerned = [
    ...changed.map(({ pair }) => pair),
    ...added,
    ...removed,
    ...membership.left,
    ...membership.joined,
  ];
  const losing = compared.compared.changes.flatMap(({ kind, owner }) =>
    kind === 'gained' ? [] : (differences.pairs.get(keyOf(owner)) ?? []),
  );
  const owners = ownersIn(trees, [...concerned, ...regenerated, ...losing], ownersOf, expectations.owners);
  const found = sectionsOf(compared, differences, expectations.statements, policyCause(trees, concerned));
  const unclear = unknownParts(trees, changed);
  const isQuiet =
    added.length + removed.length + regenerated.length + expectations.statements.length === 0 &&
    membership.removed.length + membership.added.length === 0;
  const completeness = completenessOf(compared, differences, isQuiet);
  const withNames = applicationNames(trees);
  const sections = found
    .flatMap((each) => madeSection(each) ?? [])
    .map((section) => ({ ...section, items: section.items.map(withNames) }));
  const isFound = sections.length > 0;
  const otherFields = countsOf(changed, regenerated.length);
  return {
    sections: isFound && owners.length > 0 ? [...sections, sectionOf('owners', owners)] : sections,
    added: [...added, ...membership.joined].map(({ named }) => named),
    removed: [...removed, ...membership.left].map(({ named }) => named),
    otherFields,
    notes: [
      ...changedImages(trees, pairsWith(changed, 'images')),
      ...changedReplicas(trees, pairsWith(changed, 'replicas')),
      ...undeclaredNumbers(trees, changed, all),
      ...(isFound ? [] : owners.map((each) => ({ ...each, text: `${titles.owners}: ${each.text}` }))),
      ...unclear.map((text) => ({ text, count: 1 })),
    ].map(withNames),
    verdict: verdictOf(
      sections,
      otherChanges(changed, otherFields),
      otherFields,
      unclear.length === 0,
      completeness.isComplete,
    ),
    ...completeness,
  };
}

function pairsWith(changed: readonly ChangedPair[], field: ChangedField): readonly Pair[] {
  return changed.flatMap(({ pair, fields }) => (fields.includes(field) ? [pair] : []));
}

/** Returns the statements of each section, without the owners. */
function sectionsOf(
  compared: ComparedTrees,
  { pairs, all, added, removed, changed, membership, invalid, rejected }: Differences,
  expectations: readonly Statement[],
  policy: Cause | undefined,
): readonly Found[] {
  const { trees } = compared;
  const { changes } = compared.compared;
  const causeOf = causesIn(trees, pairs);
  const placesOf = placesIn(trees);
  const definitions = changedDefinitions(trees, all, placesOf);
  const news = [...newsAmong(changes, pairs), ...lostUntilRecreated(pairsWith(changed, 'selectors'), pairs, rejected)];
  const isRejected = ({ named }: Pair) => rejected.has(keyOf(named));
  const isRemoved = (named: Named) => pairs.get(keyOf(named))?.after === undefined;
  const isOfRemoved = ({ owner, target }: Change) => isRemoved(owner) || (target !== undefined && isRemoved(target));
  const isEmptied = ({ kind, owner }: Change) => {
    const pair = kind === 'lost' ? pairs.get(keyOf(owner)) : undefined;
    return pair !== undefined && hasNoPods(pair, all, isRejected);
  };
  const describe: Describe = (kind, isWanted = () => true) => {
    const wanted = news.filter((change) => change.kind === kind && isWanted(change));
    const statements = grouped(wanted, placesOf, causeOf, isEmptied);
    return kind === 'lost'
      ? statements.map((each) => ({ ...each, isAfterDeletion: each.changes.every(isOfRemoved) }))
      : statements;
  };
  const group = (some: readonly Change[]) => grouped(some, placesOf, causeOf, () => false);
  const restarts = restartedBy(
    trees[1],
    changed.filter(({ pair }) => !isRejected(pair)),
    placesOf,
  );
  const others = [...definitions.refused, ...invalid];
  const clusters = clustersOf(trees);
  // A rejected workload keeps its labels, which may be those that a policy allows.
  const areKept = all.some((pair) => isRejected(pair) && (pair.before?.object.templates.length ?? 0) > 0);
  const newPolicies = areKept ? { changed: [], added: [] } : { changed: changed.map(({ pair }) => pair), added };
  const sources = absentSources(trees[1], clusters, { ...newPolicies, all, isWhole: compared.isWhole }, placesOf);
  const withDenied = withDeniedNamespace(clusters, pairs);
  return [
    ...changedRelations(compared, describe, { pairs, rejected, policy, others, causeOf, group, withDenied }),
    ['unmatched', sources.statements],
    ['expectations', expectations],
    ['recreated', describe('immutable', ({ recreatedBy }) => recreatedBy !== undefined)],
    ['restarts', restarts],
    ['definitions', definitions.changed],
    [
      'added',
      [
        ...withUses(trees[1], countsByKind(added, 'Adds'), added, changes, all, sources.elsewhere),
        ...newApplications(trees[1], added, all),
        ...membership.added,
      ],
    ],
    ['removed', [...countsByKind(withoutStated(removed, news), 'Removes'), ...membership.removed]],
  ];
}

/** Returns the reasons why it is unknown what the change means. */
function unknownIn(trees: ComparedTrees['trees'], changed: readonly Pair[]): readonly string[] {
  return [...unknownsAmong(changed), ...followedSources(trees, changed), ...newFailures(trees)];
}

/** Returns what was evaluated. With `isQuiet`, nothing else changes than objects that both trees contain. */
function completenessOf(
  compared: ComparedTrees,
  { all, changed, added, removed }: Differences,
  isQuiet: boolean,
): Pick<Review, 'isComplete' | 'unchanged' | 'coverage' | 'evaluated' | 'notEvaluated'> {
  const { trees, isWhole, problems } = compared;
  const pairs = changed.map(({ pair }) => pair);
  const onlyOnce = [...added, ...removed];
  const unknown = [
    ...unknownIn(trees, pairs),
    ...changedPolicies(changed, onlyOnce),
    ...possibleMatches(trees, [...pairs, ...onlyOnce], all),
  ];
  const evaluated = evaluatedIn(trees[1], all);
  const complete = { isComplete: true, unchanged: [], coverage: undefined, evaluated, notEvaluated: [] };
  if (isWhole && unknown.length === 0) return complete;
  const leftOut = unknown.length > 0 || !isQuiet ? undefined : leftOutParts(compared, pairs);
  if (leftOut?.others.length === 0) return { ...complete, unchanged: leftOut.unchanged };
  const notEvaluated = leftOut?.others ?? reasonsOf(trees, [...problems, ...unknown]);
  const coverage = leftOut === undefined ? coverageOf(trees[1]) : undefined;
  return { isComplete: false, unchanged: leftOut?.unchanged ?? [], coverage, evaluated, notEvaluated };
}

type Part = readonly [SectionId, readonly (Statement | Grouped)[]];

/** The statements of a section, or the parts of a section about a later state. */
type Found = Part | readonly ['kept' | 'recreation', readonly Part[]];

function madeSection(found: Found): Section | undefined {
  const [id, items] = found;
  const parts = items.filter(isPart).filter(([, some]) => some.length > 0);
  if (parts.length > 0)
    return sectionOfParts(
      id,
      parts.map(([part, some]) => sectionOf(part, some)),
    );
  const statements = items.flatMap((each) => (isPart(each) ? [] : [each]));
  return statements.length === 0 ? undefined : sectionOf(id, statements);
}

function isPart(item: Statement | Grouped | Part): item is Part {
  return Array.isArray(item);
}

/** Returns the statements about the changes of a kind. */
type Describe = (kind: Change['kind'], isWanted?: (change: Change) => boolean) => readonly Grouped[];

interface Relations {
  readonly pairs: ReadonlyMap<string, Pair>;
  /** The keys of the objects whose updates the API server rejects. */
  readonly rejected: ReadonlySet<string>;
  readonly policy: Cause | undefined;
  readonly causeOf: (change: Change) => Cause | undefined;
  /** Adds to a statement about a monitor that policies deny its namespace. */
  readonly withDenied: (statement: Grouped) => Grouped;
  /** Returns statements about any changes. */
  readonly group: (changes: readonly Change[]) => readonly Grouped[];
  /** Other statements about refused objects. */
  readonly others: readonly (Statement | Rejection)[];
}

function changedRelations(
  compared: ComparedTrees,
  describe: Describe,
  { pairs, rejected, policy, others, causeOf, group, withDenied }: Relations,
): readonly Found[] {
  const isConditional = conditionalOn(rejected, pairs);
  const isKept = keptIn(rejected, pairs);
  const isSingle = singleIn(compared.trees, pairs);
  const conditional = compared.compared.changes.filter(isConditional);
  const isCertain = (change: Change) => !isConditional(change) || isWhileRejected(change);
  const covered = coveredBy(pairs);
  const { changes } = compared.compared;
  const connectionsOf = (kind: 'opened' | 'closed', areKept: boolean) => {
    const withReason = connectionReasons(areKept ? conditional : changes.filter(isCertain), causeOf);
    const isMeant = (from: string, to: string) => (isKept(from) || isKept(to)) === areKept;
    return connectionSentences(compared, kind, isMeant, isSingle)
      .map(
        ({ workloads, ...each }): Statement =>
          policy === undefined ? withReason({ ...each, workloads }) : { ...each, cause: policy },
      )
      .map(onceDeleted);
  };
  const [openedLater, closedLater] = [connectionsOf('opened', true), connectionsOf('closed', true)];
  // Connections state what the peers of policies mean.
  const lostLater = lostByRecreation(conditional, changes).filter(
    ({ path }) => openedLater.length + closedLater.length === 0 || !isPeer(path),
  );
  const lost = (isMeant: (change: Change) => boolean) =>
    describe('lost', (change) => isMeant(change) && !isPolicy(change) && !isMismatch(change));
  const stopped = (isMeant: (change: Change) => boolean) =>
    describe('lost', (change) => isMeant(change) && isPolicy(change)).map((each) =>
      withRemoval(each, covered, (some) => some.every(({ owner }) => isDefault(pairs.get(keyOf(owner))))),
    );
  const isNow = (change: Change) => isCertain(change) && !isWhileRejected(change);
  return [
    ['refused', refusedIn(describe, conditional, pairs, others)],
    ['lost', lost(isNow)],
    ['gained', describe('gained', (change) => isCertain(change) && !isPolicy(change))],
    ['opened', connectionsOf('opened', false)],
    ['stopped', stopped(isNow)],
    ['closed', connectionsOf('closed', false)],
    ['started', describe('gained', (change) => isCertain(change) && isPolicy(change)).map(withDenied)],
    ['broken', describe('broken', (change) => !isBrokenUpdate(change))],
    [
      'kept',
      [
        ['lost', lost(isWhileRejected)],
        ['stopped', stopped(isWhileRejected)],
      ],
    ],
    [
      'recreation',
      [
        ['lost', group(lostLater.filter((each) => !isPolicy(each)))],
        ['stopped', group(lostLater.filter(isPolicy))],
        ['opened', openedLater],
        ['closed', closedLater],
      ],
    ],
  ];
}

/** Returns the statements about refused updates. */
function refusedIn(
  describe: Describe,
  conditional: readonly Change[],
  pairs: Relations['pairs'],
  others: Relations['others'],
): readonly Statement[] {
  const statements = [
    ...describe('immutable', ({ recreatedBy }) => recreatedBy === undefined),
    ...describe('lost', isMismatch).map((each) => ({
      ...each,
      text: `${each.text} Therefore, the API server rejects this.`,
    })),
    ...describe('broken', isBrokenUpdate),
  ];
  const gained = conditional.filter(({ kind }) => kind === 'gained');
  return [...joinedByCause(withConsequences(statements, gained, servicesOf(pairs))), ...others];
}

/** Returns whether a workload, named as in connections, has one pod in both trees. */
function singleIn(trees: ComparedTrees['trees'], pairs: ReadonlyMap<string, Pair>): (workload: string) => boolean {
  const byName = once(() => {
    const all = [...pairs.values()];
    return new Map(all.map((pair) => [`${pair.named.namespace ?? ''}/${pair.named.kind}/${pair.named.name}`, pair]));
  });
  return (workload) => {
    const { before, after } = byName().get(workload) ?? {};
    if (before === undefined || after === undefined) return false;
    if (after.object.templates.length === 0) return true;
    const counts = [before, after].map((applied, index) =>
      replicasIn({ side: trees[index === 0 ? 0 : 1].side, applied }),
    );
    return (
      replacesPods(after) &&
      after.object.kind !== 'DaemonSet' &&
      counts.every((count) => count !== undefined && count < 2)
    );
  };
}

/** Whether the API server rejects an object because of a broken reference. */
function isBrokenUpdate({ isRejected }: Change): boolean {
  return isRejected === true;
}

/** Returns the changes that a reader does not expect. */
function newsAmong(changes: readonly Change[], pairs: ReadonlyMap<string, Pair>): readonly Change[] {
  const isIn = (side: 'before' | 'after', named: Named | undefined) =>
    named !== undefined && pairs.get(keyOf(named))?.[side] !== undefined;
  return changes.filter(({ kind, owner, path, target }) => {
    // That a new Service selects a new workload is no news.
    if (kind === 'gained' && !isIn('before', owner) && !isIn('before', target)) return false;
    // The connections state what the peers of a policy mean, together with its other peers and other policies.
    return !isPeer(path);
  });
}

/** Returns a sentence about changed objects whose matches are unknown, if there are any. */
function unknownsAmong(changed: readonly Pair[]): readonly string[] {
  const names = changed.filter(hasUnknownChange).map(({ named }) => shownName(named, false));
  return names.length === 0 ? [] : [`Labels or selectors of ${listedNames(names)} depend on unknown values.`];
}

/** Returns the objects that are absent from a tree, except those that are assumed, those in files that could not be read in this tree, and those that the other tree contains only as written in a file, from which kustomizations of this tree build objects with other names or scopes. */
function withoutKnownFiles(
  trees: ComparedTrees['trees'],
  all: readonly Pair[],
  absent: 'before' | 'after',
  present: 'before' | 'after',
): readonly Pair[] {
  const keyIn = (which: 'before' | 'after', applied: AppliedObject) => {
    const { side, root } = trees[which === 'before' ? 0 : 1];
    const source = sourceOf(side, applied);
    const { kind, name } = source?.object ?? applied.object;
    return JSON.stringify([relativePath(root, applied.file.uri), kind, name?.text]);
  };
  const { root: from } = trees[present === 'before' ? 0 : 1];
  const { root: to, session } = trees[absent === 'before' ? 0 : 1];
  const { files } = session.snapshot();
  const counterpartOf = (applied: AppliedObject) => resolveUri(to, relativePath(from, applied.file.uri));
  // Which objects a plugin of Argo CD builds from files that both trees contain is unknown.
  const isAssumed = ({ [present]: applied }: Pair) =>
    applied?.builtBy?.gitops?.facts.sources.some(({ explicit }) => explicit === 'plugin' || explicit === 'unclear') &&
    files.has(counterpartOf(applied));
  const isUnread = ({ [present]: applied }: Pair) =>
    applied !== undefined && session.workspace.isUnread(counterpartOf(applied));
  const once = all.filter((pair) => pair[absent] === undefined && !isAssumed(pair) && !isUnread(pair));
  const isWritten = ({ [present]: applied }: Pair) => applied !== undefined && applied.builtBy === undefined;
  if (!once.some(isWritten)) return once;
  const built = new Set(
    all.flatMap(({ [absent]: applied }) => (applied?.builtBy === undefined ? [] : keyIn(absent, applied))),
  );
  return once.filter((pair) => {
    const applied = pair[present];
    return applied === undefined || !isWritten(pair) || !built.has(keyIn(present, applied));
  });
}

/** Leaves out ConfigMaps and Secrets whose names differ only in the hash of their content. */
function withoutRegenerated(
  added: readonly Pair[],
  removed: readonly Pair[],
): readonly [added: readonly Pair[], removed: readonly Pair[], regenerated: readonly Pair[]] {
  const stemOf = ({ named: { scope: _, ...named } }: Pair) =>
    ['ConfigMap', 'Secret'].includes(named.kind) && generatedHash.test(named.name)
      ? keyOf({ ...named, name: named.name.replace(generatedHash, '') })
      : undefined;
  const [fresh, old] = [added, removed].map((pairs) => new Set(pairs.flatMap((pair) => stemOf(pair) ?? [])));
  const isIn = (stems: ReadonlySet<string> | undefined, pair: Pair) => stems?.has(stemOf(pair) ?? '') === true;
  const isAdded = (pair: Pair) => !isIn(old, pair);
  return [added.filter(isAdded), removed.filter((pair) => !isIn(fresh, pair)), added.filter((pair) => !isAdded(pair))];
}

function countsOf(changed: readonly ChangedPair[], regenerated: number): Review['otherFields'] {
  const count = (field: ChangedField) => changed.filter(({ fields }) => fields.includes(field)).length;
  return {
    ...{ images: count('images'), replicas: count('replicas'), labels: count('labels'), selectors: count('selectors') },
    ...{
      references: count('references'),
      ports: count('ports'),
      keys: count('keys'),
      exposure: count('exposure'),
      content: count('content') + regenerated,
      others: count('others'),
    },
  };
}

function hasFields({ fields }: { readonly fields: readonly ChangedField[] }): boolean {
  return fields.length > 0;
}
