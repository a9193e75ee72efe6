/** Computes the edits that rename a label key or value, or an object, in all files. */

import { sourceOf } from '../../compare/update-data.ts';
import { validateLabelKey, validateLabelValue } from '../../engine/index.ts';
import { getOrAdd } from '../../engine/memoize.ts';
import { holdsLabels } from '../../manifests/cursor/label-name-at.ts';
import type { ManifestObject, SelectorSite } from '../../manifests/model.ts';
import { withLastKey } from '../../manifests/sites/field-path.ts';
import { pointedLabels, renamePointed } from '../../manifests/sites/json-patch-labels.ts';
import { keyAsWritten, mayNameKey } from '../../manifests/sites/prometheus-labels.ts';
import { written } from '../../manifests/sites/sites.ts';
import { localize } from '../../text/localize.ts';
import { isInside, overlapTest, type Span } from '../../text/span.ts';
import { type TransformerSource, transformerSpan } from '../../workspace/kustomize/transformer-sources.ts';
import type { ObjectInFile, WorkspaceFile } from '../../workspace/model.ts';
import { asWritten } from '../../workspace/snapshot.ts';
import { folderOf, relativePath } from '../../workspace/uri.ts';
import { objectName } from '../presentation/object-names.ts';
import type { FileView, View } from '../view.ts';
import type { AnnotatedEdit, AnnotatedEdits, Refused, RefusedAtFirst } from './annotated-edits.ts';
import { inCommand, inCommands, meantBy } from './commands.ts';
import { inCopies } from './copies.ts';
import { inAlternatives, inDerivedKeys } from './derived-labels.ts';
import { type Owners, ownersOf } from './edit-owners.ts';
import { pointedIn, startsOf } from './kustomization-names.ts';
import {
  isAskedElsewhere,
  type LabelName,
  type NameEdit,
  renameInEntries,
  renameInSelector,
  renameWritten,
} from './label-name.ts';
import { type NameToRename, nameToRenameAt } from './name-to-rename.ts';
import { otherApplications } from './other-applications.ts';
import { type AsyncAccess, inPatchTargets } from './patch-targets.ts';
import { type NameLook, objectToRename, renameObject } from './rename-object.ts';
import {
  isOfItsWorld,
  type JoinedTransformer,
  objectKey,
  type Reach,
  reachOf,
  type SureStart,
} from './renamed-labels.ts';
import { type Changed, changedMatches } from './unchanged-matches.ts';
import { unevaluatedAround } from './unevaluated-selectors.ts';

/** The label key, label value or object name that can be renamed, with its exact range and text. */
export interface Renameable {
  readonly span: Span;
  readonly text: string;
}

/** The reason to review an edit before it is applied; `plain` edits need no review. */
export type Look =
  | 'plain'
  | 'immutable'
  | 'applications'
  | 'changes'
  | 'uncertain'
  | 'template'
  | 'anchor'
  | 'command'
  | 'copy'
  | 'near miss'
  | NameLook;

export interface Renamed extends AnnotatedEdits<Look> {
  /** For a key: the key, and the names of the workloads with immutable selectors, which must be recreated. */
  readonly recreated?: { readonly key: string; readonly workloads: readonly string[] };
}

/** Returns the name at an offset, or the reason why it cannot be renamed; undefined if there is no label or object name. */
export function prepareRename(shown: FileView, offset: number): Renameable | Refused | undefined {
  const view = asWritten(shown);
  const cursorTarget = nameToRenameAt(view, offset);
  if (cursorTarget === undefined) {
    const object = objectToRename(view, offset);
    return object === undefined || 'refused' in object ? object : { span: object.span, text: object.text };
  }
  const refused = refusedAt(view, view.file);
  return refused ?? { span: cursorTarget.span, text: cursorTarget.value ?? cursorTarget.key };
}

