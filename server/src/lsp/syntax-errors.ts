/** Notifies the client of the first syntax error in each open document, so that the client can show the error in the document's status. */

import type { Connection } from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { type SyntaxErrorAt, syntaxErrorNotification } from '../protocol.ts';
import type { Finding } from '../rules/framework/rule.ts';

export interface SyntaxErrors {
  /** Must be called with all findings of a document, including findings that other extensions also report. */
  found(document: TextDocument, findings: readonly Finding[]): void;
  closed(document: TextDocument): void;
}

/** Creates the reporter of syntax errors; it does nothing unless the client shows them (`isWanted`). */
export function reportSyntaxErrors(connection: Connection, isWanted: boolean): SyntaxErrors {
  if (!isWanted) return { found() {}, closed() {} };
  const known = new Map<string, string>();
  const report = (uri: string, position: SyntaxErrorAt['position']) => {
    const now = JSON.stringify(position);
    if (known.get(uri) === now) return;
    if (now === undefined) known.delete(uri);
    else known.set(uri, now);
    void connection.sendNotification(syntaxErrorNotification, { uri, ...(position && { position }) });
  };
  return {
    found(document, findings) {
      const first = findings.find(({ common }) => common === 'syntax');
      report(document.uri, first && document.positionAt(first.span.start));
    },
    closed: ({ uri }) => report(uri, undefined),
  };
}
