/** Provides the facts, messages and fixes that are common to the rules on rejected updates. */

import { sourceOf } from '../../compare/update-data.ts';
import { type CausedUpdate, knownSelector, updatesOf } from '../../compare/updates.ts';
import type { LabelEntry, ManifestObject } from '../../manifests/model.ts';
import { addEntry, replaceScalar } from '../../manifests/write/write-text.ts';
import type { Edit } from '../../text/edit.ts';
import { localize, localized } from '../../text/localize.ts';
import type { Span } from '../../text/span.ts';
import { namesOf } from '../../workspace/scopes/scope-names.ts';
import { addLabels, type Label } from '../fixes/add-labels.ts';
import { labelWithoutSelectors } from '../fixes/label-without-selectors.ts';
import { renameObject } from '../fixes/rename-object.ts';
import type { Fact, Fix, Related, RuleContext } from '../framework/rule.ts';
import { maximumRelated } from '../framework/rule.ts';
import { shorten } from './sentences.ts';

/** The rejected updates that have a common cause at one position. */
export interface UpdateFact extends Fact {
  readonly update: CausedUpdate;
  /**
   * All rejected updates with this cause: for example, one for each object whose selector a kustomization changes, in
   * each overlay.
   */
  readonly all: readonly CausedUpdate[];
  /** The name of the base, such as `HEAD`. */
  readonly base: string;
}

/** Yields the rejected updates that a file causes, grouped by position. `isSelector` determines whether these are updates of selectors or of other fields. */
export function* updateFacts(context: RuleContext, isSelector: boolean): Iterable<UpdateFact> {
  const { since, uri } = context;
  if (since === undefined) return;
  const updates = updatesOf(since.base, since.now, uri);
  const places = new Map<string, CausedUpdate[]>();
  for (const each of updates) {
    if ((each.selectors !== undefined) !== isSelector) continue;
    const key = `${each.span.start} ${each.span.end}`;
    places.set(key, [...(places.get(key) ?? []), each]);
  }
  for (const each of places.values()) {
    // If a tool deletes and recreates an object, its update succeeds, so it is reported only if no other update is
    // rejected.
    const rejected = each.filter((one) => one.escape === undefined);
    const all = rejected.length > 0 ? rejected : each;
    const [update] = all;
    if (update === undefined) continue;
    yield {
      update,
      all,
      base: since.base.name,
      span: update.span,
      related: relatedOf(all, since.base.name),
      ...(rejected.length === 0 && { severity: 'information' as const }),
    };
  }
}

/** Returns the updates with only one update for each object and field. */
function objectsOf(all: readonly CausedUpdate[]): readonly CausedUpdate[] {
  const byObject = new Map(
    all.map((each) => [`${each.now.file.uri} ${each.now.object.kindSpan.start} ${each.change.path}`, each]),
  );
  return [...byObject.values()];
}

function relatedOf(all: readonly CausedUpdate[], base: string): readonly Related[] {
  return objectsOf(all)
    .slice(0, maximumRelated)
    .map((update) => ({
      file: update.now.file,
      span: update.now.object.kindSpan,
      message: localize`At ${base}: ${oldValue(update)}. To apply the change, delete and recreate ${updatedNameOf(update)}: ${update.change.recreate}.`,
    }));
}

function oldValue({ selectors, change, old }: CausedUpdate): string {
  const known = selectors === undefined ? old : knownSelector(selectors.before);
  return known === undefined || known === '' ? localize`a different ${change.path}` : shorten(known);
}

function updatedNameOf({ now: { object } }: CausedUpdate): string {
  return `${object.kind}/${shorten(object.name?.text ?? '')}`;
}

/** Returns the names of the objects of a finding: `Deployment/web`, or `Deployment/web and 2 more objects`. */
export function namesIn({ update, all }: UpdateFact): string {
  const others = objectsOf(all).length - 1;
  return others === 0
    ? updatedNameOf(update)
    : localize`${updatedNameOf(update)} and ${others} more ${others === 1 ? 'object' : 'objects'}`;
}

/** Returns the part of a message that lists the scopes, if there are several: ` in overlays/dev and overlays/prod`. */
export function scopesIn({ all }: UpdateFact): string {
  const scopes = [...new Set(all.map(({ scope }) => scope))];
  return scopes.length < 2 ? '' : localize` in ${namesOf(scopes, scopes)}`;
}

/** Returns a sentence that describes the effect of the update. */
export function consequenceOf({ update: { escape: recreation, change }, severity }: UpdateFact): string {
  if (severity === undefined || recreation === undefined || recreation === 'silent')
    return localize`the API server rejects this change`;
  return `${localized(recreation.sentence)}: ${change.recreate}`;
}

/** Returns the previous selector of an update as a string; undefined if it is unknown or unchanged. */
export function oldSelector({ update }: UpdateFact): string | undefined {
  return update.selectors && knownSelector(update.selectors.before);
}

/** Returns the fixes for a changed selector: restore the previous selector, do not add a new label of a kustomization to selectors, or give the object a new name. */
export function selectorFixes(fact: UpdateFact, context: RuleContext): readonly Fix[] {
  // A label that the previous selectors required must not be removed from them.
  const isNew = (key: string) =>
    fact.all.every(({ selectors }) => selectors?.before.entries.every((entry) => entry.key.text !== key));
  const inKustomization = labelWithoutSelectors(context, fact.span, isNew);
  return [...restoreFixes(fact, context), ...inKustomization, ...renameFixes(fact, context)];
}