/** Returns the key of the renamed label, so that closed files can be searched for it. */
export function renamedKey(view: FileView, offset: number): string | undefined {
  return nameToRenameAt(asWritten(view), offset)?.key;
}

/** Returns the edits that rename the name at an offset everywhere, or the reason why it cannot be renamed; undefined if there is no label or object name. */
export function rename(
  shown: FileView,
  offset: number,
  to: string,
): Renamed | Refused | RefusedAtFirst<Look> | undefined {
  // A rename also concerns the objects that the default values of a chart leave out.
  const view = asWritten(shown);
  const cursorTarget = nameToRenameAt(view, offset);
  if (cursorTarget === undefined) {
    const object = objectToRename(view, offset);
    return object === undefined || 'refused' in object ? object : renameObject(view, object, to);
  }
  const refused = refusedAt(view, view.file) ?? invalid(cursorTarget, to);
  if (refused !== undefined) return refused;
  const name: LabelName = {
    key: cursorTarget.key,
    ...(cursorTarget.value !== undefined && { value: cursorTarget.value }),
  };
  if (to === (name.value ?? name.key)) return { edits: new Map(), notes: {} };
  const starts = startsAt(view, cursorTarget, name);
  const reach = reachOf(view, name, starts);
  if (reach.comparisons.isIncomplete) return tooMany();
  const impossible = taken(view, reach, name, to);
  if (impossible !== undefined) return impossible;
  const all = editsOf(view, reach, name, to);
  const places = settled(all);
  if ('refused' in places) return places;
  const changed = changedMatches({ view, name, to, reach, isFixed: (found) => isFixed(view, found) });
  if (reach.comparisons.isIncomplete) return tooMany();
  const asides = new Map<Look, readonly AsyncAccess[]>([
    [
      'plain',
      [
        ...('command' in cursorTarget ? inCommand(cursorTarget.command, name, to) : []),
        ...inDerivedKeys(reach, name, to),
      ],
    ],
    ['uncertain', [...inPatchTargets(view, reach, name, to), ...inAlternatives(view, reach, name, to)]],
    ['command', inCommands(view, reach, name, to)],
    ['copy', inCopies(view, reach, name, to)],
  ]);
  if (reach.comparisons.isIncomplete) return tooMany();
  const renamed = gather({ view, reach, name, starts, places, owners: ownersOf(all), changed, asides });
  const why = broken(view, changed) ?? unevaluatedAround(view, starts);
  return why === undefined ? renamed : { refused: why, insisted: renamed };
}

function tooMany(): Refused {
  return {
    refused: localize`too many selectors, objects and commands use this label to check all of them: rename it manually`,
  };
}

function startsAt(view: FileView, cursorTarget: NameToRename, name: LabelName): readonly SureStart[] {
  if ('command' in cursorTarget) return meantBy(view, cursorTarget.command, name);
  if ('start' in cursorTarget) return [{ ...cursorTarget.start, sure: true }];
  return cursorTarget.selected.map(({ file, object }) => ({ file, object, sure: true }));
}

function refusedAt({ workspace }: View, { uri, config }: WorkspaceFile): Refused | undefined {
  if (workspace.scopes().isGenerated(uri)) {
    return { refused: localize`this file is generated: rename the label in its source` };
  }
  return config === undefined
    ? undefined
    : { refused: localize`another file defines this label: rename the label there` };
}

function invalid({ value }: NameToRename, to: string): Refused | undefined {
  const [problem] = value === undefined ? validateLabelKey(to) : validateLabelValue(to);
  return problem && { refused: problem.message };
}

