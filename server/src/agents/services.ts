/** The services of a server for agents, apart from its protocol. */

import type { ToolAnswer } from './call-tool.ts';
import type { reviewPrompt } from './review-prompt.ts';
import type { RulePage } from './rule-pages.ts';
import type { Tool } from './tools.ts';

/** What a server of the Model Context Protocol offers, apart from the protocol. */
export interface AgentServices {
  readonly version: string;
  readonly tools: readonly Tool[];
  readonly pages: readonly RulePage[];
  readonly prompt: typeof reviewPrompt;
  /** Calls a tool. Calls are answered one after the other. */
  call(name: string, input: unknown): Promise<ToolAnswer>;
  /** Sets the folders that the client opened; the current folder if it opened none. */
  open(uris: readonly string[]): void;
}
