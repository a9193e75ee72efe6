/** How does the language server run beside VS Code? As a process of its own that the language client forks. */
import type { ExtensionContext } from 'vscode';
import { LanguageClient, TransportKind } from 'vscode-languageclient/node';
import type { Session } from '../activation.ts';
import { startSession } from '../session.ts';

export function start(context: ExtensionContext): Promise<Session> {
  const module = context.asAbsolutePath('dist/extension/server-node.js');
  const run = { module, transport: TransportKind.ipc };
  const debug = { ...run, options: { execArgv: ['--nolazy', '--inspect=6019'] } };
  return startSession(
    context,
    (options) => new LanguageClient('selectorLens', 'Selector Lens', { run, debug }, options),
  );
}
