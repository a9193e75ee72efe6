/** Watches files that change outside of the editor, and indexes them again in batches. */

import {
  type Connection,
  DidChangeWatchedFilesNotification,
  FileChangeType,
  type FileEvent,
  type FileSystemWatcher,
  WatchKind,
} from 'vscode-languageserver';
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import { commandFilesPattern } from '../protocol.ts';
import type { Session } from '../session.ts';
import { configName } from '../settings/config.ts';
import { isAttributesFile, isIgnoreFile, mayBeManifest } from '../workspace/ignore/folder-filter.ts';
import type { Change } from '../workspace/live/file-changes.ts';
import type { FileSource } from '../workspace/live/load.ts';
import { canonicalUri, fileNameOf, folderOf, schemeOf } from '../workspace/uri.ts';
import type { Indexing } from './indexing.ts';

interface WatchingParts {
  readonly connection: Connection;
  readonly session: Session;
  readonly source: FileSource;
  readonly log: Log;
  readonly clock: Clock;
}

/** The number of events in a batch from which an editor may have lost some of them. */
const manyEvents = 1_000;

/** The time in milliseconds between two comparisons of all files with the disk. */
const interval = 300_000;

/** When a folder is created, moved or deleted, the editor sends a single event with the name of the folder, so creation and deletion are watched for all paths. */
const watchers: FileSystemWatcher[] = [
  {
    globPattern: '**/{*.yaml,*.yml,*.json,*.tpl,Kustomization,CODEOWNERS,.gitignore,.gitattributes}',
    kind: WatchKind.Change,
  },
  { globPattern: commandFilesPattern, kind: WatchKind.Change },
  { globPattern: '**', kind: WatchKind.Create | WatchKind.Delete },
];

export async function registerWatchers(connection: Connection): Promise<void> {
  await connection.client.register(DidChangeWatchedFilesNotification.type, { watchers });
}

/** The maximum number of files that are watched individually. */
const maximumInputs = 1_000;

/** Watches files that editors do not watch by default: the configurations in parent folders, and the files whose content kustomizations put into generated objects. The returned function must be called with the current URIs of these files; a call with unchanged URIs has no effect. */
export function watchMore(
  connection: Connection,
): (around: readonly string[], inputs: readonly string[]) => Promise<void> {
  let watched: { readonly key: string; readonly dispose: () => void } = { key: '[]', dispose() {} };
  return async (around, inputs) => {
    const ours = [
      ...around.map((baseUri) => watcherOf(baseUri, configName)),
      ...inputs
        .filter((uri) => !mayBeManifest(fileNameOf(uri)) && !/[*?[\]{}]/.test(fileNameOf(uri)))
        .slice(0, maximumInputs)
        .map((uri) => watcherOf(folderOf(uri), fileNameOf(uri))),
    ];
    const key = JSON.stringify(ours);
    if (key === watched.key) return;
    watched.dispose();
    watched = { key, dispose() {} };
    if (ours.length === 0) return;
    const registered = await connection.client.register(DidChangeWatchedFilesNotification.type, { watchers: ours });
    if (watched.key === key) watched = { key, dispose: () => registered.dispose() };
    else registered.dispose();
  };
}

function watcherOf(baseUri: string, pattern: string): FileSystemWatcher {
  return { globPattern: { baseUri, pattern } };
}

export interface Watching {
  /** Reports a changed file to the server, for editors that do not watch files themselves. */
  tell(uri: string): void;
  /** Reads the files again whose parse context changed because of a change in an open file. */
  catchUp(): void;
}

/** Returns a function that indexes the changes of a batch and, if `isCompared`, the changes without an event. */
function batchIndexer(
  { session: { workspace }, source, log }: Pick<WatchingParts, 'session' | 'source' | 'log'>,
  indexing: Indexing,
  changed: (uris: readonly string[]) => void,
) {
  const index = async (changes: readonly Change[]) => {
    await workspace.refresh(source, changes);
    changed(changes.map(({ uri }) => uri));
  };
  return async (batch: readonly Change[], isCompared: boolean): Promise<void> => {
    const isRule = ({ uri }: Change) =>
      workspace.isConfigAround(uri) ||
      ((isIgnoreFile(uri) || isAttributesFile(uri)) && workspace.respectsIgnoreFile(uri));
    if (batch.some(isRule)) return indexing.restart(indexing.folders);
    try {
      if (batch.length > 0 || workspace.isBehind) await index(batch);
      const missed = isCompared ? await workspace.missedChanges(source) : [];
      if (missed === undefined) indexing.restart(indexing.folders);
      else if (missed.length > 0) await index(missed);
    } catch (error) {
      log.warn(`Changed files could not be read: ${error instanceof Error ? error.message : error}`);
    }
  };
}

/** Starts to handle file events; `changed` is called with the URIs of each batch after the snapshot contains it. */
export function watchFiles(
  { connection, session, source, log, clock }: WatchingParts,
  indexing: Indexing,
  changed: (uris: readonly string[]) => void,
): Watching {
  /** The changes that arrived after the current batch; only the last event of each path is kept. */
  let waiting = new Map<string, boolean>();
  let running = false;
  let isComparisonDue = false;

  const indexBatch = batchIndexer({ session, source, log }, indexing, changed);

  const work = async () => {
    running = true;
    await indexAll().catch((error: unknown) => {
      running = false;
      log.bug('changed files', error);
    });
  };

  const indexAll = async () => {
    while (waiting.size > 0 || session.workspace.isBehind || isComparisonDue) {
      // Changes wait for the end of the initial load, which would otherwise overwrite a changed file with its earlier
      // state.
      await indexing.start();
      const batch = [...waiting].map(([uri, gone]) => ({ uri, gone }));
      waiting = new Map();
      const isCompared = isComparisonDue || batch.length >= manyEvents;
      isComparisonDue = false;
      await indexBatch(batch, isCompared);
    }
    // No change can arrive between the end of the loop and this line.
    running = false;
  };

  const compareLater = () => {
    clock.after(interval, () => {
      compareLater();
      // The editor reads all other folders, which is slower.
      isComparisonDue = indexing.started && indexing.folders.every((folder) => schemeOf(folder) === 'file');
      if (isComparisonDue && !running) void work();
    });
  };

  const take = (changes: readonly FileEvent[]) => {
    if (!indexing.started) return;
    for (const { uri, type } of changes) {
      const path = canonicalUri(uri);
      // Moves the path to the end of the map: a new folder is handled after earlier events for its old content.
      waiting.delete(path);
      waiting.set(path, type === FileChangeType.Deleted);
    }
    if (!running) void work();
  };

  compareLater();
  connection.onDidChangeWatchedFiles(({ changes }) => take(changes));
  return {
    tell: (uri) => take([{ uri, type: FileChangeType.Changed }]),
    catchUp() {
      if (indexing.started && session.workspace.isBehind && !running) void work();
    },
  };
}
