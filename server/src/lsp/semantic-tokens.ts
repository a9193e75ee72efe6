/** Provides semantic tokens for selectors in commands, which no syntax grammar highlights. */

import { type SemanticTokens, SemanticTokensBuilder } from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { type SemanticToken, semanticTokens } from '../features/decorations/semantic-tokens.ts';
import { tokenTypes } from '../features/decorations/token-types.ts';
import { rangeToSpan, spanToRange } from './convert.ts';
import { inDocument, type RequestContext } from './request-helpers.ts';

const none: SemanticTokens = { data: [] };

export function provideSemanticTokens(context: RequestContext): void {
  const { semanticTokens: requests } = context.connection.languages;
  requests.on((params, token) =>
    inDocument(context, 'textDocument/semanticTokens/full', none, params, token, (view, document) =>
      encoded(document, semanticTokens(view)),
    ),
  );
  requests.onRange((params, token) =>
    inDocument(context, 'textDocument/semanticTokens/range', none, params, token, (view, document) =>
      encoded(document, semanticTokens(view, rangeToSpan(document, params.range))),
    ),
  );
}

function encoded(document: TextDocument, tokens: readonly SemanticToken[]): SemanticTokens {
  const builder = new SemanticTokensBuilder();
  for (const { type, span } of tokens) {
    const { line, character } = spanToRange(document, span).start;
    builder.push(line, character, span.end - span.start, tokenTypes.indexOf(type), 0);
  }
  return builder.build();
}
