/** Lists the changes since the base revision: rejected updates, and lost and gained matches, by scope. */

import {
  type BrokenPartSince,
  type BrokenSince,
  brokenPartsSince,
  brokenSince,
} from '../../compare/broken-references.ts';
import { isOwnMatch, type MatchChange, type MatchEnd, matchChangesSince } from '../../compare/match-changes.ts';
import { newScopeMatches } from '../../compare/new-scope-matches.ts';
import { type CausedUpdate, changedValues, updatesSince } from '../../compare/updates.ts';
import { getOrAdd } from '../../engine/memoize.ts';
import { nameSpan } from '../../manifests/sites/object-sites.ts';
import type { ChangedObject, ChangedScope, ChangeGroup, ChangeItem, ChangeLocation } from '../../protocol.ts';
import { editPositionOf } from '../../rules/helpers/lost-matches.ts';
import { replaceControls } from '../../text/control-characters.ts';
import { offsetToPosition } from '../../text/lines.ts';
import { localize } from '../../text/localize.ts';
import type { Base, Side } from '../../workspace/base.ts';
import type { ObjectInFile } from '../../workspace/model.ts';
import type { Scope } from '../../workspace/scopes/model.ts';
import { scopeName } from '../../workspace/scopes/scope-names.ts';
import { effectiveNamespace } from '../../workspace/selection/namespaces.ts';
import type { FileSpan } from '../locations.ts';
import {
  brokenPartSentence,
  brokenSentence,
  matchSentence,
  rejectionSentence,
  uncomparedSentences,
} from '../presentation/change-sentences.ts';
import { objectName } from '../presentation/object-names.ts';

export type { ChangedObject, ChangeItem };

/** The maximum number of items in a group of the view; the total number is shown in addition. */
const maximumItems = 200;

export interface ChangesSince {
  readonly scopes: readonly ChangedScope[];
  readonly problems: readonly string[];
}

/** The states that are compared. `nameOf` returns the name of a scope, which distinguishes all scopes; by default, its display name. */
interface ComparedStates {
  readonly base: Base;
  readonly now: Side;
  readonly nameOf?: (scope: Scope) => string;
  /** The maximum number of items in a group. */
  readonly mostItems?: number;
  readonly areNewScopesListed?: boolean;
}

export function changesSince(states: ComparedStates): ChangesSince {
  const { base, now, nameOf: givenName, mostItems } = states;
  const sides = { base: base.side, now };
  const byScope = new Map<Scope, Map<ChangeGroup['kind'], ChangeItem[]>>();
  const add = (scope: Scope, kind: ChangeGroup['kind'], item: ChangeItem) => {
    const groups = getOrAdd(byScope, scope, () => new Map<ChangeGroup['kind'], ChangeItem[]>());
    getOrAdd(groups, kind, () => []).push(withoutControls(item));
  };
  for (const update of [...updatesSince(base, now).values()].flat())
    add(update.scope, 'recreate', rejectedItem(now, update));
  for (const since of brokenSince(base, now))
    add(
      since.scope,
      'broken',
      brokenItem(now, since, (name) => brokenSentence(name, since.broken)),
    );
  for (const since of brokenPartsSince(base, now))
    add(
      since.scope,
      'broken',
      brokenItem(now, since, (name) => brokenPartSentence(name, since.broken)),
    );
  const { changes, isIncomplete: isCut, clusters } = matchChangesSince(base, now);
  const added = states.areNewScopesListed === true ? newScopeMatches(base, now) : { changes: [], isIncomplete: false };
  const isIncomplete = isCut || added.isIncomplete;
  const all = now.workspace.scopes().all();
  const nameOf = (scope: Scope) => replaceControls(givenName?.(scope) ?? scopeName(scope, all));
  for (const change of [...changes, ...added.changes]) add(change.scope, change.kind, matchItem(sides, change, nameOf));
  const scopes = [...byScope].map(([scope, groups]) => ({
    name: nameOf(scope),
    path: scope.path,
    groups: (['recreate', 'broken', 'lost', 'gained'] as const).flatMap((kind) =>
      groupOf(kind, groups.get(kind) ?? [], mostItems),
    ),
  }));
  return {
    scopes: scopes.toSorted((a, b) => (a.path < b.path ? -1 : 1)),
    problems: [
      ...(isIncomplete ? [localize`Too many selectors and objects changed: not all matches were compared.`] : []),
      ...uncomparedSentences(clusters, nameOf),
    ],
  };
}

