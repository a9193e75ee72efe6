/**
 * The hierarchy of selections: the objects that an object selects, and those that select it, for example from a
 * Prometheus down to pods.
 */

import { objectAt } from '../../manifests/cursor/cursor-target.ts';
import { labeledObjectsOf } from '../../manifests/label-sets.ts';
import type { ManifestObject, SelectorSite } from '../../manifests/model.ts';
import { replaceControls } from '../../text/control-characters.ts';
import type { Span } from '../../text/span.ts';
import type { ObjectInFile, WorkspaceFile } from '../../workspace/model.ts';
import { alternativesOf } from '../../workspace/selection/effective-selector.ts';
import type { Match } from '../../workspace/selection/model.ts';
import { effectiveNamespace } from '../../workspace/selection/namespaces.ts';
import { selectingObjectsAround } from '../../workspace/selection/selecting-objects.ts';
import { selectionOf } from '../../workspace/selection/selection.ts';
import { folderOf, relativePath } from '../../workspace/uri.ts';
import { isSameObject, isWritten, nameSpan, objectKey } from '../locations.ts';
import { objectName } from '../presentation/object-names.ts';
import type { View } from '../view.ts';

/** An object as the hierarchy shows it. */
export interface HierarchyItem {
  readonly file: WorkspaceFile;
  /** The start offset of the object, by which it is found again. */
  readonly start: number;
  readonly name: string;
  readonly detail: string;
  readonly span: Span;
  readonly nameSpan: Span;
}

export interface HierarchyCall {
  readonly item: HierarchyItem;
  /** The spans of the selectors, in the file of the selecting object. */
  readonly spans: readonly Span[];
}

/** The maximum number of children of an item. */
const maximumCalls = 200;

/** Returns the object around an offset if it selects others or can be selected. */
export function hierarchyItem(view: View, file: WorkspaceFile, offset: number): HierarchyItem | undefined {
  const object = objectAt(file.manifest, offset);
  return object === undefined || !object.forCluster ? undefined : itemOf(view, { file, object }, file.uri, '');
}

/** Returns the object of an earlier item, although its file may have changed since. */
export function objectOfItem(file: WorkspaceFile, start: number, name: string): ManifestObject | undefined {
  const { objects } = file.manifest;
  const [kind] = name.split('/');
  // The name in the file may differ: a kustomization can rename the object.
  const there = objects.find((each) => each.kindSpan.start === start && each.kind === kind);
  return (
    objects.find((each) => each === there && shownName(each) === name) ??
    objects.find((each) => shownName(each) === name) ??
    there
  );
}

/** The name in an item, by which the object is found again. */
function shownName(object: ManifestObject): string {
  return replaceControls(objectName(object));
}

/** Returns the objects that the object selects. */
export function selects(view: View, owner: ObjectInFile): readonly HierarchyCall[] {
  const found = owner.object.selectorSites.flatMap((site) => linksOf(view, owner, site));
  return callsOf(view, owner, found);
}

/** Returns the objects that select the object, or the pods that it creates. */
export function selectedBy(view: View, target: ObjectInFile): readonly HierarchyCall[] {
  const selectingObjects = labeledObjectsOf(target.object).flatMap((labeledObject) =>
    selectingObjectsAround(view.workspace, view.catalogue, { ...target, labeledObject }),
  );
  const found = selectingObjects.map((selectingObject): Link => {
    const note = selectingObject.relation === 'elsewhere' ? 'elsewhere' : selectingObject.certain ? '' : 'maybe';
    return { other: selectingObject, span: selectingObject.site.keySpan, note };
  });
  return callsOf(view, target, found);
}

/** One field that selects one object. */
interface Link {
  readonly other: ObjectInFile;
  readonly span: Span;
  readonly note: '' | 'maybe' | 'elsewhere';
}

function linksOf(view: View, owner: ObjectInFile, site: SelectorSite): readonly Link[] {
  if (alternativesOf(site).length === 0) return [];
  const { matches, maybe, elsewhere } = selectionOf(view.workspace, view.catalogue, owner, site);
  const link = (note: Link['note']) => (other: Match) => ({ other, span: site.keySpan, note });
  return [...matches.map(link('')), ...maybe.map(link('maybe')), ...elsewhere.map(link('elsewhere'))];
}

/** Each other object once, with its most certain selecting field. */
function callsOf(view: View, own: ObjectInFile, links: readonly Link[]): readonly HierarchyCall[] {
  const byObject = new Map<string, Link[]>();
  for (const link of links) {
    const key = objectKey(link.other);
    if (isSameObject(link.other, own) || !isWritten(link.other)) continue;
    const known = byObject.get(key);
    if (known !== undefined) known.push(link);
    else if (byObject.size < maximumCalls) byObject.set(key, [link]);
  }
  return [...byObject.values()].flatMap((found) => {
    const [best] = found.toSorted((a, b) => notes.indexOf(a.note) - notes.indexOf(b.note));
    if (best === undefined) return [];
    return [
      { item: itemOf(view, best.other, own.file.uri, best.note), spans: distinct(found.map(({ span }) => span)) },
    ];
  });
}

/** The most certain first. */
const notes: readonly Link['note'][] = ['', 'maybe', 'elsewhere'];

function distinct(spans: readonly Span[]): readonly Span[] {
  return [...new Map(spans.map((span) => [span.start, span])).values()];
}

function itemOf(view: View, { file, object }: ObjectInFile, from: string, note: string): HierarchyItem {
  const namespace = effectiveNamespace(view.workspace, view.catalogue, { file, object })?.text;
  const where = relativePath(folderOf(from), file.uri);
  const detail = [namespace, where, note].filter((text) => text !== undefined && text !== '').join(' · ');
  const name = nameSpan(object);
  const span = { start: Math.min(object.span.start, name.start), end: Math.max(object.span.end, name.end) };
  return {
    file,
    start: object.kindSpan.start,
    name: shownName(object),
    detail: replaceControls(detail),
    span,
    nameSpan: name,
  };
}