/** Refuses the rename if a map would contain the new key twice. */
function taken(view: View, reach: Reach, name: LabelName, to: string): Refused | undefined {
  if (name.value !== undefined) return undefined;
  const isDouble = (entries: readonly { readonly key: { readonly value: unknown } }[]) =>
    entries.some(({ key }) => key.value === name.key) && entries.some(({ key }) => key.value === to);
  for (const found of reach.objects.values()) {
    const maps = [...found.object.labelSites.filter(holdsLabels), ...found.object.selectorSites];
    const map = isFixed(view, found) ? undefined : maps.find(({ entries }) => isDouble(entries));
    const refused = map && localize`\`${map.path}\` of ${objectName(found.object)} already has the key '${to}'`;
    if (refused !== undefined) return { refused, besideKey: name.key };
  }
  return undefined;
}

function broken(view: View, changed: readonly Changed[]): string | undefined {
  const [first, ...others] = changed.filter(({ certain }) => certain);
  if (first === undefined) return undefined;
  const more = others.length === 0 ? '' : localize`, and ${others.length} more would change`;
  return `${sentence(view, first, 'would')}${more}`;
}

function sentence(view: View, { selector, labeledObject, now }: Changed, would: 'would' | 'may'): string {
  const [by, what] = [objectName(selector.object), objectName(labeledObject.object)];
  if (now === 'taken') return localize`${by} ${would} then also select ${what}`;
  const written = isFixed(view, labeledObject) ? localize`, whose file is generated` : '';
  return localize`${by} ${would} no longer select ${what}${written}`;
}

/** Whether the file of an object must not be edited: it is generated, or it is a configuration that declares external objects. */
function isFixed({ workspace }: View, { file }: ObjectInFile): boolean {
  return file.config !== undefined || workspace.scopes().isGenerated(file.uri);
}

interface Gathering {
  readonly view: View;
  readonly reach: Reach;
  readonly name: LabelName;
  readonly starts: readonly SureStart[];
  readonly places: readonly RenameEdit[];
  readonly owners: ReturnType<typeof ownersOf>;
  readonly changed: readonly Changed[];
  readonly asides: ReadonlyMap<Look, readonly AsyncAccess[]>;
}

interface RenameEdit {
  readonly found: ObjectInFile & { readonly sure: boolean };
  readonly open: boolean;
  readonly edit: NameEdit;
  /** Whether the edit is in the labels of the object itself, and not in those of a template or in a selector. */
  readonly isOwnLabel?: boolean;
  /** The transformers that changed the object; set if the edit was found in the applied object. */
  readonly through?: readonly TransformerSource[];
}

/** Returns the edits at all positions at which the included objects and transformers contain the renamed label, except in files that must not be edited. */
function editsOf(view: View, reach: Reach, name: LabelName, to: string): readonly RenameEdit[] {
  const inSources = [...reach.sources.values()].flatMap((found) => {
    return inObject(view, found, found.object, name, to).map((place) => {
      return place.edit.writtenIn === undefined ? place : { ...place, through: [] };
    });
  });
  const inTransformers = [...reach.transformers.values()].flatMap((joined) => inTransformer(view, joined, name, to));
  const applied = [...reach.objects.values()].flatMap((found) => {
    const { transformers } = found;
    return inObject(view, found, found.object, name, to).map((place) => ({ ...place, through: transformers }));
  });
  const besides = [...reach.selectors.values()].filter(({ site }) => !isOfItsWorld(view, site));
  const inSelectors = besides.flatMap((found) => {
    const { site, transformers } = found;
    const starts = startsOf((sourceOf(view, found) ?? found).object, name);
    const edits = [...renameInSelector(site, name, to), ...renameInOtherText(site, name)];
    return edits.map((edit): RenameEdit => {
      const isOwn = edit.writtenIn === undefined && starts.has(edit.edit.span.start);
      return { found, open: site.open, edit, ...(!isOwn && { through: transformers }) };
    });
  });
  const inKeys = [...reach.keys.values()].flatMap((found): readonly RenameEdit[] => {
    const { site, transformers } = found;
    const text = keyAsWritten(site, to);
    if (text === undefined || mayNameKey(site, to)) return [];
    const edit = renameWritten(site.key, text);
    return [{ found, open: false, edit, ...(edit.writtenIn !== undefined && { through: transformers }) }];
  });
  const all = [...inSources, ...inTransformers, ...applied, ...inSelectors, ...inKeys];
  return all.filter(({ found }) => !isFixed(view, found));
}

