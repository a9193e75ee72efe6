/** Finds changed values files of charts that no release reads, so that their effect is unknown. */

import { isChartValues, isValuesFile } from '../../workspace/charts/chart-files.ts';
import { fileNameOf, folderOf, relativePath, resolveUri } from '../../workspace/uri.ts';
import type { Tree } from '../trees/tree.ts';

/** Returns a sentence for each file. The values with which chart-testing installs a chart (`ci/`) are applied to no cluster. */
export function unreadValues(trees: readonly [Tree, Tree]): readonly string[] {
  const changed = new Set<string>();
  for (const [tree, other] of [trees, trees.toReversed()] as const)
    for (const { uri, path } of unreadIn(tree)) {
      const counterpart = other && resolveUri(other.root, path);
      if (counterpart !== undefined && tree.side.textOf(uri) !== other?.side.textOf(counterpart)) changed.add(path);
    }
  return [...changed]
    .toSorted()
    .map((path) => `'${path}' changed, and no release reads it: name it with '--values' to compare its chart with it.`);
}

function unreadIn({ session, root }: Tree): readonly { readonly uri: string; readonly path: string }[] {
  const { files, scopes } = session.snapshot();
  const read = new Set(
    scopes()
      .all()
      .flatMap(({ release }) => release?.values ?? []),
  );
  // The files of a chart are data for its templates, too.
  const isData = (uri: string) => (scopes().dataFiles().get(uri) ?? 'template') !== 'template';
  return [...files].flatMap(([uri, { objects }]) => {
    const folder = folderOf(uri);
    if (!isValuesFile(uri) || objects > 0 || fileNameOf(folder) === 'ci' || read.has(uri) || isData(uri)) return [];
    const isDefault = isChartValues(uri) && files.has(resolveUri(folder, 'Chart.yaml'));
    return isDefault ? [] : [{ uri, path: relativePath(root, uri) }];
  });
}
