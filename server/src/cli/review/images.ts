/** States which images of workloads change. */

import { writtenTree } from '../../compare/update-data.ts';
import { getOrAdd } from '../../engine/memoize.ts';
import { imagesOf, splitImage } from '../../manifests/sites/images.ts';
import { childOf } from '../../manifests/yaml/tree.ts';
import { stepsOf, targetAt } from '../../workspace/object-trees.ts';
import type { AppliedObject } from '../objects/applied-objects.ts';
import { shownName } from '../objects/compared-names.ts';
import type { Tree } from '../objects/objects-of-tree.ts';
import { listedNames } from '../output/names.ts';
import type { Statement } from './model.ts';
import type { Pair } from './object-pairs.ts';

/** Returns a statement for each pair of an old and a new image. */
export function changedImages(trees: readonly [Tree, Tree], pairs: readonly Pair[]): readonly Statement[] {
  const groups = new Map<string, string[]>();
  for (const { named, before, after } of pairs) {
    if (before === undefined || after === undefined) continue;
    const [was, is] = [imagesIn(trees[0], before), imagesIn(trees[1], after)];
    for (const image of is.filter((each) => !was.includes(each))) {
      const { name } = splitImage(image);
      const earlier = was.find((each) => !is.includes(each) && splitImage(each).name === name);
      const text = earlier === undefined ? `to ${image}` : `${name} from ${versionOf(earlier)} to ${versionOf(image)}`;
      getOrAdd(groups, text, () => []).push(shownName(named, false));
    }
  }
  return [...groups].map(([text, names]) => ({
    text: `Image ${text} in ${listedNames(names)}: the pods are replaced.`,
    count: names.length,
  }));
}

function versionOf(image: string): string {
  const { tag, digest } = splitImage(image);
  return tag ?? digest ?? 'no tag';
}

function imagesIn(tree: Tree, applied: AppliedObject): readonly string[] {
  const root = writtenTree({ side: tree.side, applied });
  return applied.object.templates.flatMap(({ path }) => {
    const template = targetAt(root, stepsOf(path))?.node;
    return template === undefined || childOf(template, 'spec') === undefined ? [] : imagesOf(template);
  });
}
