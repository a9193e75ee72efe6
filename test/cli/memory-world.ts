/** The environment of the command line in memory, which records the written files. */
import { resolve } from 'node:path/posix';
import type { Named, World } from '../../server/src/cli/environment.ts';
import { run } from '../../server/src/cli/run.ts';
import { catalogue } from '../../server/src/engine/catalogue/index.ts';
import { mayHoldCommands } from '../../server/src/manifests/inline/host-language.ts';
import type { FolderFilter } from '../../server/src/workspace/ignore/folder-filter.ts';
import type { CommittedFiles } from '../../server/src/workspace/live/committed-files.ts';
import type { FileStat, ReadText } from '../../server/src/workspace/live/load.ts';
import type { Cache, StoredFiles } from '../../server/src/workspace/store/file-store.ts';
import { fileNameOf } from '../../server/src/workspace/uri.ts';

/** The current folder of the commands. */
export const home = '/home/ada/shop';

export interface MemoryOptions {
  /** The current folder, as an absolute path; `home` by default. */
  readonly currentFolder?: string;
  /** Absolute paths, or paths in `home`. */
  readonly files?: Readonly<Record<string, string | { readonly skipped: string }>>;
  /** The user's home folder: an absolute path. */
  readonly homeFolder?: string;
  /** The folders that are git repositories. */
  readonly repositories?: readonly string[];
  /** By the name of a commit, its files: absolute paths, or paths in `home`. */
  readonly commits?: Readonly<Record<string, Readonly<Record<string, string | { readonly skipped: string }>>>>;
  readonly standardInput?: ReadText;
  readonly colours?: boolean;
  /** The width of the terminal that shows standard output. */
  readonly columns?: number;
  /** The caches that later runs use. */
  readonly caches?: Map<string, StoredFiles>;
  /** Files changed just now: their sizes and times do not identify their content. */
  readonly fresh?: boolean;
  /** Paths without read permission. */
  readonly locked?: readonly string[];
  /** The date, for suppressions that expire. */
  readonly today?: string;
  /** An unexpected failure. */
  readonly failure?: Error;
}

export interface Ran {
  readonly code: number;
  readonly out: readonly string[];
  readonly err: readonly string[];
  /** The written texts, by their paths in `home`. */
  readonly written: Readonly<Record<string, string>>;
  /** The texts that were read again after indexing, by their paths in `home`. */
  readonly readAgain: readonly string[];
  readonly json: unknown;
}

/** Runs one command line. */
export async function runInMemory(words: readonly string[], options: MemoryOptions = {}): Promise<Ran> {
  const out: string[] = [];
  const err: string[] = [];
  const written = new Map<string, string>();
  const readAgain: string[] = [];
  const code = await run(words, memoryWorld(options, out, err, written, readAgain));
  return {
    code,
    out,
    err,
    written: Object.fromEntries(written),
    readAgain,
    get json() {
      return JSON.parse(out.join('\n'));
    },
  };
}

/** Creates the environment of a command line. */
export function memoryWorld(
  options: MemoryOptions,
  out: string[],
  err: string[],
  written: Map<string, string>,
  readAgain: string[],
): World {
  const { currentFolder = home } = options;
  const contents = new Map(Object.entries(options.files ?? {}).map(([path, text]) => [absolute(path), text]));
  const files = memoryFiles(contents, options.fresh === true);
  return {
    version: '1.2.3',
    ...(options.today !== undefined && {
      clock: { today: () => options.today ?? '', after: () => () => undefined },
    }),
    currentFolder: uriOf(currentFolder),
    ...(options.homeFolder !== undefined && { homeFolder: uriOf(options.homeFolder) }),
    files,
    readNow(uri) {
      readAgain.push(relative(pathOf(uri)));
      return asRead(contents.get(pathOf(uri)), uri);
    },
    ...(options.caches && {
      cacheOf: (folders: readonly string[]) => memoryCache(options.caches ?? new Map(), folders),
    }),
    ...(options.columns !== undefined && { columns: options.columns }),
    colours: options.colours === true,
    loadCatalogue: () => (options.failure ? Promise.reject(options.failure) : Promise.resolve(catalogue)),
    locate(path) {
      const named = (options.locked ?? []).includes(path);
      const reason = 'permission denied (EACCES)';
      return Promise.resolve(named ? { kind: 'unreadable', reason } : locate(contents, absolute(path, currentFolder)));
    },
    repositoryOf(folder) {
      const found = (options.repositories ?? []).map(uriOf).find((each) => `${folder}/`.startsWith(`${each}/`));
      return Promise.resolve(found);
    },
    write(uri, before, after) {
      const known = contents.get(pathOf(uri));
      if (before !== undefined && known !== before) return Promise.resolve('it has changed in the meantime');
      contents.set(pathOf(uri), after);
      written.set(relative(pathOf(uri)), after);
      return Promise.resolve(undefined);
    },
    serveAgents: () => Promise.reject(new Error('there is no agent here')),
    serveEditor: () => Promise.reject(new Error('there is no editor here')),
    ...(options.commits && { openCommit: (_, name) => committed(options.commits?.[name], name) }),
    readStandardInput: () => Promise.resolve(options.standardInput ?? { skipped: 'there is none' }),
    out(text) {
      for (const line of text.split('\n')) out.push(line);
    },
    err(text) {
      for (const line of text.split('\n')) err.push(line);
    },
  };
}

