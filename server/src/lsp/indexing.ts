/** Indexes the workspace lazily, on the first request that needs the index. Reports progress, and sends a `ready` notification at the end. */

import {
  type Connection,
  WorkDoneProgress,
  type WorkDoneProgressBegin,
  WorkDoneProgressCreateRequest,
  type WorkDoneProgressEnd,
  type WorkDoneProgressReport,
} from 'vscode-languageserver';
import type { Log } from '../log.ts';
import { indexProgressToken, type Ready, readyNotification } from '../protocol.ts';
import type { Session } from '../session.ts';
import { localize } from '../text/localize.ts';
import type { FileSource } from '../workspace/live/load.ts';

export interface Indexing {
  /** Starts indexing if it has not started yet; the promise resolves when the snapshot is complete. */
  start(): Promise<Ready>;
  /** Indexes all files again, after a change of the folders or of a setting that affects indexing. */
  restart(folders: readonly string[]): void;
  readonly started: boolean;
  readonly folders: readonly string[];
}

interface IndexingParts {
  readonly connection: Connection;
  readonly session: Session;
  readonly source: FileSource;
  readonly log: Log;
  readonly showProgress: boolean;
  /** Resolves when the settings are known; the settings determine which files are loaded. */
  readonly settled: Promise<void>;
  /** Called when the snapshot is complete. */
  done(): void;
}

/** Prepares the indexing of some workspace folders (canonical URIs); the first call of `start` begins the indexing. */
export function prepareIndexing(parts: IndexingParts, folders: readonly string[]): Indexing {
  let current = { folders, run: 0 };
  let running: Promise<Ready> | undefined;
  const start = (): Promise<Ready> => {
    running ??= index(parts, current.folders, isStale(current.run)).then((ready) => ready ?? start());
    return running;
  };
  /** Returns a function that checks whether a run of the indexing has been replaced by a later run. */
  const isStale = (run: number) => () => run !== current.run;
  return {
    start,
    restart(changed) {
      const wasStarted = running !== undefined;
      current = { folders: changed, run: current.run + 1 };
      running = undefined;
      if (wasStarted) void start();
    },
    get started() {
      return running !== undefined;
    },
    get folders() {
      return current.folders;
    },
  };
}

async function index(
  parts: IndexingParts,
  folders: readonly string[],
  isStale: () => boolean,
): Promise<Ready | undefined> {
  const { connection, session, source, log } = parts;
  await parts.settled;
  if (isStale()) return undefined;
  const progress = await beginProgress(parts);
  try {
    await session.workspace.load(source, folders, progress.report, isStale);
  } catch (error) {
    log.warn(`The workspace could not be read: ${error instanceof Error ? error.message : error}`);
  } finally {
    progress.end();
  }
  if (isStale()) return undefined;
  const { files, objects, skipped } = session.workspace.summary();
  const ready: Ready = { files, objects, skipped };
  log.info(`Indexed files: ${files}; objects in these files: ${objects}; skipped files: ${skipped}.`);
  parts.done();
  await connection.sendNotification(readyNotification, ready);
  return ready;
}

async function beginProgress({ connection, showProgress }: IndexingParts) {
  if (!showProgress) return { report() {}, end() {} };
  const token = indexProgressToken;
  const accepted = await connection.sendRequest(WorkDoneProgressCreateRequest.type, { token }).then(
    () => true,
    () => false,
  );
  if (!accepted) return { report() {}, end() {} };
  const send = (value: WorkDoneProgressBegin | WorkDoneProgressReport | WorkDoneProgressEnd) =>
    void connection.sendProgress(WorkDoneProgress.type, token, value);
  send({ kind: 'begin', title: localize`Selector Lens: reading manifests`, percentage: 0, cancellable: false });
  return {
    report: (percentage: number) => send({ kind: 'report', percentage }),
    end: () => send({ kind: 'end' }),
  };
}
