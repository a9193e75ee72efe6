/** Offers a converted form of a pasted selector next to the plain text. The server converts it. */
import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import { type PasteAnswer, type PasteParams, pasteRequest } from '../../server/src/protocol.ts';
import { commandLanguages, languages } from './languages.ts';

const kind = vscode.DocumentDropOrPasteEditKind.Text.append('selectorLens');

/** Longer texts are not considered selectors. */
const maximumLength = 10_000;

/** Registers the provider of converted pastes. */
export function offerConvertedPastes(client: BaseLanguageClient): vscode.Disposable {
  const documents = [...languages, ...Object.values(commandLanguages).flat()].map((language) => ({ language }));
  const provider: vscode.DocumentPasteEditProvider = {
    async provideDocumentPasteEdits(document, [range, ...others], data, _context, token) {
      const text = await data.get('text/plain')?.asString();
      if (text === undefined || text.length > maximumLength || range === undefined || others.length > 0)
        return undefined;
      if (!range.isEmpty) return undefined;
      const params: PasteParams = {
        textDocument: { uri: client.code2ProtocolConverter.asUri(document.uri) },
        position: range.start,
        text,
      };
      const answer = await client.sendRequest<PasteAnswer | null>(pasteRequest, params, token);
      if (answer === null) return undefined;
      const edit = new vscode.DocumentPasteEdit(answer.text, answer.title, kind);
      // Plain text stays the default: the other form is only offered.
      edit.yieldTo = [vscode.DocumentDropOrPasteEditKind.Text];
      return [edit];
    },
  };
  return vscode.languages.registerDocumentPasteEditProvider(documents, provider, {
    providedPasteEditKinds: [kind],
    pasteMimeTypes: ['text/plain'],
  });
}
