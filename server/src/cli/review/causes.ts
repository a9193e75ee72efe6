/** Finds the line that causes a change: the label, the requirement or the field that differs, or the object that is new or gone. */

import { isSameToOthers } from '../../compare/match-changes.ts';
import { partsOf } from '../../compare/object-parts.ts';
import { sourceOf } from '../../compare/update-data.ts';
import { causeOf, rejectedChanges } from '../../compare/updates.ts';
import type { LabelEntry, Written } from '../../manifests/model.ts';
import { lineNumber } from '../../text/lines.ts';
import type { Span } from '../../text/span.ts';
import { concernsNetwork } from '../../workspace/reach/network-objects.ts';
import { isPluginPolicy } from '../../workspace/reach/plugin-policies.ts';
import { relativePath } from '../../workspace/uri.ts';
import type { AppliedObject } from '../objects/applied-objects.ts';
import type { Change } from '../objects/compare.ts';
import { keyOf, shownName } from '../objects/compared-names.ts';
import type { Tree } from '../trees/tree.ts';
import type { Pair } from './pairs-of-trees.ts';

/** A position in a file. */
export interface Cause {
  /** Relative to the tree. */
  readonly path: string;
  /** The line, counted from 1. */
  readonly line: number;
  /** Set for a position in the old tree, for what was removed. */
  readonly isBefore?: true;
  /** What changed at the position, such as "label `tier` changed from 'web' to 'frontend'". */
  readonly change?: string;
  /** The changed label, which may cause several changes. */
  readonly label?: ChangedLabel;
  /** The name of the policy that was removed. */
  readonly removed?: string;
}

/** Returns a cause without the parts that only texts need. */
export function withoutTexts({ label: _, removed: __, ...cause }: Cause): Cause {
  return cause;
}

/** A label that changed. */
export interface ChangedLabel {
  /** What changed, which is the last part of `change`. */
  readonly change: string;
  /** The name of the only object whose label it is. */
  readonly of?: string;
}

interface Place {
  readonly uri: string;
  readonly span: Span;
  readonly isBefore: boolean;
  readonly change?: string;
  readonly label?: ChangedLabel;
  /** The key of the changed label. */
  readonly key?: string;
}

/** Returns a function that finds the cause of a change; the function returns undefined if no single line causes it. */
export function causesIn(
  [before, after]: readonly [Tree, Tree],
  pairs: ReadonlyMap<string, Pair>,
): (change: Change) => Cause | undefined {
  const shown: Shown = ({ uri, span, isBefore, change, label }) => {
    const { side, root } = isBefore ? before : after;
    const text = side.textOf(uri);
    if (text === undefined) return undefined;
    const line = lineNumber(text, span.start);
    return {
      path: relativePath(root, uri),
      line,
      ...(isBefore && { isBefore: true }),
      ...(change !== undefined && { change }),
      ...(label !== undefined && { label }),
    };
  };
  return (change) => {
    const owner = pairs.get(keyOf(change.owner));
    const target = change.kind !== 'broken' && change.target ? pairs.get(keyOf(change.target)) : undefined;
    const place =
      (owner && (presence(owner) ?? causeIn([before, after], owner, change))) ??
      (target && (presence(target) ?? labelCause(change, owner, target, shown)));
    return place && shown(place);
  };
}

/** Returns the position of an object of a tree. */
function positionIn({ side, root }: Tree, { file, object }: AppliedObject): Cause | undefined {
  const text = side.textOf(file.uri);
  return text === undefined
    ? undefined
    : { path: relativePath(root, file.uri), line: lineNumber(text, object.kindSpan.start) };
}

/** Returns the position of the first label in a selector of an object whose path matches a pattern, or else that of the object. */
export function selectorPosition(tree: Tree, applied: AppliedObject, path: RegExp): Cause | undefined {
  const sites = applied.object.selectorSites.filter((site) => path.test(site.path));
  const [entry] = sites.flatMap(({ entries }) => entries);
  if (entry === undefined) return positionIn(tree, applied);
  const { uri, span } = at(applied, entry.value, false);
  const text = tree.side.textOf(uri);
  return text === undefined ? undefined : { path: relativePath(tree.root, uri), line: lineNumber(text, span.start) };
}

/** Returns the position of the only policy that changed, if nothing else that decides about connections changed. */
export function policyCause([before, after]: readonly [Tree, Tree], concerned: readonly Pair[]): Cause | undefined {
  const places = new Map<string, Cause>();
  for (const { named, before: old, after: fresh } of concerned) {
    if (old !== undefined && fresh !== undefined && isSameToOthers({ before: old, now: fresh })) continue;
    const only = fresh ?? old;
    if (only === undefined || !concernsNetwork(only.object)) continue;
    if (only.object.policySpec === undefined && !isPluginPolicy(only.object)) return undefined;
    const { side, root } = fresh === undefined ? before : after;
    const source = sourceOf(side, only);
    const text = source && side.textOf(source.file.uri);
    if (source === undefined || text === undefined) return undefined;
    const line = lineNumber(text, source.object.kindSpan.start);
    const path = relativePath(root, source.file.uri);
    const key = `${path}:${line}`;
    if (fresh === undefined && places.has(key)) continue;
    places.set(key, { path, line, ...(fresh === undefined && { isBefore: true, removed: shownName(named, true) }) });
  }
  return places.size === 1 ? [...places.values()][0] : undefined;
}

type Shown = (place: Place) => Cause | undefined;

/** The text between what a selector requires and the label that changed. */
export const afterRequirement = ', and ';

