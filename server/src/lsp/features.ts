/** Provides the features that no diagnostics need: hovers, completion, navigation, refactorings and views. */

import { hover } from '../features/hover/hover.ts';
import { explainObject } from '../features/pages/explain-object.ts';
import { explainRequest } from '../protocol.ts';
import { canonicalUri } from '../workspace/uri.ts';
import { provideCallHierarchy } from './call-hierarchy.ts';
import type { OtherActions } from './code-actions.ts';
import { provideCommands } from './commands.ts';
import { provideCompletion } from './completion.ts';
import { copyActions, provideInsertions, providePastes } from './conversions.ts';
import { hoverToHover, positionToOffset } from './convert.ts';
import type { ProvideFeatures, ServerParts } from './core.ts';
import { provideGraph } from './graph.ts';
import { provideLabels } from './labels.ts';
import { provideLenses } from './lenses.ts';
import { provideNavigation } from './navigation.ts';
import { readPreviewParams } from './preview-params.ts';
import { provideReach } from './reach.ts';
import { refactorActions, resolveRefactoring } from './refactorings.ts';
import { provideRename } from './rename.ts';
import { guard } from './request-guard.ts';
import { provideSemanticTokens } from './semantic-tokens.ts';
import { copyKind } from './server-capabilities.ts';
import { provideSymbols } from './symbols.ts';

/** Handles the requests for these features. */
export const provideFeatures: ProvideFeatures = (server, source, indexing, { addActions, refresh }) => {
  provideHover(server);
  addActions(actionsOf(server));
  provideLenses(server);
  provideCompletion(server);
  providePastes(server);
  provideInsertions(server);
  provideRename({ ...server, source, indexing });
  provideCommands({ ...server, source, indexing, indexed: refresh });
  provideNavigation({ ...server, source });
  provideLabels({ ...server, source, indexing });
  provideSymbols(server);
  provideSemanticTokens(server);
  provideCallHierarchy(server);
  provideGraph(server);
  provideReach(server);
};

/** Returns the refactorings, and the actions that copy selectors. */
function actionsOf(server: ServerParts): OtherActions {
  const { session, abilities } = server;
  return {
    at(document, params, isRequested) {
      const view = session.fileView(canonicalUri(document.uri));
      const refactorings = view === undefined ? [] : refactorActions(server, view, document, params, isRequested);
      const copies = isRequested(copyKind) ? copyActions(session, document, params.range.start, abilities) : [];
      return [...refactorings, ...copies];
    },
    resolve: (action) => resolveRefactoring(server, action),
  };
}

/** Handles the requests for hovers, and for the page that explains an object. */
function provideHover({ connection, documents, session, log, abilities }: ServerParts): void {
  connection.onHover((params, token) =>
    guard(log, 'textDocument/hover', null, token, () => {
      const document = documents.get(params.textDocument.uri);
      if (document === undefined) return null;
      const found = session.at(canonicalUri(document.uri), positionToOffset(document, params.position), hover);
      return found === undefined ? null : hoverToHover(document, found, abilities);
    }),
  );
  connection.onRequest(explainRequest, (given: unknown, token) => {
    const params = readPreviewParams(given);
    return guard(log, explainRequest, null, token, () => {
      if ('selector' in params) return null;
      const document = documents.get(params.textDocument.uri);
      if (document === undefined || params.position.line >= document.lineCount) return null;
      return session.at(canonicalUri(document.uri), positionToOffset(document, params.position), explainObject) ?? null;
    });
  });
}
