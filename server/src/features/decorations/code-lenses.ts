/** Code lenses above objects: the number of objects that a selector matches, the selectors that match an object, and the objects that refer to it by its name. */

import { updatesSince } from '../../compare/updates.ts';
import { isSelectorLine } from '../../manifests/inline/inline.ts';
import { kustomizeGroup } from '../../manifests/kustomize/kustomization-sites.ts';
import { labeledObjectsOf } from '../../manifests/label-sets.ts';
import type { LabelSite, ManifestObject, SelectorSite } from '../../manifests/model.ts';
import { selectorAt } from '../../manifests/sites/site-at.ts';
import { localize } from '../../text/localize.ts';
import type { Span } from '../../text/span.ts';
import { type GitopsScope, scopesDefinedBy } from '../../workspace/gitops/defined-scopes.ts';
import { failingEntry } from '../../workspace/kustomize/broken-entry-text.ts';
import { kustomizationsListing } from '../../workspace/kustomize/named-files.ts';
import { patchesIn } from '../../workspace/kustomize/view.ts';
import type { LabeledObjectInFile, ObjectInFile, WorkspaceFile } from '../../workspace/model.ts';
import { isSameObject } from '../../workspace/same-object.ts';
import { effectiveSelector, isUnevaluated } from '../../workspace/selection/effective-selector.ts';
import type { Match } from '../../workspace/selection/model.ts';
import { selectionOfText } from '../../workspace/selection/selection.ts';
import { objectsOf } from '../../workspace/snapshot.ts';
import { fileNameOf, folderOf } from '../../workspace/uri.ts';
import type { EnvironmentInCluster } from '../environments.ts';
import { isSelectable } from '../navigation/mentions.ts';
import { patchedObject, sourceName } from '../presentation/applied-name.ts';
import { byRelation } from '../presentation/certainty.ts';
import { elsewhere } from '../presentation/object-lines.ts';
import { objectName, pluralKind } from '../presentation/object-names.ts';
import { allSelected } from '../presentation/selector-description.ts';
import { fitting, maximumTitle } from '../presentation/titles.ts';
import { policyTitle } from '../reach/reach-text.ts';
import { distinctObjects, targetOf } from '../references/name-at.ts';
import { usersOf } from '../references/users.ts';
import { selectingAlternatives } from '../selected/alternatives.ts';
import { type Selecting, selectingObjects } from '../selected/cluster-relations.ts';
import { FoundBySelector } from '../selected/found-by.ts';
import { builtBy, createsScopes, readsThisRepository } from '../selected/gitops-objects.ts';
import { isolates } from '../selected/isolating.ts';
import { lackedPaths } from '../selected/kustomization-effects.ts';
import { noLongerSelecting } from '../selected/no-longer-selecting.ts';
import { isNotCreated } from '../selected/not-created.ts';
import { openReasons } from '../selected/open-reasons.ts';
import { overlayDifferences } from '../selected/overlay-differences.ts';
import { podsFirst } from '../selected/pods-first.ts';
import { principalSite } from '../selected/principal-site.ts';
import type { FileView, View } from '../view.ts';

/** A code lens. An object has at most one lens for its labels or selector and one for its name; a selector outside of objects, as in a command, has one lens. */
export interface Lens {
  /**
   * The index of the object in its file; the indexes of selectors outside of objects follow the indexes of the objects.
   */
  readonly object: number;
  /** The path of the selector, of the labels or of the name, which must still exist when the lens is resolved. */
  readonly path: string;
  /** The span above which the lens is shown. */
  readonly span: Span;
  /** The span of the key of the selector or labels, or of the name or kind. */
  readonly site: Span;
}

