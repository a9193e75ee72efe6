/** The hover for an object as a whole: the objects that it selects, the selectors that match or isolate it, and the contents of a Namespace. */

import { areOfPod, labeledObjectsOf } from '../../manifests/label-sets.ts';
import type { LabeledObject, LabelSite, ManifestObject, SelectorSite } from '../../manifests/model.ts';
import { shownText } from '../../manifests/shown-name.ts';
import { offsetToPosition } from '../../text/lines.ts';
import { localize } from '../../text/localize.ts';
import type { ObjectInFile } from '../../workspace/model.ts';
import { isSameObject, isVersionOfAny } from '../../workspace/same-object.ts';
import { placeOf } from '../../workspace/scopes/scope-facts.ts';
import { namesOf, scopeName } from '../../workspace/scopes/scope-names.ts';
import { namespaceOf } from '../../workspace/selection/namespaces.ts';
import { keysOf } from '../locations.ts';
import { appliedLead, namespaceClause, patchedObject } from '../presentation/applied-name.ts';
import { group, groupsElsewhere, matchGroup, selectedInCluster } from '../presentation/object-lines.ts';
import { typeText } from '../presentation/object-names.ts';
import { type Block, type Line, paragraph, type RichText } from '../presentation/rich-text.ts';
import { allSelected } from '../presentation/selector-description.ts';
import { selectingAlternatives } from '../selected/alternatives.ts';
import { selectingObjects } from '../selected/cluster-relations.ts';
import { FoundBySelector } from '../selected/found-by.ts';
import { impliedLines } from '../selected/implied-namespaces.ts';
import { isolates } from '../selected/isolating.ts';
import { appliedContentsOf, isNamespace, type KindCounts, totalOf } from '../selected/namespace-contents.ts';
import { notCreatedLine } from '../selected/not-created.ts';
import { overlayDifferences } from '../selected/overlay-differences.ts';
import { selectedObjects } from '../selected/selected-objects.ts';
import { type FileView, whereIn } from '../view.ts';
import { selectedInAlternatives } from './alternatives-hover.ts';
import { governingPolicies } from './governing-policies.ts';
import { selectingGroups } from './label-hover.ts';

/** Describes the selectors that match or isolate an object or, for a Namespace, its contents. */
export function aboutObject(view: FileView, object: ManifestObject): RichText | undefined {
  if (!view.complete) return undefined;
  if (isNamespace(view.catalogue, object) && object.name !== undefined)
    return aboutNamespace(view, object, object.name.text);
  const labeledObjects = labeledObjectsOf(object);
  return labeledObjects.length === 0 ? undefined : aboutLabeledObjects(view, object, labeledObjects);
}

/** Describes the type, the namespace, whether there is one, and the scopes of an object, in the same way as the page about the object. */
export function aboutIdentity(view: FileView, object: ManifestObject): Block {
  const { workspace, catalogue, file } = view;
  const notCreated = notCreatedLine(view, { file, object });
  const { group, version, kind } = object;
  const namespace = namespaceClause(view, { file, object });
  const scopes = workspace.scopes().of(placeOf({ file, object }));
  const named = scopes.filter((scope) => scope.kind !== 'file' && scope.kind !== 'folder');
  return paragraph(
    { kind: 'code', text: typeText(object) },
    ...namespace,
    ...reachOfKind(catalogue.kind(group, version, kind)?.namespaced, namespace.length > 0),
    ...(named.length === 0 ? [] : [localize`, applied with `, { kind: 'code' as const, text: namesOf(named, scopes) }]),
    ...(notCreated === undefined ? [] : [', ', ...notCreated]),
  );
}

/** States whether the objects of a kind are in namespaces; the namespace of an object states it, too. */
function reachOfKind(namespaced: boolean | undefined, hasNamespace: boolean): Line {
  if (namespaced === undefined || hasNamespace) return [];
  return [namespaced ? localize`, namespaced` : localize`, cluster-scoped`];
}

/** Returns a link to the page about an object, for editors that can open it. */
export function pageLink({ file }: FileView, { kindSpan }: ManifestObject): Block {
  const argument = { uri: file.uri, position: offsetToPosition(file.lines, kindSpan.start) };
  return paragraph({ kind: 'command', command: 'explain', text: '', title: localize`Explain this object`, argument });
}