/** Returns an edit without an exact position for a selector that a different file sets as a string: either that file is edited, or the rename is refused. */
function renameInOtherText(site: SelectorSite, name: LabelName): readonly NameEdit[] {
  const origin = site.text?.origin;
  if (origin === undefined || !isAskedElsewhere(site, name)) return [];
  const edit = { span: origin.span, text: '' };
  return [{ edit, conditional: false, anchored: false, writtenIn: origin.uri, unplaced: true }];
}

function inObject(
  view: View,
  found: RenameEdit['found'],
  object: ManifestObject,
  name: LabelName,
  to: string,
  writtenIn?: string,
): readonly RenameEdit[] {
  const place = (edit: NameEdit, open: boolean, isOwnLabel = false): RenameEdit => {
    return { found, open, isOwnLabel, edit: { ...edit, ...(writtenIn !== undefined && { writtenIn }) } };
  };
  return [
    ...object.labelSites
      .filter(holdsLabels)
      .flatMap(({ entries, open, path }) =>
        renameInEntries(entries, name, to).map((edit) => place(edit, open, path === 'metadata.labels')),
      ),
    ...object.selectorSites
      .filter((site) => isOfItsWorld(view, site))
      .flatMap((site) => {
        const edits = [...renameInSelector(site, name, to), ...renameInOtherText(site, name)];
        return edits.map((edit) => place(edit, site.open));
      }),
    ...renameInEntries(object.inherited, name, to).map((edit) => place(edit, false)),
  ];
}

function inTransformer(
  view: View,
  { transformer, sure, into }: JoinedTransformer,
  name: LabelName,
  to: string,
): readonly RenameEdit[] {
  const found = { ...into, sure };
  const writtenIn = transformer.uri;
  const place = (edit: NameEdit): RenameEdit => ({ found, open: false, edit: { ...edit, writtenIn } });
  if (transformer.kind === 'images') return [];
  if (transformer.kind === 'labels') return renameInEntries(transformer.entries, name, to).map(place);
  if (transformer.kind === 'merge') return inObject(view, found, transformer.object, name, to, writtenIn);
  if (transformer.kind === 'fieldPath') {
    const path = written(transformer.path);
    const unplaced = path.style === 'block' ? { unplaced: true as const } : {};
    const anchored = path.anchored === true;
    return withLastKey(path, to).map((edit) => place({ edit, conditional: false, anchored, ...unplaced }));
  }
  return pointedIn(transformer.node, into.object, name).flatMap((each) => {
    if (name.value !== undefined) return each.value === undefined ? [] : [place(renameWritten(each.value, to))];
    const unplaced = each.path.style === 'block' ? { unplaced: true as const } : {};
    return renamePointed(each, to).map((edit) => place({ edit, conditional: false, anchored: false, ...unplaced }));
  });
}

/** Resolves edits of text from other files: an included transformer must contain the text, or the text must be editable in its file. Refuses the rename if the text was added in any other way, for example by a chart helper or a replacement. */
function settled(places: readonly RenameEdit[]): readonly RenameEdit[] | Refused {
  const direct = places.filter(({ through }) => through === undefined);
  const known = new Map<string, Span[]>();
  for (const { found, edit } of direct) {
    const uri = edit.writtenIn ?? found.file.uri;
    if (edit.writtenIn !== undefined && edit.unplaced) return handMade(found, uri);
    getOrAdd(known, uri, (): Span[] => []).push(edit.edit.span);
  }
  const overlaps = new Map([...known].map(([uri, spans]) => [uri, overlapTest(spans)]));
  const more: RenameEdit[] = [];
  for (const place of places) {
    const { found, edit, through } = place;
    const uri = edit.writtenIn ?? found.file.uri;
    if (through === undefined) continue;
    const { span } = edit.edit;
    if (overlaps.get(uri)?.(span)) continue;
    const transformer = through.find(
      (each) => each.uri === uri && each.kind !== 'fieldPath' && isInside(span, transformerSpan(each)),
    );
    if (transformer === undefined || edit.unplaced || isPath(transformer, span)) return handMade(found, uri);
    more.push(place);
  }
  return [...direct, ...more];
}

