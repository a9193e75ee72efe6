/** Finds the owners of changed objects: in CODEOWNERS, in labels that the team describes, and of broken expectations. */

import { getOrAdd } from '../../engine/memoize.ts';
import { labelRegistryFor } from '../../rules/framework/team-settings.ts';
import { compareText } from '../../text/order.ts';
import { relativePath } from '../../workspace/uri.ts';
import type { AppliedObject } from '../objects/applied-objects.ts';
import type { Tree } from '../trees/tree.ts';
import type { Statement } from './model.ts';
import type { Pair } from './pairs-of-trees.ts';

/** Returns a statement about the owners of changed objects. `ownersOf` returns the owners of a path relative to the new tree. */
export function ownersIn(
  trees: readonly [Tree, Tree],
  pairs: readonly Pair[],
  ownersOf: (path: string) => readonly string[],
  ofExpectations: readonly string[],
): readonly Statement[] {
  const paths = new Set<string>();
  const labels = new Map<string, Set<Pair>>();
  for (const pair of pairs)
    for (const [index, applied] of [pair.before, pair.after].entries()) {
      const tree = trees[index === 0 ? 0 : 1];
      if (applied === undefined) continue;
      for (const uri of [applied.file.uri, ...(applied.transformers ?? []).map((each) => each.uri)])
        paths.add(relativePath(tree.root, uri));
      for (const label of ownerLabels(tree, applied)) getOrAdd(labels, label, () => new Set()).add(pair);
    }
  const files = new Map<string, Set<string>>();
  for (const path of paths) for (const owner of ownersOf(path)) getOrAdd(files, owner, () => new Set()).add(path);
  const names = [
    ...byCount(files).map(quoted),
    ...byCount(labels).map(quoted),
    ...ofExpectations.map((owner) => `${owner.replaceAll('`', "'")} (expectations)`),
  ];
  return names.length === 0 ? [] : [{ text: `${names.join(', ')}.`, count: names.length }];
}

/** Returns a name as inline code, which contains no mention and can be copied. A backtick would end the code. */
function quoted(name: string): string {
  return `\`${name.replaceAll('`', "'")}\``;
}

function byCount(owners: ReadonlyMap<string, ReadonlySet<unknown>>): readonly string[] {
  return [...owners]
    .toSorted(([a, one], [b, other]) => other.size - one.size || compareText(a, b))
    .map(([owner]) => owner);
}

/** Matches the last part of the keys of labels that name an owner. */
const ownerKey = /(?:^|[/.-])(?:owner|team|squad)$/;

/** Returns the labels of an object that name its owner, if the label policy or the registry of labels has their keys. */
function ownerLabels({ session }: Tree, { file, object }: AppliedObject): readonly string[] {
  const { entries } = labelRegistryFor({
    uri: file.uri,
    workspace: session.snapshot(),
    settings: session.workspace.settings,
  });
  const stated = entries.filter(({ source }) => source !== 'recommendedLabels');
  const keys = new Set(stated.map(({ key }) => key).filter((key) => ownerKey.test(key)));
  if (keys.size === 0) return [];
  const own = object.labelSites.filter(({ path }) => path === 'metadata.labels').flatMap(({ entries }) => entries);
  return own.filter(({ key }) => keys.has(key.text)).map(({ key, value }) => `${key.text}=${value.text}`);
}
