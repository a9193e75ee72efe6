/** Starts the language server on the machine of the extension host, as a process that the language client forks. */
import type { ExtensionContext } from 'vscode';
import { LanguageClient, TransportKind } from 'vscode-languageclient/node';
import type { Session } from '../activation.ts';
import { startSession } from '../session.ts';
import { smallHeap } from './small-heap.ts';

/** Starts the session with a language server in a separate process. */
export function start(context: ExtensionContext): Promise<Session> {
  const module = context.asAbsolutePath('dist/server/node.js');
  // The server reads many files once and then waits, so small heap generations reduce its peak memory: 10,000 files
  // need 40 MB.
  const run = { module, transport: TransportKind.ipc, options: { execArgv: [...smallHeap] } };
  const debug = { ...run, options: { execArgv: [...smallHeap, '--nolazy', '--inspect=6019'] } };
  return startSession(
    context,
    (options) => new LanguageClient('selectorLens', 'Selector Lens', { run, debug }, options),
  );
}
