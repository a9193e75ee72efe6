/** Groups changes that differ only in the scope or the namespace into statements. */

import { getOrAdd } from '../../engine/memoize.ts';
import { compareText } from '../../text/order.ts';
import type { Change } from '../objects/compare.ts';
import { keyOf, type Named, shownName } from '../objects/compared-names.ts';
import { capitalized, listedNames, listedPhrases } from '../output/names.ts';
import { type Cause, withoutTexts } from './causes.ts';
import type { Statement } from './model.ts';
import { type placesIn, statedIn } from './places.ts';

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
  const sharing = new Map<string, Change[][]>();
  for (const group of groups.values()) {
    const [first] = group;
    if (first === undefined) continue;
    const owners = group.map(({ owner }) => keyOf(owner));
    const cause = causeOf(first);
    // A change of several objects may have one cause.
    const key = JSON.stringify([pattern(first), first.path, cause && withoutTexts(cause), isEmptied(first), owners]);
    getOrAdd(sharing, key, () => []).push(group);
  }
  const statements = [...sharing.values()].flatMap((joined): readonly Grouped[] => {
    const [group = []] = joined;
    const [first] = group;
    if (first === undefined) return [];
    const cause = causeOfAll(causeOf(first), joined.length);
    const owners = group.map(({ owner }) => keyOf(owner));
    const emptied = isEmptied(first) ? owners : [];
    // The pods of a workload are replaced one after another.
    const when = cause?.label !== undefined && first.target?.via !== undefined ? 'after the rollout' : 'then';
    const end =
      emptied.length === 0
        ? ''
        : when === 'then'
          ? '; the Service then has no endpoints'
          : `; the Service has no endpoints ${when}`;
    const changesOfAll = joined.flat();
    const shared = {
      count: changesOfAll.length,
      first,
      changes: changesOfAll,
      owners,
      emptied,
      isAfterRollout: when !== 'then',
      ...(cause && { cause }),
    };
    const explained = (text: string) =>
      `${text.slice(0, -1)}${end}.${cause?.change ? ` ${capitalized(cause.change)}.` : ''}`;
    const targets = joined.flatMap(([each]) => each?.target ?? []);
    if (group.length === 1) return [{ text: explained(withTargets(first, targets, false)), ...shared }];
    const places = placesOf(group.map(({ owner }) => owner));
    const text = statedIn(places, explained(withTargets(first, targets, true)));
    return [{ text, ...shared, places: places.names }];
  });
  return statements.toSorted((a, b) => b.count - a.count || compareText(a.text, b.text));
}

/** Returns the cause of the changes of one or several objects. */
function causeOfAll(cause: Cause | undefined, objects: number): Cause | undefined {
  return cause?.label === undefined || objects < 2 ? cause : { ...cause, label: { change: cause.label.change } };
}

/** Where a message names the selected object. */
const placeholder = '\n';

/** Returns the message of a change with a placeholder, if it ends with the selected object: it is equal for other objects in the namespace and scope. */
function pattern({ message, target }: Change): string {
  if (target === undefined) return message;
  const place = placeOf(target);
  const replaced = message.replaceAll(shownName(target, false), `${placeholder}${place}`);
  return replaced.replace(ending, '').endsWith(`${placeholder}${place}`) ? replaced : message;
}

/** Returns the namespace and scope in the name of an object. */
function placeOf(named: Named): string {
  return shownName(named, false).slice(shownName(named, true).length);
}

const ending = /(?:, which is (gone|new))?\.$/;

/** Returns the message of a change with the names of all selected objects. A brief message contains no namespaces and scopes. */
function withTargets(first: Change, targets: readonly Named[], isBrief: boolean): string {
  const { message, target } = first;
  if (target === undefined || targets.length < 2) return isBrief ? brief(first) : message;
  const names = listedNames(targets.map((each) => shownName(each, true)));
  const place = placeOf(target);
  const several = pattern(first)
    .replace(ending, (end, state) => (state === undefined ? end : `, which are ${state}.`))
    .replaceAll(`${placeholder}${place}`, isBrief ? names : `${names}${place}`);
  return isBrief ? brief({ ...first, message: several }) : several;
}

/** A statement, and the first of the changes that it describes. */
export interface Grouped extends Statement {
  readonly first: Change;
  readonly changes: readonly Change[];
  /** The keys of the objects that contain the selectors, references or fields. */
  readonly owners: readonly string[];
}

/** Joins the rejected updates of one field in several objects that have one cause. */
export function joinedByCause(
  statements: readonly (Grouped & { readonly more?: string; readonly then?: readonly string[] })[],
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
    const others = consequences.length - mostConsequences;
    const shown = [
      ...consequences.slice(0, mostConsequences),
      ...(others > 0 ? [`${others} more matches change`] : []),
    ];
    const end = shown.length === 0 ? '' : ` After that, ${listedPhrases(shown)}.`;
    const text = `\`${path}\` of ${listedNames(names)} changed and is immutable: the API server rejects this.`;
    const more = `If an object is deleted and recreated, ${recreate}.${end}`;
    const count = group.reduce((sum, each) => sum + each.count, 0);
    return [{ text, more, count, ...(only.cause && { cause: only.cause }) }];
  });
}

/** The maximum number of consequences that a statement lists. */
export const mostConsequences = 3;

/** Returns the message of a change without the namespaces and scopes of its objects. */
export function brief({ message, owner, target }: Change): string {
  return [owner, ...(target === undefined ? [] : [target])].reduce(
    (text, each) => text.replaceAll(shownName(each, false), shownName(each, true)),
    message,
  );
}
