/** Reads files for the server of a test from a table, as docs/protocol.md documents. */
import { listRequest, readRequest, statRequest } from '../../server/src/protocol.ts';
import type { Client } from './client.ts';

/** The content of a file, or why it cannot be read. */
export type Content = string | Uint8Array;

const failures = ['notFound', 'tooLarge', 'unreadable'];

/**
 * Handles requests for the files of a folder, after `listed` has resolved. The returned list contains every requested
 * folder.
 */
export function serveFiles(
  client: Client,
  folder: string,
  contents: Readonly<Record<string, Content>>,
  listed: Promise<void> = Promise.resolve(),
): readonly string[] {
  const asked: string[] = [];
  const contentOf = (uri: string) => contents[uri.slice(folder.length + 1)] ?? 'notFound';
  const isFailure = (content: Content): content is string => typeof content === 'string' && failures.includes(content);
  client.connection.onRequest(listRequest, async (params: { readonly folder: string }) => {
    asked.push(params.folder);
    await listed;
    return { files: Object.keys(contents).map((name) => `${folder}/${name}`), more: false };
  });
  client.connection.onRequest(readRequest, ({ uris }: { readonly uris: readonly string[] }) =>
    uris.map((uri) => {
      const content = contentOf(uri);
      return isFailure(content) ? { failed: content } : { base64: Buffer.from(content).toString('base64') };
    }),
  );
  client.connection.onRequest(statRequest, ({ uris }: { readonly uris: readonly string[] }) =>
    uris.map((uri) => {
      const content = contentOf(uri);
      return content === 'notFound' ? null : { size: content.length, modified: 0 };
    }),
  );
  return asked;
}
