/** Activates the extension. At first, only this module is loaded; when a manifest is found, it loads the language client and everything that uses it. */
import * as vscode from 'vscode';
import type { Ready } from '../../server/src/protocol.ts';
import { type CallTool, registerTools } from './agent-tools.ts';
import { commandNames } from './commands.ts';
import { commandsWithoutServer } from './get-started.ts';
import { languages } from './languages.ts';
import { listFiles, type WantedFiles } from './list-files.ts';
import { looksLikeManifest, mentionsManifestKey } from './looks-like-manifest.ts';

/** The lazily loaded part of the extension: everything that needs the language client. */
export interface Rest {
  start(context: vscode.ExtensionContext): Promise<Session>;
}

export interface Session {
  /** Resolves when the snapshot of the workspace is complete. */
  whenReady(): Promise<Ready>;
  run(command: string, argument: unknown): Promise<void>;
  readonly callTool: CallTool;
  stop(): Promise<void>;
}

/** The exported API of the extension, used by its own tests and by other extensions that wait until it is ready. */
export interface SelectorLens {
  readonly started: boolean;
  /** Resolves when a manifest has been found and the snapshot of the workspace is complete. */
  whenReady(): Promise<Ready>;
  /** Resolves when the folders that were open at activation have been scanned; true if one contains a manifest. */
  readonly scanned: Promise<boolean>;
}

/** Limits of the scan that determines whether a folder contains a manifest: listed files, read files, bytes of a file, bytes of it that are examined, and lines of an open document. */
const limits = { listed: 2000, read: 200, bytes: 512 * 1024, examined: 16 * 1024, lines: 1000 };

const candidateFiles: WantedFiles = { pattern: '**/*.{yaml,yml,json}', name: /\.(?:ya?ml|json)$/ };

let running: Promise<Session> | undefined;

/** Registers the commands and tools of the extension. Calls `load` when a manifest is found in an editor or a folder, or when a command needs the language server. */
export function activateOnManifest(context: vscode.ExtensionContext, load: () => Promise<Rest>): SelectorLens {
  const watching: vscode.Disposable[] = [];
  let resolveStarted: (session: Promise<Session>) => void = () => {};
  const whenStarted = new Promise<Session>((resolve) => {
    resolveStarted = resolve;
  });
  const start = (): Promise<Session> => {
    if (running === undefined) {
      vscode.Disposable.from(...watching).dispose();
      running = load().then((rest) => rest.start(context));
      resolveStarted(running);
    }
    return running;
  };

  for (const name of commandNames) {
    const run = commandsWithoutServer[name] ?? (async (argument: unknown) => (await start()).run(name, argument));
    context.subscriptions.push(vscode.commands.registerCommand(name, run));
  }
  registerTools(context, async (params, token) => (await start()).callTool(params, token));
  let scanned = Promise.resolve(true);
  if (vscode.workspace.textDocuments.some(isManifest)) {
    void start();
  } else {
    watchDocuments(watching, start);
    const scan = () => startWhereManifestFound(start);
    watching.push(vscode.workspace.onDidChangeWorkspaceFolders(scan));
    scanned = scan();
  }

  return {
    get started() {
      return running !== undefined;
    },
    whenReady: async () => (await whenStarted).whenReady(),
    scanned,
  };
}

/** Stops the language client, if it was started. */
export async function deactivate(): Promise<void> {
  const session = running;
  running = undefined;
  await (await session)?.stop();
}

function watchDocuments(watching: vscode.Disposable[], start: () => Promise<Session>): void {
  watching.push(
    vscode.workspace.onDidOpenTextDocument((document) => {
      if (isManifest(document)) void start();
    }),
    vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      const mayMatter = contentChanges.some(
        ({ range, text }) => mentionsManifestKey(text) || mentionsManifestKey(document.lineAt(range.start.line).text),
      );
      if (mayMatter && isManifest(document)) void start();
    }),
  );
}

function isManifest(document: vscode.TextDocument): boolean {
  if (!languages.includes(document.languageId)) return false;
  return looksLikeManifest(document.getText(new vscode.Range(0, 0, limits.lines, 0)));
}

async function startWhereManifestFound(start: () => Promise<Session>): Promise<boolean> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const found = (await Promise.all(folders.map(({ uri }) => listFiles(uri, candidateFiles, limits.listed)))).flat();
  const candidates = found.sort((a, b) => likelihood(b.path) - likelihood(a.path)).slice(0, limits.read);
  for (const uri of candidates) {
    if (running !== undefined) return true;
    if (looksLikeManifest(await beginning(uri))) {
      void start();
      return true;
    }
  }
  return running !== undefined;
}

/** Returns a rank, which is higher for YAML than for JSON files, and within each format higher for paths that are common for manifests. */
function likelihood(path: string): number {
  const named = /(?:deploy|service|ingress|k8s|kube|manifest|templates|base|overlays|helm|chart)/i.test(path) ? 1 : 0;
  return named + (path.endsWith('.json') ? 0 : 2);
}

async function beginning(uri: vscode.Uri): Promise<string> {
  try {
    const { size, type } = await vscode.workspace.fs.stat(uri);
    // Symbolic links can point outside of the workspace, and reading a device or a pipe may never end.
    if (type !== vscode.FileType.File || size > limits.bytes) return '';
    const bytes = await vscode.workspace.fs.readFile(uri);
    return new TextDecoder().decode(bytes.subarray(0, limits.examined));
  } catch {
    return ''; // deleted or not readable: not a manifest
  }
}
