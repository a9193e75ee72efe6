/** Finds what a review does not compare, because of which it must not say that nothing changes: fields on which other objects may depend, and charts and kustomizations that can no longer be built. */

import { wholeTree } from '../../compare/update-data.ts';
import { objectName } from '../../features/presentation/object-names.ts';
import { valuesOf } from '../../workspace/charts/helm-stops.ts';
import type { Rendering } from '../../workspace/model.ts';
import { isRendered } from '../../workspace/scopes/model.ts';
import { relativePath } from '../../workspace/uri.ts';
import { shownName } from '../objects/compared-names.ts';
import { listedNames } from '../output/names.ts';
import type { Tree } from '../trees/tree.ts';
import type { ChangedField } from './changed-fields.ts';
import type { Pair } from './pairs-of-trees.ts';

/** Returns sentences about changed ports and keys of which it is unknown whether other objects still find them. */
export function unknownParts(
  trees: readonly [Tree, Tree],
  changed: readonly { readonly pair: Pair; readonly fields: readonly ChangedField[] }[],
): readonly string[] {
  const unknown = changed.filter(
    ({ pair: { before, after }, fields }) =>
      fields.some((field) => field === 'ports' || field === 'keys') &&
      [before, after].some(
        (applied, index) =>
          applied !== undefined && wholeTree({ side: trees[index === 0 ? 0 : 1].side, applied }) === undefined,
      ),
  );
  if (unknown.length === 0) return [];
  const names = listedNames(unknown.map(({ pair }) => shownName(pair.named, false)));
  return [`Ports or keys of ${names} are not completely known: whether other objects still find them is not compared.`];
}

/** Returns sentences about the charts and kustomizations that Helm and kustomize can build in the old tree, but not in the new one. */
export function newFailures([before, after]: readonly [Tree, Tree]): readonly string[] {
  const known = new Set(failuresIn(before));
  return [...new Set(failuresIn(after))].filter((each) => !known.has(each));
}

function* failuresIn({ session, selection, root }: Tree): Iterable<string> {
  const workspace = session.snapshot();
  const shown = (uri: string) => (uri === root ? 'The root folder' : relativePath(root, uri));
  for (const scope of workspace.scopes().all()) {
    if (!isRendered(scope) || !selection.concerns(scope)) continue;
    const rendering = workspace.rendering(scope.path, session.workspace.catalogueOf(scope.path));
    if (rendering === undefined) continue;
    for (const { uri, reason } of rendering.failures ?? [])
      yield `With ${valuesOf(scope)}, Helm stops at ${relativePath(root, uri)}: ${reason}.`;
    // kustomize fails if a patch without a target matches nothing.
    const isIdle = rendering.idle.some(({ entry }) => entry.target === undefined && !entry.allowNoTargetMatch);
    const twice = scope.kind === 'kustomization' ? repeatedIn(rendering.objects) : undefined;
    if (twice !== undefined) yield `${shown(scope.path)} contains ${twice} twice, so kustomize cannot build it.`;
    if (isIdle && rendering.isWhole)
      yield `${shown(scope.path)} has a patch that matches no object, so kustomize cannot build it.`;
  }
}

/** Returns the first object that is in a list twice, such as `Service/web`. */
function repeatedIn(objects: Rendering['objects']): string | undefined {
  const known = new Set<string>();
  for (const { object } of objects) {
    const { group, kind, namespace, name } = object;
    if (typeof name?.value !== 'string') continue;
    const key = `${group}\n${kind}\n${namespace?.text ?? ''}\n${name.value}`;
    if (known.has(key)) return objectName(object);
    known.add(key);
  }
  return undefined;
}
