/** Answers requests for the page about the labels of the workspace. */

import { CancellationToken, type Connection } from 'vscode-languageserver';
import { labelsOfWorkspace } from '../features/pages/labels.ts';
import type { Log } from '../log.ts';
import { type Explained, labelsRequest } from '../protocol.ts';
import type { Session } from '../session.ts';
import type { FileSource } from '../workspace/live/load.ts';
import type { Indexing } from './indexing.ts';
import { guard } from './request-guard.ts';

interface LabelsContext {
  readonly connection: Connection;
  readonly session: Session;
  readonly source: FileSource;
  readonly log: Log;
  readonly indexing: Indexing;
}

export function provideLabels({ connection, session, source, log, indexing }: LabelsContext): void {
  const answer = (token: CancellationToken) =>
    guard<Promise<Explained | null>>(log, labelsRequest, Promise.resolve(null), token, async () => {
      await indexing.start();
      const { workspace } = session;
      const page = await labelsOfWorkspace({
        workspace: session.snapshot(),
        settings: workspace.settings,
        catalogueOf: (uri) => workspace.catalogueOf(uri),
        pause: () => source.pause(),
        isCancelled: () => token.isCancellationRequested,
      });
      return page ?? null;
    });
  // A request without parameters has the token as its first argument.
  connection.onRequest(labelsRequest, (...given: readonly unknown[]) =>
    answer(given.find(CancellationToken.is) ?? CancellationToken.None),
  );
}
