/** Where do we start in a browser? A web extension is one file, so the rest is in it, unread until needed. */
import type { ExtensionContext } from 'vscode';
import { activateOnManifest, type SelectorLens } from '../activation.ts';

export { deactivate } from '../activation.ts';

export function activate(context: ExtensionContext): SelectorLens {
  return activateOnManifest(context, () => import('./rest.ts'));
}
