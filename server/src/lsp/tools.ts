/** Provides the tools for AI agents to a client, based on the index of the server. */

import type { CancellationToken, Connection } from 'vscode-languageserver';
import type { Log } from '../log.ts';
import { type ToolParams, type ToolResult, toolRequest } from '../protocol.ts';
import type { Indexing } from './indexing.ts';
import { guard } from './request-guard.ts';

/** The tools for AI agents that use the index of a session. */
export interface Tools {
  /** The answer to a call that failed because of an internal error. */
  readonly failed: ToolResult;
  /** Calls the tool `name`, with some folders (canonical URIs) as its roots. */
  call(folders: readonly string[], name: string, input: unknown): Promise<ToolResult>;
}

interface ToolsParts {
  readonly connection: Connection;
  readonly log: Log;
  readonly indexing: Indexing;
}

/** Handles the request that calls a tool (see `protocol.ts`). */
export function provideTools({ connection, log, indexing }: ToolsParts, tools: Tools): void {
  connection.onRequest(toolRequest, ({ name, input }: ToolParams, token: CancellationToken) => {
    return guard<ToolResult | Promise<ToolResult>>(log, toolRequest, tools.failed, token, async () => {
      await indexing.start();
      return await tools.call(indexing.folders, name, input);
    });
  });
}
