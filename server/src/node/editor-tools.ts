/** Provides the tools for AI agents and the review of changes on the index of an editor's server, which includes the text of open documents. */

import { realpathSync, statSync } from 'node:fs';
import { errorText } from '../agents/answer.ts';
import { callTool } from '../agents/call-tool.ts';
import { reviewSince } from '../cli/commands/review.ts';
import type { Named, World } from '../cli/environment.ts';
import type { Tools } from '../lsp/tools.ts';
import type { Session } from '../session.ts';
import { version } from '../version.ts';
import { isIndependentOf } from '../workspace/charts/executed-charts.ts';
import type { FileSource } from '../workspace/live/load.ts';
import { withTexts } from '../workspace/live/with-texts.ts';
import type { Workspace } from '../workspace/model.ts';
import { isWithin } from '../workspace/uri.ts';
import { clock } from './clock.ts';
import { diskFiles, fileUri } from './disk-files.ts';
import { openCommit } from './git/committed-files.ts';
import { outside, pathIn } from './tool-paths.ts';

/** Returns the tools for AI agents of a session. Calls are executed one at a time. */
export function editorTools(session: Session, source: FileSource): Tools {
  const disk = diskFiles();
  const inNamespace = namespaces(session, source);
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const answer = last.then(work);
    last = answer.catch(() => undefined);
    return answer;
  };
  const onDisk = (folders: readonly string[]) => folders.filter((folder) => folder.startsWith('file:'));
  const worldIn = (roots: readonly string[]): World => ({
    version,
    clock,
    currentFolder: roots[0] ?? 'file:///',
    files: source,
    readNow(uri, maximumBytes) {
      const text = session.workspace.textOf(uri);
      return text === undefined ? disk.readNow(uri, maximumBytes) : { text };
    },
    loadCatalogue: () => Promise.resolve(session.catalogue),
    locate(path) {
      const found = pathIn(roots, path);
      return Promise.resolve(found === undefined ? { kind: 'unreadable', reason: outside } : located(session, found));
    },
    repositoryOf: (folder) => Promise.resolve(roots.find((root) => isWithin(folder, root))),
    openCommit,
    warm: {
      // For a comparison of two folders, this session is not used: each folder is read separately from disk.
      session: async ({ folders, namespace, chartValues }) => {
        const session = areSame(folders, roots) ? await inNamespace(namespace) : undefined;
        return session && isIndependentOf(session.snapshot().scopes(), chartValues) ? session : undefined;
      },
      isLoaded: (wanted) => areSame(wanted, roots),
    },
    readStandardInput: () => Promise.resolve({ skipped: 'there is none' }),
    write: () => Promise.resolve('tools do not write files'),
    serveEditor: () => Promise.resolve(),
    serveAgents: () => Promise.resolve(),
    out() {},
    err() {},
  });
  return {
    failed: { text: errorText('The tool failed; the log has the reason.'), isError: true },
    call(folders, name, input) {
      const roots = onDisk(folders);
      return inTurn(() => callTool({ world: worldIn(roots), roots, now: () => performance.now() }, name, input));
    },
    review(folders, base) {
      const roots = onDisk(folders);
      return inTurn(() => reviewSince(worldIn(roots), base));
    },
  };
}

function areSame(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((each) => others.includes(each));
}

/** Resolves a path to a file or folder on disk, or to a file that exists only in the editor. */
function located(session: Session, path: string): Named | undefined {
  const uri = fileUri(path);
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined) return session.workspace.isOpen(uri) ? { kind: 'file', uri } : undefined;
    const real = fileUri(realpathSync(path));
    return { kind: found.isDirectory() ? 'folder' : 'file', uri, ...(real !== uri && { real }) };
  } catch {
    return undefined;
  }
}

/** Returns a function that provides the session, or a copy of it in which objects without a namespace are in the given namespace. The last copy is cached. */
function namespaces(session: Session, source: FileSource) {
  let known: { readonly snapshot: Workspace; readonly namespace: string; readonly session: Session } | undefined;
  return async (namespace: string | undefined): Promise<Session> => {
    if (namespace === undefined) return session;
    const snapshot = session.snapshot();
    if (known?.snapshot !== snapshot || known.namespace !== namespace) {
      const copy = session.workspace.clone(namespace);
      const open = session.workspace.openFiles().map(({ file, text }) => [file.uri, text] as const);
      const changes = open.map(([uri]) => ({ uri, gone: false }));
      if (changes.length > 0) await copy.refresh(withTexts(source, new Map(open)), changes);
      known = { snapshot, namespace, session: session.withChoices({}, copy) };
    }
    return known.session;
  };
}
