/** What does a file, and what do all others, look like once a label key or value has another name? */

import { validateLabelKey, validateLabelValue } from '../engine/index.ts';
import { holdsLabels, type NameSpot, nameAt } from '../manifests/name-spot.ts';
import type { Span } from '../text/span.ts';
import { folderOf, relativePath } from '../workspace/uri.ts';
import type { ObjectInFile, WorkspaceFile } from '../workspace/workspace.ts';
import type { AnnotatedEdit, AnnotatedEdits, Refused } from './annotated-edits.ts';
import { type LabelName, type NameEdit, renameInEntries, renameInSelector, renameWritten } from './label-name.ts';
import { objectName } from './names.ts';
import { type Changed, changedMatches } from './rename-check.ts';
import { writtenByKustomization } from './rename-kustomize.ts';
import { type Joined, type Reach, reachOf } from './rename-reach.ts';
import type { FileView, View } from './view.ts';

/** What may be renamed: the exact key or value, and what stands there. */
export interface Renameable {
  readonly span: Span;
  readonly text: string;
}

/** Why a person should look at an edit before it is made; `plain` ones need no look. */
export type Look = 'plain' | 'immutable' | 'changes' | 'uncertain' | 'template' | 'anchor';

export type Renamed = AnnotatedEdits<Look>;

/** The name at a place, or why there is none to change; undefined where no label is. */
export function prepareRename(view: FileView, offset: number): Renameable | Refused | undefined {
  const spot = spotIn(view, offset);
  if (spot === undefined) return undefined;
  const refused = refusedAt(view, view.file);
  return refused ?? { span: spot.span, text: spot.value ?? spot.key };
}

/** Everywhere that the name at a place is meant, with its new text; undefined where no label is. */
export function rename(view: FileView, offset: number, to: string): Renamed | Refused | undefined {
  const spot = spotIn(view, offset);
  if (spot === undefined) return undefined;
  const refused = refusedAt(view, view.file) ?? invalid(spot, to);
  if (refused !== undefined) return refused;
  const name: LabelName = { key: spot.key, ...(spot.value !== undefined && { value: spot.value }) };
  if (to === (name.value ?? name.key)) return { edits: new Map(), notes: {} };
  const { site, object } = spot;
  const reach = reachOf(view, name, { file: view.file, object, ...(!('place' in site) && { site }) });
  const places = placesOf(view, reach, name, to);
  const impossible = taken(view, reach, name, to) ?? writtenElsewhere(places) ?? byKustomization(view, reach, name);
  if (impossible !== undefined) return impossible;
  const changed = changedMatches({ view, name, to, reach, isFixed: (found) => isFixed(view, found) });
  return broken(view, changed) ?? gather({ view, reach, name, places, changed });
}

/** An old version of a file is looked at only. */
function spotIn({ workspace, file }: FileView, offset: number): NameSpot | undefined {
  return workspace.files.has(file.uri) ? nameAt(file.manifest, offset) : undefined;
}

function refusedAt({ workspace }: View, { uri, config }: WorkspaceFile): Refused | undefined {
  if (workspace.scopes().isGenerated(uri)) {
    return { refused: 'a program writes this file: rename the label where the program takes it from' };
  }
  return config === undefined ? undefined : { refused: 'this label stands in another place: rename it there' };
}

function invalid({ value }: NameSpot, to: string): Refused | undefined {
  const [problem] = value === undefined ? validateLabelKey(to) : validateLabelValue(to);
  return problem && { refused: problem.message };
}

/** A map cannot have the new key twice. */
function taken(view: View, reach: Reach, name: LabelName, to: string): Refused | undefined {
  if (name.value !== undefined) return undefined;
  const isDouble = (entries: readonly { readonly key: { readonly value: unknown } }[]) =>
    entries.some(({ key }) => key.value === name.key) && entries.some(({ key }) => key.value === to);
  for (const found of reach.objects.values()) {
    const maps = [...found.object.labelSites.filter(holdsLabels), ...found.object.selectorSites];
    const map = isFixed(view, found) ? undefined : maps.find(({ entries }) => isDouble(entries));
    if (map !== undefined)
      return { refused: `\`${map.path}\` of ${objectName(found.object)} has the key '${to}' already` };
  }
  return undefined;
}

function broken(view: View, changed: readonly Changed[]): Refused | undefined {
  const [first, ...others] = changed.filter(({ certain }) => certain);
  if (first === undefined) return undefined;
  const more = others.length === 0 ? '' : `, and ${others.length} more would change`;
  return { refused: `${sentence(view, first, 'would')}${more}` };
}

function sentence(view: View, { selector, carrier, now }: Changed, would: 'would' | 'may'): string {
  const [by, what] = [objectName(selector.object), objectName(carrier.object)];
  if (now === 'taken') return `${by} ${would} then select ${what} too`;
  const written = isFixed(view, carrier) ? ', whose file a program writes' : '';
  return `${by} ${would} no longer select ${what}${written}`;
}

/** Files that programs write, and what a configuration tells of the rest of the cluster. */
function isFixed({ workspace }: View, { file }: ObjectInFile): boolean {
  return file.config !== undefined || workspace.scopes().isGenerated(file.uri);
}