/** Returns the fix that gives the changed object a new name, if the object is defined completely in its own file. */
export function renameFixes({ update, all, severity }: UpdateFact, context: RuleContext): readonly Fix[] {
  const { since } = context;
  // An object that is recreated in any case does not need a new name.
  if (since === undefined || severity !== undefined || objectsOf(all).length > 1) return [];
  // A patch refers to the object by its name, so the object cannot be renamed.
  const isPatched = all.some(({ now }) => now.transformers?.some(({ kind }) => kind !== 'labels'));
  const source = sourceOf(since.now, update.now);
  // If an overlay causes the change, the object is not renamed, because other overlays use it, too.
  if (isPatched || source === undefined || source.file.uri !== update.file.uri) return [];
  return renameObject(context, source);
}

/** Returns the fixes that restore the previous selector, if both selectors are in files and have the same indentation. */
function restoreFixes({ update, all, base }: UpdateFact, context: RuleContext): readonly Fix[] {
  const { since, text, uri } = context;
  const { selectors, now, before } = update;
  if (since === undefined || selectors === undefined || objectsOf(all).length > 1) return [];
  if (now.file.uri !== uri || isForeign(selectors.now) || isForeign(selectors.before)) return [];
  const source = sourceOf(since.base.side, before);
  const old = source && since.base.side.textOf(source.file.uri);
  if (old === undefined || columnOf(old, selectors.before.span) !== columnOf(text, selectors.now.span)) return [];
  const written = old.slice(selectors.before.span.start, selectors.before.span.end);
  if (selectors.now.state !== 'present' || selectors.before.state !== 'present') return [];
  const labels = labelEdits(text, now.object, selectors, []);
  if (labels === undefined) return [];
  const restored = { span: selectors.now.span, text: written };
  const fix = { title: localize`Restore the selector from ${base}`, edits: [restored, ...labels], preferred: true };
  const added = addedLabels(selectors);
  const moved = labelEdits(text, now.object, selectors, added);
  const isLabeled = (key: string) => now.object.labels?.entries.some((entry) => entry.key.text === key) === true;
  const missing = added.filter(([key]) => !isLabeled(key));
  const own = missing.length === 0 ? [] : addLabels(text, now.object, missing);
  if (added.length === 0 || moved === undefined || own === undefined) return [fix];
  if (moved.length === labels.length && own.length === 0) return [fix];
  const shown = shorten(added.map(([key, value]) => `${key}=${value}`).join(','));
  return [
    fix,
    {
      title: localize`Restore the selector from ${base}, and label the object and its template with ${shown}`,
      edits: [restored, ...moved, ...own],
      preferred: false,
    },
  ];
}

/** Returns the labels that the selector requires in addition to the labels of the previous selector; none if the selector was changed in any other way. */
function addedLabels({ before, now }: NonNullable<CausedUpdate['selectors']>): readonly Label[] {
  const isKept = ({ key, value }: LabelEntry) =>
    now.entries.some((entry) => entry.key.text === key.text && entry.value.text === value.text);
  if (before.expressions.length + now.expressions.length > 0 || !before.entries.every(isKept)) return [];
  const had = new Set(before.entries.map(({ key }) => key.text));
  return now.entries.flatMap(({ key, value }): readonly Label[] =>
    had.has(key.text) || typeof value.value !== 'string' ? [] : [[key.text, value.text]],
  );
}

/** Returns the edits that add the labels of the previous selector, and the given labels, to the template; labels that are new in the template are preserved. Undefined if safe edits are not possible. */
function labelEdits(
  text: string,
  object: ManifestObject,
  { before, now }: NonNullable<CausedUpdate['selectors']>,
  added: readonly Label[],
): readonly Edit[] | undefined {
  const site = object.labelSites.find(({ path }) => path === now.fact.templateLabelsAt);
  if (now.fact.templateLabelsAt === undefined) return [];
  if (site === undefined || site.open || site.entries.length === 0) return undefined;
  if (site.entries.some(({ key, value, merged }) => merged || (value.origin ?? key.origin) !== undefined))
    return undefined;
  const required = [...before.entries.map(({ key, value }): Label => [key.text, value.text]), ...added];
  return required.flatMap(([key, value]): readonly Edit[] => {
    const entry = site.entries.findLast((each) => each.key.text === key);
    if (entry === undefined) return [addEntry(text, site, key, value)];
    return entry.value.text === value ? [] : [replaceScalar(entry.value, value)];
  });
}

function isForeign({ entries, expressions, open }: NonNullable<CausedUpdate['selectors']>['now']): boolean {
  const written = [
    ...entries.flatMap(({ key, value, merged }) => (merged ? [undefined] : [key, value])),
    ...expressions.flatMap(({ key, values }) => [...(key === undefined ? [] : [key]), ...values]),
  ];
  return open || written.some((each) => each === undefined || each.origin !== undefined);
}

/** Returns the number of characters between the start of the line and a position. */
function columnOf(text: string, { start }: Span): number {
  return start - (text.lastIndexOf('\n', start - 1) + 1);
}
