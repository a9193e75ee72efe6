/** The objects that a selector matches, or the selectors that match an object, as lists that a view can show. */

import { nameLabel } from '../../engine/catalogue/name-labels.ts';
import { describe, format, parseSelector } from '../../engine/index.ts';
import { type CursorTarget, cursorTargetAt } from '../../manifests/cursor/cursor-target.ts';
import { kustomizationFieldAt } from '../../manifests/kustomize/kustomization-field.ts';
import { kustomizeGroup } from '../../manifests/kustomize/kustomization-sites.ts';
import { labeledObjectsOf } from '../../manifests/label-sets.ts';
import type { LabeledObject, ManifestObject, SelectorSite } from '../../manifests/model.ts';
import { shownText } from '../../manifests/shown-name.ts';
import { nameSpan } from '../../manifests/sites/object-sites.ts';
import type { Preview, PreviewGroup, PreviewItem, PreviewScope, PreviewSite } from '../../protocol.ts';
import { replaceControls } from '../../text/control-characters.ts';
import { rangeOf } from '../../text/lines.ts';
import { localize } from '../../text/localize.ts';
import { type Span, touches } from '../../text/span.ts';
import { scopesDefinedBy } from '../../workspace/gitops/defined-scopes.ts';
import { objectsBuilt, renderingsWith } from '../../workspace/kustomize/built-objects.ts';
import type { ObjectInFile } from '../../workspace/model.ts';
import { isSameObject } from '../../workspace/same-object.ts';
import { everyCluster, type Scope } from '../../workspace/scopes/model.ts';
import { alternativesOf, effectiveSelector } from '../../workspace/selection/effective-selector.ts';
import type { Match } from '../../workspace/selection/model.ts';
import { effectiveNamespace } from '../../workspace/selection/namespaces.ts';
import type { SelectingObject } from '../../workspace/selection/selecting-objects.ts';
import { selectionOfText } from '../../workspace/selection/selection.ts';
import { fileNameOf, folderOf } from '../../workspace/uri.ts';
import { patchViewAt } from '../patch-view.ts';
import { appliedName, patchedObject } from '../presentation/applied-name.ts';
import { byCertainty } from '../presentation/certainty.ts';
import { nameOf, whatOf } from '../presentation/object-names.ts';
import { paragraph, toPlainText } from '../presentation/rich-text.ts';
import { type Role, roleOf } from '../presentation/selecting-roles.ts';
import { selectorDescription } from '../presentation/selector-description.ts';
import { selectingHere } from '../selected/cluster-relations.ts';
import { FoundBySelector } from '../selected/found-by.ts';
import { builtBy } from '../selected/gitops-objects.ts';
import { type ImpliedNamespace, impliedReason } from '../selected/implied-namespaces.ts';
import { effectOf, effectOfWhole, effectTitle } from '../selected/kustomization-effects.ts';
import { notCreatedLine } from '../selected/not-created.ts';
import { countsIn } from '../selected/other-environments.ts';
import { otherSelectors } from '../selected/other-selectors.ts';
import { podsFirst, type ShownSelection } from '../selected/pods-first.ts';
import { selectedObjects } from '../selected/selected-objects.ts';
import type { FileView, View } from '../view.ts';

/** The maximum number of items in a group; the total number is shown in addition. */
const maximumItems = 200;

/** Returns the preview of the selector at an offset, or else of the object or kustomization there; undefined outside of objects. */
export function preview(view: FileView, offset: number, kinds?: readonly string[]): Preview | undefined {
  const patches = patchViewAt(view, offset);
  if (patches !== undefined) return preview(patches, offset, kinds);
  const cursorTarget = cursorTargetAt(view.file.manifest, offset);
  if (cursorTarget?.kind === 'selector') return withoutControls(previewOfSelector(view, cursorTarget, kinds));
  if (view.file.kustomization !== undefined) return withoutControls(previewOfKustomization(view, offset, kinds));
  const object = view.file.manifest.objects.find(({ span }) => touches(span, offset));
  if (object === undefined || !object.forCluster) return undefined;
  const scopes = scopesDefinedBy(view.workspace, view.file.uri, object);
  return withoutControls(
    scopes.length > 0 ? previewOfScopes(view, object, scopes, kinds) : previewOfObject(view, object, offset, kinds),
  );
}

