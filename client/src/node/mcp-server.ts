/** Offers the server for agents to VS Code, which starts it for agents that use the Model Context Protocol. */
import * as vscode from 'vscode';

/** The API of VS Code 1.101, which older versions and other editors lack. */
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

/** Registers the server that package.json declares, if VS Code supports servers of extensions. */
export function offerMcpServer({ extension, subscriptions, asAbsolutePath }: vscode.ExtensionContext): void {
  // Narrowed to what newer versions add.
  const { lm, McpStdioServerDefinition } = vscode as unknown as McpApi;
  if (lm?.registerMcpServerDefinitionProvider === undefined || McpStdioServerDefinition === undefined) return;
  const provideMcpServerDefinitions = () => [
    new McpStdioServerDefinition(
      'Selector Lens',
      process.execPath,
      [asAbsolutePath('dist/extension/server-node.js'), 'mcp'],
      // The program of a desktop VS Code is Electron, which runs as Node.js with this variable.
      { ELECTRON_RUN_AS_NODE: '1' },
      extension.packageJSON.version,
    ),
  ];
  subscriptions.push(lm.registerMcpServerDefinitionProvider('selectorLens', { provideMcpServerDefinitions }));
}
