/** Who reads a file for the server as a process? The disk what is on it, the client everything else. */

import type { Connection } from 'vscode-languageserver';
import { clientFiles } from '../lsp/client-files.ts';
import type { FileSource, ReadText } from '../workspace/load.ts';
import { schemeOf } from '../workspace/uri.ts';
import { decode, diskFiles } from './disk-files.ts';

export function filesOf(connection: Connection): FileSource {
  const remote = clientFiles(connection, decodeBase64, diskFiles.pause);
  const sourceOf = (uri: string) => (schemeOf(uri) === 'file' ? diskFiles : remote);
  return {
    pause: diskFiles.pause,
    list: (folder, limit) => sourceOf(folder).list(folder, limit),
    async read(uris, maximumBytes) {
      const answers = new Map<string, ReadText | undefined>();
      for (const source of new Set(uris.map(sourceOf))) {
        const theirs = uris.filter((uri) => sourceOf(uri) === source);
        const texts = await source.read(theirs, maximumBytes);
        for (const [index, uri] of theirs.entries()) answers.set(uri, texts[index]);
      }
      return uris.map((uri) => answers.get(uri) ?? { skipped: 'it could not be read' });
    },
  };
}

function decodeBase64(base64: string): string | undefined {
  const read = decode(Buffer.from(base64, 'base64'));
  return 'text' in read ? read.text : undefined;
}
