/** Makes the editor request all CodeLenses and inlay hints again. */

import { CodeLensRefreshRequest, InlayHintRefreshRequest } from 'vscode-languageserver';
import type { RequestContext } from './request-helpers.ts';

export function refreshLenses({
  connection,
  log,
  abilities,
}: Pick<RequestContext, 'connection' | 'log' | 'abilities'>): void {
  const refresh = (can: boolean, type: typeof CodeLensRefreshRequest.type | typeof InlayHintRefreshRequest.type) => {
    if (!can) return;
    connection.sendRequest(type).catch((error: unknown) => log.warn(`Lenses were not refreshed: ${error}`));
  };
  refresh(abilities.refreshLenses, CodeLensRefreshRequest.type);
  refresh(abilities.refreshHints, InlayHintRefreshRequest.type);
}
