/** Which files does a command look at, and which does it report on? */

import type { Log } from '../log.ts';
import { Service } from '../service.ts';
import type { ReadText } from '../workspace/load.ts';
import { isWithin } from '../workspace/uri.ts';
import type { WorkspaceFile } from '../workspace/workspace.ts';
import { type Arguments, UsageError } from './arguments.ts';
import type { Named, World } from './world.ts';

export interface Indexed {
  readonly service: Service;
  /** The files to report on, by path. */
  readonly reported: readonly WorkspaceFile[];
  readText(file: WorkspaceFile): Promise<string>;
}

/** Standard input as a file: it belongs to no folder. */
export const standardInput = 'stdin:///-';

/**
 * Reads the root (`--root`, else the git repository, else the folder that was named) and finds the files that the paths
 * name; without paths, those of the current folder. Throws a UsageError for a path that is not there.
 */
export async function indexPaths(world: World, given: Arguments): Promise<Indexed> {
  const parts = { catalogue: await world.loadCatalogue(), log: logOf(world) };
  const service = new Service(world.clock === undefined ? parts : { ...parts, clock: world.clock });
  const { maximumFileSize } = service.settings;
  if (given.paths.includes('-')) {
    if (given.paths.length > 1) throw new UsageError("Standard input is read alone: '-' must be the only path.");
    return indexStandardInput(world, service, maximumFileSize);
  }
  const named = await Promise.all((given.paths.length === 0 ? ['.'] : given.paths).map((path) => lookUp(world, path)));
  const root = await rootOf(world, given, named);
  // A folder that is named is read even where it lies outside of the root, or is ignored in it.
  const folders = named.filter((each) => each.kind === 'folder').map((each) => each.uri);
  await service.load(
    world.files,
    [root, ...folders],
    () => {},
    () => false,
  );
  await addNamedFiles(world, service, named);
  const files = [...service.workspace().files.values()];
  const reported = files.filter((file) => named.some((each) => isWithin(file.uri, each.uri)));
  return {
    service,
    reported: reported.toSorted((a, b) => (a.uri < b.uri ? -1 : 1)),
    readText: async (file) => textOf((await world.files.read([file.uri], maximumFileSize))[0]),
  };
}

async function indexStandardInput(world: World, service: Service, maximumBytes: number): Promise<Indexed> {
  const read = await world.readStandardInput(maximumBytes);
  if ('skipped' in read) throw new UsageError(`Standard input cannot be read: ${read.skipped}.`);
  service.update([[standardInput, read]]);
  const reported = [...service.workspace().files.values()];
  return { service, reported, readText: () => Promise.resolve(read.text) };
}

async function lookUp(world: World, path: string): Promise<Named> {
  const named = await world.lookUp(path);
  if (named === undefined) throw new UsageError(`There is no file or folder '${path}'.`);
  return named;
}

async function rootOf(world: World, given: Arguments, named: readonly Named[]): Promise<string> {
  const chosen = given.values.get('root');
  if (chosen !== undefined) {
    const root = await lookUp(world, chosen);
    if (root.kind !== 'folder') throw new UsageError(`The root '${chosen}' is not a folder.`);
    return root.uri;
  }
  const first = named[0];
  const folder = first?.kind === 'folder' ? first.uri : (first?.uri.replace(/\/[^/]*$/, '') ?? world.currentFolder);
  return (await world.repositoryOf(folder)) ?? folder;
}

/** A file that is named outright is read whatever its name is, and wherever it lies. */
async function addNamedFiles(world: World, service: Service, named: readonly Named[]): Promise<void> {
  const known = service.workspace().files;
  const missing = named.filter((each) => each.kind === 'file' && !known.has(each.uri)).map((each) => each.uri);
  if (missing.length === 0) return;
  const texts = await world.files.read(missing, service.settings.maximumFileSize);
  service.update(missing.map((uri, index) => [uri, texts[index] ?? { skipped: 'it could not be read' }]));
}

function textOf(read: ReadText | undefined): string {
  return read !== undefined && 'text' in read ? read.text : '';
}

function logOf(world: World): Log {
  return {
    info() {},
    warn: (message) => world.err(message),
    bug: (where, error) => world.err(`This should not happen, please report it. ${where}: ${error}`),
  };
}
