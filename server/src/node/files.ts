/** The file source of a server process: `file:` URIs are read from disk, all other URIs through the client. */

import type { Connection } from 'vscode-languageserver';
import { clientFiles } from '../lsp/client-files.ts';
import type { FileSource, ReadText } from '../workspace/live/load.ts';
import { schemeOf } from '../workspace/uri.ts';
import { decode } from './decode.ts';
import { diskFiles } from './disk-files.ts';

/** Returns the file source of a server process: `file:` URIs are read from disk, all other URIs through the connection. */
export function filesOf(connection: Connection): FileSource {
  const disk = diskFiles();
  const remote = clientFiles(connection, decodeBase64, disk.pause);
  const sourceOf = (uri: string): FileSource => (schemeOf(uri) === 'file' ? disk : remote);
  return {
    pause: disk.pause,
    contents: async (folder, uris, maximumBytes) => {
      return (await sourceOf(folder).contents?.(folder, uris, maximumBytes)) ?? uris.map(() => undefined);
    },
    list: (folder, limit, filter) => sourceOf(folder).list(folder, limit, filter),
    stat: (uris) => ofEach(uris, sourceOf, (source, theirs) => source.stat(theirs)),
    async read(uris, maximumBytes) {
      const answers = await ofEach(uris, sourceOf, (source, theirs) => source.read(theirs, maximumBytes));
      return answers.map((answer) => answer ?? { skipped: 'it could not be read' });
    },
  };
}

/** Calls each file source with the URIs that it is responsible for, and returns the results in the order of `uris`. */
async function ofEach<T>(
  uris: readonly string[],
  sourceOf: (uri: string) => FileSource,
  ask: (source: FileSource, uris: readonly string[]) => Promise<readonly T[]>,
): Promise<readonly (T | undefined)[]> {
  const answers = new Map<string, T | undefined>();
  for (const source of new Set(uris.map(sourceOf))) {
    const theirs = uris.filter((uri) => sourceOf(uri) === source);
    const theirAnswers = await ask(source, theirs);
    for (const [index, uri] of theirs.entries()) answers.set(uri, theirAnswers[index]);
  }
  return uris.map((uri) => answers.get(uri));
}

function decodeBase64(base64: string): ReadText {
  return decode(Buffer.from(base64, 'base64'));
}