function previewOfSelector(
  view: FileView,
  cursorTarget: CursorTarget & { readonly kind: 'selector' },
  chosen: readonly string[] | undefined,
): Preview {
  const place = siteOf(view, cursorTarget);
  const problems = problemsOf(cursorTarget.site);
  const owner = { file: view.file, object: cursorTarget.object };
  const found = new FoundBySelector(view, owner, cursorTarget.site);
  const { lead, others, verdict } = found;
  const shown = selectorDescription(lead.site);
  if (alternativesOf(lead.site).length === 0 && cursorTarget.site.fieldSelector?.ok !== true) {
    return { about: 'selector', ...shown, site: place, groups: [], kinds: [], problems, complete: view.complete };
  }
  const { selectors } = otherSelectors(view, owner, cursorTarget.site, found);
  const notCreated = notCreatedLine(view, owner);
  const note = notCreated && [localize`This object is `, ...notCreated, '.'];
  const stated = verdict?.line ?? note;
  const selection = {
    matches: [...found.matches, ...found.beside.matches],
    maybe: [...found.maybe, ...found.beside.maybe],
    otherValues: found.otherValues,
    nearMisses: found.nearMisses,
    elsewhere: [...found.elsewhere.certain, ...found.elsewhere.possible],
    alternatives: found.alternatives,
  };
  return {
    ...previewOf(view, shown, selection, chosen, found.namespaces, {
      title: localize`Other selectors for the same ${whatOf(cursorTarget.site) ?? 'objects'}`,
      items: selectors,
    }),
    site: place,
    problems,
    ...(verdict?.isUnknown && view.complete && { isUnknown: true }),
    ...(stated !== undefined && view.complete && { verdict: toPlainText([paragraph(...stated)]) }),
    ...(lead.name !== '' && { scope: { name: lead.name, path: lead.path } }),
    ...(others.length > 0 && {
      others: others.map((each) => ({
        name: each.name,
        path: each.path,
        ...countsIn(view, owner, cursorTarget.site, each),
      })),
    }),
  };
}

/** Returns the preview of a selector text: the pods that match, as `kubectl get pods -l` shows them, with the objects that create them, and then all other objects whose labels match. */
export function previewText(view: View, text: string, kinds?: readonly string[]): Preview {
  const parsed = parseSelector(text);
  if (parsed.ok) {
    const shown = { selector: format(parsed.value, 'kubectl'), description: describe(parsed.value) };
    const found = selectionOfText(view.workspace, view.catalogue, parsed.value);
    return withoutControls(previewOf(view, shown, podsFirst(found), kinds));
  }
  const problems = parsed.problems.map((problem) => problem.message);
  const description = localize`This selector is invalid.`;
  const { complete } = view;
  return withoutControls({ about: 'selector', selector: text, description, groups: [], kinds: [], problems, complete });
}

/** Replaces every control character in shown text with U+FFFD. `kinds` and the paths of scopes are unchanged, because clients send them back. */
function withoutControls(preview: Preview): Preview {
  const { selector, description, site, scope, others, groups, problems, verdict } = preview;
  const scopeOf = <T extends PreviewScope>(each: T): T => ({ ...each, name: replaceControls(each.name) });
  return {
    ...preview,
    selector: replaceControls(selector),
    description: replaceControls(description),
    ...(site && { site: { ...site, owner: replaceControls(site.owner), path: replaceControls(site.path) } }),
    ...(scope && { scope: scopeOf(scope) }),
    ...(others && { others: others.map(scopeOf) }),
    ...(verdict !== undefined && { verdict: replaceControls(verdict) }),
    groups: groups.map((group) => ({
      ...group,
      items: group.items.map(itemWithoutControls),
      kinds: group.kinds.map(({ kind, count }) => ({ kind: replaceControls(kind), count })),
    })),
    problems: problems.map((problem) => replaceControls(problem)),
  };
}

function itemWithoutControls(item: PreviewItem): PreviewItem {
  const { group, kind, namespace, name, via, labels, selector, reason } = item;
  return {
    ...item,
    group: replaceControls(group),
    kind: replaceControls(kind),
    ...(namespace !== undefined && { namespace: replaceControls(namespace) }),
    name: replaceControls(name),
    ...(via !== undefined && { via: replaceControls(via) }),
    labels: Object.fromEntries(
      Object.entries(labels).map(([key, value]) => [replaceControls(key), value && replaceControls(value)]),
    ),
    ...(selector !== undefined && { selector: replaceControls(selector) }),
    ...(reason !== undefined && { reason: replaceControls(reason) }),
  };
}

