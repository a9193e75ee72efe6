/** The hover for a label: its meaning, the other objects that have it, and the selectors that match on it. */

import type { Selector } from '../../engine/index.ts';
import type { Cursor, CursorTarget } from '../../manifests/cursor/cursor-target.ts';
import { isOwnKey, ownLabelsOf } from '../../manifests/cursor/label-name-at.ts';
import { kustomizeGroup } from '../../manifests/kustomize/kustomization-sites.ts';
import { labeledObjectsOf } from '../../manifests/label-sets.ts';
import type { LabelEntry, LabeledObject, LabelKeySite, LabelSite, ManifestObject } from '../../manifests/model.ts';
import { localize } from '../../text/localize.ts';
import { type InFile, type InFolder, nearestFirst } from '../../workspace/index/folder-index.ts';
import { labeledObjectWith } from '../../workspace/index/index-entries.ts';
import { appliedInTurn, versionsOf } from '../../workspace/kustomize/view.ts';
import type { LabeledObjectId } from '../../workspace/model.ts';
import { areVersions, isSameObject } from '../../workspace/same-object.ts';
import type { Relation, Scope } from '../../workspace/scopes/model.ts';
import { placeOf } from '../../workspace/scopes/scope-facts.ts';
import { admissionPoliciesOf, isPartOfRules } from '../../workspace/selection/admission-matches.ts';
import { maximumElsewhere, type SelectingObject } from '../../workspace/selection/selecting-objects.ts';
import { isSelectable, mentionsOfSelector } from '../navigation/mentions.ts';
import { namedKeys } from '../navigation/named-keys.ts';
import { notSetText, patchedObject } from '../presentation/applied-name.ts';
import { keyMeaning } from '../presentation/key-meaning.ts';
import { statementsAbout } from '../presentation/label-statements.ts';
import { elsewhere, group, maximumShown, objectLine } from '../presentation/object-lines.ts';
import { type Block, type Line, type Part, paragraph, type RichText } from '../presentation/rich-text.ts';
import { participleOf, roleOf } from '../presentation/selecting-roles.ts';
import { selectingAlternatives } from '../selected/alternatives.ts';
import { possiblySelectingHere, type Selecting, selectingObjects } from '../selected/cluster-relations.ts';
import { noLongerSelecting } from '../selected/no-longer-selecting.ts';
import { overlayDifferences } from '../selected/overlay-differences.ts';
import { type FileView, whereIn } from '../view.ts';
import { selectedInAlternatives } from './alternatives-hover.ts';
import { aboutLabelCommand } from './label-command-hover.ts';

/** Describes a label: its meaning, the other objects that have it, and the selectors that match on it. */
export function aboutLabel(
  view: FileView,
  { object, site, entry }: CursorTarget & { readonly kind: 'label' },
): RichText | undefined {
  const meaning = keyMeaning(view.catalogue, entry.key.text, site.place.holds === 'labels' ? 'label' : 'annotation');
  // Labels in chart values belong to the objects that templates render, so the values have no relations of their own.
  const described = isSelectable(site) && view.complete && !object.inValues ? relations(view, object, site, entry) : [];
  const { value } = entry.value;
  const change = typeof value === 'string' ? { key: entry.key.text, value } : undefined;
  const done = change === undefined ? [] : aboutLabelCommand(view, object, change);
  const statements =
    site.place.holds === 'labels' ? statementsAbout({ ...view, uri: view.file.uri }, entry.key.text) : [];
  const stated = statements.length === 0 ? [] : [paragraph(statements.join(' '))];
  const all = [...done, ...stated, ...meaning, ...ofAutomation(object, entry), ...described];
  return all.length === 0 ? undefined : all;
}

/** Returns a note if a kustomization adds a key without a prefix: such keys are reserved for users. */
function ofAutomation({ group }: ManifestObject, { key }: LabelEntry): readonly Block[] {
  if (group !== kustomizeGroup || key.text.includes('/')) return [];
  return [
    paragraph(localize`The kustomization adds this key to objects; keys that automation adds should have a prefix.`),
  ];
}

