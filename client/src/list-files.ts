/** Lists the files of a workspace folder with a search, or by reading its folders if the file system does not support searches. */
import * as vscode from 'vscode';

/** Names of folders that usually contain many files but no manifests of the workspace. */
const excludedFolders: readonly string[] = ['.git', 'node_modules', '.terraform', '.vscode-test'];

const excludedPattern = `**/{${excludedFolders.join(',')}}/**`;

/** The files to list, as a pattern for a search and as a test of names. */
export interface WantedFiles {
  readonly pattern: string;
  readonly name: RegExp;
}

/** URI schemes that VS Code itself can search; all other schemes need a search provider, which few file systems have. */
const searchableSchemes: readonly string[] = ['file', 'vscode-remote'];

/** Milliseconds to wait for a search before the folders are read as well. Without a search provider, a search never ends. */
const patience = 2000;

/** The number of folders to read concurrently. It is limited because each read may be a request to a remote server. */
const foldersAtOnce = 16;

/** The file systems whose folders could be listed before a search ended; these file systems are not searched again. */
const withoutSearch = new Set<string>();

/** Lists at most `limit` files below a folder. Never fails: folders that cannot be read are skipped. */
export async function listFiles(
  folder: vscode.Uri,
  wanted: WantedFiles,
  limit: number,
  token?: vscode.CancellationToken,
): Promise<vscode.Uri[]> {
  const ending = new vscode.CancellationTokenSource();
  const cancelled = token?.onCancellationRequested(() => ending.cancel());
  try {
    if (searchableSchemes.includes(folder.scheme)) return await search(folder, wanted, limit, ending.token);
    const fileSystem = `${folder.scheme}://${folder.authority}`;
    if (withoutSearch.has(fileSystem)) return await walk(folder, wanted, limit, ending.token);
    const searched = search(folder, wanted, limit, ending.token);
    const early = await Promise.race([searched, elapsed(patience)]);
    if (early !== undefined && early.length > 0) return early;
    const walked = walk(folder, wanted, limit, ending.token);
    // A search without results may mean that the file system does not support searches, so the folders are read as
    // well.
    const found = searched.then((files) => (files.length > 0 ? files : walked));
    return await Promise.race([
      found,
      walked.then((files) => {
        if (early === undefined && !ending.token.isCancellationRequested) withoutSearch.add(fileSystem);
        return files;
      }),
    ]);
  } finally {
    cancelled?.dispose();
    ending.cancel();
    ending.dispose();
  }
}

async function search(
  folder: vscode.Uri,
  { pattern }: WantedFiles,
  limit: number,
  token: vscode.CancellationToken,
): Promise<vscode.Uri[]> {
  try {
    return await vscode.workspace.findFiles(new vscode.RelativePattern(folder, pattern), excludedPattern, limit, token);
  } catch {
    return [];
  }
}

function elapsed(milliseconds: number): Promise<undefined> {
  return new Promise((resolve) => setTimeout(() => resolve(undefined), milliseconds));
}

/** Reads folders level by level, up to `limit` folders and `limit` files. */
async function walk(
  root: vscode.Uri,
  { name: wantedName }: WantedFiles,
  limit: number,
  token: vscode.CancellationToken,
): Promise<vscode.Uri[]> {
  const files: vscode.Uri[] = [];
  const folders = [root];
  let visited = 0;
  while (visited < folders.length && visited < limit && files.length < limit && !token.isCancellationRequested) {
    const batch = folders.slice(visited, visited + foldersAtOnce);
    visited += batch.length;
    for (const [folder, inside] of await Promise.all(batch.map(async (each) => [each, await entries(each)] as const))) {
      for (const [name, type] of inside) {
        const uri = vscode.Uri.joinPath(folder, name);
        if (type === vscode.FileType.File && wantedName.test(name)) files.push(uri);
        // A symbolic link to a folder may form a cycle, so only real folders are entered.
        if (type === vscode.FileType.Directory && !excludedFolders.includes(name)) folders.push(uri);
      }
    }
  }
  return files.slice(0, limit);
}

async function entries(folder: vscode.Uri): Promise<[string, vscode.FileType][]> {
  try {
    return await vscode.workspace.fs.readDirectory(folder);
  } catch {
    return [];
  }
}
