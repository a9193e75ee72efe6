/** Lists and reads files through VS Code's file system API, for a server that has no access to the disk. */
import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import {
  commandFilesPattern,
  type ListParams,
  type ListResult,
  listRequest,
  type ReadAnswer,
  type ReadParams,
  type ReadResult,
  readRequest,
  type StatAnswer,
  type StatParams,
  type StatResult,
  statRequest,
} from '../../server/src/protocol.ts';
import { listFiles, type WantedFiles } from './list-files.ts';

/** Handles the server's requests for files (see `protocol.ts`). */
export function answerFileRequests(client: BaseLanguageClient): vscode.Disposable {
  return vscode.Disposable.from(
    client.onRequest(listRequest, (params: ListParams, token: vscode.CancellationToken) => list(params, token)),
    client.onRequest(readRequest, (params: ReadParams) => readAll(params)),
    client.onRequest(statRequest, (params: StatParams) => statAll(params)),
  );
}

/** Files that may be manifests, and files that determine which other files are indexed or generated; the server decides which of them to use. */
const manifests: WantedFiles = {
  pattern: '**/{*.yaml,*.yml,*.json,*.tpl,*.tgz,Kustomization,CODEOWNERS,.gitignore,.gitattributes}',
  name: /(?:\.ya?ml|\.json|\.tpl|\.tgz|^Kustomization|^CODEOWNERS|^\.gitignore|^\.gitattributes)$/,
};

/** Files other than manifests that may contain kubectl commands, and the git files that determine which of them are ignored. */
const commands: WantedFiles = {
  pattern: commandFilesPattern.replace('{', '{.gitignore,.gitattributes,'),
  name: /^\.git(?:ignore|attributes)$|\.(?:sh|bash|zsh|ksh|bats|mk|dockerfile|md|markdown|mdx|ps1|psm1|txt|selector)$|^(?:(?:GNU)?[Mm]ake|Docker|Container)file/,
};

async function list(
  { folder, limit, commands: isOfCommands }: ListParams,
  token: vscode.CancellationToken,
): Promise<ListResult> {
  const wanted = isOfCommands === true ? commands : manifests;
  const uris = await listFiles(vscode.Uri.parse(folder, true), wanted, limit + 1, token);
  return { files: uris.slice(0, limit).map(String), more: uris.length > limit };
}

async function readAll({ uris, maximumBytes }: ReadParams): Promise<ReadResult> {
  return Promise.all(uris.map((uri) => read(vscode.Uri.parse(uri, true), maximumBytes)));
}

async function read(uri: vscode.Uri, maximumBytes: number): Promise<ReadAnswer> {
  try {
    const { size, type } = await vscode.workspace.fs.stat(uri);
    // The target of a symbolic link is unknown and may be outside of the workspace, so links are not read.
    if (type !== vscode.FileType.File) return { failed: 'unreadable' };
    if (size > maximumBytes) return { failed: 'tooLarge', size };
    return { base64: base64(await vscode.workspace.fs.readFile(uri)) };
  } catch (error) {
    const notFound = error instanceof vscode.FileSystemError && error.code === 'FileNotFound';
    return { failed: notFound ? 'notFound' : 'unreadable' };
  }
}

/** Encodes bytes as base64, in chunks because the number of arguments of a function call is limited. */
function base64(bytes: Uint8Array): string {
  const piece = 0x8000;
  let binary = '';
  for (let start = 0; start < bytes.length; start += piece) {
    binary += String.fromCharCode(...bytes.subarray(start, start + piece));
  }
  return btoa(binary);
}

async function statAll({ uris }: StatParams): Promise<StatResult> {
  return Promise.all(uris.map((uri) => stat(vscode.Uri.parse(uri, true))));
}

async function stat(uri: vscode.Uri): Promise<StatAnswer | null> {
  try {
    const { size, mtime } = await vscode.workspace.fs.stat(uri);
    return { size, modified: mtime };
  } catch {
    return null;
  }
}
