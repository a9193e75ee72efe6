/** A file source for files that the client reads for the server, in batches. */

import type { Connection } from 'vscode-languageserver';
import {
  type ListParams,
  type ListResult,
  listRequest,
  type ReadAnswer,
  type ReadParams,
  type ReadResult,
  readRequest,
  type StatParams,
  type StatResult,
  statRequest,
} from '../protocol.ts';
import { localize } from '../text/localize.ts';
import { type FileSource, type ReadText, tooLarge } from '../workspace/live/load.ts';
import { canonicalUri } from '../workspace/uri.ts';

/** Decodes the base64-encoded bytes of a file into text without a byte order mark. */
export type DecodeBase64 = (base64: string) => ReadText;

/**
 * Returns the source of files that the client reads (see `protocol.ts`). `decode` converts the bytes of a file to text;
 * `pause` yields to other work.
 */
export function clientFiles(connection: Connection, decode: DecodeBase64, pause: FileSource['pause']): FileSource {
  return {
    pause,
    async list(folder, limit, { wanted }) {
      const params: ListParams = { folder, limit, ...(wanted === 'commands' && { commands: true }) };
      const result = await connection.sendRequest<ListResult>(listRequest, params);
      return { files: result.files.map(canonicalUri), more: result.more };
    },
    async stat(uris) {
      const params: StatParams = { uris };
      const answers = await connection.sendRequest<StatResult>(statRequest, params);
      return uris.map((_, index) => answers[index] ?? undefined);
    },
    async read(uris, maximumBytes) {
      const params: ReadParams = { uris, maximumBytes };
      const answers = await connection.sendRequest<ReadResult>(readRequest, params);
      return uris.map((_, index) => textOf(answers[index], decode, maximumBytes));
    },
  };
}

function textOf(answer: ReadAnswer | undefined, decode: DecodeBase64, maximumBytes: number): ReadText {
  if (answer === undefined) return { skipped: localize`it could not be read` };
  if ('failed' in answer) {
    return {
      skipped: answer.failed === 'tooLarge' ? tooLarge(maximumBytes) : localize`it could not be read`,
    };
  }
  return decode(answer.base64);
}
