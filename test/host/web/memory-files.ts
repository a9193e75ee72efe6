/**
 * A web extension with the files of a workspace in memory, like the extensions that open a repository in VS Code for
 * the Web. It provides a search of files only if the server of the pages requests it: that is a proposed API, which
 * most such extensions lack.
 */
import * as vscode from 'vscode';
import { type MemoryFilesOptions, memoryScheme } from './memory-scheme.ts';

/** The part of the proposed API `fileSearchProvider` that is used here. */
interface FileSearch {
  registerFileSearchProvider(
    scheme: string,
    provider: {
      provideFileSearchResults(
        query: unknown,
        options: { readonly folder: vscode.Uri; readonly maxResults?: number },
      ): Promise<vscode.Uri[]>;
    },
  ): vscode.Disposable;
}

/** The browser APIs that are used here; the full library would make others available to other tests. */
declare const fetch: (url: string) => Promise<{ json(): Promise<unknown> }>;

type Entry = Folder | File;

interface Folder {
  readonly type: vscode.FileType.Directory;
  readonly entries: Map<string, Entry>;
}

interface File {
  readonly type: vscode.FileType.File;
  readonly bytes: Uint8Array;
  readonly modified: number;
}

class MemoryFiles implements vscode.FileSystemProvider {
  readonly #root: Folder = newFolder();
  readonly #changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly onDidChangeFile = this.#changed.event;

  put(path: string, bytes: Uint8Array): void {
    const names = path.split('/').filter((name) => name !== '');
    let folder = this.#root;
    for (const name of names.slice(0, -1)) {
      const entry = folder.entries.get(name);
      const next = entry?.type === vscode.FileType.Directory ? entry : newFolder();
      folder.entries.set(name, next);
      folder = next;
    }
    folder.entries.set(names.at(-1) ?? '', { type: vscode.FileType.File, bytes, modified: Date.now() });
  }

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => {});
  }

  stat(uri: vscode.Uri): vscode.FileStat {
    const entry = this.#get(uri);
    const [size, mtime] = entry.type === vscode.FileType.File ? [entry.bytes.byteLength, entry.modified] : [0, 0];
    return { type: entry.type, ctime: 0, mtime, size };
  }

  readDirectory(uri: vscode.Uri): [string, vscode.FileType][] {
    return [...this.#folder(uri).entries].map(([name, { type }]) => [name, type]);
  }

  readFile(uri: vscode.Uri): Uint8Array {
    const entry = this.#get(uri);
    if (entry.type !== vscode.FileType.File) throw vscode.FileSystemError.FileIsADirectory(uri);
    return entry.bytes;
  }

  writeFile(uri: vscode.Uri, bytes: Uint8Array): void {
    this.put(uri.path, bytes);
    this.#changed.fire([{ type: vscode.FileChangeType.Changed, uri }]);
  }

  createDirectory(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  delete(uri: vscode.Uri): void {
    this.#folder(vscode.Uri.joinPath(uri, '..')).entries.delete(uri.path.split('/').at(-1) ?? '');
    this.#changed.fire([{ type: vscode.FileChangeType.Deleted, uri }]);
  }

  rename(from: vscode.Uri, to: vscode.Uri): void {
    this.writeFile(to, this.readFile(from));
    this.delete(from);
  }

  /** Every file below a folder. */
  *below(uri: vscode.Uri): Iterable<vscode.Uri> {
    for (const [name, { type }] of this.#folder(uri).entries) {
      const inner = vscode.Uri.joinPath(uri, name);
      if (type === vscode.FileType.Directory) yield* this.below(inner);
      else yield inner;
    }
  }

  #get(uri: vscode.Uri): Entry {
    let entry: Entry | undefined = this.#root;
    for (const name of uri.path.split('/').filter((each) => each !== ''))
      entry = entry?.type === vscode.FileType.Directory ? entry.entries.get(name) : undefined;
    if (entry === undefined) throw vscode.FileSystemError.FileNotFound(uri);
    return entry;
  }

  #folder(uri: vscode.Uri): Folder {
    const entry = this.#get(uri);
    if (entry.type !== vscode.FileType.Directory) throw vscode.FileSystemError.FileNotADirectory(uri);
    return entry;
  }
}

function newFolder(): Folder {
  return { type: vscode.FileType.Directory, entries: new Map() };
}

/** Called by VS Code. */
export async function activate({ extensionUri, subscriptions }: vscode.ExtensionContext): Promise<void> {
  const response = await fetch(vscode.Uri.joinPath(extensionUri, 'options.json').toString(true));
  const { files, search } = (await response.json()) as MemoryFilesOptions; // Written by the server of the pages.
  const memory = new MemoryFiles();
  for (const [path, base64] of Object.entries(files))
    memory.put(
      path,
      Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)),
    );
  subscriptions.push(vscode.workspace.registerFileSystemProvider(memoryScheme, memory, { isCaseSensitive: true }));
  if (!search) return;
  const { registerFileSearchProvider } = vscode.workspace as unknown as FileSearch; // A proposed API without types.
  subscriptions.push(
    registerFileSearchProvider(memoryScheme, {
      async provideFileSearchResults(_, { folder, maxResults }) {
        return [...memory.below(folder)].slice(0, maxResults || undefined);
      },
    }),
  );
}
