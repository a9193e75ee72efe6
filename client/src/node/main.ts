/** Entry point of the extension on a desktop or a remote machine. Loads only the activation module. */
import type { ExtensionContext } from 'vscode';
import { activateOnManifest, type SelectorLens } from '../activation.ts';
import { offerMcpServer } from './mcp-server.ts';

export { deactivate } from '../activation.ts';

/** Activates the extension. VS Code calls this function. */
export function activate(context: ExtensionContext): SelectorLens {
  offerMcpServer(context);
  return activateOnManifest(context, () => import('./rest.ts'));
}
