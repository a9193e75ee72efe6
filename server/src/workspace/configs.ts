/** Finds the `.selector-lens.yaml` that applies to a file: the nearest one upward. Configurations are not merged. */

import { configName } from '../settings/config.ts';
import type { Config, DeclaredScope } from '../settings/read-config.ts';
import { folderOf, relativePath } from './uri.ts';

/** A configuration at its place. */
interface PlacedConfig {
  /** Canonical, of the file itself. */
  readonly uri: string;
  readonly folder: string;
  readonly config: Config;
  /** The path of a file as the globs of the configuration see it. */
  pathOf(uri: string): string;
  isExternal(uri: string): boolean;
  isGenerated(uri: string): boolean;
  /** The declared scopes that a file belongs to, by number. */
  scopesOf(uri: string): readonly (readonly [number, DeclaredScope])[];
}

export interface Configs {
  /** The configuration that speaks for a file. */
  of(uri: string): PlacedConfig | undefined;
  /** The configuration that a file is itself. */
  at(uri: string): PlacedConfig | undefined;
  all(): Iterable<PlacedConfig>;
}

export const noConfigs: Configs = { of: () => undefined, at: () => undefined, all: () => [] };

export function isConfigName(name: string): boolean {
  return name === configName;
}

/** Finds the configurations of a workspace. Most workspaces have none; then lookups cost nothing. */
export function findConfigs(files: Iterable<{ readonly uri: string; readonly config?: Config }>): Configs {
  const byFolder = new Map<string, PlacedConfig>();
  for (const { uri, config } of files) if (config !== undefined) byFolder.set(folderOf(uri), placed(uri, config));
  if (byFolder.size === 0) return noConfigs;
  const nearest = new Map<string, PlacedConfig | undefined>();
  const find = (folder: string): PlacedConfig | undefined => {
    const known = byFolder.get(folder) ?? nearest.get(folder);
    if (known !== undefined || nearest.has(folder) || !folder.includes('/')) return known;
    const found = find(folderOf(folder));
    nearest.set(folder, found);
    return found;
  };
  return {
    of: (uri) => find(folderOf(uri)),
    at: (uri) => {
      const found = byFolder.get(folderOf(uri));
      return found?.uri === uri ? found : undefined;
    },
    all: () => byFolder.values(),
  };
}

function placed(uri: string, config: Config): PlacedConfig {
  const folder = folderOf(uri);
  const pathOf = (file: string) => {
    const below = file.startsWith(`${folder}/`) ? file.slice(folder.length + 1) : undefined;
    return below === undefined || below.includes('%') ? relativePath(folder, file) : below;
  };
  // Asked for every pair of places.
  const external = new Map<string, boolean>();
  return {
    uri,
    folder,
    config,
    pathOf,
    isExternal: (file) => {
      const known = external.get(file) ?? config.externals.files(pathOf(file));
      external.set(file, known);
      return known;
    },
    isGenerated: (file) => config.generated(pathOf(file)),
    scopesOf: (file) => {
      if (config.scopes.length === 0) return [];
      const path = pathOf(file);
      return [...config.scopes.entries()].filter(([, scope]) => scope.files(path));
    },
  };
}
