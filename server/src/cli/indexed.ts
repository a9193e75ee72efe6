/** Which files does a command look at, and which does it report on? */

import { eachBugOnce, type Log } from '../log.ts';
import { Service } from '../service.ts';
import { configName } from '../settings/config.ts';
import { offsetToPlace } from '../text/lines.ts';
import { percentEncode } from '../text/percent-encoding.ts';
import type { ReadText, Skipped } from '../workspace/load.ts';
import { everyCluster } from '../workspace/scopes.ts';
import { canonicalUri, folderOf, isWithin, nameOf } from '../workspace/uri.ts';
import type { WorkspaceFile } from '../workspace/workspace.ts';
import { type Arguments, UsageError } from './arguments.ts';
import { tame } from './paint.ts';
import { displayPath } from './paths.ts';
import type { Named, World } from './world.ts';

export interface Indexed {
  readonly service: Service;
  /** The files to report on, by path. */
  readonly reported: readonly WorkspaceFile[];
  /** What was asked about and could not be read. */
  readonly skipped: readonly Skipped[];
  /** Only one file was asked about: it cannot answer for others. */
  readonly alone: boolean;
  /** A folder was named, or the current one is meant, and nothing is in it: that is rarely meant. */
  readonly barren: boolean;
  /** Whatever is there now; nothing where it is gone. */
  readText(file: WorkspaceFile): string;
}

export type Place = Extract<Named, { readonly uri: string }>;

/** Standard input as a file of the current folder, whose configuration counts for it. */
function standardInputIn({ currentFolder }: World): string {
  return `${currentFolder}/-`;
}

/** What a command line asks about; `'-'` is standard input. */
export interface Asked {
  readonly named: readonly Place[];
  readonly root: string;
  /** What is read: the root, and the folders that were named. */
  readonly folders: readonly string[];
}

/**
 * Finds what the paths name, and the root: `--root`, else the git repository, else the folder that was named. Without
 * paths it is the current folder. Throws a UsageError for what is not there.
 */
export async function whatIsAsked(world: World, given: Arguments): Promise<Asked | '-'> {
  if (given.values.get('files-from') === '-' && given.paths.includes('-'))
    throw new UsageError("Standard input is read once: it cannot be both '-' and what '--files-from' reads.");
  const listed = await pathsFrom(world, given);
  const paths = [...given.paths, ...(listed ?? [])];
  if (paths.includes('-')) {
    if (paths.length > 1) throw new UsageError("Standard input is read alone: '-' must be the only path.");
    return '-';
  }
  if (given.values.has('stdin-filename'))
    throw new UsageError("The option '--stdin-filename' needs the path '-', which is standard input.");
  const chosen = paths.length === 0 && listed === undefined ? ['.'] : paths;
  const named = await Promise.all(chosen.map((path) => lookUp(world, path)));
  const root = await rootOf(world, given, named);
  // A folder that is named is read even where it lies outside of the root, or is ignored in it.
  const folders = [root, ...named.flatMap(({ kind, uri }) => (kind === 'folder' ? [uri] : []))];
  return { named, root, folders: named.length === 0 ? [] : [...new Set(folders)] };
}

/** Reads what is asked about. Throws a UsageError for what cannot be read. */
export async function indexPaths(world: World, given: Arguments): Promise<Indexed> {
  return indexAsked(world, given, await whatIsAsked(world, given));
}

/** The same, for what was found already. */
export async function indexAsked(world: World, given: Arguments, asked: Asked | '-'): Promise<Indexed> {
  if (asked === '-') return indexStandardInput(world, given);
  const { named, folders } = asked;
  const service = await serviceOf(world, given, folders);
  const piped = await addNamedFiles(world, service, named);
  const files = [...service.workspace().files.values()].filter(({ uri }) => uri !== everyCluster);
  const reported = files
    .filter((file) => named.some((each) => isWithin(file.uri, each.uri)))
    .toSorted((a, b) => (a.uri < b.uri ? -1 : 1));
  refuseUnreadable(world, service, named);
  refuseBrokenConfigs(world, service, reported);
  const { maximumFileSize } = service.settings;
  const skipped = service.skipped().filter(({ uri }) => named.some((each) => isWithin(uri, each.uri)));
  return {
    service,
    reported,
    skipped,
    alone: named.length === 1 && named[0]?.kind === 'file',
    // A list may name no manifest, and what is skipped may be one.
    barren: named.some(({ kind }) => kind === 'folder') && !reported.some(isSomething) && skipped.length === 0,
    readText: ({ uri }) => piped.get(uri) ?? textOf(world.readNow(uri, maximumFileSize)),
  };
}

