/** Where do we start on a desktop or a remote machine? The gate alone is loaded here. */
import type { ExtensionContext } from 'vscode';
import { activateOnManifest, type SelectorLens } from '../activation.ts';

export { deactivate } from '../activation.ts';

export function activate(context: ExtensionContext): SelectorLens {
  return activateOnManifest(context, () => import('./rest.ts'));
}
