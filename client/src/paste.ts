/** Offers to paste a selector in a converted form as an alternative to plain text. The server converts it. */
import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import { type PasteAnswer, type PasteParams, pasteRequest } from '../../server/src/protocol.ts';
import { commandLanguages, languages } from './languages.ts';

const kind = vscode.DocumentDropOrPasteEditKind.Text.append('selectorLens');

/** The maximum length of a pasted selector, in UTF-16 units; longer text is not converted. */
const maximumLength = 10_000;

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
      // Plain text remains the default; the converted form is offered as an alternative.
      edit.yieldTo = [vscode.DocumentDropOrPasteEditKind.Text];
      return [edit];
    },
  };
  return vscode.languages.registerDocumentPasteEditProvider(documents, provider, {
    providedPasteEditKinds: [kind],
    pasteMimeTypes: ['text/plain'],
  });
}
