/** The option `--config`: one configuration for all files, instead of the configurations in the workspace. */

import { configName } from '../../settings/config.ts';
import type { FileSource } from '../../workspace/live/load.ts';
import { fileNameOf } from '../../workspace/uri.ts';
import type { Arguments, Option } from '../commands/command.ts';
import type { World } from '../environment.ts';
import { displayPath } from '../paths/display-path.ts';
import { locate, type RequestedPaths } from '../paths/requested-paths.ts';
import type { Diagnostic } from '../report/model.ts';
import { UsageError } from './arguments.ts';

export const config: Option = {
  name: 'config',
  value: 'FILE',
  description:
    'Use this configuration for all files, as if it were the only `.selector-lens.yaml`, in the root. Globs in the file are relative to the root, and the file cannot extend another configuration.',
};

/** The environment in which `--config` replaces all other configurations. */
export interface Configured {
  readonly world: World;
  /**
   * Whether a URI belongs to the configuration in the root, whose content is read from the file that `--config` names.
   */
  isConfiguration(uri: string): boolean;
  /**
   * Returns a finding in the configuration with the position that the user sees, which is in the file that `--config`
   * names.
   */
  atItsPlace(diagnostic: Diagnostic): Diagnostic;
}

/** Returns the environment with the configuration that `--config` names. Throws a UsageError if it cannot be read. */
export async function withConfig(world: World, given: Arguments, requested: RequestedPaths | '-'): Promise<Configured> {
  const path = given.values.get('config');
  if (path === undefined) return { world, isConfiguration: () => false, atItsPlace: (each) => each };
  const place = await locate(world, path);
  if (place.kind !== 'file') throw new UsageError(`The configuration '${path}' is a folder.`);
  const folders = requested === '-' ? [world.currentFolder] : requested.folders;
  const inRoots = new Set(folders.map((folder) => `${folder}/${configName}`));
  const actual = (uri: string) => (inRoots.has(uri) ? place.uri : uri);
  const isOther = (uri: string) => fileNameOf(uri) === configName && !inRoots.has(uri);
  const { files, cacheOf } = world;
  const source: FileSource = {
    ...files,
    async list(folder, limit, filter) {
      const { config: _, around: __, ...listed } = await files.list(folder, limit, filter);
      const others = listed.files.filter((uri) => fileNameOf(uri) !== configName);
      return { ...listed, files: folders.includes(folder) ? [`${folder}/${configName}`, ...others] : others };
    },
    async stat(uris) {
      const stats = await files.stat(uris.map(actual));
      return stats.map((stat, number) => (isOther(uris[number] ?? '') ? undefined : stat));
    },
    read: (uris, maximumBytes) => files.read(uris.map(actual), maximumBytes),
  };
  const shown = { uri: place.uri, file: displayPath(world, place.uri) };
  return {
    world: {
      ...world,
      files: source,
      readNow: (uri, maximumBytes) => world.readNow(actual(uri), maximumBytes),
      ...(cacheOf && { cacheOf: (names: readonly string[]) => cacheOf([...names, `config ${place.uri}`]) }),
    },
    isConfiguration: (uri) => inRoots.has(uri),
    atItsPlace: (each) => (inRoots.has(each.uri) ? { ...each, ...shown } : each),
  };
}