function groupOf(
  kind: ChangeGroup['kind'],
  items: readonly ChangeItem[],
  mostItems = maximumItems,
): readonly ChangeGroup[] {
  if (items.length === 0) return [];
  const sorted = items.toSorted((a, b) => (a.message < b.message ? -1 : 1));
  return [{ kind, items: sorted.slice(0, mostItems), total: items.length }];
}

function rejectedItem(now: Side, update: CausedUpdate): ChangeItem {
  const { change, selectors, escape: recreation, file, span } = update;
  const object = objectIn(now, update.now);
  const path = selectors === undefined ? change.path : undefined;
  const values = changedValues(update);
  return {
    message: rejectionSentence({
      name: shownName(object),
      path,
      ...values,
      recreate: change.recreate,
      escape: recreation,
    }),
    object,
    path: change.path,
    ...values,
    consequence: change.recreate,
    place: locationOf({ file, span }),
    ...(recreation !== undefined && recreation !== 'silent' && { recreatedBy: recreation.sentence }),
  };
}

function brokenItem(
  now: Side,
  { owner, broken }: BrokenSince | BrokenPartSince,
  sentenceOf: (name: string) => string,
): ChangeItem {
  const { file, object } = owner;
  const shown = objectIn(now, owner);
  return {
    message: sentenceOf(shownName(shown)),
    object: shown,
    path: broken.path,
    target: { group: '', kind: broken.kind, name: broken.name },
    place: locationOf({ file, span: object.name?.span ?? object.kindSpan }),
  };
}

function matchItem(
  sides: { readonly base: Side; readonly now: Side },
  change: MatchChange,
  nameOf: (scope: Scope) => string,
): ChangeItem {
  const { kind, owner, path, target, scope, targetScope } = change;
  const [object, other] = [endIn(sides, owner), endIn(sides, target)];
  const edit = editPositionOf(change);
  const isOwn = isOwnMatch(change);
  const isNear = !isOwn && object.namespace === other.namespace;
  const within = (at: Scope) => (targetScope === undefined ? '' : ` (${nameOf(at)})`);
  return {
    message: `${matchSentence({
      kind,
      owner: {
        ...object,
        name: `${isNear ? `${object.kind}/${object.name}` : shownName(object)}${within(scope)}`,
        isInBoth: isInBoth(owner),
      },
      path,
      target: {
        name: isOwn ? 'its own pods' : `${shownName(other)}${within(targetScope ?? scope)}`,
        isInBoth: isInBoth(target),
      },
    })}.`,
    object,
    path,
    target: { ...other, ...(targetScope && { builtBy: targetScope.path }) },
    ...(edit && { place: locationOf({ file: edit.edited.file, span: edit.span }) }),
  };
}

function isInBoth({ before, now }: MatchEnd): boolean {
  return before !== undefined && now !== undefined;
}

function endIn(sides: { readonly base: Side; readonly now: Side }, { before, now }: MatchEnd): ChangedObject {
  if (now !== undefined) return { ...objectIn(sides.now, now), ...(before === undefined && { state: 'new' }) };
  const { place: _, ...gone } = objectIn(sides.base, before as ObjectInFile); // it exists in one of the states
  return { ...gone, state: 'gone' };
}

function objectIn({ workspace, catalogueOf }: Side, where: ObjectInFile): ChangedObject {
  const { group, kind } = where.object;
  const namespace = effectiveNamespace(workspace, catalogueOf(where.file.uri), where)?.text;
  return {
    group,
    kind,
    ...(namespace !== undefined && { namespace }),
    name: objectName(where.object).slice(kind.length + 1),
    place: locationOf({ file: where.file, span: nameSpan(where.object) }),
  };
}

function shownName({ kind, name, namespace }: ChangedObject): string {
  return `${kind}/${name}${namespace === undefined ? '' : localize` in ${namespace}`}`;
}

function locationOf({ file, span }: FileSpan): ChangeLocation {
  const [start, end] = [offsetToPosition(file.lines, span.start), offsetToPosition(file.lines, span.end)];
  return { uri: file.uri, range: { start, end } };
}

/** Replaces control characters in shown text. */
function withoutControls(item: ChangeItem): ChangeItem {
  const shown = (object: ChangedObject): ChangedObject => ({
    ...object,
    kind: replaceControls(object.kind),
    name: replaceControls(object.name),
    ...(object.namespace !== undefined && { namespace: replaceControls(object.namespace) }),
  });
  return {
    ...item,
    message: replaceControls(item.message),
    object: shown(item.object),
    ...(item.from !== undefined && { from: replaceControls(item.from) }),
    ...(item.to !== undefined && { to: replaceControls(item.to) }),
    ...(item.target && { target: shown(item.target) }),
  };
}