interface Gathering {
  readonly view: View;
  readonly reach: Reach;
  readonly name: LabelName;
  readonly places: readonly Place[];
  readonly changed: readonly Changed[];
}

interface Place {
  readonly found: Joined;
  readonly open: boolean;
  readonly edit: NameEdit;
}

/** Every place where what is joined writes the name, but for files that nobody may change. */
function placesOf(view: View, reach: Reach, name: LabelName, to: string): readonly Place[] {
  const inObjects = [...reach.objects.values()].flatMap((found) => [
    ...found.object.labelSites.filter(holdsLabels).flatMap(({ entries, open }) => {
      return renameInEntries(entries, name, to).map((edit) => ({ found, open, edit }));
    }),
    ...renameInEntries(found.object.inherited, name, to).map((edit) => ({ found, open: false, edit })),
  ]);
  const inKeys = [...reach.keys.values()].map((found) => {
    return { found, open: false, edit: renameWritten(found.site.key, to) };
  });
  const inSelectors = [...reach.selectors.values()].flatMap((found) => {
    return renameInSelector(found.site, name, to).map((edit) => ({ found, open: found.site.open, edit }));
  });
  return [...inObjects, ...inKeys, ...inSelectors].filter(({ found }) => !isFixed(view, found));
}

/** What a helper of a chart writes into an object stands in a file that is no manifest. */
function writtenElsewhere(places: readonly Place[]): Refused | undefined {
  const place = places.find(({ edit }) => edit.writtenIn !== undefined);
  if (place === undefined) return undefined;
  return handMade(place.found, place.edit.writtenIn ?? '');
}

function byKustomization(view: View, reach: Reach, name: LabelName): Refused | undefined {
  const found = writtenByKustomization(view, reach, name);
  return found && handMade(found.object, found.uri);
}

function handMade({ file, object }: ObjectInFile, uri: string): Refused {
  const where = relativePath(folderOf(file.uri), uri);
  return { refused: `it is written into ${objectName(object)} by ${where}: change it there by hand` };
}

function gather({ view, reach, name, places, changed }: Gathering): Renamed {
  const edits = new Map<string, Map<number, AnnotatedEdit<Look>>>();
  for (const { found, open, edit: each } of places) {
    const { edit, conditional, anchored } = each;
    const look = anchored ? 'anchor' : conditional || open ? 'template' : found.sure ? 'plain' : 'uncertain';
    const known = edits.get(found.file.uri) ?? new Map<number, AnnotatedEdit<Look>>();
    edits.set(found.file.uri, known);
    if (known.get(edit.span.start)?.look !== 'plain') known.set(edit.span.start, { ...edit, look });
  }
  const fixed = [...reach.selectors.values()].filter((each) => each.site.fact.immutable && !isFixed(view, each));
  const recreated = listed(fixed.map(({ object }) => objectName(object)));
  const [first] = changed;
  const usual: Look = first !== undefined ? 'changes' : recreated !== '' ? 'immutable' : 'plain';
  const changes = first === undefined ? '' : sentence(view, first, 'may');
  return { edits: inOrder(edits, usual), notes: notesOf(name, recreated, changes) };
}

/** What goes together is looked at together: half of it would break what all of it keeps. */
function inOrder(edits: ReadonlyMap<string, ReadonlyMap<number, AnnotatedEdit<Look>>>, usual: Look): Renamed['edits'] {
  const sorted = [...edits].map(([uri, byStart]) => {
    const inFile = [...byStart.values()].toSorted((a, b) => a.span.start - b.span.start);
    return [uri, inFile.map((each) => (each.look === 'plain' ? { ...each, look: usual } : each))] as const;
  });
  return new Map(sorted.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function notesOf({ key, value }: LabelName, recreated: string, changes: string): Renamed['notes'] {
  const what = value === undefined ? `the label key ${key}` : `the label ${key}=${value}`;
  return {
    plain: {
      label: `Rename ${what}`,
      description: 'Everything that it connects keeps its matches.',
      needsConfirmation: false,
    },
    immutable: {
      label: `Rename ${what}, then recreate ${recreated}`,
      description: 'A selector among these may not change in the cluster: delete the workload before you apply it.',
      needsConfirmation: true,
    },
    changes: {
      label: `Rename ${what}, although ${changes}`,
      description: 'Whether it does is not certain: something that no file tells decides.',
      needsConfirmation: true,
    },
    uncertain: {
      label: `Rename ${what} where it may be meant`,
      description: 'Whether a selector takes these is not certain.',
      needsConfirmation: true,
    },
    template: {
      label: `Rename ${what} beside a template`,
      description: 'A template writes a part of these: look whether it writes the label too.',
      needsConfirmation: true,
    },
    anchor: {
      label: `Rename ${what} where aliases show it`,
      description: 'These have an anchor: what its aliases stand for changes too.',
      needsConfirmation: true,
    },
  };
}

function listed(names: readonly string[]): string {
  const [first = '', ...others] = new Set(names);
  return others.length === 0 ? first : `${first} and ${others.length} more`;
}
