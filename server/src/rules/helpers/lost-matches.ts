/** Finds the edits of selectors and labels that cause lost or gained matches, and the position of each edit. */

import {
  isOwnMatch,
  isSameToOthers,
  type MatchChange,
  type MatchEnd,
  matchChangesOf,
} from '../../compare/match-changes.ts';
import { sourceOf } from '../../compare/update-data.ts';
import { labeledObjectsOf } from '../../manifests/label-sets.ts';
import type { LabelEntry, ManifestObject, SelectorSite } from '../../manifests/model.ts';
import type { Span } from '../../text/span.ts';
import type { ObjectInFile } from '../../workspace/model.ts';
import { isSameObject } from '../../workspace/same-object.ts';
import type { RuleContext } from '../framework/rule.ts';

/** The position of an edit in the current version of a file. */
export interface EditPosition {
  readonly by: 'selector' | 'labels';
  readonly edited: ObjectInFile;
  /** The range of the edit, in the file of the edited object. */
  readonly span: Span;
}

/** An edited selector or label map, and the matches that were lost because of the edit. */
export interface Lost extends EditPosition {
  /**
   * If a selector was edited, the objects that it no longer matches; if labels were edited, the objects whose selectors
   * no longer match them.
   */
  readonly others: readonly ObjectInFile[];
}

/** Yields the matches between existing objects that were lost because of edits of a file. */
export function* lostMatches({ since, uri }: RuleContext): Iterable<Lost> {
  if (since === undefined) return;
  const { base, now } = since;
  const places = new Map<string, Lost & { readonly others: ObjectInFile[] }>();
  for (const change of matchChangesOf(base, now, uri)) {
    if (change.kind !== 'lost' || change.owner.before === undefined || change.target.before === undefined) continue;
    // Another rule reports a selector that does not match its own template.
    if (isOwnMatch(change)) continue;
    const position = editPositionOf(change);
    if (position?.edited.file.uri !== uri || sourceOf(now, position.edited) === undefined) continue;
    const other = position.by === 'selector' ? change.target.now : change.owner.now;
    if (other === undefined) continue;
    const key = `${position.by} ${position.span.start}`;
    const known = places.get(key);
    if (known === undefined) places.set(key, { ...position, others: [other] });
    // The same match may be lost in several overlays.
    else if (!known.others.some((each) => isSameObject(each, other))) known.others.push(other);
  }
  yield* places.values();
}

/** Returns the position at which the selector or the labels of a lost or gained match were edited; undefined if the selecting or the selected object no longer exists, or if neither of them changed, for example because the labels of a namespace did. */
export function editPositionOf({ owner, target, path, via }: MatchChange): EditPosition | undefined {
  if (owner.now === undefined || target.now === undefined) return undefined;
  if ([owner, target].every(isSameToOthers)) return undefined;
  const sites = sitesAt(owner, path);
  const changed = sites.find(({ now, before }) => before === undefined || !isSame(before.data, now.data));
  if (changed !== undefined)
    return { by: 'selector', edited: owner.now, span: selectorSpan(owner.now.object, changed.now, changed.before) };
  const [labeledObject, old] = [target.now, target.before].map(
    (where) => where && labeledObjectsOf(where.object).find((each) => each.via === via),
  );
  const entry = changedEntry(labeledObject?.site?.entries ?? [], old?.site?.entries ?? []);
  const { object } = target.now;
  return {
    by: 'labels',
    edited: target.now,
    span: entry?.value.span ?? labeledObject?.site?.keySpan ?? object.kindSpan,
  };
}

/** Returns the selectors of an object at a catalogue path, each in the current state and in the base. */
function sitesAt({ before, now }: MatchEnd, path: string) {
  const at = (where: ObjectInFile | undefined) =>
    where?.object.selectorSites.filter(({ fact }) => fact.path === path) ?? [];
  return at(now).map((site) => ({ now: site, before: at(before).find((each) => each.path === site.path) }));
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Returns the span of the changed requirement in the file; if no such requirement is in the file, the span of the key of the selector. */
function selectorSpan({ kindSpan }: ManifestObject, site: SelectorSite, old: SelectorSite | undefined): Span {
  const isForeign = site.entries.some(({ key, value }) => (value.origin ?? key.origin) !== undefined);
  return changedEntry(site.entries, old?.entries ?? [])?.value.span ?? (isForeign ? kindSpan : site.keySpan);
}

function changedEntry(now: readonly LabelEntry[], before: readonly LabelEntry[]): LabelEntry | undefined {
  return now.find(
    ({ key, value, merged }) =>
      !merged &&
      (value.origin ?? key.origin) === undefined &&
      !before.some((each) => each.key.text === key.text && each.value.text === value.text),
  );
}