function isPath(transformer: TransformerSource, { start }: Span): boolean {
  return (
    transformer.kind === 'operations' && pointedLabels(transformer.node).some(({ path }) => path.span.start === start)
  );
}

function handMade({ file, object }: ObjectInFile, uri: string): Refused {
  const where = relativePath(folderOf(file.uri), uri);
  return { refused: localize`${where} writes the name into ${objectName(object)}: rename it in ${where} manually` };
}

function gather(gathering: Gathering): Renamed {
  const { view, reach, name, starts, places, owners, changed, asides } = gathering;
  const edits = new Map<string, Map<number, AnnotatedEdit<Look>>>();
  for (const { found, open, edit: each } of places) {
    const { edit, conditional, anchored } = each;
    const look = anchored ? 'anchor' : conditional || open ? 'template' : found.sure ? 'plain' : 'uncertain';
    const uri = each.writtenIn ?? found.file.uri;
    const known = edits.get(uri) ?? new Map<number, AnnotatedEdit<Look>>();
    edits.set(uri, known);
    if (known.get(edit.span.start)?.look !== 'plain') known.set(edit.span.start, { ...edit, look });
  }
  for (const [look, list] of asides) {
    for (const { file, edit } of list) {
      const known = edits.get(file.uri) ?? new Map<number, AnnotatedEdit<Look>>();
      edits.set(file.uri, known);
      if (!known.has(edit.edit.span.start)) known.set(edit.edit.span.start, { ...edit.edit, look });
    }
  }
  const fixed = [...reach.selectors.values()].filter((each) => each.site.fact.immutable && !isFixed(view, each));
  const recreated = listed(fixed.map(({ object }) => objectName(object)));
  const files = starts.map(({ file }) => file.uri);
  const applications = listed(otherApplications(view.workspace, files, edits.keys()));
  const [first] = changed;
  const usual = usualLook(first, recreated, applications);
  const changes = first === undefined ? '' : sentence(view, first, first.certain ? 'would' : 'may');
  const isCertain = first?.certain === true;
  const reasonsOf = reasonsFor(gathering, fixed);
  const described = (uri: string, edit: AnnotatedEdit<Look>): AnnotatedEdit<Look> => {
    const changes = owners(uri, edit.span.start);
    const owned = changes.keys.size === 0 ? edit : { ...edit, owners: changes.keys };
    return edit.look === 'plain' ? { ...owned, look: usual, reasons: reasonsOf(uri, changes) } : owned;
  };
  // An object of a base is in several overlays.
  const workloads = [...new Map(fixed.map((each) => [objectKey(each), objectName(each.object)])).values()];
  return {
    edits: inOrder(edits, described),
    notes: notesOf(name, { recreated, applications, changes, isCertain }),
    ...(name.value === undefined && workloads.length > 0 && { recreated: { key: name.key, workloads } }),
  };
}

/** Returns a function that returns the reasons to review one certain edit, by the objects that it changes. `fixed` lists the objects with immutable selectors. */
function reasonsFor(
  { view, starts, changed }: Gathering,
  fixed: readonly ObjectInFile[],
): (uri: string, owners: Owners) => readonly Look[] {
  const immutable = new Set(fixed.map(objectKey));
  const changing = new Set(changed.flatMap((each) => [each.selector, each.labeledObject].map(objectKey)));
  const files = starts.map(({ file }) => file.uri);
  return (uri, { keys, inside }) => [
    ...(haveCommon(keys, changing) ? (['changes'] as const) : []),
    ...(haveCommon(inside, immutable) ? (['immutable'] as const) : []),
    ...(otherApplications(view.workspace, files, [uri]).length > 0 ? (['applications'] as const) : []),
  ];
}

