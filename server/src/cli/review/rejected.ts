/** States what follows if the API server rejects some updates of a change and accepts the others. */

import { isSameToOthers } from '../../compare/match-changes.ts';
import type { LabelEntry, ManifestObject } from '../../manifests/model.ts';
import { concernsNetwork } from '../../workspace/reach/network-objects.ts';
import type { Change } from '../objects/compare.ts';
import { keyOf, shownName } from '../objects/compared-names.ts';
import { listedNames, listedPhrases } from '../output/names.ts';
import { brief, mostConsequences } from './grouped.ts';
import type { Pair } from './pairs-of-trees.ts';
import { areBeside, podSelectorsOf, selectsPods } from './pod-matches.ts';

/** Whether the selector of a workload no longer matches its template, which the API server rejects. */
export function isMismatch({ kind, owner, path, target }: Change): boolean {
  return (
    path === 'spec.selector' &&
    kind === 'lost' &&
    owner.group === 'apps' &&
    target !== undefined &&
    keyOf(owner) === keyOf(target)
  );
}

/** Returns the keys of the objects whose updates the API server rejects, so that they stay as they are. */
export function rejectedIn(changes: readonly Change[]): ReadonlySet<string> {
  return new Set(
    changes
      .filter(
        (each) => (each.kind === 'immutable' && each.recreatedBy === undefined) || each.isRejected || isMismatch(each),
      )
      .map(({ owner }) => keyOf(owner)),
  );
}

/** Returns whether a change of a match happens only if a rejected object is recreated. A removed policy or Service is gone at once. */
export function conditionalOn(
  rejected: ReadonlySet<string>,
  pairs: ReadonlyMap<string, Pair>,
): (change: Change) => boolean {
  return ({ kind, owner, target }) =>
    (kind === 'lost' || kind === 'gained') &&
    target !== undefined &&
    rejected.has(keyOf(target)) &&
    keyOf(owner) !== keyOf(target) &&
    pairs.get(keyOf(owner))?.after !== undefined;
}

/** Returns whether a workload, named as in connections, keeps its connections because its update is rejected and no policy changes. */
export function keptIn(rejected: ReadonlySet<string>, pairs: ReadonlyMap<string, Pair>): (workload: string) => boolean {
  const kept = new Set<string>();
  for (const [key, { named, before, after }] of pairs) {
    const { namespace = '', kind, name } = named;
    if (rejected.has(key)) kept.add(`${namespace}/${kind}/${name}`);
    const isSame = before !== undefined && after !== undefined && isSameToOthers({ before, now: after });
    if (!isSame && [before, after].some((each) => each && isRule(each.object))) return () => false;
  }
  return (workload) => kept.has(workload);
}

/** Whether an object may decide about the connections of other objects: a policy or a Namespace. */
function isRule(object: ManifestObject): boolean {
  return concernsNetwork(object) && object.kind !== 'Service' && object.templates.length === 0;
}

const whileRejected = ' selects none of them.';

/** Whether a lost match is a result of `lostUntilRecreated`: it is lost only if a tool applies the other objects of the change. */
export function isWhileRejected({ message }: Change): boolean {
  return message.endsWith(whileRejected);
}

/** Returns the matches that are lost because a selector changes, and the workload that it then matches does not. */
export function lostUntilRecreated(
  changed: readonly Pair[],
  pairs: ReadonlyMap<string, Pair>,
  rejected: ReadonlySet<string>,
): readonly Change[] {
  const workloads = [...rejected].flatMap((key) => pairs.get(key) ?? []);
  return changed.flatMap(({ named: owner, before: earlier, after: selecting }) =>
    workloads.flatMap(({ named: target, before, after }): readonly Change[] => {
      if (selecting === undefined || earlier === undefined || before === undefined || after === undefined) return [];
      if (rejected.has(keyOf(owner)) || !areBeside(owner, target)) return [];
      const isLost =
        selectsPods(earlier, before) === 'yes' &&
        selectsPods(selecting, before) === 'no' &&
        selectsPods(selecting, after) === 'yes';
      const [site] = podSelectorsOf(selecting);
      if (!isLost || site === undefined) return [];
      const labels = site.entries.length === 0 ? '' : ` \`${labelsOf(podSelectorsOf(earlier)[0]?.entries ?? [])}\``;
      const name = shownName(owner, true);
      const message = `Because the update of ${shownName(target, false)} is refused, its pods keep${labels}, and ${name}${whileRejected}`;
      return [{ kind: 'lost', message, owner, path: site.fact.path, target }];
    }),
  );
}

function labelsOf(entries: readonly LabelEntry[]): string {
  return entries.map(({ key, value }) => `${key.text}=${value.text}`).join(',');
}

/** Returns the matches that are lost if a workload is recreated, whose update the API server rejects because of an immutable field. */
export function lostByRecreation(conditional: readonly Change[], changes: readonly Change[]): readonly Change[] {
  const immutable = new Set(changes.flatMap(({ kind, owner }) => (kind === 'immutable' ? keyOf(owner) : [])));
  // A workload that does not match its own template cannot be recreated either.
  return conditional.filter(({ kind, target }) => kind === 'lost' && target && immutable.has(keyOf(target)));
}

/** Adds to statements about rejected updates what happens if the objects are recreated. `selecting` returns the names of the Services and budgets that then select an object. */
export function withConsequences<T extends { readonly text: string; readonly first: Change }>(
  statements: readonly T[],
  conditional: readonly Change[],
  selecting: (workload: Change['owner']) => readonly string[],
): readonly (T & { readonly more?: string; readonly then?: readonly string[] })[] {
  return statements.map((statement) => {
    const { kind, name } = statement.first.owner;
    const sentences = new Set(
      // A workload that does not match its own template cannot be recreated either.
      statement.first.kind === 'immutable'
        ? conditional.filter(({ target }) => target?.kind === kind && target.name === name).map(brief)
        : [],
    );
    const object = `${kind}/${name}`;
    const rejects = 'the API server rejects this.';
    const end = statement.text.indexOf(rejects);
    const stays = `the API server rejects this, and ${object} stays as it is.`;
    const text = end === -1 ? statement.text : `${statement.text.slice(0, end)}${stays}`;
    const rest = end === -1 ? '' : statement.text.slice(end + rejects.length).trim();
    const cost = rest.replace(
      'If the object is deleted and recreated,',
      `If ${object} is deleted and recreated instead,`,
    );
    const shown = [...sentences].slice(0, mostConsequences).map((each) => each.slice(0, -1));
    const others = sentences.size - shown.length;
    const then = [
      ...(statement.first.kind === 'immutable' ? again(selecting(statement.first.owner)) : []),
      ...shown,
      ...(others > 0 ? [`${others} more matches change`] : []),
    ];
    const more = [
      ...(cost === '' ? [] : [cost]),
      ...(then.length === 0 ? [] : [`After that, ${listedPhrases(then)}.`]),
    ];
    const shorter = more.length === 0 ? { ...statement, text } : { ...statement, text, more: more.join(' ') };
    return then.length === 0 ? shorter : { ...shorter, then };
  });
}

/** States which objects select a recreated workload again. */
function again(names: readonly string[]): readonly string[] {
  return names.length === 0 ? [] : [`${listedNames(names)} ${names.length === 1 ? 'selects' : 'select'} it`];
}