/** Returns the positions of all lenses; their texts are evaluated lazily. */
export function lenses(view: FileView): readonly Lens[] {
  const { workspace, file, complete, settings } = view;
  if (!complete || workspace.scopes().isGenerated(file.uri)) return [];
  const shown = new Set(objectsOf(workspace, file));
  return allOf(file).flatMap((object, number) => {
    if (file.kustomization !== undefined && object.group === kustomizeGroup)
      return settings.codeLens ? [{ object: number, path: '', span: object.kindSpan, site: object.kindSpan }] : [];
    if (settings.codeLens && scopesDefinedBy(workspace, file.uri, object).length > 0)
      return [{ object: number, path: '', span: object.kindSpan, site: object.kindSpan }];
    const isShown = shown.has(object);
    const found = isSelectorLine(object) ? soundSite(object) : isShown ? lensSite(object) : siteInPatch(view, object);
    // Most lenses have a text, and are evaluated lazily.
    const isEmpty = () =>
      hasNoPorts(object, found?.path) && !isSelected(view, { file, object }, found?.path) && !isRejected(view, object);
    const site = found === undefined || isEmpty() ? undefined : found;
    const { name, kindSpan } = object;
    const isUsed =
      settings.referencesCodeLens && isShown && name !== undefined && usersTitle(view, object) !== undefined;
    const isAbove = settings.codeLensPosition === 'kind' && !isSelectorLine(object);
    const lens = (path: string, at: Span): Lens => ({ object: number, path, span: isAbove ? kindSpan : at, site: at });
    return [
      ...(isUsed ? [lens(namePath, name.span)] : []),
      ...(site === undefined || !settings.codeLens ? [] : [lens(site.path, site.keySpan)]),
    ];
  });
}

/** The path of the lens that lists the objects that refer to an object. */
export const namePath = 'metadata.name';

/** Returns text such as `used by Deployment/web`, or the number of referring objects if there are several; undefined if there are none. */
function usersTitle(view: FileView, object: ManifestObject): string | undefined {
  const { name } = object;
  if (name === undefined || name.origin !== undefined) return undefined;
  const found = usersOf(view, targetOf(view.file, object, name));
  const { here, elsewhere: others } = byRelation(found.users);
  const certain = distinctObjects(here.certain);
  const possible = distinctObjects(here.possible);
  const created = certain.filter((each) => !isNotCreated(view, each));
  const { suffix } = found.differences();
  const phrased = (users: readonly ObjectInFile[], phrase: (who: string) => string) =>
    fitting(whoOf(view, users).map((who) => [phrase(who)]));
  if (created.length > 0) return ending(suffix, (end) => phrased(created, (who) => localize`used by ${who}${end}`));
  if (certain.length > 0)
    return ending(suffix, (end) => phrased(certain, (who) => localize`used by ${who}${end} if created`));
  if (possible.length > 0)
    return ending(suffix, (end) => phrased(possible, (who) => localize`may be used by ${who}${end}`));
  if (suffix !== '') return fitting([[localize`used by nothing${suffix}`]]);
  const surely = distinctObjects(others.certain);
  if (surely.length > 0) return phrased(surely, (who) => localize`used ${elsewhere(view, surely)} by ${who}`);
  const perhaps = distinctObjects(others.possible);
  if (perhaps.length > 0) return phrased(perhaps, (who) => localize`may be used ${elsewhere(view, perhaps)} by ${who}`);
  const withOtherValues = distinctObjects(found.otherValues);
  return withOtherValues.length === 0
    ? undefined
    : phrased(withOtherValues, (who) => localize`used by ${who} with other values`);
}

/** Returns the name of the only user and a shorter phrase for it, or the number of users. */
function whoOf(view: View, users: readonly ObjectInFile[]): readonly string[] {
  const [only, ...others] = users;
  return only !== undefined && others.length === 0
    ? [sourceName(view, only), `1 ${only.object.kind}`]
    : [localize`${users.length} objects`];
}

/** Returns the text of a lens; undefined if its object or field no longer exists. */
export function lensText(view: FileView, lens: Pick<Lens, 'object' | 'path'>): string | undefined {
  const text = wholeText(view, lens);
  return text === undefined ? undefined : fitting([[text]]);
}

