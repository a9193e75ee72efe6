/** Entry point of the extension on a desktop or a remote machine. Loads only the activation module. */
import type { ExtensionContext } from 'vscode';
import { activateOnManifest, type SelectorLens } from '../activation.ts';

export { deactivate } from '../activation.ts';

/** Called by VS Code. */
export function activate(context: ExtensionContext): SelectorLens {
  return activateOnManifest(context, () => import('./rest.ts'));
}