/** @param areFresh whether every file was written just now */
function memoryFiles(contents: ReadonlyMap<string, string | { readonly skipped: string }>, areFresh: boolean) {
  return {
    list(folder: string, limit: number, filter?: FolderFilter) {
      const below = [...contents.keys()].map(uriOf).filter((uri) => uri.startsWith(`${folder}/`));
      const manifests = below
        .filter((uri) => !uri.includes('/node_modules/'))
        .filter((uri) =>
          filter?.wanted === 'commands'
            ? mayHoldCommands(fileNameOf(uri))
            : /(?:\.(?:ya?ml|json|tgz|tpl)|\/\.(?:source|git|helm)ignore|\/CODEOWNERS|\/templates\/.*)$/.test(uri),
        )
        .sort();
      return Promise.resolve({ files: manifests.slice(0, limit), more: manifests.length > limit });
    },
    stat(uris: readonly string[]) {
      const stats = uris.map((uri) => statOf(contents.get(pathOf(uri))));
      const young = { size: 1, modified: 1, fresh: true } as const;
      return Promise.resolve(areFresh ? stats.map((stat) => stat && young) : stats);
    },
    read: (uris: readonly string[]) => Promise.resolve(uris.map((uri) => asRead(contents.get(pathOf(uri)), uri))),
    pause: () => Promise.resolve(),
  };
}

function memoryCache(caches: Map<string, StoredFiles>, folders: readonly string[]): Cache {
  const name = folders.join('\n');
  return {
    read: () => Promise.resolve(caches.get(name)),
    write(stored) {
      caches.set(name, stored);
      return Promise.resolve();
    },
  };
}

function relative(path: string): string {
  return path.startsWith(`${home}/`) ? path.slice(home.length + 1) : path;
}

function locate(contents: ReadonlyMap<string, unknown>, path: string): Named | undefined {
  if (contents.has(path)) return { kind: 'file', uri: uriOf(path) };
  const isFolder = path === home || [...contents.keys()].some((each) => each.startsWith(`${path}/`));
  return isFolder ? { kind: 'folder', uri: uriOf(path) } : undefined;
}

/** The time depends on the text, so every change of a file changes its time. */
function statOf(content: string | { readonly skipped: string } | undefined): FileStat | undefined {
  if (content === undefined) return undefined;
  const text = typeof content === 'string' ? content : content.skipped;
  return { size: text.length, modified: [...text].reduce((sum, each, at) => sum + at * each.charCodeAt(0), 0) };
}

function asRead(content: string | { readonly skipped: string } | undefined, uri: string): ReadText {
  if (content === undefined) return { skipped: 'it could not be read' };
  // A pipe has neither size nor time.
  const stat = /\/fd\/\d+$/.test(uri) ? undefined : statOf(content);
  return typeof content === 'string' ? { text: content, ...(stat && { stat }) } : content;
}

function absolute(path: string, folder = home): string {
  return resolve(folder, path);
}

function uriOf(path: string): string {
  return `file://${path.split('/').map(encodeURIComponent).join('/')}`;
}

function pathOf(uri: string): string {
  return decodeURIComponent(uri.slice('file://'.length));
}

function committed(
  files: Readonly<Record<string, string | { readonly skipped: string }>> | undefined,
  name: string,
): CommittedFiles | { readonly refused: string } {
  if (files === undefined) return { refused: `there is no commit '${name}' in this repository` };
  const contents = new Map(Object.entries(files).map(([path, text]) => [absolute(path), text]));
  return {
    ...memoryFiles(contents, false),
    version: name,
    leftOut: 0,
    readNow: (uri) => asRead(contents.get(pathOf(uri)), uri),
    kindOf: (uri) => {
      if (contents.has(pathOf(uri))) return 'file';
      return [...contents.keys()].some((path) => path.startsWith(`${pathOf(uri)}/`)) ? 'folder' : undefined;
    },
    close: () => undefined,
  };
}
