/** The interface to the tools, prompts and documentation that agents can use. */

import type { ToolAnswer } from './call-tool.ts';
import type { reviewPrompt } from './review-prompt.ts';
import type { RulePage } from './rule-pages.ts';
import type { Tool } from './tools.ts';

/** The services that a Model Context Protocol server offers, independent of the protocol. */
export interface AgentServices {
  readonly version: string;
  readonly tools: readonly Tool[];
  /** What holds for all tools, for a language model. */
  readonly instructions: string;
  readonly pages: readonly RulePage[];
  readonly prompt: typeof reviewPrompt;
  /** Calls a tool. Calls are processed one at a time. */
  call(name: string, input: unknown): Promise<ToolAnswer>;
  /** Sets the folders that the client opened; if `uris` is empty, the current folder is used. */
  open(uris: readonly string[]): void;
}
