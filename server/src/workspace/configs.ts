/**
 * Finds the `.selector-lens.yaml` that applies to a file: the nearest one upward, with the configurations that it
 * extends. Other configurations are not merged.
 */

import { once } from '../engine/memoize.ts';
import { configName } from '../settings/config.ts';
import { type Config, type DeclaredScope, extended } from '../settings/read-config.ts';
import type { ConfigFor } from '../settings/severities.ts';
import { folderOf, relativePath, resolveUri } from './uri.ts';

interface PlacedConfig {
  /** Canonical URI of the file. */
  readonly uri: string;
  readonly folder: string;
  /** The configuration, with the values that it inherits from the configurations that it extends. */
  readonly config: Config;
  /**
   * The reason why the extended configuration has no effect; undefined if it has an effect, or if no configuration is
   * extended.
   */
  readonly extendsFault: ExtendsFault | undefined;
  /**
   * Returns this configuration and the configurations that it extends, for the file at a URI. The last configuration of
   * the chain comes first.
   */
  chainFor(uri: string): readonly (ConfigFor & { readonly uri: string })[];
  /** Returns the path of a file to compare with the globs of the configuration. */
  pathOf(uri: string): string;
  isExternal(uri: string): boolean;
  isGenerated(uri: string): boolean;
  /** Returns the declared scopes that a file belongs to, by number. */
  scopesOf(uri: string): readonly (readonly [number, DeclaredScope])[];
}

/** The extended configuration is not indexed or extends this configuration, or the chain is too long. */
export type ExtendsFault = { readonly is: 'missing'; readonly uri: string } | { readonly is: 'cycle' | 'depth' };

/** The maximum number of configurations that a configuration extends, directly and through others. */
export const maximumExtended = 8;

export interface Configs {
  /** Returns the configuration that applies to a file. */
  of(uri: string): PlacedConfig | undefined;
  /** Returns the configuration in a file. */
  at(uri: string): PlacedConfig | undefined;
  all(): Iterable<PlacedConfig>;
}

export const noConfigs: Configs = { of: () => undefined, at: () => undefined, all: () => [] };

/** Whether the objects in a file are external: a configuration contains them, or declares that they are applied by other means. */
export function isExternalFile(configs: Configs, uri: string): boolean {
  return configs.at(uri) !== undefined || configs.of(uri)?.isExternal(uri) === true;
}

/** Whether a file name is the name of a configuration: `.selector-lens.yaml`. */
export function isConfigName(name: string): boolean {
  return name === configName;
}

/** Finds the configurations of a workspace. Most workspaces have none; then lookups cost nothing. */
export function findConfigs(files: Iterable<{ readonly uri: string; readonly config?: Config }>): Configs {
  const own = new Map<string, Config>();
  for (const { uri, config } of files) if (config !== undefined) own.set(uri, config);
  if (own.size === 0) return noConfigs;
  const byFolder = new Map<string, () => PlacedConfig>();
  for (const uri of own.keys())
    byFolder.set(
      folderOf(uri),
      once(() => placed(uri, extendedBy(uri, own))),
    );
  const nearest = new Map<string, PlacedConfig | undefined>();
  const find = (folder: string): PlacedConfig | undefined => {
    const known = byFolder.get(folder)?.() ?? nearest.get(folder);
    if (known !== undefined || nearest.has(folder) || !folder.includes('/')) return known;
    const found = find(folderOf(folder));
    nearest.set(folder, found);
    return found;
  };
  return {
    of: (uri) => find(folderOf(uri)),
    at: (uri) => {
      const found = byFolder.get(folderOf(uri))?.();
      return found?.uri === uri ? found : undefined;
    },
    all: () => [...byFolder.values()].map((each) => each()),
  };
}

interface Extended {
  /** The chain of configurations with their URIs, beginning with the configuration that all others extend. */
  readonly chain: readonly (readonly [uri: string, config: Config])[];
  readonly fault: ExtendsFault | undefined;
}

/** Follows `extends` from a configuration to the end of the chain. */
function extendedBy(uri: string, own: ReadonlyMap<string, Config>): Extended {
  const chain: [string, Config][] = [];
  let at = uri;
  for (let config = own.get(at); config !== undefined; config = own.get(at)) {
    if (chain.some(([known]) => known === at)) return { chain, fault: { is: 'cycle' } };
    if (chain.length > maximumExtended) return { chain, fault: { is: 'depth' } };
    chain.unshift([at, config]);
    const { extends: next } = config.values;
    if (next === undefined) return { chain, fault: undefined };
    at = resolveUri(folderOf(at), next.path);
  }
  // A configuration that is missing later in the chain is reported in the configuration that extends it.
  return { chain, fault: chain.length === 1 ? { is: 'missing', uri: at } : undefined };
}

function placed(uri: string, { chain, fault }: Extended): PlacedConfig {
  const config = chain.map(([, each]) => each).reduce(extended);
  const inChain = chain.map(([at, each]) => ({ uri: at, config: each, pathOf: pathsIn(folderOf(at)) }));
  const folder = folderOf(uri);
  const pathOf = pathsIn(folder);
  // Cached by URI, because `isExternal` is called for every pair of positions.
  const external = new Map<string, boolean>();
  return {
    uri,
    folder,
    config,
    extendsFault: fault,
    chainFor: (file) => inChain.map(({ pathOf: inIt, ...each }) => ({ ...each, path: inIt(file) })),
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

/** Returns a function that computes the path of a file for the globs of a configuration in a folder. */
function pathsIn(folder: string): (uri: string) => string {
  return (file) => {
    const below = file.startsWith(`${folder}/`) ? file.slice(folder.length + 1) : undefined;
    return below === undefined || below.includes('%') ? relativePath(folder, file) : below;
  };
}
