/** Provides the changes since the base, and notifies a client that shows them when they may have changed. */

import { CancellationToken, type Connection } from 'vscode-languageserver';
import { changesSince } from '../features/pages/changes.ts';
import type { Log } from '../log.ts';
import { type Changes, changesNotification, changesRequest } from '../protocol.ts';
import type { Session } from '../session.ts';
import type { BaseFollower } from './base.ts';
import { guard } from './request-guard.ts';

interface ChangesParts {
  readonly connection: Connection;
  readonly session: Session;
  readonly log: Log;
  readonly base: BaseFollower;
  /** Whether the client shows changes. */
  readonly isShown: boolean;
}

/** Returns a function that must be called whenever the changes may differ. */
export function provideChanges({ connection, session, log, base, isShown }: ChangesParts): () => void {
  // The token is the last argument: a client may send parameters, or null, although the request has none.
  connection.onRequest(changesRequest, (...given: readonly (CancellationToken | null)[]) => {
    const token = given.at(-1) ?? CancellationToken.None;
    const nothing: Changes = { base: null, complete: true, problems: [], scopes: [] };
    return guard<Changes>(log, changesRequest, nothing, token, () => {
      const { isBusy, problem } = base.state();
      const complete = session.workspace.complete && !isBusy;
      const problems = problem === undefined ? [] : [problem];
      const since = session.since();
      if (since === undefined) return { base: null, complete, problems, scopes: [] };
      const found = changesSince(since);
      return { base: since.base.name, complete, scopes: found.scopes, problems: [...problems, ...found.problems] };
    });
  });
  return () => {
    if (!isShown) return;
    connection.sendNotification(changesNotification).catch((error: unknown) => {
      log.warn(`The view of changes was not refreshed: ${error}`);
    });
  };
}
