/** States which objects the API server rejects because of their labels or annotations. */

import { invalidLabels } from '../../compare/invalid-labels.ts';
import { getOrAdd } from '../../engine/memoize.ts';
import { lineNumber } from '../../text/lines.ts';
import { relativePath } from '../../workspace/uri.ts';
import { shownName } from '../objects/compared-names.ts';
import { listedNames } from '../output/names.ts';
import type { Tree } from '../trees/tree.ts';
import type { Cause } from './causes.ts';
import type { Statement } from './model.ts';
import type { Pair } from './pairs-of-trees.ts';

/** An object that the API server rejects, and why. */
export interface Rejection extends Statement {
  readonly pairs: readonly Pair[];
}

/** Returns the place of a map in an object, as the end of a phrase. */
function placeOf(path: string): string {
  if (path.startsWith('metadata.')) return '';
  return /(?:^|\.)template\.metadata\.\w+$/.test(path) ? ' of the pod template' : ` in \`${path}\``;
}

/** Returns a statement for each new label or annotation that the API server rejects. */
export function invalidUpdates({ side, root }: Tree, pairs: readonly Pair[]): readonly Rejection[] {
  const groups = new Map<
    string,
    { readonly pairs: Pair[]; readonly fact: string; readonly cause: Cause | undefined }
  >();
  for (const pair of pairs) {
    const { before, after } = pair;
    if (after === undefined || before?.object === after.object) continue;
    for (const { entry, path, holds, type } of invalidLabels(before?.object, after.object)) {
      const { uri, span } = entry.value.origin ?? { uri: after.file.uri, span: entry.value.span };
      const text = side.textOf(uri);
      const line = text === undefined ? undefined : lineNumber(text, span.start);
      const name = `${holds} \`${entry.key.text}\`${placeOf(path)}`;
      const fact =
        type === undefined
          ? `the ${name} has the invalid key or value '${entry.value.text}'`
          : `the value '${entry.value.text}' of the ${name} is a ${type}, not a string`;
      const cause = line === undefined ? undefined : { path: relativePath(root, uri), line };
      getOrAdd(groups, JSON.stringify([fact, cause]), () => ({ pairs: [], fact, cause })).pairs.push(pair);
    }
  }
  return [...groups.values()].map(({ pairs: all, fact, cause }) => ({
    text: `The API server rejects ${listedNames([...new Set(all.map(({ named }) => shownName(named, false)))])}: ${fact}.`,
    count: all.length,
    pairs: all,
    ...(cause && { cause }),
  }));
}
