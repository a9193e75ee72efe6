/**
 * Entry point of the extension in a browser. A web extension is one file: it contains the rest, which is evaluated only
 * when needed.
 */
import type { ExtensionContext } from 'vscode';
import { activateOnManifest, type SelectorLens } from '../activation.ts';

export { deactivate } from '../activation.ts';

/** Called by VS Code. */
export function activate(context: ExtensionContext): SelectorLens {
  return activateOnManifest(context, () => import('./rest.ts'));
}
