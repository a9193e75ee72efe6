/** Resolves the paths of a command line, and determines the folders to index for them. */

import { percentEncode } from '../../text/percent-encoding.ts';
import { canonicalUri, folderOf, isWithin } from '../../workspace/uri.ts';
import type { Arguments } from '../commands/command.ts';
import type { Named, World } from '../environment.ts';
import { UsageError } from '../options/arguments.ts';

export type LocatedPath = Extract<Named, { readonly uri: string }>;

/** A file or folder that the user named, or a file that `--files-from` lists and that no longer exists. */
export interface NamedPath {
  readonly kind: LocatedPath['kind'] | 'gone';
  /** The canonical URI. */
  readonly uri: string;
  /** Whether `--files-from` lists the file. */
  readonly listed?: true;
}

/** A path that `--scope` names. If the file contains several GitOps objects, `name` selects one of them. */
export type LocatedScope = LocatedPath & { readonly name?: string };

/** The resolved paths of a command line; `'-'` is standard input. */
export interface RequestedPaths {
  readonly named: readonly NamedPath[];
  /** The paths that `--scope` names. */
  readonly scopes: readonly LocatedScope[];
  /** The workspace folders: the roots, and the named folders outside of the roots. */
  readonly folders: readonly string[];
  /** The named folders inside of the roots, which are loaded even if git ignores them. */
  readonly inside: readonly string[];
}

/** Resolves the named paths, and determines the roots: `--root`, otherwise the git repository around each path, otherwise the current folder if it contains the path, otherwise the path itself. The default path is the folder that `--root` names, otherwise the current folder; if only `--scope` is given, it is the whole root. Throws a UsageError for a path that does not exist. */
export async function requestedPaths(world: World, given: Arguments): Promise<RequestedPaths | '-'> {
  if (given.values.get('files-from') === '-' && given.paths.includes('-'))
    throw new UsageError("Standard input can be read only once: use '-' either as a path or for '--files-from'.");
  const list = await pathsFrom(world, given);
  const words = given.lists.get('scope') ?? [];
  if (given.paths.includes('-')) {
    if (given.paths.length > 1 || list !== undefined)
      throw new UsageError("Standard input cannot be combined with other paths: '-' must be the only path.");
    if (words.length > 0) throw new UsageError("Standard input is one scope: '--scope' does not apply to it.");
    return '-';
  }
  if (given.values.has('stdin-filename'))
    throw new UsageError("The option '--stdin-filename' requires the path '-', which is standard input.");
  const scopes = await Promise.all(words.map((path) => locateScope(world, path)));
  const isBare = given.paths.length === 0 && list === undefined;
  const operands = await Promise.all(
    (isBare && scopes.length === 0 ? [given.values.get('root') ?? '.'] : given.paths).map((path) =>
      locate(world, path),
    ),
  );
  const listed = await lookUpListed(world, list ?? []);
  const places = [...operands, ...listed];
  const roots = await rootsOf(world, given, [...places, ...scopes]);
  const named = isBare && scopes.length > 0 ? roots.map((uri) => ({ kind: 'folder', uri }) as const) : places;
  const requested = [...named, ...scopes].flatMap(({ kind, uri }) => (kind === 'folder' ? [uri] : []));
  const isInside = (uri: string) => roots.some((root) => isWithin(uri, root));
  const folders = outermost([...roots, ...requested.filter((uri) => !isInside(uri))]);
  const inside = [...new Set(requested)].filter((uri) => !folders.includes(uri));
  return { named, scopes, folders: named.length === 0 ? [] : folders, inside };
}

/** Resolves a path. Throws a UsageError if it cannot be read. */
export async function locate(world: World, path: string): Promise<LocatedPath> {
  // An empty path would be the current folder, but it is probably the value of a variable that is not set.
  const named = path === '' ? undefined : await world.locate(path);
  if (named === undefined) throw new UsageError(`There is no file or folder '${path}'.`);
  if (named.kind === 'unreadable') throw new UsageError(`'${path}' cannot be read: ${named.reason}.`);
  return await ownLocation(world, named);
}

/** Resolves the path of a scope: `argocd/apps.yaml#shop` is the GitOps object `shop` in a file. */
async function locateScope(world: World, path: string): Promise<LocatedScope> {
  const at = path.indexOf('#');
  if (at < 1 || (await world.locate(path)) !== undefined) return await locate(world, path);
  return { ...(await locate(world, path.slice(0, at))), name: path.slice(at + 1) };
}

