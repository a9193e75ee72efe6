/** Orders labels of objects outside a selector's scope by distance, for completion if the scope itself contains no candidates. */

import { localize } from '../../text/localize.ts';
import type { Candidate } from '../../workspace/model.ts';
import { folderOf, isWithin, relativePath } from '../../workspace/uri.ts';
import type { FileView } from '../view.ts';

/** The order of labels by the distance of the nearest object that has them, and the location of this object. */
export interface NearestLabels {
  /** Returns the rank of a key, or of a key with a value; labels of nearer objects have lower ranks. */
  rankOf(key: string, value?: string): number;
  /** Returns the location of the nearest object with the label: `elsewhere, in apps/web/`. */
  reasonOf(key: string, value?: string): string;
}

/** Returns the order of the labels of the `nearest` objects, which must be sorted by distance. */
export function nearestLabels({ file, workspace }: FileView, nearest: readonly Candidate[]): NearestLabels {
  const first = new Map<string, number>();
  const idOf = (key: string, value?: string) => (value === undefined ? key : `${key}=${value}`);
  for (const [rank, { labelSet }] of nearest.entries()) {
    for (const [key, value] of Object.entries(labelSet.labels)) {
      const ids = typeof value === 'string' ? [idOf(key), idOf(key, value)] : [idOf(key)];
      for (const id of ids) if (!first.has(id)) first.set(id, rank);
    }
  }
  const rankOf = (key: string, value?: string) => first.get(idOf(key, value)) ?? nearest.length;
  return {
    rankOf,
    reasonOf(key, value) {
      const uri = nearest[rankOf(key, value)]?.file.uri;
      if (uri === undefined) return localize`elsewhere`;
      const [folder, own] = [folderOf(uri), folderOf(file.uri)];
      const around = workspace.folders.find((each) => isWithin(uri, each)) ?? own;
      const path = folder === own || folder === around ? relativePath(around, uri) : `${relativePath(around, folder)}/`;
      return localize`elsewhere, in ${path}`;
    },
  };
}