/** Returns the parts of an object with labels at a position; undefined if the whole object is meant, as at the labels of a workload itself, unless a selector matches them. */
function askedAt(view: FileView, object: ManifestObject, offset: number): readonly LabeledObject[] | undefined {
  const found = labeledObjectsAt(object, offset);
  const isWorkload = object.templates.length > 0 && found?.every(({ via }) => via === undefined);
  const isSelected = (labeledObject: LabeledObject) =>
    selectingHere(view, { file: view.file, object, labeledObject }).length > 0;
  return isWorkload && !found?.some(isSelected) ? undefined : found;
}

/** Returns the objects that an object selects and the selectors that match it; at the labels of a template, only the selectors that match the created objects. */
function previewOfObject(
  view: FileView,
  object: ManifestObject,
  offset: number,
  kinds: readonly string[] | undefined,
): Preview {
  const asked = askedAt(view, object, offset);
  const selected = asked === undefined ? selectedObjects(view, { file: view.file, object }) : undefined;
  const labeledObjects = asked ?? labeledObjectsOf(object);
  const selects = [...(selected?.matches ?? []), ...(selected?.inCluster.matches ?? [])];
  const maySelect = [...(selected?.maybe ?? []), ...(selected?.inCluster.maybe ?? [])];
  const namespaces = selected?.namespaces ?? [];
  const implied = (isCertain: boolean) => namespaces.filter((each) => each.isCertain === isCertain);
  const count = selects.length + maySelect.length + namespaces.length + (selected?.elsewhere.length ?? 0);
  const showsSelected = count > 0 || (object.templates.length === 0 && (selected?.sites.length ?? 0) > 0);
  const owner = { file: view.file, object };
  const own = patchedObject(view, owner);
  const selecting = labeledObjects
    .flatMap((labeledObject) => selectingHere(view, { ...owner, labeledObject }))
    .filter((each) => !isSameObject(each, own));
  const maybe = selecting.filter((each) => !each.certain);
  const { certain: certainElsewhere, possible } = byCertainty(selected?.elsewhere ?? []);
  const certain = selecting.filter((each) => each.certain);
  const inRole = (role: Role) => certain.filter(({ site }) => roleOf(site.path) === role);
  const path = labeledObjects.length === 1 ? labeledObjects[0]?.site?.path : undefined;
  return {
    about: 'object',
    selector: '',
    description: localize`Selectors that match ${appliedName(view, { file: view.file, object })}${showsSelected ? localize`, and the objects that it selects` : ''}.`,
    site: {
      uri: view.file.uri,
      range: rangeOf(view.file.lines, object.name?.span ?? object.kindSpan),
      owner: appliedName(view, { file: view.file, object }),
      path: path ?? '',
    },
    ...(selected?.lead && { scope: selected.lead }),
    ...chosenOf<Match | ImpliedNamespace | SelectingObject>(
      [
        { kind: 'matches', title: 'Selects', items: [...selects, ...implied(true)] },
        { kind: 'maybe', title: localize`May select`, items: [...maySelect, ...implied(false)] },
        { kind: 'elsewhere', title: localize`Also selects elsewhere`, items: certainElsewhere },
        { kind: 'mayMatchElsewhere', title: localize`May also select elsewhere`, items: possible },
        { kind: 'selectedBy', title: localize`Selected by`, items: inRole('selected') },
        { kind: 'sourceOf', title: localize`Named as a source by`, items: inRole('source') },
        { kind: 'targetOf', title: localize`Named as a target by`, items: inRole('target') },
        { kind: 'maySelect', title: localize`May be selected or named by`, items: maybe },
      ],
      kinds,
      kindOf,
      (item) => shownItem(view, item),
    ),
    problems: [],
    complete: view.complete,
  };
}

/** Returns the objects that a kustomization builds; at one of its fields, the objects that the field changes or adds. */
function previewOfKustomization(view: FileView, offset: number, kinds: readonly string[] | undefined): Preview {
  const { file, text } = view;
  const { kindSpan = { start: 0, end: 0 } } = file.manifest.objects.find(({ group }) => group === kustomizeGroup) ?? {};
  // At the position of the CodeLens, which can be the position of the first field, the whole kustomization is
  // previewed.
  const field = offset === kindSpan.start ? undefined : kustomizationFieldAt(text, offset);
  const effect = field === undefined ? effectOfWhole(view, file) : effectOf(view, file, field);
  const name = fileNameOf(folderOf(file.uri));
  const built = objectsBuilt(renderingsWith(view.workspace, view.catalogue, file.uri));
  const does = effect?.does ?? 'build';
  const objects = effect?.objects.map(({ where }) => where) ?? built;
  return previewOfBuilt(view, objects, kinds, {
    description: localize`Objects that kustomization ${name} builds.`,
    title: effectTitle(does),
    span: field?.span ?? kindSpan,
    owner: `Kustomization/${name}`,
    path: field?.field ?? '',
  });
}

