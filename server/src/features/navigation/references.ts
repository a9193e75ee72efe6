/**
 * Finds all references to the label under the cursor: selectors that require it, labeled objects, and fields that name
 * its key.
 */

import { getOrAdd } from '../../engine/memoize.ts';
import { cursorAt } from '../../manifests/cursor/cursor-target.ts';
import { prometheusName } from '../../manifests/sites/prometheus-names.ts';
import { compareText } from '../../text/order.ts';
import { byFolder, type InFolder, inOrderOf, nearestFirst } from '../../workspace/index/folder-index.ts';
import type { LabeledObjectId, ObjectInFile, SelectorId, WorkspaceFile } from '../../workspace/model.ts';
import type { Scopes } from '../../workspace/scopes/model.ts';
import { filesWith, identityOf, placeOf, type ScopeFacts } from '../../workspace/scopes/scope-facts.ts';
import { rankFrom } from '../../workspace/selection/nearness.ts';
import { selectionOf } from '../../workspace/selection/selection.ts';
import { aboutKey, type ObjectAbout } from '../../workspace/store/serialized-file.ts';
import { distanceFrom } from '../../workspace/uri.ts';
import { answeringLabels, entryFileSpan, type FileSpan, isWritten } from '../locations.ts';
import { pageViewAt } from '../page-view.ts';
import type { FileView } from '../view.ts';
import { chartReferences } from './chart-navigation.ts';
import { referencesInKustomizations } from './kustomization-navigation.ts';
import {
  concerns,
  concernsLabel,
  type LabelName,
  labelAt,
  type Mention,
  mentionsIn,
  mentionsInFile,
  mentionsOfKeys,
  mentionsOfSelector,
} from './mentions.ts';
import { nameReferences } from './name-navigation.ts';
import { namedKeys } from './named-keys.ts';
import { referencesInRenderings } from './rendered-references.ts';

/** Returns the references, first those in the same file, then the nearest; if `others` is set, the label at the offset itself is left out. */
export function references(view: FileView, offset: number, others = false): readonly FileSpan[] {
  const inChart = chartReferences(view, offset);
  const found = referencesOf(view, offset, others, inChart.length > 0);
  return inChart.length === 0 ? found : inOrder(view, [...inChart, ...found]);
}

/** Returns the references of a label, an object or a kustomization. `isFilled` means that a template fills in the name at the offset; such a name has no references. */
function referencesOf(view: FileView, offset: number, others: boolean, isFilled: boolean): readonly FileSpan[] {
  const cursor = cursorAt(view.file.manifest, view.text, offset);
  const withoutOwn = ({ file, span }: FileSpan) => file !== view.file || offset < span.start || offset > span.end;
  const isLabel = cursor?.kind === 'label' || cursor?.kind === 'selector';
  const named = isLabel || isFilled ? undefined : nameReferences(view, offset);
  if (named !== undefined) return inOrder(view, others ? named.filter(withoutOwn) : named);
  if (cursor === undefined) {
    const page = pageViewAt(view, offset);
    return page === undefined
      ? inOrder(view, referencesInKustomizations(view, offset))
      : references(page, offset, others);
  }
  const from: ObjectInFile = { file: view.file, object: cursor.object };
  const label = labelAt(cursor, offset);
  if (label !== undefined) {
    const isPrometheus = cursor.kind === 'labelKey' && label.prometheus === true;
    const labels = isPrometheus ? namedKeys(view, cursor.site).map((key) => ({ key, values: [] })) : [label];
    const inOthers = labels.flatMap((each) => inOtherFiles(view, from, each));
    const found = inOrder(view, [...inThisFile(view, label), ...inOthers]);
    return others ? found.filter(withoutOwn) : found;
  }
  if (cursor.kind === 'object' && cursor.on === 'kind') return inOrder(view, referencesInKustomizations(view, offset));
  if (cursor.kind !== 'selector') return [];
  // For a selector as a whole, its matches are returned.
  const site = { ...from, site: cursor.site };
  const { matches, maybe, elsewhere } = selectionOf(view.workspace, view.catalogue, from, cursor.site);
  return inOrder(
    view,
    [...matches, ...maybe, ...elsewhere].filter(isWritten).map((match) => answeringLabels(view.workspace, site, match)),
  );
}

/** Returns the key of the label at the offset, so that closed files can be searched for it. */
export function referencedKey(view: FileView, offset: number): string | undefined {
  const cursor = cursorAt(view.file.manifest, view.text, offset);
  const label = cursor && labelAt(cursor, offset);
  // If the field contains a Prometheus name, closed files may contain the original key.
  const [known] = cursor?.kind === 'labelKey' ? namedKeys(view, cursor.site) : [];
  return label && (known ?? label.key);
}

function inThisFile({ file }: FileView, label: LabelName): readonly FileSpan[] {
  const mentions = mentionsInFile(file.manifest).filter((mention) => concerns(label, mention));
  return mentions.map(({ span }) => ({ file, span }));
}

