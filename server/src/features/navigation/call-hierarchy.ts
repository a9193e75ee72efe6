/** The call hierarchy of selections and references: the objects that an object selects or refers to, and the objects that select or refer to it. For example, it leads from an Ingress to its Service, the workload and the ConfigMaps. */

import { objectAt } from '../../manifests/cursor/cursor-target.ts';
import { labeledObjectsOf } from '../../manifests/label-sets.ts';
import type { ManifestObject, ReferenceSite, SelectorSite } from '../../manifests/model.ts';
import { nameSpan } from '../../manifests/sites/object-sites.ts';
import { replaceControls } from '../../text/control-characters.ts';
import type { Span } from '../../text/span.ts';
import type { ObjectInFile, WorkspaceFile } from '../../workspace/model.ts';
import { targetsOf } from '../../workspace/references/targets.ts';
import { isSameObject } from '../../workspace/same-object.ts';
import { alternativesOf } from '../../workspace/selection/effective-selector.ts';
import type { Match } from '../../workspace/selection/model.ts';
import { effectiveNamespace } from '../../workspace/selection/namespaces.ts';
import { selectionOf } from '../../workspace/selection/selection.ts';
import { folderOf, relativePath } from '../../workspace/uri.ts';
import { isWritten, objectKey } from '../locations.ts';
import { objectName } from '../presentation/object-names.ts';
import { targetOf } from '../references/name-at.ts';
import { usersOf } from '../references/users.ts';
import { clusterMatches, selectingObjects, withoutCluster } from '../selected/cluster-relations.ts';
import { possibleMatches } from '../selected/other-values.ts';
import type { View } from '../view.ts';

/** An object as the hierarchy shows it. */
export interface HierarchyItem {
  readonly file: WorkspaceFile;
  /** The start offset of the object, which is used to find the object again in a later request. */
  readonly start: number;
  readonly name: string;
  readonly detail: string;
  readonly span: Span;
  readonly nameSpan: Span;
}

export interface HierarchyCall {
  readonly item: HierarchyItem;
  /** The spans of the selectors and names, in the file of the selecting object. */
  readonly spans: readonly Span[];
}

/** The maximum number of children of an item. */
const maximumCalls = 200;

/** Returns the item for the object around an offset; undefined if there is no object that is applied to a cluster. */
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

/** Returns the name that an item shows, which is also used to find the object again. */
function shownName(object: ManifestObject): string {
  return replaceControls(objectName(object));
}

/** Returns the objects that the object selects or refers to by name. */
export function selects(view: View, owner: ObjectInFile): readonly HierarchyCall[] {
  const found = owner.object.selectorSites.flatMap((site) => linksOf(view, owner, site));
  return callsOf(view, owner, [
    ...found,
    ...(owner.object.references ?? []).flatMap((site) => namedBy(view, owner, site)),
  ]);
}

/** Returns the objects that a field names; an object that an operator creates is represented by the object that defines it. */
function namedBy({ workspace, catalogue }: View, owner: ObjectInFile, site: ReferenceSite): readonly Link[] {
  return targetsOf(workspace, catalogue, owner, site).flatMap(({ file, object, relation, answer }) =>
    object === undefined
      ? []
      : [{ other: { file, object }, span: site.name.span, note: noteOf(relation, answer === 'yes') }],
  );
}

function noteOf(relation: 'here' | 'elsewhere', certain: boolean): Link['note'] {
  return relation === 'elsewhere' ? 'elsewhere' : certain ? '' : 'maybe';
}

/** Returns the objects that select the object or the pods that it creates, and the objects that refer to it by name. */
export function selectedBy(view: View, target: ObjectInFile): readonly HierarchyCall[] {
  const selecting = labeledObjectsOf(target.object).flatMap((labeledObject) =>
    selectingObjects(view, { ...target, labeledObject }),
  );
  const found = selecting.map((other): Link => {
    const relation = other.builtBy === undefined ? other.relation : 'here';
    return { other, span: other.site.keySpan, note: noteOf(relation, other.certain) };
  });
  const { name } = target.object;
  const users = name === undefined ? [] : usersOf(view, targetOf(target.file, target.object, name)).users;
  const naming = users.map(
    (other): Link => ({ other, span: other.site.name.span, note: noteOf(other.relation, other.answer === 'yes') }),
  );
  return callsOf(view, target, [...found, ...naming]);
}

/** One field that selects or names one object. */
interface Link {
  readonly other: ObjectInFile;
  readonly span: Span;
  readonly note: '' | 'maybe' | 'elsewhere';
}

function linksOf(view: View, owner: ObjectInFile, site: SelectorSite): readonly Link[] {
  if (alternativesOf(site).length === 0) return [];
  const { matches, maybe, elsewhere } = selectionOf(view.workspace, view.catalogue, owner, site);
  const inCluster = clusterMatches(view, owner, site);
  const link = (note: Link['note']) => (other: Match) => ({ other, span: site.keySpan, note });
  return [
    ...[...matches, ...inCluster.matches].map(link('')),
    ...possibleMatches(site, [...maybe, ...inCluster.maybe]).maybe.map(link('maybe')),
    ...withoutCluster(view, owner, elsewhere, [...inCluster.matches, ...inCluster.maybe]).map(link('elsewhere')),
  ];
}

/** Returns one call for each other object, with the note of its most certain link. */
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

/** The notes in order of certainty, the most certain first. */
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
