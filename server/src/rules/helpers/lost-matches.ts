/** Finds matches of selectors that an edit of a selector or of labels certainly removed since the base. */

import { labeledObjectsOf } from '../../manifests/label-sets.ts';
import type { LabelEntry, ManifestObject, SelectorSite } from '../../manifests/model.ts';
import type { Span } from '../../text/span.ts';
import { seenBy } from '../../workspace/kustomize/view.ts';
import type { ObjectInFile, Workspace } from '../../workspace/model.ts';
import { selectingObjectsOf } from '../../workspace/selection/selecting-objects.ts';
import { selectionOf } from '../../workspace/selection/selection.ts';
import type { RuleContext } from '../framework/rule.ts';
import { sourceOf } from './update-data.ts';
import { type ObjectPair, pairsSince } from './updates.ts';

/** One selector or label map that was edited, with what it lost. */
export interface Lost {
  /** In the file of the object that was edited. */
  readonly span: Span;
  readonly edited: ObjectInFile;
  /** `selector`: the objects that the edited selector matched; `labels`: the objects whose selectors matched. */
  readonly by: 'selector' | 'labels';
  readonly others: readonly ObjectInFile[];
}

/**
 * The matches that the edits of a file lose. An edited selector is evaluated against the current state of all objects,
 * and edited labels against the current state of all selectors: if both were edited alike, nothing is lost.
 */
export function* lostMatches(context: RuleContext): Iterable<Lost> {
  const { since, uri, catalogue } = context;
  if (since === undefined) return;
  const { base, now } = since;
  for (const pair of pairsSince(base, now)) {
    if (pair.now.file.uri !== uri || sourceOf(now, pair.now) === undefined) continue;
    const workspace = seenBy(now.workspace, catalogue, pair.scope) ?? now.workspace;
    yield* lostBySelectors(context, workspace, pair);
    yield* lostByLabels(context, workspace, pair);
  }
}

function* lostBySelectors(
  { catalogue, comparisons }: RuleContext,
  workspace: Workspace,
  { before, now }: ObjectPair,
): Iterable<Lost> {
  for (const site of now.object.selectorSites) {
    const old = before.object.selectorSites.find(({ path }) => path === site.path);
    // What the pods of a workload are called is its own business.
    if (old === undefined || site.fact.mustMatchTemplate || isSame(old.data, site.data)) continue;
    if (comparisons.leaveOut()) return;
    const were = selectionOf(workspace, catalogue, now, old, comparisons).matches;
    if (were.length === 0) continue;
    const { matches, maybe } = selectionOf(workspace, catalogue, now, site, comparisons);
    const still = new Set([...matches, ...maybe].map(({ object }) => object));
    const others = were.filter(({ object }) => !still.has(object));
    if (others.length > 0) yield { span: selectorSpan(now.object, site, old), edited: now, by: 'selector', others };
  }
}

function* lostByLabels(
  { catalogue, comparisons }: RuleContext,
  workspace: Workspace,
  { before, now }: ObjectPair,
): Iterable<Lost> {
  for (const labeledObject of labeledObjectsOf(now.object)) {
    const old = labeledObjectsOf(before.object).find(
      ({ via, target }) => via === labeledObject.via && target.kind === labeledObject.target.kind,
    );
    if (old === undefined || isSame([old.labels, old.open], [labeledObject.labels, labeledObject.open])) continue;
    if (comparisons.leaveOut()) return;
    const were = selectingObjectsOf(workspace, catalogue, { ...now, labeledObject: old });
    const still = new Set(selectingObjectsOf(workspace, catalogue, { ...now, labeledObject }).map(({ site }) => site));
    const others = were.filter(
      ({ certain, relation, site, object }) =>
        certain && relation === 'here' && !still.has(site) && object !== now.object,
    );
    if (others.length === 0) continue;
    const entry = changedEntry(labeledObject.site?.entries ?? [], old.site?.entries ?? []);
    const span = entry?.value.span ?? labeledObject.site?.keySpan ?? now.object.kindSpan;
    yield { span, edited: now, by: 'labels', others };
  }
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** The changed requirement, if it is written in the file; else the key of the selector. */
function selectorSpan({ kindSpan }: ManifestObject, site: SelectorSite, old: SelectorSite): Span {
  const isForeign = site.entries.some(({ key, value }) => (value.origin ?? key.origin) !== undefined);
  return changedEntry(site.entries, old.entries)?.value.span ?? (isForeign ? kindSpan : site.keySpan);
}

function changedEntry(now: readonly LabelEntry[], before: readonly LabelEntry[]): LabelEntry | undefined {
  return now.find(
    ({ key, value, merged }) =>
      !merged &&
      (value.origin ?? key.origin) === undefined &&
      !before.some((each) => each.key.text === key.text && each.value.text === value.text),
  );
}
