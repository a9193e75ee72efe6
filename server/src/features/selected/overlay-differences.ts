/** Describes how the selectors that match an object differ between the overlays that apply it. */

import type { Selector } from '../../engine/index.ts';
import { getOrAdd } from '../../engine/memoize.ts';
import { localize } from '../../text/localize.ts';
import type { LabeledObjectInFile, ObjectInFile } from '../../workspace/model.ts';
import { isSameObject } from '../../workspace/same-object.ts';
import type { Scope } from '../../workspace/scopes/model.ts';
import { listedNames, scopeName } from '../../workspace/scopes/scope-names.ts';
import type { SelectingObject } from '../../workspace/selection/selecting-objects.ts';
import { patchedObject } from '../presentation/applied-name.ts';
import { objectName } from '../presentation/object-names.ts';
import type { Line } from '../presentation/rich-text.ts';
import { roleOf } from '../presentation/selecting-roles.ts';
import type { View } from '../view.ts';
import { selectingInScopes, selectorKey } from './cluster-relations.ts';

/** The differences between overlays. */
export interface OverlayDifferences {
  /** Names the overlay of the perspective: ` in prod`; empty if no other overlay differs from it. */
  readonly suffix: string;
  /** Lines such as `In dev: also Service/web-dev, not Service/web`. */
  readonly lines: readonly Line[];
}

/** What each overlay has, by keys that are equal in all overlays; the overlay of the perspective comes first. */
type ByOverlay<Each> = ReadonlyMap<Scope, Found<Each>>;

/** Compares the selectors of other objects that match any of the labeled objects of one object, if they fulfill the conditions. */
export function overlayDifferences(
  view: View,
  labeledObjects: readonly LabeledObjectInFile[],
  isMeant: (selector: Selector) => boolean = () => true,
  isShown: (selecting: SelectingObject) => boolean = () => true,
): OverlayDifferences {
  const byScope = new Map<Scope, Map<string, SelectingObject>>();
  const inScopes = labeledObjects.flatMap((candidate) =>
    selectingInScopes(view, candidate, isMeant).map((each) => ({ ...each, own: patchedObject(view, candidate) })),
  );
  const [lead] = inScopes;
  if (inScopes.every(({ scope }) => scope === lead?.scope)) return differencesOf(byScope, selectingName);
  for (const { scope, selecting, own } of inScopes) {
    const found = getOrAdd(byScope, scope, () => new Map<string, SelectingObject>());
    for (const each of selecting()) if (!isSameObject(each, own) && isShown(each)) found.set(selectorKey(each), each);
  }
  return differencesOf(byScope, selectingName);
}

/** Describes what the overlays have in addition to the first one, and what they lack. */
export function differencesOf<Each extends ObjectInFile>(
  byScope: ByOverlay<Each>,
  nameOf: (each: Each) => string = ({ object }) => objectName(object),
): OverlayDifferences {
  const [lead, ...others] = byScope;
  const namesByText = new Map<string, string[]>();
  const scopes = [...byScope.keys()];
  for (const [scope, found] of others) {
    const text = lead === undefined ? '' : differenceText(lead[1], found, nameOf);
    if (text !== '') getOrAdd(namesByText, text, () => []).push(scopeName(scope, scopes));
  }
  if (lead === undefined || namesByText.size === 0) return { suffix: '', lines: [] };
  return {
    suffix: localize` in ${scopeName(lead[0], scopes)}`,
    lines: [...namesByText].map(
      ([text, names]): Line => [{ kind: 'strong', text: localize`In ${listedNames(names)}` }, `: ${text}.`],
    ),
  };
}

type Found<Each> = ReadonlyMap<string, Each>;

/** Returns what only one of two overlays has: `also Service/web-dev, not Service/web`; empty if there is nothing. */
function differenceText<Each>(lead: Found<Each>, other: Found<Each>, nameOf: (each: Each) => string): string {
  const added = missingIn(lead, other, nameOf);
  const removed = missingIn(other, lead, nameOf);
  return [
    ...(added === '' ? [] : [localize`also ${added}`]),
    ...(removed === '' ? [] : [localize`not ${removed}`]),
  ].join(', ');
}

function missingIn<Each>(some: Found<Each>, other: Found<Each>, nameOf: (each: Each) => string): string {
  const missing = [...other].filter(([key]) => !some.has(key));
  return listedNames([...new Set(missing.map(([, each]) => nameOf(each)))]);
}

/** Returns the name of a selecting object, and whether it only names the pods as sources or targets of connections. */
function selectingName({ object, site }: SelectingObject): string {
  const name = objectName(object);
  switch (roleOf(site.path)) {
    case 'source':
      return localize`${name} as a source`;
    case 'target':
      return localize`${name} as a target`;
    default:
      return name;
  }
}
