/** Finds the scopes that read a file as a part of a chart, or as values of a chart. */

import { getOrAdd, memoized } from '../../engine/memoize.ts';
import { chartsIn } from '../charts/charts.ts';
import type { Scope, Scopes } from '../scopes/model.ts';
import { foldersAbove } from '../uri.ts';

interface Readers {
  /** The scopes that build a chart, by the folders of the chart and of the charts on which it depends. */
  readonly byFolder: ReadonlyMap<string, readonly Scope[]>;
  /** The scopes that read a file by its name, by its URI. */
  readonly byUri: ReadonlyMap<string, readonly Scope[]>;
}

const readersIn = memoized((scopes: Scopes): Readers => {
  const { dependencies } = chartsIn(scopes.facts());
  const [byFolder, byUri] = [new Map<string, Scope[]>(), new Map<string, Scope[]>()];
  const withDependencies = memoizedFolders((folder) => dependencies.get(folder)?.map((each) => each.folder) ?? []);
  for (const scope of scopes.all()) {
    const { kind, path, release, gitops } = scope;
    const contents = gitops?.contents.flatMap((content) => content ?? []) ?? [];
    const charts = kind === 'chart' ? [path] : contents.flatMap(({ chart, folder }) => (chart ? folder : []));
    const named = contents.flatMap(({ valueFiles = [], overrides = [] }) => [...valueFiles, ...overrides]);
    for (const folder of new Set(charts.flatMap(withDependencies))) getOrAdd(byFolder, folder, () => []).push(scope);
    for (const uri of new Set([...(release?.values ?? []), ...named])) getOrAdd(byUri, uri, () => []).push(scope);
  }
  return { byFolder, byUri };
});

/** Returns a function that returns a folder and all folders that it needs, directly or indirectly. */
function memoizedFolders(neededBy: (folder: string) => readonly string[]): (folder: string) => readonly string[] {
  const known = new Map<string, readonly string[]>();
  return (folder) =>
    getOrAdd(known, folder, () => {
      const found = new Set([folder]);
      for (const each of found) for (const needed of neededBy(each)) found.add(needed);
      return [...found];
    });
}

/** Returns the scopes whose objects may depend on a file that a chart contains, or that contains values of a chart. */
export function scopesReading(scopes: Scopes, uri: string): readonly Scope[] {
  const { byFolder, byUri } = readersIn(scopes);
  return [...(byUri.get(uri) ?? []), ...foldersAbove(uri).flatMap((folder) => byFolder.get(folder) ?? [])];
}
