/** Resolves subsets in the destinations of an Istio VirtualService: the subsets of the DestinationRules for the same host. */

import type { ReferenceSite } from '../../manifests/model.ts';
import type { ObjectInFile } from '../../workspace/model.ts';
import { objectsOfKind } from '../../workspace/references/names.ts';
import { placeOf } from '../../workspace/scopes/scope-facts.ts';
import { effectiveNamespace } from '../../workspace/selection/namespaces.ts';
import type { FileSpan } from '../locations.ts';
import { objectName } from '../presentation/object-names.ts';
import type { View } from '../view.ts';

/** Returns the names of the subsets to which a field may refer, each with the object that declares the subset. */
export function subsetsMeant(
  view: View,
  owner: ObjectInFile,
  site: ReferenceSite,
): readonly (readonly [name: string, of: string])[] {
  return rulesFor(view, owner, site).flatMap(({ object }) =>
    (object.subsets ?? []).map(({ text }) => [text, objectName(object)] as const),
  );
}

/** Returns the positions of the subset that a field names. */
export function subsetLocations(view: View, owner: ObjectInFile, site: ReferenceSite): readonly FileSpan[] {
  return rulesFor(view, owner, site).flatMap(({ file, object }) =>
    (object.subsets ?? [])
      .filter(({ text, origin }) => text === site.name.text && origin === undefined)
      .map(({ span }) => ({ file, span })),
  );
}

/** Returns the DestinationRules for the host next to a subset. If any of them are in the same scope, only these are returned. */
function rulesFor(view: View, owner: ObjectInFile, { fact, path }: ReferenceSite): readonly ObjectInFile[] {
  if (fact.part !== 'subset') return [];
  const host = hostOf(view, owner, path.replace(/subset$/, 'host'));
  if (host === undefined) return [];
  const { workspace } = view;
  const named = objectsOfKind(workspace, 'DestinationRule');
  const found = [...new Set(named.map(({ uri }) => uri))].flatMap((uri) => {
    const file = workspace.files.get(uri);
    if (file === undefined) return [];
    return file.manifest.objects.flatMap((object) => {
      const isOfHost = object.subsets !== undefined && hostOf(view, { file, object }, 'spec.host') === host;
      const relation = isOfHost ? workspace.scopes().relation(placeOf(owner), placeOf({ file, object })) : 'apart';
      return relation === 'apart' ? [] : [{ file, object, relation }];
    });
  });
  const here = found.filter(({ relation }) => relation === 'here');
  return here.length > 0 ? here : found;
}

/** Returns the namespace and name of the Service in a field; a short name refers to the namespace of its object. */
function hostOf(view: View, where: ObjectInFile, path: string): string | undefined {
  const host = where.object.references?.find((each) => each.path === path);
  if (host === undefined) return undefined;
  const namespace = host.namespace ?? effectiveNamespace(view.workspace, view.catalogue, where);
  return `${namespace?.text ?? ''}/${host.name.text}`;
}
