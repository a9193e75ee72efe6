/** The hover of an object as a whole: what it selects, what selects and isolates it, and what is in a namespace. */

import type { Catalogue } from '../../engine/catalogue/types.ts';
import { carriersOf } from '../../manifests/label-sets.ts';
import type { Carrier, LabelSite, ManifestObject } from '../../manifests/model.ts';
import type { ObjectInFile } from '../../workspace/model.ts';
import { looksAtHome, namespaceOf } from '../../workspace/selection/namespaces.ts';
import { type Taker, takersAround } from '../../workspace/selection/selecting-objects.ts';
import { isSameObject, keysOf } from '../locations.ts';
import { group, matchGroup } from '../presentation/object-lines.ts';
import { type Block, type Line, paragraph, type RichText } from '../presentation/rich-text.ts';
import { contentsOf, isNamespace } from '../selected/namespace-contents.ts';
import { selectedObjects } from '../selected/selected-objects.ts';
import type { FileView } from '../view.ts';
import { takerGroups } from './label-hover.ts';

export function aboutObject(view: FileView, object: ManifestObject): RichText | undefined {
  if (!view.complete) return undefined;
  if (isNamespace(view.catalogue, object) && object.name !== undefined)
    return aboutNamespace(view, object, object.name.text);
  const carriers = carriersOf(object).filter((carrier) => isSelectedAsPod(object, carrier));
  return carriers.length === 0 ? undefined : aboutCarriers(view, object, carriers);
}

/** Describes what the object selects; empty for a workload that selects only its own pods. */
export function aboutSelected(view: FileView, object: ManifestObject): readonly Block[] {
  if (!view.complete) return [];
  const { sites, matches, maybe, elsewhere } = selectedObjects(view, { file: view.file, object });
  const offset = object.kindSpan.start;
  const asked = new Set(sites.flatMap((site) => [...keysOf(site)]));
  const blocks = [
    ...matchGroup(view, 'Selects', matches, asked, offset),
    ...matchGroup(view, 'May select', maybe, asked, offset),
    ...matchGroup(view, 'Also selects (outside this scope)', elsewhere, asked, offset),
  ];
  if (blocks.length > 0 || sites.length === 0 || object.templates.length > 0) return blocks;
  return [paragraph({ kind: 'strong', text: 'Selects nothing' }, ' in this workspace.')];
}

/** Describes the selectors that match the labels of one map. */
export function aboutLabels(view: FileView, object: ManifestObject, site: LabelSite): RichText | undefined {
  const carriers = carriersOf(object).filter((carrier) => carrier.site === site);
  return view.complete && carriers.length > 0 ? aboutCarriers(view, object, carriers) : undefined;
}

/** What a workload makes, or the object itself where nothing makes it. */
function isSelectedAsPod({ templates }: ManifestObject, { via }: Carrier): boolean {
  return via !== undefined || templates.length === 0;
}

function aboutCarriers(view: FileView, object: ManifestObject, carriers: readonly Carrier[]): RichText | undefined {
  const owner: ObjectInFile = { file: view.file, object };
  const takers = carriers
    .flatMap((carrier) => takersAround(view.workspace, view.catalogue, { ...owner, carrier }))
    .filter((taker) => !isSameObject(taker, owner));
  const isolating = takers.filter((taker) => isolates(view.catalogue, taker));
  const others = takers.filter((taker) => !isolating.includes(taker));
  const offset = object.kindSpan.start;
  const blocks = [
    ...takerGroups(view, others, offset),
    ...takerGroups(
      view,
      isolating.filter(({ relation }) => relation === 'here'),
      offset,
      'isolated',
    ),
  ];
  if (blocks.length > 0) return blocks;
  return object.templates.length === 0
    ? undefined
    : [paragraph({ kind: 'strong', text: 'Selected by nothing' }, ' in this workspace.')];
}

/**
 * Whether a selector says on which pods a policy closes in: it looks at its own namespace, and beside it there are peers,
 * of which each may look into others. What makes pods itself looks at peers too, and isolates nobody.
 */
function isolates(catalogue: Catalogue, { object, site }: Taker): boolean {
  const fact = catalogue.kind(object.group, object.version, object.kind);
  if (fact === undefined || fact.templates.length > 0 || site.path.includes('[') || !looksAtHome(object, site))
    return false;
  return fact.selectors.some(
    ({ path, reach }) => path.includes('[]') && typeof reach !== 'string' && reach.namespaceSelectorAt !== undefined,
  );
}

function aboutNamespace(view: FileView, object: ManifestObject, name: string): RichText {
  return inNamespace(view, name, object.kindSpan.start);
}

/** Describes the contents of the namespace of an object. */
export function aboutNamespaceOf(view: FileView, object: ManifestObject): RichText | undefined {
  const namespace = namespaceOf(view.workspace, { file: view.file, object });
  if (!view.complete || namespace === undefined || typeof namespace.value !== 'string') return undefined;
  return inNamespace(view, namespace.text, object.kindSpan.start);
}

function inNamespace(view: FileView, name: string, offset: number): RichText {
  const contents = contentsOf(view, name);
  const total = [...contents.values()].reduce((sum, count) => sum + count, 0);
  if (total === 0)
    return [paragraph('No object in this workspace is in namespace ', { kind: 'code', text: name }, '.')];
  const objects = total === 1 ? '1 object in this workspace is' : `${total} objects in this workspace are`;
  const head: Block = paragraph(objects, ' in namespace ', { kind: 'code', text: name }, '.');
  const lines = [...contents].map(([kind, count]): Line => [`${count} ${kind}`]);
  const [title, list] = group(view, 'Kinds', lines, offset);
  return title === undefined || list === undefined ? [head] : [head, list];
}