/** Returns the objects that a GitOps object, such as an Application, builds. */
function previewOfScopes(
  view: FileView,
  object: ManifestObject,
  scopes: readonly Scope[],
  kinds: readonly string[] | undefined,
): Preview {
  const owner = appliedName(view, { file: view.file, object });
  return previewOfBuilt(view, builtBy(view, scopes).objects, kinds, {
    description: localize`Objects that ${owner} builds.`,
    title: effectTitle('build'),
    span: nameSpan(object),
    owner,
    path: '',
  });
}

interface BuiltBy {
  readonly description: string;
  readonly title: string;
  readonly span: Span;
  readonly owner: string;
  readonly path: string;
}

function previewOfBuilt(
  view: FileView,
  objects: readonly ObjectInFile[],
  kinds: readonly string[] | undefined,
  { description, title, span, owner, path }: BuiltBy,
): Preview {
  return {
    about: 'object',
    selector: '',
    description,
    site: { uri: view.file.uri, range: rangeOf(view.file.lines, span), owner, path },
    ...chosenOf<ObjectInFile>(
      [{ kind: 'matches', title, items: objects }],
      kinds,
      ({ object }) => object.kind,
      ({ file, object }) => ({
        ...identityOf(view, { file, object }),
        uri: file.uri,
        range: rangeOf(file.lines, nameSpan(object)),
        labels: labelTexts(labeledObjectsOf(object)[0]),
      }),
    ),
    problems: [],
    complete: view.complete,
  };
}

/** Returns the labeled objects at an offset: the labels there, or the labels of the template there; undefined if the offset is in neither. */
function labeledObjectsAt(object: ManifestObject, offset: number): readonly LabeledObject[] | undefined {
  const labeledObjects = labeledObjectsOf(object);
  const byLabels = labeledObjects.filter(({ site }) => site !== undefined && touches(site.span, offset));
  if (byLabels.length > 0) return byLabels;
  const templates = object.templates.filter(({ span }) => touches(span, offset)).map(({ path }) => path);
  const made = labeledObjects.filter(({ via }) => via !== undefined && templates.includes(via));
  return made.length > 0 ? made : undefined;
}

interface Group<T> {
  readonly kind: PreviewGroup['kind'];
  readonly title: string;
  readonly items: readonly T[];
}

/** Returns the groups with only the selected kinds, without empty groups, and a list of all kinds. */
function chosenOf<T>(
  groups: readonly Group<T>[],
  kinds: readonly string[] | undefined,
  kindOf: (item: T) => string,
  itemOf: (item: T) => PreviewItem,
): Pick<Preview, 'groups' | 'kinds'> {
  const all = new Set(groups.flatMap(({ items }) => items.map(kindOf)));
  const shown = groups.map(({ kind, title, items }): PreviewGroup => {
    const chosen = kinds === undefined ? items : items.filter((item) => kinds.includes(kindOf(item)));
    const shown = chosen.slice(0, maximumItems).map(itemOf);
    return { kind, title, items: shown, total: chosen.length, kinds: countKinds(chosen.map(kindOf)) };
  });
  return { groups: shown.filter((group) => group.total > 0), kinds: [...all].toSorted() };
}

/** Counts the objects of each kind; the most frequent kind comes first. */
function countKinds(kinds: readonly string[]): PreviewGroup['kinds'] {
  const counts = new Map<string, number>();
  for (const kind of kinds) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return [...counts].map(([kind, count]) => ({ kind, count })).toSorted((a, b) => b.count - a.count);
}

function selectingItem(view: View, { file, object, site }: SelectingObject): PreviewItem {
  const selector = effectiveSelector(site);
  return {
    ...identityOf(view, { file, object }),
    via: site.path,
    uri: file.uri === everyCluster ? '' : file.uri,
    range: rangeOf(file.lines, site.keySpan),
    labels: {},
    ...(selector && { selector: format(selector, 'kubectl') }),
  };
}

