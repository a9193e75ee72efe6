/** What happens when files change outside the editor? They are read again, all that changed together at once. */

import { type Connection, FileChangeType } from 'vscode-languageserver';
import type { Log } from '../log.ts';
import type { Service } from '../service.ts';
import type { FileSource, ReadText } from '../workspace/load.ts';
import { canonicalUri } from '../workspace/uri.ts';
import type { Indexing } from './indexing.ts';

interface WatchingParts {
  readonly connection: Connection;
  readonly service: Service;
  readonly source: FileSource;
  readonly log: Log;
}

/** `changed` is called after each batch that the picture took in. */
export function watchFiles(
  { connection, service, source, log }: WatchingParts,
  indexing: Indexing,
  changed: () => void,
): void {
  connection.onDidChangeWatchedFiles(async ({ changes }) => {
    if (!indexing.started) return;
    // What changes while the workspace is read would be overwritten by what was read before.
    await indexing.start();
    const gone = changes
      .filter((change) => change.type === FileChangeType.Deleted)
      .map((change) => canonicalUri(change.uri));
    const present = changes
      .filter((change) => change.type !== FileChangeType.Deleted)
      .map((change) => canonicalUri(change.uri));
    try {
      const texts = await source.read(present, service.settings.maximumFileSize);
      const read = present.map((uri, index): [string, ReadText | undefined] => [uri, texts[index]]);
      service.update([...gone.map((uri): [string, undefined] => [uri, undefined]), ...read]);
      changed();
    } catch (error) {
      log.warn(`Changed files could not be read: ${error instanceof Error ? error.message : error}`);
    }
  });
}