function inOtherFiles(view: FileView, from: ObjectInFile, label: LabelName): readonly FileSpan[] {
  return [
    ...inManifests(view, from, label),
    ...inKustomizations(view, from, label),
    ...referencesInRenderings(view, from, label, maximumPlaces),
    ...inCommands(view, label),
  ];
}

/** Returns the references in the kustomizations that build the scopes of the object or, for a command, in all kustomizations. */
function inKustomizations({ workspace }: FileView, { file, object }: ObjectInFile, label: LabelName) {
  const scopes = workspace.scopes();
  const roots = [...scopes.of(file.uri), ...scopes.building(file.uri)];
  const parts = object.inline
    ? filesWith(scopes.facts(), ({ kustomization }) => kustomization !== undefined)
    : roots.flatMap((root) => scopes.partsOf(root));
  return [...new Set(parts)].flatMap((uri): readonly FileSpan[] => {
    const other = uri === file.uri ? undefined : workspace.files.get(uri);
    if (other === undefined) return [];
    const mentions = mentionsInFile(other.manifest).filter((mention) => concerns(label, mention));
    return mentions.map(({ span }) => ({ file: other, span }));
  });
}

/** The maximum number of references: more would not be useful, and a very common label would cause the whole workspace to be deserialized. */
const maximumPlaces = 1000;

function inCommands({ file, commandFiles }: FileView, label: LabelName): readonly FileSpan[] {
  const far = rankFrom(file.uri);
  const others = (commandFiles?.() ?? [])
    .filter(({ uri }) => uri !== file.uri)
    .toSorted((a, b) => far(a.uri) - far(b.uri) || compareText(a.uri, b.uri));
  const locations: FileSpan[] = [];
  for (const other of others) {
    // Commands of closed files are parsed lazily.
    for (const object of other.manifest.inline ?? []) {
      if (locations.length >= maximumPlaces) return locations;
      for (const mention of mentionsIn(object)) {
        if (concerns(label, mention)) locations.push({ file: other, span: mention.span });
      }
    }
  }
  return locations;
}

function inManifests(view: FileView, from: ObjectInFile, label: LabelName): readonly FileSpan[] {
  const { files, scopes } = view.workspace;
  const startingScopes = standpoints(view, from);
  const about = aboutKey(label.key);
  const locations: FileSpan[] = [];
  const apart: { readonly identity: string; readonly places: readonly FileSpan[] }[] = [];
  const identities = new Set([identityOf(from.object)]);
  for (const [uri, ids] of idsByFile(view, label)) {
    const file = scopes().isPatch(uri) ? undefined : files.get(uri);
    const described = file && about(file);
    for (const id of ids) {
      const object = described?.objectAt(id.object);
      if (file === undefined || object === undefined || !isWritten({ file })) continue;
      const theirs = [...locationsIn(view, file, object, id, label), ...keySites(file, object, label)];
      const identity = identityOf(object);
      if (!isApart(startingScopes, { file, object })) {
        locations.push(...theirs);
        identities.add(identity);
      } else if (identity !== undefined && scopes().together(placeOf(from), placeOf({ file, object }))) {
        apart.push({ identity, places: theirs });
      }
    }
  }
  // Copies in the same folder, for example in single files and in a combined file, are included, because a user who
  // changes one copy usually has to change all of them.
  const copies = apart.filter(({ identity }) => identities.has(identity)).flatMap((each) => each.places);
  return [...locations, ...copies, ...inKeyFields(view, startingScopes, label)];
}

/** The files with fields that name a label key, by this key. */
const filesByKey = new WeakMap<ReadonlyMap<string, ScopeFacts>, ReadonlyMap<string, readonly string[]>>();

function groupByKey(facts: ReadonlyMap<string, ScopeFacts>): ReadonlyMap<string, readonly string[]> {
  const byKey = new Map<string, string[]>();
  for (const [uri, { namedKeys = [] }] of facts)
    for (const key of namedKeys) getOrAdd(byKey, key, newList<string>).push(uri);
  return byKey;
}

/** Returns the fields that name the key, such as topologies and relabelings, including fields of objects without the label. If there are many such fields, returns only the nearest. */
function inKeyFields({ workspace, file }: FileView, startingScopes: readonly Standpoint[], label: LabelName) {
  const { files, scopes } = workspace;
  const about = aboutKey(label.key);
  const byKey = getOrAdd(filesByKey, scopes().facts(), groupByKey);
  const named = [label.key, prometheusName(label.key)].flatMap((name) => byKey.get(name) ?? []);
  const uris = [...new Set(named)].filter((uri) => uri !== file.uri && !scopes().isPatch(uri));
  const locations: FileSpan[] = [];
  for (const uri of inOrderOf(uris.toSorted(), distanceFrom(file.uri))) {
    const other = files.get(uri);
    const described = other && about(other);
    if (other === undefined || described === undefined || !isWritten({ file: other })) continue;
    for (let number = 0; locations.length < maximumPlaces; number++) {
      const object = described.objectAt(number);
      if (object === undefined) break;
      if (!isApart(startingScopes, { file: other, object })) locations.push(...keySites(other, object, label));
    }
  }
  return locations;
}