function wholeText(view: FileView, { object, path }: Pick<Lens, 'object' | 'path'>): string | undefined {
  const found = allOf(view.file)[object];
  if (found === undefined) return undefined;
  if (found.group === kustomizeGroup) return kustomizationTitle(view);
  if (isSelectorLine(found)) return aloneTitle(view, found);
  if (path === namePath) return usersTitle(view, found);
  const scopes = scopesDefinedBy(view.workspace, view.file.uri, found);
  if (scopes.length > 0) return gitopsTitle(view, scopes);
  const rejected = isRejected(view, found) ? localize`recreate needed` : undefined;
  const room = maximumTitle - (rejected === undefined ? 0 : rejected.length + 2);
  const where = { file: view.file, object: found };
  const suffix = isNotCreated(view, where) ? localize` if created` : '';
  const text = lensTitle(view, where, path, room - suffix.length);
  const title = text === undefined ? undefined : text + suffix;
  if (title === undefined && !hasNoPorts(found, path)) return undefined;
  const policy = policyTitle(view, found);
  if (title === undefined && rejected === undefined) return undefined;
  if (policy === undefined) return fitting([[title, rejected]]);
  return fitting([
    [title, policy.full, rejected],
    [title, policy.short, rejected],
    [policy.full, rejected],
    [policy.short, rejected],
    [title, rejected],
  ]);
}

/** Whether labels belong to pods without ports, to which no Service is expected to send requests. */
function hasNoPorts({ templates }: ManifestObject, path: string | undefined): boolean {
  const template = templates.find(({ labels }) => labels !== undefined && labels.path === path);
  if (template === undefined) return false;
  const { ports } = template;
  return ports === undefined || (!ports.open && ports.names.length === 0 && ports.network === undefined);
}

/** Returns text such as `builds 14 objects` or, for a component, the number of kustomizations that include it. */
function kustomizationTitle(view: FileView): string | undefined {
  const { workspace, catalogue, file } = view;
  const folder = folderOf(file.uri);
  if (file.kustomization?.component) {
    const count = kustomizationsListing(workspace.scopes(), folder).length;
    if (count === 0) return localize`included by no kustomization`;
    return count === 1 ? localize`changes 1 kustomization` : localize`changes ${count} kustomizations`;
  }
  const rendering = workspace.rendering(folder, catalogue);
  if (rendering === undefined) {
    const [reason] = openReasons(view);
    return reason === undefined ? localize`not built` : localize`not built: ${reason.replaceAll('`', '')}`;
  }
  if (failingEntry(rendering) !== undefined) return localize`kustomize build fails`;
  const count = rendering.objects.length;
  const built = !rendering.isWhole
    ? localize`builds ${count} or more objects`
    : count === 1
      ? localize`builds 1 object`
      : localize`builds ${count} objects`;
  const { local, remote } = lackedPaths(workspace, file);
  const [lacked, ...others] = [...local, ...remote];
  if (lacked === undefined)
    return count === 0 && !rendering.isWhole ? localize`builds objects that are not in the indexed files` : built;
  const more = others.length;
  const phrase = (path: string) =>
    more === 0 ? localize`${built} if ${path} can be read` : localize`${built} if ${path} and ${more} more can be read`;
  const counted =
    more === 0 ? localize`${built} if 1 path can be read` : localize`${built} if ${more + 1} paths can be read`;
  return fitting([[phrase(lacked)], [phrase(`…/${fileNameOf(lacked)}`)], [counted]]);
}

/** Returns text such as `deploys 14 objects to shop` or `creates 3 Applications`. */
function gitopsTitle(view: FileView, scopes: readonly GitopsScope[]): string | undefined {
  const [only] = scopes;
  if (only === undefined) return undefined;
  if (createsScopes(scopes)) return createdTitle(view, scopes);
  const { objects, isPartial } = builtBy(view, scopes);
  if (objects.length === 0 && isPartial)
    return readsArtifact(scopes)
      ? localize`deploys objects of an artifact that is not evaluated`
      : localize`deploys objects that are not in the indexed files`;
  const count = objects.length;
  const built = isPartial
    ? localize`deploys ${count} or more objects`
    : count === 1
      ? localize`deploys 1 object`
      : localize`deploys ${count} objects`;
  const namespace = only.gitops.facts.targetNamespace;
  const where = namespace === undefined ? built : localize`${built} to ${namespace}`;
  return only.gitops.facts.suspended ? localize`${where} (suspended)` : where;
}

function readsArtifact(scopes: readonly GitopsScope[]): boolean {
  return scopes.some(({ gitops }) =>
    gitops.facts.sources.some(({ repository }) => repository?.startsWith('ExternalArtifact/')),
  );
}

