/**
 * A replacement for the API of VS Code, for tests of modules of the extension without a window: only what these modules
 * use. The file system has the files in `files`; `read` lists the files whose content was read.
 */
import { registerHooks } from 'node:module';

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'vscode' ? { url: import.meta.url, shortCircuit: true } : next(specifier, context),
});

export const l10n = {
  t: (text: string, ...values: readonly unknown[]) => text.replace(/\{(\d)\}/g, (_, at) => String(values[Number(at)])),
};

/** A URI with the scheme `file`. */
export class Uri {
  readonly scheme = 'file';
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  static parse(text: string): Uri {
    return new Uri(text.slice(text.indexOf(':///') + 3));
  }
}

export const FileType = { Unknown: 0, File: 1, Directory: 2, SymbolicLink: 64 };

export class FileSystemError extends Error {
  readonly code = 'FileNotFound';
}

/** The files of the workspace by their paths. */
export const files = new Map<string, { readonly type: number; readonly text: string }>();

/** The paths of the files whose content was read. */
export const read: string[] = [];

function fileAt({ path }: Uri) {
  const file = files.get(path);
  if (file === undefined) throw new FileSystemError(path);
  return file;
}

export const Disposable = { from: () => ({ dispose() {} }) };

export class CancellationTokenSource {
  readonly token = {};
  cancel() {}
  dispose() {}
}

export class RelativePattern {}

export const commands = { registerCommand: () => ({ dispose() {} }) };

const noEvent = () => ({ dispose() {} });

export const workspace = {
  textDocuments: [],
  workspaceFolders: [{ uri: new Uri('/shop') }],
  onDidOpenTextDocument: noEvent,
  onDidChangeTextDocument: noEvent,
  onDidChangeWorkspaceFolders: noEvent,
  /** A search of VS Code lists links, too. */
  findFiles: async () => [...files.keys()].map((path) => new Uri(path)),
  asRelativePath: ({ path }: Uri) => path.replace(/^\/shop\//, ''),
  fs: {
    async stat(uri: Uri) {
      const { type, text } = fileAt(uri);
      return { type, size: text.length, mtime: 1 };
    },
    async readFile(uri: Uri) {
      read.push(uri.path);
      return new TextEncoder().encode(fileAt(uri).text);
    },
  },
};
