/** Finds the values that replacements of kustomizations copy into objects. */

import { wholeTree } from '../../compare/update-data.ts';
import { getOrAdd } from '../../engine/memoize.ts';
import { fieldOf } from '../../engine/structured.ts';
import { typedData } from '../../manifests/yaml/typed-data.ts';
import type { Scope } from '../../workspace/scopes/model.ts';
import type { AppliedObject } from '../objects/applied-objects.ts';
import type { Tree } from '../trees/tree.ts';

const known = new WeakMap<Scope, WeakMap<Tree, string>>();

/** Returns the paths of an object that replacements write, and everything from which these may be copied, as a text; empty if there are none. */
export function replacedValues(tree: Tree, { builtBy, object, transformers = [] }: AppliedObject): string {
  // The labels and selectors of a built object are known.
  const sites = [...object.labelSites, ...object.selectorSites].map(({ path }) => `${path}.`);
  const written = transformers.flatMap((each) => {
    if (each.kind !== 'fieldPath' || each.reads) return [];
    return sites.some((site) => each.path.text.startsWith(site)) ? [] : each.path.text;
  });
  if (builtBy === undefined || written.length === 0) return '';
  const sources = getOrAdd(
    getOrAdd(known, builtBy, () => new WeakMap<Tree, string>()),
    tree,
    () => sourcesIn(tree, builtBy),
  );
  return `${written.join('\n')}\n${sources}`;
}

/** Returns the values at the paths that replacements read. */
function sourcesIn({ side, session }: Tree, scope: Scope): string {
  const workspace = session.snapshot();
  const objects = workspace.rendering(scope.path, side.catalogueOf(scope.path))?.objects ?? [];
  const found = objects.flatMap((each) =>
    each.transformers.flatMap((transformer) => {
      if (transformer.kind !== 'fieldPath' || !transformer.reads) return [];
      const root = wholeTree({ side: { ...side, workspace }, applied: { ...each, builtBy: scope } });
      const data = root && typedData(root);
      const value = transformer.path.text.split('.').reduce(fieldOf, data);
      return JSON.stringify(value ?? data ?? each.file.kustomization?.generators.map(({ hash }) => hash) ?? null);
    }),
  );
  return found.join('\n');
}