/** Returns text such as `creates 3 Applications`; a generator of clusters, or one that reads another repository, creates an unknown number of them. */
function createdTitle(view: View, scopes: readonly GitopsScope[]): string {
  const known = scopes.filter(({ gitops }) => gitops.facts.from?.parameters.open === false);
  const count = known.filter((each) => readsThisRepository(view, each)).length;
  if (count === 0) return localize`creates Applications, their number is unknown`;
  if (count < scopes.length) return localize`creates ${count} or more Applications`;
  return count === 1 ? localize`creates 1 Application` : localize`creates ${count} Applications`;
}

/** Whether the API server would reject a change to the object since the base revision, even if the change is in a different file. */
function isRejected({ since, file }: FileView, object: ManifestObject): boolean {
  if (since === undefined) return false;
  const updates = [...updatesSince(since.base, since.now).values()].flat();
  return updates.some(({ now, escape: recreation }) => recreation === undefined && isSameObject(now, { file, object }));
}

function allOf({ manifest, kustomization }: WorkspaceFile): readonly ManifestObject[] {
  return [...manifest.objects, ...(manifest.inline ?? []), ...patchesIn(kustomization)];
}

/** Returns the first selector of the object if it can be parsed; otherwise undefined, because an invalid selector already has a diagnostic. */
function soundSite({ selectorSites: [site] }: ManifestObject): SelectorSite | undefined {
  return site !== undefined && effectiveSelector(site) !== undefined ? site : undefined;
}

/** Returns text such as `3 matches`, with the same counts as the preview of the selector text. */
function aloneTitle({ workspace, catalogue }: View, { selectorSites: [site] }: ManifestObject): string | undefined {
  const selector = site && effectiveSelector(site);
  if (selector === undefined) return undefined;
  const { matches, maybe } = podsFirst(selectionOfText(workspace, catalogue, selector));
  const certain = matches.length === 1 ? '1 match' : localize`${matches.length} matches`;
  return maybe.length === 0 ? certain : localize`${certain}, may match ${maybe.length} more`;
}

/** Returns the site of the lens: the labels of the objects that the object creates, or else its principal selector. */
function lensSite(object: ManifestObject): LabelSite | SelectorSite | undefined {
  const made = object.templates.flatMap(({ labels }) => (labels !== undefined && isSelectable(labels) ? [labels] : []));
  // A CronJob creates Jobs and, indirectly, Pods: selectors match the innermost labels.
  const innermost = made.toSorted((a, b) => b.path.split('.').length - a.path.split('.').length)[0];
  return innermost ?? principalSite(object);
}

/** Returns the site in a patch that has the lens of the object that the patch changes; undefined if it is not in the patch, or for other objects. */
function siteInPatch(view: FileView, object: ManifestObject): LabelSite | SelectorSite | undefined {
  const where = { file: view.file, object };
  const whole = patchedObject(view, where);
  const path = whole === where ? undefined : lensSite(whole.object)?.path;
  const made = object.templates.flatMap(({ labels }) => labels ?? []);
  return path === undefined
    ? undefined
    : (made.find((each) => each.path === path) ?? selectorAt(object.selectorSites, path));
}

/** Returns the text of the lens at a path of an object; undefined if the site no longer exists. */
function lensTitle(view: FileView, where: ObjectInFile, path: string, room: number): string | undefined {
  const site = selectorAt(where.object.selectorSites, path);
  if (site !== undefined) return selectsTitle(view, where, site, room);
  const labeledObject = labeledObjectsOf(where.object).find((each) => each.site?.path === path);
  if (labeledObject === undefined) return undefined;
  const isMain = isMainSelector(view, where);
  const lost = noLongerSelecting(view, where, labeledObject, Object.keys(labeledObject.labels)).filter(isMain);
  if (lost.length > 0) return listed(namesOf(lost), (names) => localize`no longer selected by ${names}`, room);
  const { others, isCut } = otherSelectors(view, { ...where, labeledObject }, isMain);
  if (isCut) return localize`selected by more than ${maximumSelectors} objects`;
  const { suffix } = overlayDifferences(view, [{ ...where, labeledObject }], undefined, isMain);
  const here = others.filter(({ relation, builtBy }) => relation === 'here' || builtBy !== undefined);
  const certain = here.filter((selectingObject) => selectingObject.certain);
  if (certain.length > 0)
    return ending(suffix, (end) => selectedTitle(view, certain, (how) => localize`${how}${end}`, room));
  if (here.length > 0)
    return ending(suffix, (end) => selectedTitle(view, here, (how) => localize`may be ${how}${end}`, room));
  // Like the hover, the lens does not list policies that are not applied together with the pods.
  const outside = others.filter((each) => each.relation === 'elsewhere' && !isolates(view.catalogue, each));
  const surely = outside.filter((each) => each.certain);
  if (surely.length > 0)
    return listed(namesOf(surely), (names) => localize`selected ${elsewhere(view, surely)} by ${names}`, room);
  if (outside.length > 0)
    return listed(namesOf(outside), (names) => localize`may be selected ${elsewhere(view, outside)} by ${names}`, room);
  if (suffix !== '') return localize`selected by nothing${suffix}`;
  if (hasNoPorts(where.object, path)) return undefined;
  // A template, or the operator that creates the pods, adds labels.
  if (labeledObject.open) return localize`selectors unknown`;
  return selectingAlternatives(view, { ...where, labeledObject }).length > 0
    ? localize`selected by nothing here`
    : localize`selected by nothing`;
}

