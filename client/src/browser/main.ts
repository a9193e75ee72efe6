/** Entry point of the extension in a browser. A web extension is a single file, so it also contains the lazily loaded part, which is evaluated only when needed. */
import type { ExtensionContext } from 'vscode';
import { activateOnManifest, type SelectorLens } from '../activation.ts';

export { deactivate } from '../activation.ts';

/** Activates the extension. VS Code calls this function. */
export function activate(context: ExtensionContext): SelectorLens {
  return activateOnManifest(context, () => import('./rest.ts'));
}
