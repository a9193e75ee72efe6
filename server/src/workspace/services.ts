/** Finds Services by their name and namespace, as DNS names refer to them. */

import type { Catalogue } from '../engine/catalogue/types.ts';
import { getOrAdd } from '../engine/memoize.ts';
import { SimilarNames } from '../text/similar-names.ts';
import type { ObjectInFile, Workspace } from './model.ts';
import { namesOfKind, objectsNamed } from './references/names.ts';
import { effectiveNamespace } from './selection/namespaces.ts';

const known = new WeakMap<ReturnType<typeof namesOfKind>, ReadonlySet<string>>();

export function serviceNames(workspace: Workspace): ReadonlySet<string> {
  return getOrAdd(known, namesOfKind(workspace, 'Service'), (byName) => {
    return new Set([...byName.values()].flat().flatMap(({ group, name }) => (group === '' ? name : [])));
  });
}

const similar = new WeakMap<ReadonlySet<string>, SimilarNames>();

export function similarServiceNames(workspace: Workspace, name: string): readonly string[] {
  return getOrAdd(similar, serviceNames(workspace), (names) => new SimilarNames(names)).near(name);
}

/** A Service and its namespace, which is undefined if it is not known. */
export interface FoundService extends ObjectInFile {
  readonly namespace: string | undefined;
}

export function servicesNamed(workspace: Workspace, catalogue: Catalogue, name: string): readonly FoundService[] {
  const named = objectsNamed(workspace, 'Service', name);
  const uris = new Set(named.flatMap(({ group, uri }) => (group === '' ? uri : [])));
  return [...uris].flatMap((uri) => {
    const file = workspace.files.get(uri);
    if (file === undefined) return [];
    return file.manifest.objects.flatMap((object): readonly FoundService[] => {
      if (object.group !== '' || object.kind !== 'Service' || object.name?.text !== name) return [];
      const namespace = effectiveNamespace(workspace, catalogue, { file, object })?.value;
      return [{ file, object, namespace: typeof namespace === 'string' ? namespace : undefined }];
    });
  });
}

/** Returns the Services to which a DNS name may refer: the Services in its namespace or, if there are none, the Services whose namespace is unknown. */
export function servicesMeant(
  workspace: Workspace,
  catalogue: Catalogue,
  { service, namespace }: { readonly service: string; readonly namespace: string },
): readonly FoundService[] {
  const named = servicesNamed(workspace, catalogue, service);
  const there = named.filter((each) => each.namespace === namespace);
  return there.length > 0 ? there : named.filter((each) => each.namespace === undefined);
}
