/** Finds the matches in the clusters of a workspace with `match` and `who-selects`, and compares two states with the changes that `impact` and `diff` list. */

import assert from 'node:assert/strict';
import { type Changed, diffOf, type Files, impactOf, type Named } from './cluster-comparison.ts';
import { runInMemory } from './memory-world.ts';

const shown = ({ kind, namespace, name }: Named) => `${kind}/${name} in ${namespace}`;
const withoutIndexes = (path: string) => path.replaceAll(/\[\d+\]/g, '[]');

/** The cluster of a GitOps object; undefined for any other scope. */
function clusterOf(scope: string | undefined): string | undefined {
  return /^clusters\/(\w+)\/\w/.exec(scope ?? '')?.[1];
}

/** The matches in the clusters of a workspace, and the objects of the clusters. */
export interface Answers {
  readonly matches: ReadonlyMap<string, 'yes' | 'maybe'>;
  /** The keys of the matches between different GitOps objects. */
  readonly between: ReadonlySet<string>;
  readonly objects: ReadonlySet<string>;
}

interface Answered extends Named {
  readonly answer: 'yes' | 'maybe';
  readonly reason?: string;
  /** Set for a namespace that has no object, so that no change of objects is a change of its matches. */
  readonly implied?: true;
}

interface FoundSelector extends Answered {
  readonly path: string;
  readonly matches: readonly Answered[];
  readonly selectors: readonly FoundSelector[];
}

async function answersIn(files: Files): Promise<Answers> {
  const options = { files: Object.fromEntries(files) };
  const listed = await runInMemory(['objects', '--format', 'json'], options);
  const { objects: all } = listed.json as { readonly objects: readonly (Named & { readonly scope: Named })[] };
  const words = new Set(all.map(({ kind, name }) => `${kind}/${name}`));
  const [matches, between, objects] = [new Map<string, 'yes' | 'maybe'>(), new Set<string>(), new Set<string>()];
  const add = (owner: Named, path: string, target: Named, { answer, reason }: Answered) => {
    assert.equal(reason === undefined, answer === 'yes', 'an uncertain match has a reason');
    const cluster = clusterOf(owner.builtBy ?? target.builtBy);
    if (cluster === undefined || clusterOf(target.builtBy ?? owner.builtBy) !== cluster) return;
    const key = `${cluster}: ${shown(owner)} ${withoutIndexes(path)} ${shown(target)}`;
    if (matches.get(key) !== 'yes') matches.set(key, answer);
    if (owner.builtBy !== target.builtBy) between.add(key);
  };
  for (const word of words) {
    const matching = await runInMemory(['match', '--object', word, '--format', 'json'], options);
    const { selectors } = matching.json as { readonly selectors: readonly FoundSelector[] };
    for (const owner of selectors)
      for (const each of owner.matches.filter(({ implied }) => !implied))
        add(owner, owner.path, { ...each, builtBy: each.builtBy ?? owner.builtBy ?? '' }, each);
    const selecting = await runInMemory(['who-selects', '--object', word, '--format', 'json'], options);
    const { objects: found } = selecting.json as { readonly objects: readonly FoundSelector[] };
    for (const target of found) {
      objects.add(`${clusterOf(target.builtBy)}: ${shown(target)}`);
      for (const each of target.selectors)
        add({ ...each, builtBy: each.builtBy ?? target.builtBy ?? '' }, each.path, target, each);
    }
  }
  return { matches, between, objects };
}

const textOf = (kind: string, key: string) => `${kind} ${key}`;

/** The keys of the matches that certainly exist in one state and not in the other. */
function onlyIn(kind: 'lost' | 'gained', some: Answers, others: Answers): readonly string[] {
  return [...some.matches].flatMap(([key, answer]) => {
    if (answer !== 'yes' || others.matches.has(key)) return [];
    const [cluster, rest = ''] = key.split(': ');
    const [, owner, target] = /^(\S+ in \S+) \S+ (.*)$/.exec(rest) ?? [];
    const isThere = [owner, target].some((each) => others.objects.has(`${cluster}: ${each}`));
    return kind === 'lost' && !isThere ? [] : [key];
  });
}

function keysOf(changes: readonly Changed[]): readonly string[] {
  return changes.flatMap(({ kind, scope, owner, path, target }) => {
    const cluster = clusterOf(scope ?? owner.scope ?? owner.builtBy);
    if (!(kind === 'lost' || kind === 'gained') || cluster === undefined) return [];
    return [textOf(kind, `${cluster}: ${shown(owner)} ${withoutIndexes(path)} ${shown(target)}`)];
  });
}

/** Returns the changed matches that are in no cluster, without the pods that a workload finds itself. */
export function outsideClusters(changes: readonly Changed[]): readonly string[] {
  const outside = changes.filter(
    ({ kind, scope, owner }) =>
      (kind === 'lost' || kind === 'gained') && clusterOf(scope ?? owner.scope ?? owner.builtBy) === undefined,
  );
  const others = outside.filter(({ owner, target }) => shown(owner) !== shown(target));
  return others
    .map(({ kind, owner, path, target }) => textOf(kind, `${shown(owner)} ${withoutIndexes(path)} ${shown(target)}`))
    .toSorted();
}

/** Tests that `impact` and `diff` list exactly the matches by which two states differ, and returns the number of those between different GitOps objects. `impact` is not complete beside a syntax error in a changed file. */
export async function checkChanges(
  before: Files,
  after: Files,
  { hasUnknownObjects = false, hasSyntaxError = false } = {},
) {
  const [old, fresh] = [await answersIn(before), await answersIn(after)];
  const expected = (from: (answers: Answers, kind: string, key: string) => boolean) => [
    ...onlyIn('lost', old, fresh).flatMap((key) => (from(old, 'lost', key) ? [textOf('lost', key)] : [])),
    ...onlyIn('gained', fresh, old).flatMap((key) => (from(fresh, 'gained', key) ? [textOf('gained', key)] : [])),
  ];
  const between = expected((answers, _, key) => answers.between.has(key));
  const all = expected(() => true);
  const notIn = (list: readonly string[]) => (each: string) => !list.includes(each);
  const { changes, notes } = await diffOf(before, after);
  const listed = keysOf(changes);
  const { changes: impacts, complete } = await impactOf(before, after);
  const impact = keysOf(impacts);
  for (const each of [listed, impact]) assert.equal(new Set(each).size, each.length, 'a match is listed once');
  assert.deepEqual([listed.filter(notIn(all)), impact.filter(notIn(all))], [[], []], 'only the changes are listed');
  if (notes.length === 0) assert.deepEqual(all.filter(notIn(listed)), [], 'diff lists all changes');
  // A workload finds only its own pods by its selector.
  const others = all.filter((each) => !/: Deployment\S+ in \S+ spec\.selector /.test(each));
  if (complete) assert.deepEqual(others.filter(notIn(impact)), [], 'impact lists all changes');
  assert.deepEqual([notes.length > 0, !complete], [hasUnknownObjects, hasUnknownObjects || hasSyntaxError]);
  return between.length;
}