/** Describes the label whose key a field names: its meaning and, in a command, the number of objects in the workspace that have it, because a command runs against a whole cluster. */
export function aboutLabelKey(view: FileView, { object, site }: Cursor & { readonly kind: 'labelKey' }): RichText {
  const { key } = site;
  if (site.place.form === 'prometheus') return prometheusLabel(view, site);
  const meaning = keyMeaning(view.catalogue, key.text, 'label');
  if (!object.inline && isOwnKey(object, site)) {
    const labels = ownLabelsOf(object, site);
    // A label that is absent from a patch may be in the objects that the patch changes.
    const isUnknown = labels.length === 0 && view.workspace.scopes().isPatch(view.file.uri);
    return isUnknown ? meaning : [ownValue(labels, site), ...meaning];
  }
  if (!object.inline || !view.complete) return meaning;
  const total = view.workspace.carrying(key.text).reduce((sum, { objects }) => sum + objects, 0);
  const done = aboutLabelCommand(view, object, { key: key.text });
  if (total === 0) return [...done, ...meaning];
  const labeled =
    total === 1
      ? localize`1 object in this workspace has the label `
      : localize`${total} objects in this workspace have the label `;
  return [...done, paragraph(labeled, { kind: 'code', text: key.text }, '.'), ...meaning];
}

/** Describes the label that a Prometheus name represents, or lists all candidates. */
function prometheusLabel(view: FileView, site: LabelKeySite): RichText {
  const kind = site.place.of?.kind ?? '';
  const keys = namedKeys(view, site);
  const [only = ''] = keys;
  if (keys.length === 0) {
    const unknown = paragraph(localize`No ${kind} in this workspace has a label with this name.`);
    return view.complete ? [unknown] : [];
  }
  const names = keys.flatMap((key, at): readonly Part[] => [
    ...(at === 0 ? [] : [' or ']),
    { kind: 'code', text: key },
  ]);
  if (keys.length > 1)
    return [paragraph(localize`This name represents one of several labels of a ${kind}: `, ...names, '.')];
  return [
    paragraph(localize`The label `, ...names, localize` of a ${kind}.`),
    ...keyMeaning(view.catalogue, only, 'label'),
  ];
}

function ownValue([entry]: readonly LabelEntry[], { key }: LabelKeySite): Block {
  const name: Part = { kind: 'code', text: key.text };
  if (entry === undefined) return paragraph(localize`No label `, name, localize` is set here.`);
  return paragraph(localize`The label `, name, ' is ', { kind: 'code', text: entry.value.text }, ' here.');
}

const roles = ['selected', 'source', 'target'] as const;

function relations(view: FileView, object: ManifestObject, site: LabelSite, entry: LabelEntry): readonly Block[] {
  const { value: key } = entry.key;
  const { value } = entry.value;
  if (typeof key !== 'string') return [];
  const other = otherBranch(view, object, site, entry);
  if (other !== undefined) return [paragraph(notSetText(other, localize`label`))];
  const labeledObjects = labeledObjectsOf(object).filter((labeledObject) => labeledObject.site === site);
  const lost = labeledObjects.flatMap((each) => noLongerSelecting(view, { file: view.file, object }, each, [key]));
  const selecting = [
    ...roles.flatMap((role) => {
      const lines = lost.filter((each) => roleOf(each.site.path) === role).map((each) => selectingLine(view, each));
      return group(view, localize`No longer ${participleOf(role)} by`, lines, site.keySpan.start);
    }),
    ...selectedBy(view, object, site, key),
  ];
  return typeof value === 'string' ? [...selecting, ...labeledObjectsWith(view, object, key, value)] : selecting;
}

/** Returns the scope whose values do not choose the part of a template that contains a label; undefined if they choose it, or if this is unknown. */
function otherBranch(
  { workspace, catalogue, perspective, file }: FileView,
  object: ManifestObject,
  { path }: LabelSite,
  { key, conditional }: LabelEntry,
): Scope | undefined {
  if (!conditional) return undefined;
  for (const version of appliedInTurn(workspace, catalogue, file.uri, perspective)) {
    const [applied] = versionsOf(version, object);
    if (applied === undefined) continue;
    if (version.rendering.known?.has(file.uri) !== true) return undefined;
    const entries = applied.object.labelSites.filter((each) => each.path === path).flatMap((each) => each.entries);
    return entries.some((each) => each.key.span.start === key.span.start) ? undefined : version.scope;
  }
  return undefined;
}

