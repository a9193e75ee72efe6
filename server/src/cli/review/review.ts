/** States what a change of manifests means: sections of grouped sentences, the worst first. */

import { getOrAdd } from '../../engine/memoize.ts';
import { compareText } from '../../text/order.ts';
import type { Change } from '../objects/compare.ts';
import { keyOf, type Named, shownName } from '../objects/compared-names.ts';
import { counted } from '../output/counts.ts';
import { listed, listedNames } from '../output/names.ts';
import type { ComparedTrees } from '../trees/compared-trees.ts';
import { type Cause, causesIn, policyCause } from './causes.ts';
import { coverageOf, evaluatedIn, reasonsOf } from './completeness.ts';
import { connectionSentences } from './connection-sentences.ts';
import { newlyBroken } from './expectations.ts';
import { capitalized, type Grouped, grouped, joinedByCause } from './grouped.ts';
import { changedImages } from './images.ts';
import type { Review, Section, SectionId, Statement } from './model.ts';
import {
  type ChangedField,
  changedFieldOrder,
  changedFields,
  hasUnknownChange,
  type Pair,
  pairsOf,
} from './object-pairs.ts';
import { ownersIn } from './owners.ts';
import { placesIn } from './places.ts';
import { hasNoPods, servicesOf } from './pod-matches.ts';
import {
  conditionalOn,
  isMismatch,
  isWhileRejected,
  keptIn,
  lostUntilRecreated,
  rejectedIn,
  withConsequences,
} from './rejected.ts';
import { restartedBy } from './restarts.ts';
import { leftOutParts } from './unchanged-parts.ts';
import { lostParts, newFailures, otherRevisions } from './uncompared-fields.ts';

const titles: Readonly<Record<SectionId, string>> = {
  refused: 'Refused by the API server',
  lost: 'Lost matches',
  gained: 'New matches',
  opened: 'Opened connections',
  stopped: 'Policies and monitors that stop applying',
  closed: 'Closed connections',
  started: 'Policies and monitors that start applying',
  broken: 'Broken references',
  expectations: 'Broken expectations',
  recreated: 'Recreated by a tool',
  restarts: 'Restarts',
  added: 'Added objects',
  removed: 'Removed objects',
  owners: 'Owners to ask',
};

/** Reviews the changes between two trees. `ownersOf` returns the owners of a path relative to the new tree. */
export function reviewOf(compared: ComparedTrees, ownersOf: (path: string) => readonly string[]): Review {
  const { trees } = compared;
  const { changes, names } = compared.compared;
  const pairs = pairsOf(trees, names);
  const causeOf = causesIn(trees, pairs);
  const placesOf = placesIn(trees);
  const all = [...pairs.values()];
  const [added, removed, regenerated] = withoutRegenerated(
    all.filter(({ before }) => before === undefined),
    all.filter(({ after }) => after === undefined),
  );
  const changed = all.map((pair) => ({ pair, fields: changedFields(trees, pair) })).filter(hasFields);
  const rejected = rejectedIn(changes);
  const pairsWith = (field: ChangedField) =>
    changed.flatMap(({ pair, fields }) => (fields.includes(field) ? [pair] : []));
  const news = [...newsAmong(changes, pairs), ...lostUntilRecreated(pairsWith('selectors'), pairs, rejected)];
  const isRejected = ({ named }: Pair) => rejected.has(keyOf(named));
  const isEmptied = ({ kind, owner }: Change) => {
    const pair = kind === 'lost' ? pairs.get(keyOf(owner)) : undefined;
    return pair !== undefined && hasNoPods(pair, all, isRejected);
  };
  const describe: Describe = (kind, isWanted = () => true) => {
    const wanted = news.filter((change) => change.kind === kind && isWanted(change));
    return grouped(wanted, placesOf, causeOf, isEmptied);
  };
  const restarts = restartedBy(
    trees[1],
    changed.filter(({ pair }) => !isRejected(pair)),
    placesOf,
  );
  const expectations = newlyBroken(trees);
  const pairsChanged = changed.map(({ pair }) => pair);
  const concerned = [...pairsChanged, ...added, ...removed];
  const owners = ownersIn(trees, concerned, ownersOf, expectations.owners);
  const found: readonly Found[] = [
    ...changedRelations(compared, describe, pairs, policyCause(trees, concerned)),
    ['expectations', expectations.statements],
    ['recreated', describe('immutable', ({ recreatedBy }) => recreatedBy !== undefined)],
    ['restarts', restarts],
    ['added', withUses(countsByKind(added, 'Adds'), added, changes, all)],
    ['removed', countsByKind(withoutStated(removed, news), 'Removes')],
  ];
  const unknown = unknownIn(trees, pairsChanged);
  const lost = lostParts(trees, pairsChanged);
  const isQuiet = added.length + removed.length + regenerated + expectations.statements.length === 0;
  const completeness = completenessOf(compared, unknown, isQuiet ? changed : undefined, all);
  const sections = found.filter(([, items]) => items.length > 0).map(([id, items]) => sectionOf(id, items));
  const withOwners = sections.length > 0 && owners.length > 0 ? [...sections, sectionOf('owners', owners)] : sections;
  const otherFields = countsOf(changed, regenerated);
  return {
    sections: withOwners,
    added: added.map(({ named }) => named),
    removed: removed.map(({ named }) => named),
    otherFields,
    notes: notesOn(trees, pairsWith('images'), sections.length > 0 ? [] : owners, lost),
    verdict: verdictOf(sections, otherChanges(changed, otherFields), otherFields, lost, completeness.isComplete),
    ...completeness,
  };
}

