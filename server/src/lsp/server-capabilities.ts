/** The capabilities of the server, which it returns to `initialize`. */

import {
  CodeActionKind,
  type InitializeResult,
  PositionEncodingKind,
  type SemanticTokensOptions,
  TextDocumentSyncKind,
} from 'vscode-languageserver';
import { tokenTypes } from '../features/decorations/token-types.ts';
import { adoptCommand, fixRuleCommand, indexCommand, labelCommand } from '../protocol.ts';
import { localize } from '../text/localize.ts';
import type { ClientAbilities } from './client-capabilities.ts';
import { fixAllKind } from './convert.ts';
import { diagnosticProvider } from './diagnostics.ts';

/** Trigger characters of completion: characters that precede or occur in a key or value, and characters that precede a part of a selector string. */
const completionTriggers: readonly string[] = ['.', '/', ' ', '"', ',', '=', '('];

const semanticTokensProvider: SemanticTokensOptions = {
  legend: { tokenTypes: [...tokenTypes], tokenModifiers: [] },
  full: true,
  range: true,
};

export const copyKind = `${CodeActionKind.Refactor}.selectorLens.copy`;

const refactorKinds: readonly string[] = [
  CodeActionKind.Refactor,
  CodeActionKind.RefactorRewrite,
  CodeActionKind.RefactorExtract,
];

/** Returns the result of `initialize` for a client with some abilities. */
export function initializeResult(abilities: ClientAbilities, version: string): InitializeResult {
  return {
    serverInfo: { name: 'selector-lens', version },
    capabilities: {
      positionEncoding: PositionEncodingKind.UTF16,
      textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental, save: !abilities.watchFiles },
      hoverProvider: true,
      completionProvider: { triggerCharacters: [...completionTriggers], resolveProvider: true },
      definitionProvider: true,
      referencesProvider: true,
      implementationProvider: true,
      documentHighlightProvider: true,
      documentLinkProvider: {},
      documentSymbolProvider: { label: localize`Selector Lens` },
      workspaceSymbolProvider: true,
      callHierarchyProvider: true,
      codeLensProvider: { resolveProvider: true },
      inlayHintProvider: true,
      semanticTokensProvider,
      renameProvider: abilities.prepareRename ? { prepareProvider: true } : true,
      ...(abilities.actions && {
        codeActionProvider: {
          codeActionKinds: [CodeActionKind.QuickFix, ...refactorKinds, copyKind, fixAllKind],
          ...(abilities.resolveActions && { resolveProvider: true }),
        },
      }),
      executeCommandProvider: {
        commands: [indexCommand, ...(abilities.applyEdits ? [labelCommand, fixRuleCommand, adoptCommand] : [])],
      },
      ...diagnosticProvider(abilities),
      workspace: { workspaceFolders: { supported: true, changeNotifications: true } },
    },
  };
}
