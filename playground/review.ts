/** Reviews the change in the playground: the files before it are those of a commit in memory. */

import { reviewSince } from '../server/src/cli/commands/review.ts';
import type { Named, World } from '../server/src/cli/environment.ts';
import type { ToolResult } from '../server/src/protocol.ts';
import type { Session } from '../server/src/session.ts';
import { version } from '../server/src/version.ts';
import type { CommittedFiles } from '../server/src/workspace/live/committed-files.ts';
import type { FileSource, ReadText } from '../server/src/workspace/live/load.ts';
import { isWithin, resolveUri } from '../server/src/workspace/uri.ts';
import { folder } from './model.ts';

/** Reviews the changes since the base of a session, as Markdown. */
export function review(session: Session, name: string): Promise<ToolResult> {
  const { base } = session.choices;
  if (base === undefined) return Promise.resolve({ text: 'There is nothing to compare with.', isError: true });
  const now = new Map(session.workspace.openFiles().map(({ file, text }) => [file.uri, text]));
  const before = new Map<string, string>();
  for (const uri of new Set([...now.keys(), ...(base.changed ?? [])])) {
    const text = base.side.textOf(uri);
    if (text !== undefined) before.set(uri, text);
  }
  return reviewSince(worldOf(session, now, before), name);
}

function worldOf(session: Session, now: ReadonlyMap<string, string>, before: ReadonlyMap<string, string>): World {
  return {
    version,
    currentFolder: folder,
    files: sourceOf(now),
    readNow: readerOf(now),
    loadCatalogue: () => Promise.resolve(session.catalogue),
    locate: (path) => Promise.resolve(located(now, resolveUri(folder, path))),
    repositoryOf: (each) => Promise.resolve(isWithin(each, folder) ? folder : undefined),
    openCommit: () => committed(before),
    readStandardInput: () => Promise.resolve({ skipped: 'there is none' }),
    write: () => Promise.resolve('a review does not write files'),
    serveEditor: () => Promise.resolve(),
    serveAgents: () => Promise.resolve(),
    out() {},
    err() {},
  };
}

function committed(texts: ReadonlyMap<string, string>): CommittedFiles {
  return {
    ...sourceOf(texts),
    version: JSON.stringify([...texts]),
    leftOut: 0,
    readNow: readerOf(texts),
    kindOf: (uri) => located(texts, uri)?.kind,
    close() {},
  };
}

function located(
  texts: ReadonlyMap<string, string>,
  uri: string,
): Exclude<Named, { readonly kind: 'unreadable' }> | undefined {
  if (texts.has(uri)) return { kind: 'file', uri };
  return uri === folder || [...texts.keys()].some((each) => isWithin(each, uri)) ? { kind: 'folder', uri } : undefined;
}

function readerOf(texts: ReadonlyMap<string, string>): (uri: string) => ReadText {
  return (uri) => {
    const text = texts.get(uri);
    return text === undefined ? { skipped: 'it does not exist' } : { text };
  };
}

function sourceOf(texts: ReadonlyMap<string, string>): FileSource {
  const read = readerOf(texts);
  return {
    list: async (below, limit) => {
      const inside = [...texts.keys()].filter((uri) => isWithin(uri, below));
      return { files: inside.slice(0, limit), more: inside.length > limit };
    },
    stat: async (uris) => uris.map((uri) => ({ size: texts.get(uri)?.length ?? 0, modified: 0 })),
    read: async (uris) => uris.map(read),
    pause: () => undefined,
  };
}