/** Returns the reasons why it is unknown what the change means. */
function unknownIn(trees: ComparedTrees['trees'], changed: readonly Pair[]): readonly string[] {
  return [...unknownsAmong(changed), ...otherRevisions(trees, changed), ...newFailures(trees)];
}

/** Returns what was evaluated. `changed` are the objects that differ; absent if anything else changes. */
function completenessOf(
  compared: ComparedTrees,
  unknown: readonly string[],
  changed: readonly ChangedPair[] | undefined,
  all: readonly Pair[],
): Pick<Review, 'isComplete' | 'unchanged' | 'coverage' | 'evaluated' | 'notEvaluated'> {
  const { trees, isWhole, problems } = compared;
  const evaluated = evaluatedIn(trees[1], all);
  const complete = { isComplete: true, unchanged: [], coverage: undefined, evaluated, notEvaluated: [] };
  if (isWhole && unknown.length === 0) return complete;
  const leftOut =
    unknown.length > 0 || changed === undefined
      ? undefined
      : leftOutParts(
          compared,
          changed.map(({ pair }) => pair),
        );
  if (leftOut?.others.length === 0) return { ...complete, unchanged: leftOut.unchanged };
  const notEvaluated = leftOut?.others ?? reasonsOf(trees, [...problems, ...unknown]);
  const coverage = leftOut === undefined ? coverageOf(trees[1]) : undefined;
  return { isComplete: false, unchanged: leftOut?.unchanged ?? [], coverage, evaluated, notEvaluated };
}

/** Returns statements about changes without a meaning for selectors: images, the owners to ask if there are no other changes, and ports and keys that are gone. */
function notesOn(
  trees: ComparedTrees['trees'],
  pairs: readonly Pair[],
  owners: readonly Statement[],
  lost: readonly string[],
): readonly Statement[] {
  const asked = owners.map((each) => ({ ...each, text: `${titles.owners}: ${each.text}` }));
  return [...changedImages(trees, pairs), ...asked, ...lost.map((text) => ({ text, count: 1 }))];
}

