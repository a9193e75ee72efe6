/** The perspective: through which of several scopes a file is seen. Orders the results of several scopes, so that the result of the perspective comes first. */

import { fileNameOf } from '../uri.ts';
import type { Scope } from './model.ts';

/** The scopes that the user selected, by path; without a selection for a file, its most important scope is chosen. */
export interface Perspective {
  readonly selected: readonly string[];
}

/**
 * Returns the results in the same order, except that the result of the perspective comes first: of a selected scope; else of a
 * scope that has the name of a selected one, as with `shop/overlays/prod` selected, the `prod` overlay of another
 * application; else of the most important scope.
 */
export function leadFirst<T extends { readonly scope: Scope }>(
  all: readonly T[],
  { selected }: Perspective,
): readonly T[] {
  if (all.length < 2) return all;
  const lead =
    all.find(({ scope }) => selected.includes(scope.path)) ??
    all.find(({ scope }) => selected.some((path) => fileNameOf(scope.path) === fileNameOf(path))) ??
    all.reduce((first, each) => (isMoreImportant(each.scope, first.scope) ? each : first));
  return [lead, ...all.filter((each) => each !== lead)];
}

/** Parts of paths that contain something to try or to include, not what is applied. */
const asideNames = new Set([
  'component',
  'components',
  'demo',
  'example',
  'examples',
  'sample',
  'samples',
  'test',
  'tests',
]);
const productionNames = new Set(['live', 'prd', 'prod', 'production']);

/** Whether a user more likely means `one`: what a GitOps object applies, then production, then what contains most files, then what is in the outer folder, but an example or a test only if there is nothing else. */
function isMoreImportant(one: Scope, other: Scope): boolean {
  const left = importance(one);
  const right = importance(other);
  const at = left.findIndex((each, index) => each !== right[index]);
  return at !== -1 && (left[at] ?? 0) > (right[at] ?? 0);
}

function importance({ path, gitops, files }: Scope): readonly number[] {
  const folders = path.toLowerCase().split('/');
  const words = folders.slice(-3).flatMap((folder) => folder.split(/[-_.#]/));
  return [
    Number(!folders.some((folder) => asideNames.has(folder))),
    Number(gitops !== undefined),
    Number(words.some((word) => productionNames.has(word))),
    files.size,
    -folders.length,
  ];
}
