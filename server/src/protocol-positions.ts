/** Positions in the requests between client and server, as LSP defines them. */

/** A position as in LSP: a zero-based line, and a character offset in UTF-16 code units. */
export interface ProtocolPosition {
  readonly line: number;
  readonly character: number;
}

/** A position in a document that is open in the editor. */
export interface DocumentPosition {
  readonly textDocument: { readonly uri: string };
  readonly position: ProtocolPosition;
}
export interface ProtocolRange {
  readonly start: ProtocolPosition;
  readonly end: ProtocolPosition;
}
