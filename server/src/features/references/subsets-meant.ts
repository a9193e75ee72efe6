/** Resolves subsets in the destinations of an Istio VirtualService: the subsets of the DestinationRules for the same host. */

import type { ReferenceSite } from '../../manifests/model.ts';
import type { ObjectInFile } from '../../workspace/model.ts';
import { destinationRulesFor } from '../../workspace/references/destination-rules.ts';
import type { FileSpan } from '../locations.ts';
import { objectName } from '../presentation/object-names.ts';
import type { View } from '../view.ts';

/** Returns the names of the subsets to which a field may refer, each with the object that declares the subset. */
export function subsetsMeant(
  view: View,
  owner: ObjectInFile,
  site: ReferenceSite,
): readonly (readonly [name: string, of: string])[] {
  return destinationRulesFor(view, owner, site).flatMap(({ object }) =>
    (object.subsets ?? []).map(({ text }) => [text, objectName(object)] as const),
  );
}

/** Returns the positions of the subset that a field names. */
export function subsetLocations(view: View, owner: ObjectInFile, site: ReferenceSite): readonly FileSpan[] {
  return destinationRulesFor(view, owner, site).flatMap(({ file, object }) =>
    (object.subsets ?? [])
      .filter(({ text, origin }) => text === site.name.text && origin === undefined)
      .map(({ span }) => ({ file, span })),
  );
}
