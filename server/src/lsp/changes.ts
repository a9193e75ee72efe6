/** Provides the changes since the base, and notifies clients that show these changes when they may be out of date. */

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
  /** Whether the client shows the changes since the base. */
  readonly isShown: boolean;
}

/** Handles the request for the changes since the base. Returns a function that must be called when these changes may be out of date. */
export function provideChanges({ connection, session, log, base, isShown }: ChangesParts): () => void {
  // The cancellation token is the last argument: although the request has no parameters, a client may send parameters
  // or null.
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