/** Describes the objects that an object selects; empty for a workload that selects only its own pods. */
export function aboutSelected(view: FileView, object: ManifestObject): readonly Block[] {
  if (!view.complete) return [];
  const selected = selectedObjects(view, { file: view.file, object });
  const { sites, matches, maybe, elsewhere: others, inCluster, namespaces, lead } = selected;
  const offset = object.kindSpan.start;
  const asked = new Set(sites.flatMap((site) => [...keysOf(site)]));
  const [all] = sites.length === 1 ? sites.flatMap((site) => allSelected(site) ?? []) : [];
  const suffix = lead === undefined ? '' : localize` in ${lead.name}`;
  const selects = all === undefined ? `Selects${suffix}` : localize`Selects all ${all}; here${suffix}`;
  const implied = (isCertain: boolean) => impliedLines(namespaces, isCertain);
  const blocks = [
    ...matchGroup(view, selects, matches, asked, offset),
    ...group(view, localize`Selects undeclared namespaces`, implied(true), offset),
    ...matchGroup(view, localize`May select${suffix}`, maybe, asked, offset),
    ...group(view, localize`May select undeclared namespaces`, implied(false), offset),
    ...selectedInCluster(view, inCluster, suffix, asked, offset),
    ...groupsElsewhere(
      view,
      { certain: localize`Also selects`, possible: localize`May also select` },
      others,
      asked,
      offset,
    ),
  ];
  if (blocks.length > 0 || sites.length === 0 || object.templates.length > 0) return blocks;
  return noneSelected(view, { file: view.file, object }, sites);
}

/** States that the selectors of an object match nothing, or that the matches of one of them are unknown. */
export function noneSelected(view: FileView, owner: ObjectInFile, sites: readonly SelectorSite[]): readonly Block[] {
  const verdicts = sites.flatMap((site) => new FoundBySelector(view, owner, site).verdict ?? []);
  const verdict = verdicts.find(({ isUnknown }) => isUnknown) ?? verdicts[0];
  return verdict === undefined ? [] : [paragraph(...verdict.line)];
}

/** Describes the selectors that match the labels at a site. */
export function aboutLabels(view: FileView, object: ManifestObject, site: LabelSite): RichText | undefined {
  const labeledObjects = labeledObjectsOf(object).filter((labeledObject) => labeledObject.site === site);
  return view.complete && labeledObjects.length > 0 ? aboutLabeledObjects(view, object, labeledObjects) : undefined;
}

function aboutLabeledObjects(
  view: FileView,
  object: ManifestObject,
  labeledObjects: readonly LabeledObject[],
): RichText | undefined {
  const owner: ObjectInFile = { file: view.file, object };
  const own = patchedObject(view, owner);
  const found = labeledObjects
    .flatMap((labeledObject) => selectingObjects(view, { ...owner, labeledObject }))
    .filter((selectingObject) => !isSameObject(selectingObject, own));
  const isolating = found.filter((selectingObject) => isolates(view.catalogue, selectingObject));
  const others = found.filter((selectingObject) => !isolating.includes(selectingObject));
  const offset = object.kindSpan.start;
  const { suffix, lines } = overlayDifferences(
    view,
    labeledObjects.map((labeledObject) => ({ ...owner, labeledObject })),
  );
  const groups = [
    ...selectingGroups(view, others, offset, suffix),
    ...selectingGroups(
      view,
      isolating.filter((each) => each.relation === 'here' || each.builtBy !== undefined),
      offset,
      suffix,
      'isolated',
    ),
  ];
  const nothing = paragraph({ kind: 'strong', text: localize`Selected by nothing${suffix}` }, '.');
  const blocks = [
    ...(groups.length === 0 && lines.length > 0 ? [nothing] : groups),
    ...lines.map((line) => paragraph(...line)),
    ...governingPolicies(view, owner, found),
  ];
  const certain = found.filter((each) => each.certain);
  const alternatives = () =>
    labeledObjects
      .flatMap((each) => selectingAlternatives(view, { ...owner, labeledObject: each }))
      .filter((each) => !isVersionOfAny(each, certain) && !found.some((other) => isSameObject(other, each)));
  const namesOthers = found.some(({ relation, builtBy }) => relation === 'elsewhere' && builtBy === undefined);
  if (blocks.length > 0) return namesOthers ? [...blocks, ...selectedInAlternatives(view, alternatives())] : blocks;
  // A workload's own labels are not those of its pods, which most selectors match.
  const isOfPods = labeledObjects.some(({ via }) => via !== undefined);
  if (!isOfPods && object.templates.length > 0)
    return [paragraph(localize`Labels of the ${object.kind} itself. Its pods have the labels of its template.`)];
  const ofPods = labeledObjects.filter(areOfPod);
  // A patch, and values of a chart, contain only some of the labels of the object that they change.
  const isPart = object.inValues || view.workspace.scopes().isPatch(view.file.uri);
  if (object.templates.length === 0 || ofPods.length === 0 || isPart) return undefined;
  // A template, or the operator that creates the pods, adds labels.
  if (ofPods.some(({ open }) => open)) {
    const unknown = localize`Selectors unknown`;
    return [paragraph({ kind: 'strong', text: unknown }, localize`: some labels of its pods are not in the files.`)];
  }
  const apart = alternatives();
  const extent = apart.length > 0 ? localize`that is applied together with it` : whereIn(view);
  return [
    paragraph({ kind: 'strong', text: localize`Selected by nothing` }, ` ${extent}.`),
    ...selectedInAlternatives(view, apart),
  ];
}