function keySites(file: WorkspaceFile, object: ObjectAbout, label: LabelName): readonly FileSpan[] {
  const mentions = mentionsOfKeys(object).filter((mention) => concerns(label, mention));
  return mentions.map(({ span }) => ({ file, span }));
}

function locationsIn(
  { workspace }: FileView,
  file: WorkspaceFile,
  object: ObjectAbout,
  id: LabeledObjectId | SelectorId,
  label: LabelName,
): readonly FileSpan[] {
  if ('site' in id) return mentionsOf(object, id.site, label).map(({ span }) => ({ file, span }));
  const entry = object.carried[id.labeledObject]?.findLast((each) => each.key.text === label.key);
  return entry === undefined ? [] : [entryFileSpan(workspace, file, entry)];
}

function mentionsOf({ selectorSites }: ObjectAbout, number: number, label: LabelName): readonly Mention[] {
  const site = selectorSites[number];
  return site === undefined ? [] : mentionsOfSelector(site).filter((mention) => concerns(label, mention));
}

/** Returns the index entries of the label in the nearest other files, by file, in the order of the objects. */
function idsByFile(view: FileView, label: LabelName): ReadonlyMap<string, readonly (LabeledObjectId | SelectorId)[]> {
  const { workspace } = view;
  const { key, values } = label;
  const carrying =
    values.length === 0 ? workspace.carrying(key) : values.flatMap((value) => workspace.carrying(key, value));
  const speaking = byFolder(workspace.speaking(key, values, (requirement) => concernsLabel(requirement, label)));
  const byFile = new Map<string, (LabeledObjectId | SelectorId)[]>();
  for (const ids of [nearest(view, carrying), nearest(view, speaking)]) {
    for (const id of ids) putInOrder(getOrAdd(byFile, id.uri, newList<LabeledObjectId | SelectorId>), id);
  }
  return byFile;
}

function newList<T>(): T[] {
  return [];
}

/** Inserts an id into a sorted list, starting at the end because ids arrive nearly sorted. */
function putInOrder<T extends { readonly object: number }>(ids: T[], id: T): void {
  let at = ids.length;
  while (at > 0 && (ids[at - 1]?.object ?? 0) > id.object) at--;
  if (at === ids.length) ids.push(id);
  else ids.splice(at, 0, id);
}

/** Returns the entries in the nearest other files. Folders at the same distance are sorted by name, so that edits do not change the order. */
function nearest<Id>({ file }: FileView, folders: readonly InFolder<Id>[]): readonly Id[] {
  const found: Id[] = [];
  const byName = folders.toSorted((a, b) => (a.folder < b.folder ? -1 : Number(a.folder > b.folder)));
  for (const { files } of nearestFirst(byName, file.uri)) {
    if (found.length >= maximumPlaces) break;
    for (const { uri, ids } of files) if (uri !== file.uri) for (const each of ids) found.push(each);
  }
  return found.slice(0, maximumPlaces);
}

/** The scopes as they are seen from a position, and this position. */
type Standpoint = readonly [scopes: Scopes, place: string];

function isApart(
  from: readonly Standpoint[],
  to: { readonly file: WorkspaceFile; readonly object: ObjectAbout },
): boolean {
  const place = placeOf(to);
  return from.every(([scopes, here]) => scopes.relation(here, place, to) === 'apart');
}

/** Returns the positions from which references are searched: for a kustomization, a position in each root that includes it. */
function standpoints({ workspace }: FileView, from: ObjectInFile): readonly Standpoint[] {
  const scopes = workspace.scopes();
  const roots = from.file.kustomization === undefined ? [] : scopes.building(from.file.uri);
  const seen = roots.flatMap((root) => {
    const [first] = root.files;
    return first === undefined
      ? []
      : [[scopes.seenFrom(root, { files: root.files, isApplied: () => false }), first] as const];
  });
  return seen.length === 0 ? [[scopes, placeOf(from)]] : seen;
}

/** Sorts locations by the distance of their files, and removes duplicates, which occur if an alias repeats text. */
function inOrder({ file }: FileView, locations: readonly FileSpan[]): readonly FileSpan[] {
  const byFile = new Map<string, FileSpan[]>();
  for (const place of locations) {
    const beside = byFile.get(place.file.uri);
    if (beside === undefined) byFile.set(place.file.uri, [place]);
    else beside.push(place);
  }
  const far = distanceFrom(file.uri);
  const rank = (uri: string) => (uri === file.uri ? 0 : 1 + far(uri));
  const uris = inOrderOf([...byFile.keys()].toSorted(), rank);
  return uris.flatMap((uri) => distinct(byFile.get(uri) ?? []));
}

/** Returns the locations of one file in document order, without duplicates. */
function distinct(locations: readonly FileSpan[]): readonly FileSpan[] {
  if (locations.length === 1) return locations;
  const isNew = ({ span }: FileSpan, index: number, all: readonly FileSpan[]) => {
    const before = all[index - 1]?.span;
    return before?.start !== span.start || before.end !== span.end;
  };
  return locations.toSorted((a, b) => a.span.start - b.span.start || a.span.end - b.span.end).filter(isNew);
}