/** Reads folders whole, as they are. */
export async function serviceOf(world: World, given: Arguments, folders: readonly string[]): Promise<Service> {
  const parts = {
    catalogue: await world.loadCatalogue(),
    log: logOf(world),
    asksOnce: true,
    ...(world.clock && { clock: world.clock }),
    ...(world.cacheOf && !given.flags.has('no-cache') && { cacheOf: world.cacheOf }),
  };
  const service = new Service(parts);
  service.defaultNamespace = given.values.get('namespace');
  const progress = (percentage: number) => world.status?.(`Reading files: ${percentage} %`);
  await service.load(world.files, folders, progress, () => false);
  world.status?.(undefined);
  return service;
}

function isSomething({ objects, config, kustomization }: WorkspaceFile): boolean {
  return objects > 0 || config !== undefined || kustomization !== undefined;
}

/** The exit code of a command that found something to look at, or not; what it could not look at is named. */
export function exitCodeOf(world: World, indexed: Indexed, code: number): number {
  saySkipped(world, indexed.skipped);
  return indexed.barren ? sayBarren(world) : code;
}

/** Names what was not read: an answer may be another one because of it. */
export function saySkipped(world: World, skipped: readonly Skipped[]): void {
  for (const { uri, reason } of skipped)
    world.err(`selector-lens: ${tame(displayPath(world, uri))} was skipped: ${tame(reason)}.`);
}

export const noManifests = 'There are no Kubernetes manifests here.';

export function sayBarren(world: World): number {
  world.err(`selector-lens: ${noManifests}`);
  return 2;
}

/** Standard input is a scope of its own, and is told apart from files of its name. */
async function indexStandardInput(world: World, given: Arguments): Promise<Indexed> {
  const service = await serviceOf(world, given, []);
  const read = await world.readStandardInput(service.settings.maximumFileSize);
  if ('skipped' in read) throw new UsageError(`Standard input cannot be read: ${read.skipped}.`);
  const name = given.values.get('stdin-filename');
  const uri = name === undefined ? standardInputIn(world) : uriBelow(world.currentFolder, name);
  const config = await configAbove(world, service, folderOf(uri));
  service.update([...config, [uri, read]]);
  const reported = [...service.workspace().files.values()].filter((file) => file.uri === uri);
  refuseBrokenConfigs(world, service, reported);
  return { service, reported, skipped: [], alone: true, barren: false, readText: () => read.text };
}

function uriBelow(folder: string, path: string): string {
  const encoded = path.split('/').map(percentEncode).join('/');
  return canonicalUri(path.startsWith('/') ? `file://${encoded}` : `${folder}/${encoded}`);
}

/** The nearest configuration of a folder, up to the root of its repository. */
async function configAbove(world: World, service: Service, folder: string): Promise<readonly [string, ReadText][]> {
  const top = (await world.repositoryOf(folder)) ?? folder;
  for (let at = folder; isWithin(at, top); at = folderOf(at)) {
    const uri = `${at}/${configName}`;
    const [stat] = await world.files.stat([uri]);
    if (stat === undefined) continue;
    const [read] = await world.files.read([uri], service.settings.maximumFileSize);
    return read === undefined ? [] : [[uri, read]];
  }
  return [];
}

/** The paths that `--files-from` lists; undefined where it is not given. */
async function pathsFrom(world: World, given: Arguments): Promise<readonly string[] | undefined> {
  const file = given.values.get('files-from');
  if (file === undefined) return undefined;
  const maximumBytes = 50_000_000;
  const read =
    file === '-'
      ? await world.readStandardInput(maximumBytes, true)
      : (await world.files.read([(await lookUp(world, file)).uri], maximumBytes))[0];
  if (read === undefined || 'skipped' in read)
    throw new UsageError(`The list of files '${file}' cannot be read: ${read?.skipped ?? 'it is gone'}.`);
  const lines = read.text.includes('\0') ? read.text.split('\0') : read.text.split(/\r?\n/);
  // What is listed are files, also one that is called as standard input is.
  return lines.filter((line) => line !== '').map((line) => (line === '-' ? './-' : line));
}