/** Adds to the count of added objects what the new Services select, and which new objects no object names. */
function withUses(
  statements: readonly Statement[],
  added: readonly Pair[],
  changes: readonly Change[],
  all: readonly Pair[],
): readonly Statement[] {
  const isAdded = new Set(added.map(({ named }) => keyOf(named)));
  const selected = new Set(
    changes
      .filter(({ kind, owner, target }) => {
        const areBoth = isAdded.has(keyOf(owner)) && target !== undefined && isAdded.has(keyOf(target));
        return kind === 'gained' && areBoth && owner.kind === 'Service';
      })
      .map(
        ({ owner, target }) =>
          `${shownName(owner, true)} selects ${target === undefined ? '' : shownName(target, true)}`,
      ),
  );
  const names = new Set(all.flatMap(({ after }) => after?.object.references?.map(({ name }) => name.text) ?? []));
  const unused = new Set(
    added
      .filter(({ named: { kind, name } }) => namedKinds.has(kind) && !names.has(name) && !generatedHash.test(name))
      .map(({ named }) => shownName(named, true)),
  );
  const more = [
    ...(selected.size === 0 ? [] : [`${listedNames([...selected])}.`]),
    ...(unused.size === 0 ? [] : [`No object refers to ${listedNames([...unused], 'or')}.`]),
  ];
  return statements.map((each) => ({ ...each, text: [each.text, ...more].join(' ') }));
}

/** The kinds of objects that have an effect only if other objects name them. */
const namedKinds: ReadonlySet<string> = new Set(['ConfigMap', 'Secret', 'ServiceAccount', 'PersistentVolumeClaim']);

type Found = readonly [SectionId, readonly Statement[]];

/** Returns the statements about the changes of a kind. */
type Describe = (kind: Change['kind'], isWanted?: (change: Change) => boolean) => readonly Grouped[];

function changedRelations(
  compared: ComparedTrees,
  describe: Describe,
  pairs: ReadonlyMap<string, Pair>,
  policy: Cause | undefined,
): readonly Found[] {
  const rejected = rejectedIn(compared.compared.changes);
  const isConditional = conditionalOn(rejected, pairs);
  const isKept = keptIn(rejected, pairs);
  const conditional = compared.compared.changes.filter(isConditional);
  const causedByPolicy = (statements: readonly Statement[]) =>
    policy === undefined ? statements : statements.map((each) => ({ ...each, cause: policy }));
  const isCertain = (change: Change) => !isConditional(change) || isWhileRejected(change);
  return [
    [
      'refused',
      joinedByCause(
        withConsequences(
          [
            ...describe('immutable', ({ recreatedBy }) => recreatedBy === undefined),
            ...describe('lost', isMismatch).map((each) => ({
              ...each,
              text: `${each.text} Therefore, the API server rejects this.`,
            })),
          ],
          conditional,
          servicesOf(pairs),
        ),
      ),
    ],
    ['lost', describe('lost', (change) => isCertain(change) && !isPolicy(change) && !isMismatch(change))],
    ['gained', describe('gained', (change) => isCertain(change) && !isPolicy(change))],
    ['opened', causedByPolicy(connectionSentences(compared, 'opened', isKept))],
    ['stopped', describe('lost', (change) => isCertain(change) && isPolicy(change)).map(withRemoval)],
    ['closed', causedByPolicy(connectionSentences(compared, 'closed', isKept))],
    ['started', describe('gained', (change) => isCertain(change) && isPolicy(change))],
    ['broken', describe('broken')],
  ];
}

const isGone = ' is gone: it no longer ';

/** Leaves out the removed policies that a statement about their matches names. */
function withoutStated(removed: readonly Pair[], news: readonly Change[]): readonly Pair[] {
  const stated = new Set(
    news.filter((each) => each.kind === 'lost' && isPolicy(each)).map(({ owner }) => keyOf(owner)),
  );
  return removed.filter(({ named }) => !stated.has(keyOf(named)));
}