/** Returns a title that ends with the name of an overlay or, if this is too long, with `here`. */
function ending(suffix: string, title: (end: string) => string): string {
  const named = title(suffix);
  return suffix === '' || !named.endsWith('…') ? named : title(localize` here`);
}

/** Returns text such as `selected by Service/web; isolated by 1 policy`, with the words of the hover. */
function selectedTitle(
  view: View,
  selecting: readonly Selecting[],
  phrase: (how: string) => string,
  room: number,
): string {
  const isIsolating = (each: Selecting) => isolates(view.catalogue, each);
  const isolating = namesOf(selecting.filter(isIsolating));
  const others = namesOf(selecting.filter((each) => !isIsolating(each)));
  if (others.length === 0) return listed(isolating, (names) => phrase(localize`isolated by ${names}`), room);
  if (isolating.length === 0) return listed(others, (names) => phrase(localize`selected by ${names}`), room);
  const count = isolating.length === 1 ? localize`1 policy` : localize`${isolating.length} policies`;
  const titles = [isolating.join(', '), count].map((policies) =>
    listed(others, (names) => phrase(localize`selected by ${names}; isolated by ${policies}`), room),
  );
  const named = titles.find((title) => others.some((name) => title.includes(name)));
  return named ?? titles.find((title) => !title.endsWith('…')) ?? titles[1] ?? '';
}

/** Returns a predicate for main selectors of other objects: selectors in lists, such as peers and affinity terms, are not the main selector of their object. */
function isMainSelector(view: FileView, where: ObjectInFile): (selecting: Selecting) => boolean {
  const own = patchedObject(view, where);
  return (selecting) => !isSameObject(selecting, own) && !selecting.site.path.includes('[');
}

/** The maximum number of selectors that are evaluated for a title. Thousands of objects may have the same selector, and each of them a title. */
const maximumSelectors = 200;

/** Returns the selectors of other objects that match an object. If more than the maximum match certainly in its scope, `isCut` is true, and the others are not evaluated. */
function otherSelectors(
  view: FileView,
  labeledObject: LabeledObjectInFile,
  isMain: (selecting: Selecting) => boolean,
): { readonly others: readonly Selecting[]; readonly isCut: boolean } {
  const certain = new Set<ManifestObject>();
  const isCut = () => certain.size > maximumSelectors;
  const found = selectingObjects(view, labeledObject, undefined, (each) => {
    if (each.certain && isMain(each)) certain.add(each.object);
    return isCut();
  });
  return { others: found.filter(isMain), isCut: isCut() };
}

/** Whether the title of the lens at labels lists at least one selector, also one that no longer matches. */
function isSelected(view: FileView, where: ObjectInFile, path: string | undefined): boolean {
  const labeledObject = labeledObjectsOf(where.object).find((each) => each.site?.path === path);
  if (labeledObject === undefined) return false;
  const isMain = isMainSelector(view, where);
  return (
    noLongerSelecting(view, where, labeledObject, Object.keys(labeledObject.labels)).some(isMain) ||
    selectingObjects(view, { ...where, labeledObject }, undefined, isMain).some(isMain) ||
    overlayDifferences(view, [{ ...where, labeledObject }], undefined, isMain).suffix !== ''
  );
}

