/** Registers the tools for agents with VS Code: each call is a request to the language server. */
import * as vscode from 'vscode';
import type { ToolParams, ToolResult } from '../../server/src/protocol.ts';

/** The prefix of the tool names in VS Code. The part after the prefix is the name of the tool in the server. */
const prefix = 'selector_lens_';

export type CallTool = (params: ToolParams, token: vscode.CancellationToken) => Promise<ToolResult>;

/** Registers every tool that package.json declares, if this version of VS Code supports language model tools. */
export function registerTools({ extension, subscriptions }: vscode.ExtensionContext, call: CallTool): void {
  // Other editors that run VS Code extensions may lack this API.
  if (vscode.lm?.registerTool === undefined) return;
  const declared: readonly { readonly name: string; readonly displayName: string }[] =
    extension.packageJSON.contributes.languageModelTools;
  for (const { name, displayName } of declared) {
    const tool: vscode.LanguageModelTool<object> = {
      prepareInvocation: () => ({ invocationMessage: displayName }),
      async invoke({ input }, token) {
        const { text } = await call({ name: name.slice(prefix.length), input }, token);
        return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);
      },
    };
    subscriptions.push(vscode.lm.registerTool(name, tool));
  }
}
