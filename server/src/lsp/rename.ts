/** What does an editor ask to give a label another name? What may be renamed at a place, and every edit that it takes. */

import { type Connection, LSPErrorCodes, ResponseError, type TextDocuments } from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { prepareRename, rename } from '../features/rename.ts';
import type { Log } from '../log.ts';
import type { Service } from '../service.ts';
import type { FileSource } from '../workspace/load.ts';
import { canonicalUri } from '../workspace/uri.ts';
import type { ClientAbilities } from './client-capabilities.ts';
import { positionToOffset, spanToRange } from './convert.ts';
import { guard } from './guard.ts';
import type { Indexing } from './indexing.ts';
import { toWorkspaceEdit } from './workspace-edit.ts';

interface RenameParts {
  readonly connection: Connection;
  readonly documents: TextDocuments<TextDocument>;
  readonly service: Service;
  readonly source: FileSource;
  readonly log: Log;
  readonly abilities: ClientAbilities;
  readonly indexing: Indexing;
}

export function provideRename(parts: RenameParts): void {
  const { connection, documents, service, log, abilities, indexing } = parts;
  if (abilities.prepareRename) {
    connection.onPrepareRename((params, token) =>
      guard(log, 'textDocument/prepareRename', null, token, () => {
        const document = documents.get(params.textDocument.uri);
        if (document === undefined) return null;
        const view = service.fileView(canonicalUri(document.uri));
        const found = view && prepareRename(view, positionToOffset(document, params.position));
        if (found === undefined) return null;
        if ('refused' in found) return refusal(found.refused);
        return { range: spanToRange(document, found.span), placeholder: found.text };
      }),
    );
  }
  // What was refused last: asked for once more, it is made, each edit after a look.
  let refused = '';
  connection.onRenameRequest(async (params, token) => {
    // What was not read yet would keep the old name.
    await indexing.start();
    const again = refused;
    const ask = () => {
      const document = documents.get(params.textDocument.uri);
      const view = document && service.fileView(canonicalUri(document.uri));
      if (document === undefined || view === undefined) return undefined;
      const found = rename(view, positionToOffset(document, params.position), params.newName);
      if (found === undefined || !('insisted' in found)) return found;
      const word = prepareRename(view, positionToOffset(document, params.position));
      const start = word !== undefined && 'span' in word ? word.span.start : undefined;
      refused = JSON.stringify([document.uri, document.version, start, params.newName]);
      if (refused === again) return found.insisted;
      return { refused: `${found.refused}; rename it to this name once more to change it all the same` };
    };
    const first = guard(log, 'textDocument/rename', undefined, token, ask);
    if (first === undefined || 'refused' in first) return first === undefined ? null : refusal(first.refused);
    const picture = service.workspace();
    await readAnew(parts, [...first.edits.keys()]);
    if (service.workspace() === picture) return toWorkspaceEdit(parts, first);
    const renamed = guard(log, 'textDocument/rename', undefined, token, ask);
    if (renamed === undefined) return null;
    return 'refused' in renamed ? refusal(renamed.refused) : toWorkspaceEdit(parts, renamed);
  });
}

/** So that no edit misses its place: nobody may have told yet that a file has changed on disk. */
export async function readAnew(
  { service, source }: Pick<RenameParts, 'service' | 'source'>,
  uris: readonly string[],
): Promise<void> {
  const changed = await service.changedAmong(source, uris);
  if (changed.length > 0)
    await service.refresh(
      source,
      changed.map((uri) => ({ uri, gone: false })),
    );
}

/** What an editor shows to the person who asked. */
export function refusal(why: string): ResponseError<void> {
  return new ResponseError(LSPErrorCodes.RequestFailed, `${why.slice(0, 1).toUpperCase()}${why.slice(1)}.`);
}