/** Returns the position of the changed label of a selected object, and what the selector requires. */
function labelCause({ path, target }: Change, owner: Pair | undefined, pair: Pair, shown: Shown): Place | undefined {
  const via = target?.via;
  const found = changedLabel(pair, via, keysOf(owner, path));
  if (found?.change === undefined) return found;
  const place = { ...found, label: { change: found.change, of: shownName(pair.named, true) } };
  if (owner?.after === undefined) return place;
  const applied = owner.after;
  const sites = applied.object.selectorSites.filter((site) => site.fact.path === path);
  const entry = sites.flatMap(({ entries }) => entries).find(({ key }) => key.text === place.key);
  const required = entry && shown(at(applied, entry.value, false));
  if (entry === undefined || required === undefined) return place;
  const requires = `its selector requires \`${entry.key.text}=${entry.value.text}\` (${required.path}:${required.line})`;
  return { ...place, change: `${requires}${afterRequirement}${found.change}` };
}

/** Returns the position of an object that only one tree contains. */
function presence({ before, after }: Pair): Place | undefined {
  if (before !== undefined && after !== undefined) return undefined;
  const only = after ?? before;
  return only && { uri: only.file.uri, span: only.object.kindSpan, isBefore: after === undefined };
}

/** Returns the position in the object that contains the selector, the reference or the field. */
function causeIn(trees: readonly [Tree, Tree], { before: old, after: fresh }: Pair, change: Change): Place | undefined {
  if (old === undefined || fresh === undefined) return undefined;
  if (change.kind === 'immutable') {
    const [before, after] = [
      { side: trees[0].side, applied: old },
      { side: trees[1].side, applied: fresh },
    ];
    const update = rejectedChanges(before, after, fresh.builtBy).find((each) => each.change.path === change.path);
    const cause = update && causeOf(trees[1].side, update);
    return cause && { uri: cause.file.uri, span: cause.span, isBefore: false };
  }
  if (change.kind === 'broken') {
    const sites =
      change.part === undefined ? fresh.object.references : partsOf({ side: trees[1].side, applied: fresh })?.sites;
    const names = [change.target?.name, change.part];
    const site = sites?.find(({ fact, name }) => fact.path === change.path && names.includes(name.text));
    return site && at(fresh, site.keys?.find(({ text }) => text === change.part) ?? site.name, false);
  }
  const [was, is] = [old, fresh].map(({ object }) =>
    object.selectorSites.filter(({ fact }) => fact.path === change.path),
  );
  return differing(
    ['requirement', 'its selector'],
    [fresh, (is ?? []).flatMap(({ entries }) => entries)],
    [old, (was ?? []).flatMap(({ entries }) => entries)],
  );
}

/** Returns the keys of the labels that a selector requires. */
function keysOf(owner: Pair | undefined, path: string): ReadonlySet<string> {
  const sites = (owner?.after ?? owner?.before)?.object.selectorSites ?? [];
  return new Set(
    sites.filter(({ fact }) => fact.path === path).flatMap(({ entries }) => entries.map(({ key }) => key.text)),
  );
}

/** Returns the position of a label that differs, of the object itself or of the template at a path; a label with one of the keys, if there is one. */
function changedLabel(
  { named, before: old, after: fresh }: Pair,
  via: string | undefined,
  keys: ReadonlySet<string>,
): Place | undefined {
  if (old === undefined || fresh === undefined) return undefined;
  const path = via === undefined ? 'metadata.labels' : `${via}.metadata.labels`;
  const [was, is] = [old, fresh].map(({ object }) => object.labelSites.find((site) => site.path === path)?.entries);
  const what = ['label', via === undefined ? shownName(named, true) : 'the pod template'] as const;
  const hasKey = ({ key }: LabelEntry) => keys.has(key.text);
  return (
    differing(what, [fresh, (is ?? []).filter(hasKey)], [old, (was ?? []).filter(hasKey)]) ??
    differing(what, [fresh, is ?? []], [old, was ?? []])
  );
}

type Entries = readonly [AppliedObject, readonly LabelEntry[]];

function differing(
  [what, whose]: readonly ['label' | 'requirement', string],
  [fresh, is]: Entries,
  [old, was]: Entries,
): Place | undefined {
  const textOf = ({ key, value }: LabelEntry) => `${key.text}=${value.text}`;
  const missingIn = (entries: readonly LabelEntry[]) => {
    const texts = new Set(entries.map(textOf));
    return (each: LabelEntry) => !texts.has(textOf(each));
  };
  const added = is.find(missingIn(was));
  const removed = was.find(missingIn(is));
  if (added !== undefined) {
    const { key, value } = added;
    const earlier = was.find((each) => each.key.text === key.text);
    const other =
      removed === undefined
        ? `${what} \`${textOf(added)}\` of ${whose} was added`
        : `${what} \`${textOf(removed)}\` of ${whose} was replaced by \`${textOf(added)}\``;
    const change =
      earlier === undefined
        ? other
        : `${what} \`${key.text}\` of ${whose} changed from '${earlier.value.text}' to '${value.text}'`;
    return { ...at(fresh, value, false), change, key: key.text };
  }
  return (
    removed && {
      ...at(old, removed.value, true),
      change: `${what} \`${textOf(removed)}\` of ${whose} was removed`,
      key: removed.key.text,
    }
  );
}

function at({ file }: AppliedObject, { origin, span }: Written, isBefore: boolean): Place {
  return { ...(origin ?? { uri: file.uri, span }), isBefore };
}