/** What a path leads to. Throws a UsageError where that cannot be read. */
export async function lookUp(world: World, path: string): Promise<Place> {
  // No path at all would be the current folder: a variable that is not set is not meant to be.
  const named = path === '' ? undefined : await world.lookUp(path);
  if (named === undefined) throw new UsageError(`There is no file or folder '${path}'.`);
  if (named.kind === 'unreadable') throw new UsageError(`'${path}' cannot be read: ${named.reason}.`);
  return named;
}

async function rootOf(world: World, given: Arguments, named: readonly Place[]): Promise<string> {
  const chosen = given.values.get('root');
  if (chosen !== undefined) {
    const root = await lookUp(world, chosen);
    if (root.kind !== 'folder') throw new UsageError(`The root '${chosen}' is not a folder.`);
    return root.uri;
  }
  const first = named[0];
  const folder = first?.kind === 'folder' ? first.uri : first === undefined ? world.currentFolder : folderOf(first.uri);
  return (await world.repositoryOf(folder)) ?? folder;
}

/**
 * A file that is named outright is read whatever its name is, and wherever it lies. Answers the texts of pipes, such as
 * `<(helm template web)`, which are there only once: no disk knows their size and time.
 */
async function addNamedFiles(
  world: World,
  service: Service,
  named: readonly Place[],
): Promise<ReadonlyMap<string, string>> {
  const known = service.workspace().files;
  // One that the listing skipped, as a link that leads outside, is read all the same: the user named it.
  const skipped = new Set(service.skipped().map(({ uri }) => uri));
  const missing = named
    .filter(({ kind, uri }) => kind === 'file' && (!known.has(uri) || skipped.has(uri)))
    .map(({ uri }) => uri);
  if (missing.length === 0) return new Map();
  const texts = await world.files.read(missing, service.settings.maximumFileSize);
  const read = missing.map((uri, index) => [uri, texts[index] ?? { skipped: 'it could not be read' }] as const);
  service.update(read);
  return new Map(read.flatMap(([uri, each]) => ('text' in each && each.stat === undefined ? [[uri, each.text]] : [])));
}

function refuseUnreadable(world: World, service: Service, named: readonly Place[]): void {
  const refused = service.skipped().find(({ uri }) => named.some((each) => each.uri === uri && each.kind === 'file'));
  if (refused !== undefined)
    throw new UsageError(`'${displayPath(world, refused.uri)}' cannot be read: ${refused.reason}.`);
}

/** What a team means cannot be guessed: nothing is reported while its file is broken, or cannot be read. */
export function refuseBrokenConfigs(world: World, service: Service, reported: readonly WorkspaceFile[]): void {
  const unread = unreadConfig(service, reported);
  if (unread !== undefined)
    throw new UsageError(`'${displayPath(world, unread.uri)}' cannot be read: ${unread.reason}.`);
  const configs = new Set(reported.flatMap(({ uri }) => service.workspace().configs().of(uri)?.uri ?? []));
  for (const uri of [...configs].toSorted()) {
    // A scope that is named and not declared takes nothing away from the others.
    const [first, ...others] = service.configProblems(uri).filter(({ code }) => code !== 'unknown-scope');
    if (first === undefined) continue;
    const { line, character } = offsetToPlace(service.workspace().files.get(uri)?.lines ?? [0], first.span.start);
    const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
    throw new UsageError(`${displayPath(world, uri)}:${line + 1}:${character + 1}: ${first.message}${more}`);
  }
}

/** One that was skipped, and is the nearest to a file. */
function unreadConfig(service: Service, reported: readonly WorkspaceFile[]): Skipped | undefined {
  const configs = service.workspace().configs();
  return service.skipped().find((each) => {
    const folder = folderOf(each.uri);
    return (
      nameOf(each.uri) === configName &&
      reported.some(({ uri }) => isWithin(uri, folder) && !isWithin(configs.of(uri)?.folder ?? '', folder))
    );
  });
}

function textOf(read: ReadText): string {
  return 'text' in read ? read.text : '';
}

/** Bugs go to standard error; everything else is reported where it counts. */
export function logOf(world: World): Log {
  return eachBugOnce({
    info() {},
    // What is wrong with a configuration is said where it counts, and a cache that cannot be kept is no news here.
    warn() {},
    bug: (where, error) => world.err(tame(`This should not happen, please report it. ${where}: ${error}`)),
  });
}