/** Returns the target of a link, because files are loaded under their own names. A link that points outside of a workspace keeps its name. */
async function ownLocation(world: World, { kind, uri, real }: LocatedPath): Promise<LocatedPath> {
  if (real === undefined) return { kind, uri };
  const [here, there] = await Promise.all([uri, real].map((each) => world.repositoryOf(folderOf(each))));
  const isInside = here === there && (here !== undefined || isWithin(real, world.currentFolder));
  const isFromOutside = here === undefined && there !== undefined && !isWithin(uri, world.currentFolder);
  return { kind, uri: isInside || isFromOutside ? real : uri };
}

/** Returns the URI of a file below a folder; `path` is separated by slashes. */
export function uriBelow(folder: string, path: string): string {
  const encoded = path.split('/').map(percentEncode).join('/');
  return canonicalUri(path.startsWith('/') ? `file://${encoded}` : `${folder}/${encoded}`);
}

/** Returns the paths that `--files-from` lists; undefined if the option is not given. */
async function pathsFrom(world: World, given: Arguments): Promise<readonly string[] | undefined> {
  const file = given.values.get('files-from');
  if (file === undefined) return undefined;
  const maximumBytes = 50_000_000;
  const read =
    file === '-'
      ? await world.readStandardInput(maximumBytes, true)
      : (await world.files.read([(await locate(world, file)).uri], maximumBytes))[0];
  if (read === undefined || 'skipped' in read)
    throw new UsageError(`The list of files '${file}' cannot be read: ${read?.skipped ?? 'it no longer exists'}.`);
  const lines = read.text.includes('\0') ? read.text.split('\0') : read.text.split(/\r?\n/);
  // Listed paths are always files, even if the name is `-`, which otherwise means standard input.
  return lines.filter((line) => line !== '').map((line) => (line === '-' ? './-' : line));
}

/** Locates the files of a list, relative to the current folder or, as git lists them, to the root of the repository. A file that is found in neither was deleted, which can also cause findings. */
async function lookUpListed(world: World, paths: readonly string[]): Promise<readonly NamedPath[]> {
  if (paths.length === 0) return [];
  const repository = await world.repositoryOf(world.currentFolder);
  return await Promise.all(
    paths.map(async (path): Promise<NamedPath> => {
      const ways = [
        path,
        ...(repository === undefined || path.startsWith('/') ? [] : [fromHere(world, repository, path)]),
      ];
      for (const way of ways) {
        const found = await world.locate(way);
        if (found?.kind === 'unreadable') throw new UsageError(`'${path}' cannot be read: ${found.reason}.`);
        if (found !== undefined) return { ...(await ownLocation(world, found)), listed: true };
      }
      return { kind: 'gone', uri: uriBelow(repository ?? world.currentFolder, path), listed: true };
    }),
  );
}

/** Converts a path in the repository to a path relative to the current folder. */
function fromHere({ currentFolder }: World, repository: string, path: string): string {
  const depth = currentFolder.slice(repository.length).split('/').length - 1;
  return '../'.repeat(depth) + path;
}

async function rootsOf(world: World, given: Arguments, named: readonly NamedPath[]): Promise<readonly string[]> {
  const chosen = given.values.get('root');
  if (chosen !== undefined) return [(await rootAt(world, chosen)).uri];
  const around = new Set(named.map(({ kind, uri }) => (kind === 'folder' ? uri : folderOf(uri))));
  return outermost(await Promise.all([...around].map((folder) => rootAround(world, folder))));
}

/** Resolves the folder that `--root` names. Throws a UsageError if it is not a folder. */
export async function rootAt(world: World, path: string): Promise<LocatedPath> {
  const root = await locate(world, path);
  if (root.kind !== 'folder') throw new UsageError(`The root '${path}' is not a folder.`);
  return root;
}

/** Returns the folder to index for a folder if no root is given. Without a repository, the home folder is never indexed because of a folder inside it. */
export async function rootAround(world: World, folder: string): Promise<string> {
  const repository = await world.repositoryOf(folder);
  if (repository !== undefined) return repository;
  const { currentFolder, homeFolder } = world;
  const isTooMuch = homeFolder !== undefined && isWithin(homeFolder, currentFolder);
  return isWithin(folder, currentFolder) && !isTooMuch ? currentFolder : folder;
}

/** Returns the folders that are not inside of another folder in the list. */
export function outermost(folders: readonly string[]): readonly string[] {
  return [...new Set(folders)].filter((each) => !folders.some((other) => other !== each && isWithin(each, other)));
}