function haveCommon(some: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  return [...some].some((each) => others.has(each));
}

/** Returns the reason to review all edits that are certain; each argument is empty if it is not a reason. */
function usualLook(changed: Changed | undefined, recreated: string, applications: string): Look {
  if (changed !== undefined) return 'changes';
  if (recreated !== '') return 'immutable';
  return applications === '' ? 'plain' : 'applications';
}

/** The parts of the reasons to review edits. */
interface Reasons {
  /** The workloads with immutable selectors. */
  readonly recreated: string;
  readonly applications: string;
  readonly changes: string;
  /** Whether the changes are certain. */
  readonly isCertain: boolean;
}

/** Sorts the edits. Edits that depend on each other are reviewed together, because applying only some of them would change what selectors match. */
function inOrder(
  edits: ReadonlyMap<string, ReadonlyMap<number, AnnotatedEdit<Look>>>,
  described: (uri: string, edit: AnnotatedEdit<Look>) => AnnotatedEdit<Look>,
): Renamed['edits'] {
  const sorted = [...edits].map(([uri, byStart]) => {
    const inFile = [...byStart.values()].toSorted((a, b) => a.span.start - b.span.start);
    return [uri, inFile.map((each) => described(uri, each))] as const;
  });
  return new Map(sorted.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function notesOf(
  { key, value }: LabelName,
  { recreated, applications, changes, isCertain }: Reasons,
): Renamed['notes'] {
  const what = value === undefined ? localize`the label key ${key}` : localize`the label ${key}=${value}`;
  return {
    plain: {
      label: localize`Rename ${what}`,
      description: localize`All selectors keep their matches.`,
      needsConfirmation: false,
    },
    immutable: {
      label: localize`Rename ${what}, then recreate ${recreated}`,
      description: localize`One of these selectors is immutable: delete the workload before you apply the change.`,
      needsConfirmation: false,
      afterwards: localize`${recreated} must be recreated, because the selectors of workloads are immutable.`,
    },
    applications: {
      label: localize`Rename ${what}, also in ${applications}`,
      description: localize`They are applied separately: until all of them are applied, selectors may not match.`,
      needsConfirmation: false,
      afterwards: localize`The label is also renamed in ${applications}: until all of them are applied, selectors may not match.`,
    },
    changes: {
      label: localize`Rename ${what}, although ${changes}`,
      description: isCertain
        ? localize`This changes what selectors match.`
        : localize`It is uncertain whether this changes what selectors match.`,
      needsConfirmation: true,
    },
    uncertain: {
      label: localize`Rename ${what} in uncertain matches`,
      description: localize`It is uncertain whether a selector matches these objects.`,
      needsConfirmation: true,
    },
    template: {
      label: localize`Rename ${what} next to a template`,
      description: localize`A template renders part of these objects: check whether the template also renders the label.`,
      needsConfirmation: true,
    },
    command: {
      label: `Rename ${what} in commands and configurations`,
      description: 'It is uncertain whether these commands and configurations are for this cluster.',
      needsConfirmation: true,
    },
    copy: {
      label: localize`Rename ${what} in copies`,
      description: localize`The same objects are defined again in these files.`,
      needsConfirmation: true,
    },
    anchor: {
      label: localize`Rename ${what} in anchors with aliases`,
      description: localize`The aliases of these anchors change too.`,
      needsConfirmation: true,
    },
  };
}

function listed(names: readonly string[]): string {
  const [first = '', second, ...others] = [...new Set(names)].toSorted();
  if (second === undefined) return first;
  return localize`${first} and ${others.length === 0 ? second : localize`${others.length + 1} more`}`;
}
