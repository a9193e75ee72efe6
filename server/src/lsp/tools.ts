/** Provides the tools for AI agents and the review of changes to a client, based on the index of the server. */

import type { CancellationToken, Connection } from 'vscode-languageserver';
import type { Log } from '../log.ts';
import { type ReviewParams, reviewRequest, type ToolParams, type ToolResult, toolRequest } from '../protocol.ts';
import { localize } from '../text/localize.ts';
import type { Indexing } from './indexing.ts';
import { guard } from './request-guard.ts';

/** The tools for AI agents that use the index of a session. */
export interface Tools {
  /** The answer to a call that failed because of an internal error. */
  readonly failed: ToolResult;
  /** Calls the tool `name`, with some folders (canonical URIs) as its roots. */
  call(folders: readonly string[], name: string, input: unknown): Promise<ToolResult>;
  /** Reviews the changes in the first of some folders since a commit. */
  review(folders: readonly string[], base: string): Promise<ToolResult>;
}

interface ToolsParts {
  readonly connection: Connection;
  readonly log: Log;
  readonly indexing: Indexing;
}

/** Handles the requests that call a tool and that review changes (see `protocol.ts`). */
export function provideTools({ connection, log, indexing }: ToolsParts, tools: Tools): void {
  connection.onRequest(toolRequest, ({ name, input }: ToolParams, token: CancellationToken) => {
    return guard<ToolResult | Promise<ToolResult>>(log, toolRequest, tools.failed, token, async () => {
      await indexing.start();
      return await tools.call(indexing.folders, name, input);
    });
  });
  connection.onRequest(reviewRequest, ({ base }: ReviewParams, token: CancellationToken) => {
    return guard<ToolResult | Promise<ToolResult>>(log, reviewRequest, tools.failed, token, async () => {
      await indexing.start();
      return await tools.review(indexing.folders, base);
    });
  });
}

/** Answers requests for reviews without access to a git repository. */
export function refuseReviews(connection: Connection): void {
  const text = localize`A review reads the git repository, which is not possible in a browser.`;
  connection.onRequest(reviewRequest, (): ToolResult => ({ text, isError: true }));
}
