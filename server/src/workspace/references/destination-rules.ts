/** Finds the DestinationRules of Istio that declare the subsets of a host. */

import type { Catalogue } from '../../engine/catalogue/types.ts';
import type { ReferenceSite } from '../../manifests/model.ts';
import type { ObjectInFile, Workspace } from '../model.ts';
import { placeOf } from '../scopes/scope-facts.ts';
import { effectiveNamespace } from '../selection/namespaces.ts';
import { objectsOfKind } from './names.ts';

interface View {
  readonly workspace: Workspace;
  readonly catalogue: Catalogue;
}

/** Returns the DestinationRules for the host next to a subset. If any of them are in the same scope, only these are returned. */
export function destinationRulesFor(
  view: View,
  owner: ObjectInFile,
  { fact, path }: ReferenceSite,
): readonly ObjectInFile[] {
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
