/** Finds references in an object to objects that its kustomization builds under other names, such as ConfigMaps whose names end with a hash of their content. */

import { getOrAdd, memoized } from '../engine/memoize.ts';
import type { Value } from '../engine/types.ts';
import type { Side } from '../workspace/base.ts';
import type { ObjectInFile, Rendering } from '../workspace/model.ts';
import type { Scope } from '../workspace/scopes/model.ts';

/** An object, with the state of the workspace to which it belongs and the kustomization that builds it. */
interface Built {
  readonly side: Side;
  readonly applied: ObjectInFile & { readonly builtBy?: Scope | undefined };
}

/** The names of built objects by the kind and the name in their files; several names if the same name is in several files. */
type BuiltNames = ReadonlyMap<string, readonly Value[]>;

const builtNamesIn = memoized((rendering: Rendering): BuiltNames => {
  const names = new Map<string, Value[]>();
  for (const { original, object } of rendering.objects) {
    if (original === undefined || object.name === undefined) continue;
    getOrAdd(names, `${original.kind}\n${original.name}`, () => []).push(object.name.value);
  }
  return names;
});

/** The kinds whose names kustomize updates in references. Source: kustomize `namereference.go`. */
const updated: ReadonlySet<string> = new Set([
  ...['ConfigMap', 'Secret', 'Service', 'ServiceAccount', 'PersistentVolumeClaim', 'PersistentVolume'],
  ...['StorageClass', 'PriorityClass'],
]);

/** Returns the paths of the references in an object to objects that are built under another name, with that name. */
export function builtReferences({ side, applied }: Built): readonly (readonly [path: string, name: Value])[] {
  const { builtBy, object } = applied;
  const { references = [] } = object;
  if (builtBy === undefined || references.length === 0) return [];
  const rendering = side.workspace.rendering(builtBy.path, side.catalogueOf(builtBy.path));
  if (rendering === undefined) return [];
  const names = builtNamesIn(rendering);
  if (names.size === 0) return [];
  return references.flatMap(({ path, name, kind, fact }) => {
    const [type = ''] = [kind ?? fact.targets[0]?.kind];
    const built = updated.has(type) ? names.get(`${type}\n${name.text}`) : undefined;
    if (built === undefined) return [];
    const [only, ...others] = built;
    const value: Value = only === undefined || others.length > 0 ? { unknown: name.text } : only;
    return [[path, value] as const];
  });
}

/** Whether two states of an object refer to objects that are built under different names. */
export function areBuiltNamesEqual(before: Built, now: Built): boolean {
  return JSON.stringify(builtReferences(before)) === JSON.stringify(builtReferences(now));
}