/** Adds to a statement about a removed policy that the removal of its file does not delete it in all cases. */
function withRemoval(statement: Grouped): Grouped {
  const text = statement.text.replace(isGone, ' is removed and no longer ');
  if (text === statement.text) return statement;
  return { ...statement, text: `${text.slice(0, -1)}; it stays in the cluster until it is pruned or deleted.` };
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

/** Whether a change concerns the selector of a policy, a budget or a monitor, by its kind. */
function isPolicy({ owner }: Change): boolean {
  return /(?:Policy|Budget|Monitor|Scrape|Probe)$/.test(owner.kind);
}

/** Whether a path is that of a selector of the peers of a network policy. */
function isPeer(path: string): boolean {
  return /^spec\.(?:ingress\[\]\.from|egress\[\]\.to)\[\]\./.test(path);
}

/** The hash that kustomize appends to the names of generated ConfigMaps and Secrets. */
const generatedHash = /-[2456789bcdfghkmt]{10}$/;

/** Leaves out ConfigMaps and Secrets whose names differ only in the hash of their content. */
function withoutRegenerated(
  added: readonly Pair[],
  removed: readonly Pair[],
): readonly [added: readonly Pair[], removed: readonly Pair[], regenerated: number] {
  const stemOf = ({ named: { scope: _, ...named } }: Pair) =>
    ['ConfigMap', 'Secret'].includes(named.kind) && generatedHash.test(named.name)
      ? keyOf({ ...named, name: named.name.replace(generatedHash, '') })
      : undefined;
  const [fresh, old] = [added, removed].map((pairs) => new Set(pairs.flatMap((pair) => stemOf(pair) ?? [])));
  const isIn = (stems: ReadonlySet<string> | undefined, pair: Pair) => stems?.has(stemOf(pair) ?? '') === true;
  const isAdded = (pair: Pair) => !isIn(old, pair);
  return [
    added.filter(isAdded),
    removed.filter((pair) => !isIn(fresh, pair)),
    added.length - added.filter(isAdded).length,
  ];
}

/** An object that both trees contain, and what changed in it. */
interface ChangedPair {
  readonly pair: Pair;
  readonly fields: readonly ChangedField[];
}

function countsOf(changed: readonly ChangedPair[], regenerated: number): Review['otherFields'] {
  const count = (field: ChangedField) => changed.filter(({ fields }) => fields.includes(field)).length;
  return {
    ...{ images: count('images'), replicas: count('replicas'), labels: count('labels'), selectors: count('selectors') },
    ...{ references: count('references'), content: count('content') + regenerated, others: count('others') },
  };
}

function hasFields({ fields }: { readonly fields: readonly ChangedField[] }): boolean {
  return fields.length > 0;
}

function sectionOf(id: SectionId, items: readonly (Statement | Grouped)[]): Section {
  const count = items.reduce((sum, each) => sum + each.count, 0);
  const kinds = new Set(items.map((each) => ('first' in each ? each.first.owner.kind : '')));
  const [kind = ''] = kinds;
  // Policies of one kind are called by its name.
  const named = (id === 'stopped' || id === 'started') && kinds.size === 1 ? kind : undefined;
  const [one, several] = summaries[id];
  const summary = count === 1 ? one : several;
  return {
    id,
    title: named === undefined ? titles[id] : titles[id].replace('Policies and monitors', plural(named)),
    summary: `${count} ${named === undefined ? summary : summary.replace(/^\w+ or \w+/, count === 1 ? named : plural(named))}${endpointsIn(items)}`,
    count,
    items: items.map(({ text, count: each, places, cause }) => ({
      text,
      count: each,
      ...(places && { places }),
      ...(cause && { cause }),
    })),
  };
}

/** Returns how many Services have no endpoints afterwards, in parentheses; empty if none do. */
function endpointsIn(items: readonly (Statement | Grouped)[]): string {
  const services = new Set(items.flatMap((each) => ('emptied' in each ? each.emptied : [])));
  return services.size === 0 ? '' : ` (${counted(services.size, 'Service')} without endpoints)`;
}

/** Counts objects by kind, those with most objects first. Copies in several overlays are counted once. */
function countsByKind(pairs: readonly Pair[], verb: string): readonly Statement[] {
  if (pairs.length === 0) return [];
  const byKind = new Map<string, Set<string>>();
  const places = new Set<string>();
  const namespaces = new Set<string | undefined>();
  for (const { named } of pairs) {
    getOrAdd(byKind, named.kind, () => new Set()).add(`${named.namespace ?? ''}\n${named.name}`);
    places.add(named.scope ?? '');
    namespaces.add(named.namespace);
  }
  const parts = [...byKind]
    .toSorted(([a, one], [b, other]) => other.size - one.size || compareText(a, b))
    .map(([kind, names]) => {
      const [only] = names;
      return names.size === 1 && only !== undefined
        ? `${kind}/${only.split('\n')[1]}`
        : `${names.size} ${plural(kind)}`;
    });
  const shown = parts.slice(0, mostKinds);
  const more = parts.length > mostKinds ? [`${counted(parts.length - mostKinds, 'other kind')}`] : [];
  const [only] = namespaces;
  const where =
    places.size > 1 ? ` in ${places.size} scopes` : namespaces.size === 1 && only !== undefined ? ` in ${only}` : '';
  return [{ text: `${verb} ${listed([...shown, ...more])}${where}.`, count: pairs.length }];
}

const mostKinds = 8;

const summaries: Readonly<Record<SectionId, readonly [one: string, several: string]>> = {
  refused: ['refused update', 'refused updates'],
  lost: ['lost match', 'lost matches'],
  gained: ['new match', 'new matches'],
  opened: ['opened connection', 'opened connections'],
  stopped: ['policy or monitor that stops applying', 'policies or monitors that stop applying'],
  closed: ['closed connection', 'closed connections'],
  started: ['policy or monitor that starts applying', 'policies or monitors that start applying'],
  broken: ['broken reference', 'broken references'],
  expectations: ['broken expectation', 'broken expectations'],
  recreated: ['object that a tool recreates', 'objects that a tool recreates'],
  restarts: ['restarted workload', 'restarted workloads'],
  added: ['added object', 'added objects'],
  removed: ['removed object', 'removed objects'],
  owners: ['owner', 'owners'],
};

function verdictOf(
  sections: readonly Section[],
  others: string,
  fields: Review['otherFields'],
  lost: readonly string[],
  isWhole: boolean,
): string {
  if (sections.length > 0) return `${sections.map(({ summary }) => summary).join(', ')}.`;
  const more = others === '' ? '' : ` ${others}`;
  if (!isWhole) return `Nothing found, but not everything was evaluated.${more}`;
  if (lost.length > 0) return `No match, connection or immutable field changes.${more}`;
  if (fields.selectors + fields.references === 0)
    return `No selector, reference, connection or immutable field changes.${more}`;
  return `No match, connection or immutable field changes, and no reference breaks.${more}`;
}

const fieldNames: Readonly<Record<ChangedField, string>> = {
  images: 'images',
  replicas: 'replicas',
  labels: 'labels or annotations',
  selectors: 'selectors',
  references: 'references',
  content: 'contents',
  others: 'other fields',
};

/** Returns a sentence that counts the objects whose other fields changed; empty if there are none. */
function otherChanges(changed: readonly ChangedPair[], counts: Review['otherFields']): string {
  const nounOf = (field: ChangedField) =>
    changed.every(({ pair, fields }) => !fields.includes(field) || (pair.after?.object.templates.length ?? 0) > 0)
      ? 'workload'
      : 'object';
  const text = listed(
    changedFieldOrder
      .filter((each) => counts[each] > 0)
      .map((each) => `${fieldNames[each]} of ${counted(counts[each], each === 'content' ? 'object' : nounOf(each))}`),
  );
  return text === '' ? '' : `${capitalized(text)} change.`;
}

function plural(kind: string): string {
  return kind.endsWith('y') && !/[aeo]y$/.test(kind)
    ? `${kind.slice(0, -1)}ies`
    : /(?:s|x|ch)$/.test(kind)
      ? `${kind}es`
      : `${kind}s`;
}
