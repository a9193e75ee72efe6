/** Finds the replicas that kustomizations set. */

import { getOrAdd } from '../../engine/memoize.ts';
import { fieldOf } from '../../engine/structured.ts';
import { typedData } from '../../manifests/yaml/typed-data.ts';
import { documentTrees } from '../../workspace/object-trees.ts';
import type { Scope } from '../../workspace/scopes/model.ts';
import type { AppliedObject } from '../objects/applied-objects.ts';
import type { Tree } from '../trees/tree.ts';

/** Returns the replicas that the kustomizations which build an object set for its name, as a text; empty if they set none. */
export function scaledBy({ side }: Tree, { builtBy, object }: AppliedObject): string {
  if (builtBy === undefined || object.templates.length === 0) return '';
  const own = object.name?.text ?? '';
  return getOrAdd(known, builtBy, () => countsOf(side, builtBy))
    .filter(({ name }) => own.includes(name))
    .map(({ name, count }) => `${name}=${count}`)
    .join(',');
}

interface Count {
  readonly name: string;
  readonly count: string;
}

const known = new WeakMap<Scope, readonly Count[]>();

function countsOf({ workspace, textOf }: Tree['side'], scope: Scope): readonly Count[] {
  return workspace
    .scopes()
    .partsOf(scope)
    .flatMap((uri) => {
      const text = textOf(uri);
      if (text === undefined || !/\breplicas\b/.test(text)) return [];
      return countsIn(documentTrees({ text, workspace, uri }).map(typedData));
    });
}

function countsIn(documents: readonly unknown[]): readonly Count[] {
  return documents.flatMap((data) => {
    const list = fieldOf(data, 'replicas');
    if (!Array.isArray(list)) return [];
    return list.flatMap((item: unknown) => {
      const [name, count] = [fieldOf(item, 'name'), fieldOf(item, 'count')];
      return typeof name === 'string' ? [{ name, count: JSON.stringify(count) }] : [];
    });
  });
}