function aboutNamespace(view: FileView, object: ManifestObject, name: string): RichText {
  return aboutNamespaceNamed(view, name, object.kindSpan.start, placeOf({ file: view.file, object }));
}

export function aboutNamespaceOf(view: FileView, object: ManifestObject): RichText | undefined {
  const where = { file: view.file, object };
  const namespace = namespaceOf(view.workspace, where);
  if (!view.complete || namespace === undefined || typeof namespace.value !== 'string') return undefined;
  const lead = appliedLead(view, where);
  const applied = lead.owner.object.namespace;
  const scopes = view.workspace.scopes().of(placeOf(where));
  const moved =
    lead.workspace.appliedBy === undefined || applied === undefined || applied.text === namespace.text
      ? []
      : [
          paragraph(
            localize`In ${scopeName(lead.workspace.appliedBy, scopes)}, this object is in namespace `,
            { kind: 'code', text: shownText(applied.text) },
            '.',
          ),
        ];
  return aboutNamespaceNamed(view, namespace.text, object.kindSpan.start, placeOf(where), moved);
}

/** Describes the contents of a namespace, first those of the overlay through which a position is seen; a truncated list links to the preview at `offset`. `moved` states that the object there is applied elsewhere; it is set if the object writes the namespace, perhaps in a file whose objects are not applied. */
export function aboutNamespaceNamed(
  view: FileView,
  name: string,
  offset: number,
  place = view.file.uri,
  moved?: RichText,
): RichText {
  const known = initialNamespaces.get(name);
  const isWritten = moved !== undefined;
  const about = [...(moved ?? []), ...(known === undefined ? [] : [paragraph(known)])];
  const { lead, others, areWritten } = appliedContentsOf(view, name, place);
  const more = totalOf(others);
  const code = { kind: 'code' as const, text: name };
  if (lead === undefined && more === 0 && isWritten) return about;
  if (lead === undefined && more === 0)
    return [
      ...about,
      paragraph(
        localize`No indexed file sets namespace `,
        code,
        localize`; overlays and releases may add objects to it.`,
      ),
    ];
  const written = areWritten ? localize`, as their files write it; overlays may change it.` : '.';
  const kinds = (counts: KindCounts) =>
    group(
      view,
      'Kinds',
      [...counts].map(([kind, count]): Line => [`${count} ${kind}`]),
      offset,
    ).slice(1, 2);
  if (lead === undefined) {
    const objects =
      more === 1 ? localize`1 object in this workspace is` : localize`${more} objects in this workspace are`;
    return [...about, paragraph(objects, localize` in namespace `, code, written), ...kinds(others)];
  }
  const count = totalOf(lead.counts);
  const scope = scopeName(lead.scope, view.workspace.scopes().of(place));
  const created = count === 1 ? localize`1 object of ${scope} is` : localize`${count} objects of ${scope} are`;
  const rest =
    more === 1
      ? localize`1 other object in this workspace is in this namespace`
      : localize`${more} other objects in this workspace are in this namespace`;
  return [
    ...about,
    paragraph(created, localize` in namespace `, code, '.'),
    ...kinds(lead.counts),
    ...(more === 0 ? [] : [paragraph(rest, written)]),
  ];
}

/** The namespaces that every new cluster has, with descriptions. */
const initialNamespaces: ReadonlyMap<string, string> = new Map([
  ['default', 'Every cluster has this namespace, so that it can be used without creating one first.'],
  ['kube-system', 'Every cluster has this namespace, for objects that Kubernetes itself creates.'],
  [
    'kube-public',
    'Every cluster has this namespace. All clients can read it, even without authentication (a convention).',
  ],
  [
    'kube-node-lease',
    'Every cluster has this namespace. It contains the Lease of each node, by which kubelets send heartbeats.',
  ],
]);
