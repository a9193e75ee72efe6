/** Registers the Model Context Protocol server with VS Code, which starts it when an agent uses it. */
import * as vscode from 'vscode';
import { smallHeap } from './small-heap.ts';

/** The part of the extension API for MCP servers that VS Code 1.101 added; older versions and some other editors lack it. */
interface McpApi {
  readonly lm: {
    registerMcpServerDefinitionProvider?(id: string, provider: object): vscode.Disposable;
  };
  readonly McpStdioServerDefinition?: new (
    label: string,
    command: string,
    args: readonly string[],
    env: Readonly<Record<string, string>>,
    version: string,
  ) => object;
}

/** Registers the server that package.json declares, if this editor supports servers that extensions provide. */
export function offerMcpServer({ extension, subscriptions, asAbsolutePath }: vscode.ExtensionContext): void {
  // The type declarations are those of VS Code 1.100, which lacks this API.
  const { lm, McpStdioServerDefinition } = vscode as unknown as McpApi;
  if (lm?.registerMcpServerDefinitionProvider === undefined || McpStdioServerDefinition === undefined) return;
  const provideMcpServerDefinitions = () => [
    new McpStdioServerDefinition(
      'Selector Lens',
      process.execPath,
      [...smallHeap, asAbsolutePath('dist/server/node.js'), 'mcp'],
      // The executable of desktop VS Code is Electron, which runs as Node.js if this variable is set.
      { ELECTRON_RUN_AS_NODE: '1' },
      extension.packageJSON.version,
    ),
  ];
  subscriptions.push(lm.registerMcpServerDefinitionProvider('selectorLens', { provideMcpServerDefinitions }));
}
