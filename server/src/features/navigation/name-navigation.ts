/** Definitions, references and highlights of names: names of objects, of keys of ConfigMaps and Secrets, and of parts of an object. */

import { type LocalReferenceAt, localReferenceAt } from '../../manifests/cursor/reference-at.ts';
import { localTargets } from '../../manifests/sites/references.ts';
import type { Span } from '../../text/span.ts';
import { treeOf } from '../../workspace/object-trees.ts';
import type { FileSpan } from '../locations.ts';
import { locationsOfTarget, type NameAt, type NamedTarget, nameAt, referencesOf } from '../references/name-at.ts';
import { portLocations } from '../references/ports-meant.ts';
import { subsetLocations } from '../references/subsets-meant.ts';
import type { FileView } from '../view.ts';

/** Returns the objects, keys or parts to which the name at an offset refers; a declared name is its own definition. */
export function nameDefinition(view: FileView, offset: number): readonly FileSpan[] {
  const found = nameAt(view, offset);
  if (found !== undefined) return definitionsOf(found);
  const local = localAt(view, offset);
  return local === undefined ? [] : localDefinitions(view, local);
}

/** Returns the positions of the definitions of a name. For a key that its object does not have, the object itself is the definition. */
function definitionsOf({ targets, key }: NameAt): readonly FileSpan[] {
  const places = targets.flatMap((target) => locationsOfTarget(target, key));
  return places.length > 0 ? places : targets.flatMap((target) => locationsOfTarget(target));
}

/** Returns all positions of the name at an offset, the definition first; undefined if there is no name. */
export function nameReferences(view: FileView, offset: number): readonly FileSpan[] | undefined {
  const found = nameAt(view, offset);
  if (found === undefined) {
    const local = localAt(view, offset);
    return local && [...localDefinitions(view, local), ...localUses(view, local)];
  }
  const { targets, key, from, span } = found;
  const places = targets.flatMap((target) => [...locationsOfTarget(target, key), ...usesOf(view, target, key?.text)]);
  // Even if the object is not in the workspace, the reference at the cursor is returned.
  return distinct(from === undefined ? places : [...places, { file: view.file, span }]);
}

function usesOf(view: FileView, target: NamedTarget, key: string | undefined): readonly FileSpan[] {
  return referencesOf(view, target).flatMap(({ file, site: { name, keys = [] } }) => {
    const written = key === undefined ? [name] : keys.filter(({ text }) => text === key);
    return written.filter(({ origin }) => origin === undefined).map(({ span }) => ({ file, span }));
  });
}

export interface Highlight {
  readonly span: Span;
  /** Whether the span is a label of an object or a part of a selector. The declaration of a name has the kind `label`, and a reference has the kind `selector`. */
  readonly kind: 'label' | 'selector';
}

/** Returns the highlights for the name at an offset in the open file; undefined if there is no name. */
export function nameHighlights(view: FileView, offset: number): readonly Highlight[] | undefined {
  const places = nameReferences(view, offset);
  if (places === undefined) return undefined;
  const definitions = new Set(nameDefinition(view, offset).map(locationKey));
  return places
    .filter(({ file }) => file.uri === view.file.uri)
    .map(
      (place): Highlight => ({
        span: place.span,
        kind: definitions.has(locationKey(place)) ? 'label' : 'selector',
      }),
    );
}

function localAt(view: FileView, offset: number): LocalReferenceAt | undefined {
  const { manifest, uri } = view.file;
  return localReferenceAt({ ...view, manifest }, offset, (object) => treeOf({ ...view, uri }, object));
}

function localDefinitions(view: FileView, { object, root, site }: LocalReferenceAt): readonly FileSpan[] {
  const { file } = view;
  const owner = { file, object };
  if (site.fact.part !== undefined) return [...portLocations(view, owner, site), ...subsetLocations(view, owner, site)];
  const named = localTargets(root, site).filter(({ text }) => text === site.name.text);
  return named.map(({ span }) => ({ file, span }));
}

/** Returns the references in an object to the same part of this object, such as a container. */
function localUses({ file }: FileView, { root, site, sites }: LocalReferenceAt): readonly FileSpan[] {
  const starts = new Set(localTargets(root, site).map(({ span }) => span.start));
  const same = sites.filter(
    (each) =>
      each.fact.local !== undefined &&
      each.name.text === site.name.text &&
      localTargets(root, each).some(({ span }) => starts.has(span.start)),
  );
  return same.map(({ name: { span } }) => ({ file, span }));
}

function distinct(locations: readonly FileSpan[]): readonly FileSpan[] {
  return [...new Map(locations.map((place) => [locationKey(place), place])).values()];
}

function locationKey({ file, span }: FileSpan): string {
  return `${file.uri} ${span.start} ${span.end}`;
}