function selectedBy(view: FileView, object: ManifestObject, site: LabelSite, key: string): readonly Block[] {
  const labeledObjects = labeledObjectsOf(object).filter((labeledObject) => labeledObject.site === site);
  if (labeledObjects.length === 0) return [];
  const asksForIt = (selector: Selector) =>
    selector.kind === 'all' && selector.requirements.some((requirement) => requirement.key === key);
  const found = labeledObjects.flatMap((labeledObject) =>
    selectingObjects(view, { file: view.file, object, labeledObject }, asksForIt),
  );
  // The lens and the view do not count the selector with which a workload finds its own pods either.
  const own = patchedObject(view, { file: view.file, object });
  const certain = found.filter((each) => !isSameObject(each, own));
  const possible = certain.length > 0 ? [] : unevaluatedSelectors(view, object, labeledObjects, key);
  const others = [...certain, ...possible.filter((each) => !isSameObject(each, own))];
  const differences = overlayDifferences(
    view,
    labeledObjects.map((labeledObject) => ({ file: view.file, object, labeledObject })),
    asksForIt,
  );
  if (others.length === 0) {
    if (differences.lines.length > 0)
      return [
        paragraph(localize`No other selector matches on this label${differences.suffix}.`),
        ...differences.lines.map((line) => paragraph(...line)),
      ];
    const alternatives = labeledObjects.flatMap((labeledObject) =>
      selectingAlternatives(view, { file: view.file, object, labeledObject }, asksForIt),
    );
    if (alternatives.length > 0) return selectedInAlternatives(view, alternatives);
    // Other values of the chart may cause a match.
    if (labeledObjects.some(({ labels }) => typeof labels[key] !== 'string')) return [];
    if (found.length > 0)
      return [
        paragraph(localize`Only the selector of the ${object.kind} itself matches on this label ${whereIn(view)}.`),
      ];
    return [paragraph(localize`No selector ${whereIn(view)} matches on this label.`)];
  }
  return [
    ...selectingGroups(view, others, site.keySpan.start, differences.suffix),
    ...differences.lines.map((line) => paragraph(...line)),
  ];
}

/** Returns the selectors on a label that the indexes do not find: those of admission policies that apply to an object, which are evaluated with the whole rule, and those that are not evaluated. */
function unevaluatedSelectors(
  view: FileView,
  object: ManifestObject,
  labeledObjects: readonly LabeledObject[],
  label: string,
): readonly Selecting[] {
  return labeledObjects.flatMap((labeledObject) => {
    const candidate = { file: view.file, object, labeledObject };
    const ofPolicies = admissionPoliciesOf(view.workspace, view.catalogue, candidate).flatMap(
      ({ file, object, part, certain }) =>
        object.selectorSites
          .filter((site) => isPartOfRules(object, site) && site.path.startsWith(`${part.path}.`))
          .map((site): Selecting => {
            return { file, object, site, certain, answer: certain ? 'yes' : 'maybe', relation: 'here' };
          }),
    );
    const others = possiblySelectingHere(view, candidate).filter((each) => !isPartOfRules(each.object, each.site));
    // What is not evaluated is compared as it is written: a parsed selector does not contain wildcards of Kyverno.
    return [...ofPolicies, ...others].filter(({ site }) => mentionsOfSelector(site).some(({ key }) => key === label));
  });
}

/** Lists the selectors that select (or isolate, as specified by `verb`) an object, and those that name it as the other end of connections: certain, possible, and elsewhere. `suffix` names the overlay. */
export function selectingGroups(
  view: FileView,
  selectingObjects: readonly Selecting[],
  offset: number,
  suffix: string,
  verb: 'selected' | 'isolated' = 'selected',
): readonly Block[] {
  return roles.flatMap((role) => {
    const inRole = selectingObjects.filter(({ site }) => roleOf(site.path) === role);
    return groupsOfRole(view, inRole, offset, suffix, participleOf(role === 'selected' ? verb : role));
  });
}

function groupsOfRole(
  view: FileView,
  selectingObjects: readonly Selecting[],
  offset: number,
  suffix: string,
  participle: string,
): readonly Block[] {
  const lines = (some: readonly SelectingObject[]) =>
    some.map((selectingObject) => selectingLine(view, selectingObject));
  const here = selectingObjects.filter(({ relation }) => relation === 'here');
  const inCluster = selectingObjects.filter(({ builtBy }) => builtBy !== undefined);
  const others = selectingObjects.filter(({ relation, builtBy }) => relation === 'elsewhere' && !builtBy);
  const certain = others.filter((each) => each.certain);
  const possible = others.filter((each) => !each.certain);
  const capitalized = `${participle.charAt(0).toUpperCase()}${participle.slice(1)}`;
  const atLeast = others.length < maximumElsewhere ? '' : localize` at least`;
  return [
    ...group(view, localize`${capitalized}${suffix} by`, lines(here.filter((each) => each.certain)), offset),
    ...group(view, localize`May be ${participle}${suffix} by`, lines(here.filter((each) => !each.certain)), offset),
    ...group(
      view,
      localize`${capitalized}${suffix} by other GitOps objects of the cluster`,
      lines(inCluster.filter((each) => each.certain)),
      offset,
    ),
    ...group(
      view,
      localize`May be ${participle}${suffix} by other GitOps objects of the cluster`,
      lines(inCluster.filter((each) => !each.certain)),
      offset,
    ),
    ...group(view, localize`Also ${participle} ${elsewhere(view, certain)} by${atLeast}`, lines(certain), offset),
    ...group(
      view,
      localize`May also be ${participle} ${elsewhere(view, possible)} by${atLeast}`,
      lines(possible),
      offset,
    ),
  ];
}

