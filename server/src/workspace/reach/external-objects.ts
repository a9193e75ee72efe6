/** Adds the objects of files that a configuration declares as external to the objects of a cluster. */

import { storedGroup } from '../../engine/catalogue/stored-group.ts';
import { getOrAdd } from '../../engine/memoize.ts';
import { compareText } from '../../text/order.ts';
import type { Workspace } from '../model.ts';
import { objectsOf } from '../snapshot.ts';
import type { ClusterObject } from './cluster-object.ts';

/** Returns the objects of a cluster with the external objects for their files. An external object that is also in the files is a copy, and is left out. */
export function withExternalObjects<T extends ClusterObject>(
  workspace: Workspace,
  objects: readonly T[],
): readonly (T | ClusterObject)[] {
  const configs = workspace.configs();
  const isExternal = ({ file: { uri } }: ClusterObject) => configs.of(uri)?.isExternal(uri) === true;
  const own = objects.filter((each) => !isExternal(each));
  const applying = new Set(own.flatMap(({ file }) => configs.of(file.uri) ?? []));
  if (applying.size === 0) return objects;
  const known = new Set(objects.map(({ file }) => file.uri));
  const files = [...workspace.files.values()]
    .filter(
      ({ uri }) => !known.has(uri) && [...applying].some((each) => each === configs.of(uri) && each.isExternal(uri)),
    )
    .toSorted((a, b) => compareText(a.uri, b.uri));
  if (files.length > 0) workspace.questions?.note({ about: 'anything' });
  const added = files.flatMap((file) => objectsOf(workspace, file).map((object) => ({ file, object, workspace })));
  const namespaces = new Map<string, Set<string | undefined>>();
  for (const each of own) getOrAdd(namespaces, nameKey(each), () => new Set()).add(each.object.namespace?.text);
  const isCopy = (each: ClusterObject) => {
    const known = namespaces.get(nameKey(each));
    const namespace = each.object.namespace?.text;
    return known !== undefined && (namespace === undefined || known.has(undefined) || known.has(namespace));
  };
  return [...objects, ...added].filter((each) => !isExternal(each) || !isCopy(each));
}

/** Returns a key that is the same for objects of one kind and name in all namespaces. */
function nameKey({ object }: ClusterObject): string {
  return [storedGroup(object), object.kind, object.name?.text ?? ''].join('\n');
}
