/** Provides the tools for AI agents to a client, based on the index of the server. */

import type { CancellationToken, Connection } from 'vscode-languageserver';
import type { Log } from '../log.ts';
import { type ToolParams, type ToolResult, toolRequest } from '../protocol.ts';
import type { Indexing } from './indexing.ts';
import { guard } from './request-guard.ts';

/** The tools for AI agents that use the index of a session. */
export interface Tools {
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
    const failed: ToolResult = { text: '{"error":"The tool failed; the log has the reason."}', isError: true };
    return guard<ToolResult | Promise<ToolResult>>(log, toolRequest, failed, token, async () => {
      await indexing.start();
      return await tools.call(indexing.folders, name, input);
    });
  });
}