function selectingLine(view: FileView, selectingObject: SelectingObject): Line {
  return [
    ...objectLine(view, selectingObject, selectingObject.site.keySpan),
    ' ',
    { kind: 'code', text: selectingObject.site.path },
  ];
}

/** The objects that have a label and a certain relation to the position of the cursor. */
interface Carrying {
  objects: number;
  /** The files that contain the objects, the nearest first; truncated if there are very many. */
  readonly files: InFile<LabeledObjectId>[];
}

/** Lists the nearest objects that have a label; if they are in many files, distant objects are only counted. */
function labeledObjectsWith(view: FileView, object: ManifestObject, key: string, value: string): readonly Block[] {
  const from = placeOf({ file: view.file, object });
  const found = carrying(view, from, object, view.workspace.carrying(key, value));
  return (['here', 'elsewhere'] as const).flatMap((relation) => {
    const title = relation === 'here' ? localize`Also on` : localize`Also on, elsewhere`;
    const { lines, total } = nearest(view, from, object, found[relation]);
    return group(view, title, lines, object.kindSpan.start, total);
  });
}

/** Groups the other objects that have a label by their relation to the cursor. Objects in distant folders are counted without examining each file. */
function carrying(view: FileView, from: string, object: ManifestObject, folders: readonly InFolder<LabeledObjectId>[]) {
  const scopes = view.workspace.scopes();
  const around = scopes.foldersAround(from);
  const own = view.file.manifest.objects.indexOf(object);
  const noMatches = (): Carrying => ({ objects: 0, files: [] });
  const found: Record<Relation, Carrying> = { here: noMatches(), elsewhere: noMatches(), apart: noMatches() };
  for (const each of nearestFirst(folders, view.file.uri)) {
    if (around?.has(each.folder) === false) {
      found.elsewhere.objects += each.objects;
      if (found.elsewhere.files.length < maximumLooked) for (const file of each.files) found.elsewhere.files.push(file);
      continue;
    }
    for (const file of each.files) {
      const others = file.uri === view.file.uri ? withoutObject(file, own) : file;
      const standing = found[scopes.relation(from, placeIn(view, others))];
      standing.objects += others.objects;
      standing.files.push(others);
    }
  }
  return found;
}

/** Returns the position of the first object of a file: in a file with a Template, its objects are at another position than the file. */
function placeIn({ workspace }: FileView, { uri, ids }: InFile<LabeledObjectId>): string {
  const [first] = workspace.scopes().factsOf(uri)?.templates.length === 0 ? [] : ids;
  const object = first && labeledObjectWith(workspace, first);
  return object === undefined ? uri : placeOf(object);
}

function withoutObject({ uri, ids, objects }: InFile<LabeledObjectId>, own: number): InFile<LabeledObjectId> {
  const others = ids.filter(({ object }) => object !== own);
  return { uri, ids: others, objects: others.length === ids.length ? objects : objects - 1 };
}

function nearest(view: FileView, from: string, object: ManifestObject, { objects, files }: Carrying) {
  const lines: Line[] = [];
  let total = objects;
  for (const id of files.slice(0, maximumLooked).flatMap(({ ids }) => oneOfEach(ids))) {
    if (lines.length === maximumShown) break;
    const found = labeledObjectWith(view.workspace, id);
    const relation = found && view.workspace.scopes().relation(from, placeOf(found), found);
    const isVersion = relation === 'elsewhere' && found !== undefined && areVersions(object, found.object);
    if (found === undefined || relation === 'apart' || isVersion) total--;
    else lines.push(objectLine(view, found, found.labeledObject.site?.keySpan ?? found.object.kindSpan));
  }
  return { lines, total };
}

/** Keeps one entry for each object: for a workload, the entry of its pod template, which follows the entry of the workload itself. */
function oneOfEach(ids: readonly LabeledObjectId[]): readonly LabeledObjectId[] {
  if (ids.length === 1) return ids;
  const last = new Map<number, LabeledObjectId>();
  for (const id of ids) {
    const before = last.get(id.object);
    if (before === undefined || before.labeledObject < id.labeledObject) last.set(id.object, id);
  }
  return [...last.values()];
}

/** The maximum number of files that are examined in order to leave copies out of a list. */
const maximumLooked = 100;