/** The maximum number of listed names. */
const maximumNames = 3;

/** Returns a phrase with as many of the names as fit into a title and the number of the others, or with a number and no name. */
function listed(names: readonly string[], phrase: (names: string) => string, room: number): string {
  const most = Math.min(names.length, maximumNames);
  const lists = Array.from({ length: most }, (_, fewer) => {
    const left = names.length - (most - fewer);
    return [...names.slice(0, most - fewer), ...(left > 0 ? [localize`${left} more`] : [])].join(', ');
  });
  const [only = '', ...others] = names;
  const count = others.length === 0 ? `1 ${only.replace(/\/.*/s, '')}` : localize`${names.length} objects`;
  return fitting(
    [...lists, count].map((list) => [phrase(list)]),
    room,
  );
}

function namesOf(found: readonly ObjectInFile[]): readonly string[] {
  return [...new Set(found.map(({ object }) => objectName(object)))];
}

/** Returns the text for a selector. With several environments, it contains the count of the first environment, and its name if the counts differ; counts are never added. */
function selectsTitle(view: FileView, owner: ObjectInFile, site: SelectorSite, room: number): string {
  if (site.state === 'ignored') return localize`selector ignored`;
  if (isUnevaluated(site)) return localize`matches unknown`;
  const found = new FoundBySelector(view, owner, site);
  const phrased = phraser(site, room);
  const matches = [...found.matches, ...found.beside.matches];
  const maybe = [...found.maybe, ...found.beside.maybe];
  const named = found.namespaces.filter(({ isCertain }) => isCertain).map(({ name }) => name);
  const countIn = ({ selection, beside }: EnvironmentInCluster) =>
    countOf([...selection.matches, ...(beside?.matches ?? [])]);
  const isSame = found.others.every((each) => countIn(each) === countOf(matches));
  const suffix = isSame ? '' : localize` in ${found.lead.name}`;
  const all = allSelected(found.lead.site);
  if (all !== undefined) return localize`selects all ${all} (${countOf(matches) + named.length} here)${suffix}`;
  if (matches.length + named.length > 0) {
    const more = maybe.length > 0 ? localize`, may select ${countOf(maybe)} more` : '';
    return ending(suffix, (end) => phrased(matches, (what) => localize`selects ${what}${more}${end}`, named));
  }
  if (maybe.length > 0) return ending(suffix, (end) => phrased(maybe, (what) => localize`may select ${what}${end}`));
  const { certain, possible } = isSame ? found.elsewhere : { certain: [], possible: [] };
  if (certain.length > 0) return phrased(certain, (what) => localize`selects ${what} ${elsewhere(view, certain)}`);
  if (possible.length > 0)
    return phrased(possible, (what) => localize`may select ${what} ${elsewhere(view, possible)}`);
  const { isUnknown, suffix: where } = found.verdict ?? { isUnknown: false, suffix };
  return isUnknown ? localize`matches unknown${where}` : localize`selects nothing${where}`;
}

/** Returns a function that returns a phrase with the name of the only match, or with the number of the matches if there are several or the name is too long. `namespaces` have no objects of their own. */
function phraser(site: SelectorSite, room: number) {
  return (matches: readonly Match[], phrase: (what: string) => string, namespaces: readonly string[] = []): string => {
    const count = countOf(matches) + namespaces.length;
    const [only] = matches;
    const [namespace] = namespaces;
    const name = only === undefined ? namespace && `Namespace/${namespace}` : objectName(only.object);
    const number = numbered(site, matches, count);
    return fitting([...(count === 1 && name !== undefined ? [[phrase(name)]] : []), [phrase(number)]], room);
  };
}

function countOf(matches: readonly Match[]): number {
  return new Set(matches.map(({ object }) => object)).size;
}

/** Returns `3 workloads` if some matches are created by workloads, and otherwise the number and kind of the objects. */
function numbered({ fact }: SelectorSite, matches: readonly Match[], count: number): string {
  const [target, ...others] = fact.targets;
  if (matches.some((match) => match.isMade)) return count === 1 ? localize`1 workload` : localize`${count} workloads`;
  if (target === undefined || others.length > 0) return count === 1 ? localize`1 object` : localize`${count} objects`;
  return `${count} ${count === 1 ? target.kind : pluralKind(target)}`;
}
