/** Groups changes that differ only in the scope or the namespace into statements. */

import { getOrAdd } from '../../engine/memoize.ts';
import { compareText } from '../../text/order.ts';
import type { Change } from '../objects/compare.ts';
import { keyOf, shownName } from '../objects/compared-names.ts';
import { listed, listedNames } from '../output/names.ts';
import type { Cause } from './causes.ts';
import type { Statement } from './model.ts';
import { type placesIn, shownPlaces } from './places.ts';

/** Joins the changes that differ only in the scope or the namespace: a changed base is one change in all of its overlays. */
export function grouped(
  changes: readonly Change[],
  placesOf: ReturnType<typeof placesIn>,
  causeOf: (change: Change) => Cause | undefined,
  isEmptied: (change: Change) => boolean,
): readonly Grouped[] {
  const groups = new Map<string, Change[]>();
  for (const change of changes) {
    const { kind, owner, path, target } = change;
    const key = [kind, owner.group, owner.kind, owner.name, path, target?.kind, target?.name, brief(change)].join('\n');
    getOrAdd(groups, key, () => []).push(change);
  }
  const statements = [...groups.values()].flatMap((group): readonly Grouped[] => {
    const [first] = group;
    if (first === undefined) return [];
    const cause = causeOf(first);
    const emptied = isEmptied(first) ? group.map(({ owner }) => keyOf(owner)) : [];
    const end = emptied.length === 0 ? '' : '; the Service then has no endpoints';
    const shared = { count: group.length, first, emptied, ...(cause && { cause }) };
    const explained = (text: string) =>
      `${text.slice(0, -1)}${end}.${cause?.change ? ` ${capitalized(cause.change)}.` : ''}`;
    if (group.length === 1) return [{ text: explained(first.message), ...shared }];
    const places = placesOf(group.map(({ owner }) => owner));
    const where = shownPlaces(places);
    return [{ text: `I${where.slice(1)}: ${explained(brief(first))}`, ...shared, places: places.names }];
  });
  return statements.toSorted((a, b) => b.count - a.count || compareText(a.text, b.text));
}

/** A statement, and the first of the changes that it describes. */
export interface Grouped extends Statement {
  readonly first: Change;
  /** The keys of the Services that have no endpoints afterwards. */
  readonly emptied: readonly string[];
}

/** Joins the rejected updates of one field in several objects that have one cause. */
export function joinedByCause(
  statements: readonly (Grouped & { readonly then?: readonly string[] })[],
): readonly Statement[] {
  const groups = new Map<string, (typeof statements)[number][]>();
  for (const each of statements) {
    const { cause, first } = each;
    const key = JSON.stringify(cause === undefined ? each.text : [cause, first.path, first.owner.kind, first.recreate]);
    getOrAdd(groups, key, () => []).push(each);
  }
  return [...groups.values()].flatMap((group): readonly Statement[] => {
    const [only, second] = group;
    if (only === undefined || second === undefined) return group;
    const names = group.map(({ first }) => shownName(first.owner, false));
    const { path, recreate = '' } = only.first;
    const consequences = [...new Set(group.flatMap(({ then = [] }) => then))];
    const more = consequences.length - mostConsequences;
    const shown = [...consequences.slice(0, mostConsequences), ...(more > 0 ? [`${more} more matches change`] : [])];
    const end = shown.length === 0 ? '' : `; then, ${listed(shown)}`;
    const text = `\`${path}\` of ${listedNames(names)} changed and is immutable: the API server rejects this. If an object is deleted and recreated, ${recreate}${end}.`;
    const count = group.reduce((sum, each) => sum + each.count, 0);
    return [{ text, count, ...(only.cause && { cause: only.cause }) }];
  });
}

/** The maximum number of consequences that a statement lists. */
export const mostConsequences = 3;

/** Returns the message of a change without the namespaces and scopes of its objects. */
function brief({ message, owner, target }: Change): string {
  return [owner, ...(target === undefined ? [] : [target])].reduce(
    (text, each) => text.replaceAll(shownName(each, false), shownName(each, true)),
    message,
  );
}

export function capitalized(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