function previewOf(
  view: View,
  shown: Pick<Preview, 'selector' | 'description'>,
  selection: ShownSelection,
  kinds: readonly string[] | undefined,
  implied: readonly ImpliedNamespace[] = [],
  others?: Pick<Group<SelectingObject>, 'title' | 'items'>,
): Preview {
  const impliedOf = (isCertain: boolean) => implied.filter((each) => each.isCertain === isCertain);
  const { certain, possible } = byCertainty(selection.elsewhere);
  return {
    about: 'selector',
    ...shown,
    ...chosenOf<Match | ImpliedNamespace | SelectingObject>(
      [
        { kind: 'matches', title: 'Matches', items: [...selection.matches, ...impliedOf(true)] },
        { kind: 'maybe', title: localize`May match`, items: [...selection.maybe, ...impliedOf(false)] },
        { kind: 'otherValues', title: localize`With other chart values`, items: selection.otherValues ?? [] },
        { kind: 'others', title: localize`Other objects with these labels`, items: selection.others ?? [] },
        { kind: 'elsewhere', title: localize`Matches elsewhere`, items: certain },
        { kind: 'mayMatchElsewhere', title: localize`May match elsewhere`, items: possible },
        {
          kind: 'alternatives',
          title: localize`Could match if applied together`,
          items: selection.alternatives ?? [],
        },
        { kind: 'nearMisses', title: localize`Near misses`, items: selection.nearMisses },
        ...(others === undefined ? [] : [{ kind: 'selectedBy' as const, ...others }]),
      ],
      kinds,
      kindOf,
      (item) => shownItem(view, item),
    ),
    problems: [],
    complete: view.complete,
  };
}

function kindOf(item: Match | ImpliedNamespace | SelectingObject): string {
  return 'type' in item ? item.type.kind : item.object.kind;
}

function shownItem(view: View, item: Match | ImpliedNamespace | SelectingObject): PreviewItem {
  if ('type' in item) return impliedItem(item);
  return 'site' in item ? selectingItem(view, item) : itemOf(view, item);
}

/** Returns the item for a namespace that no file declares, which therefore has no location. */
function impliedItem(implied: ImpliedNamespace): PreviewItem {
  const { type, name } = implied;
  const start = { line: 0, character: 0 };
  const labels = { [nameLabel]: name };
  return { ...type, name, uri: '', range: { start, end: start }, labels, reason: impliedReason(implied) };
}

function problemsOf({ selector, nodeSelector, fieldSelector }: SelectorSite): readonly string[] {
  const read = selector ?? nodeSelector ?? fieldSelector;
  return read?.ok === false ? read.problems.map((problem) => problem.message) : [];
}

function siteOf(view: FileView, cursorTarget: CursorTarget & { readonly kind: 'selector' }): PreviewSite {
  const range = rangeOf(view.file.lines, cursorTarget.site.keySpan);
  const { object, site } = cursorTarget;
  return { uri: view.file.uri, range, owner: appliedName(view, { file: view.file, object }), path: site.path };
}

function itemOf(view: View, match: Match): PreviewItem {
  const { file, object, labeledObject } = match;
  return {
    ...identityOf(view, match),
    ...(labeledObject.via !== undefined && { via: labeledObject.via }),
    uri: file.uri === everyCluster ? '' : file.uri,
    range: rangeOf(file.lines, labeledObject.site?.keySpan ?? object.name?.span ?? object.kindSpan),
    labels: labelTexts(labeledObject),
    ...(match.reasons.length > 0 && { reason: match.reasons.join('; ') }),
  };
}

/** Returns the values of labels by key; an unknown value is null. */
function labelTexts(labeledObject: LabeledObject | undefined): PreviewItem['labels'] {
  const labels = Object.entries(labeledObject?.labels ?? {});
  return Object.fromEntries(labels.map(([key, value]) => [key, typeof value === 'string' ? value : null]));
}

function identityOf(view: View, where: ObjectInFile): Pick<PreviewItem, 'group' | 'kind' | 'namespace' | 'name'> {
  const { object } = where;
  const namespace = effectiveNamespace(view.workspace, view.catalogue, where);
  return {
    group: object.group,
    kind: object.kind,
    ...(namespace !== undefined && { namespace: shownText(namespace.text) }),
    name: nameOf(object),
  };
}
