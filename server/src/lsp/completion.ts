/** Provides completion. Items are sent immediately; their documentation is sent later, when the client requests it. */

import {
  type CompletionItem,
  CompletionItemKind,
  type CompletionList,
  type CompletionParams,
  CompletionTriggerKind,
  InsertTextFormat,
  InsertTextMode,
  MarkupKind,
} from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { completion } from '../features/completion/completion.ts';
import type { Completion } from '../features/completion/model.ts';
import type { CompletionData } from '../protocol.ts';
import { canonicalUri } from '../workspace/uri.ts';
import type { ClientAbilities } from './client-capabilities.ts';
import { editToTextEdit, positionToOffset } from './convert.ts';
import { guard } from './request-guard.ts';
import type { RequestContext } from './request-helpers.ts';

const nothing: CompletionList = { isIncomplete: false, items: [] };

/** Handles `textDocument/completion` and `completionItem/resolve`. */
export function provideCompletion({ connection, documents, session, log, abilities }: RequestContext): void {
  /** The most recently returned completion list. Items of older lists are not resolved. */
  let last: { readonly list: number; readonly items: readonly Completion[] } = { list: 0, items: [] };
  connection.onCompletion((params, token) =>
    guard(log, 'textDocument/completion', nothing, token, () => {
      const document = documents.get(params.textDocument.uri);
      if (document === undefined || isIndenting(document, params)) return nothing;
      const found = session.at(canonicalUri(document.uri), positionToOffset(document, params.position), completion);
      if (found === undefined) return nothing;
      const list = last.list + 1;
      last = { list, items: found.items };
      return {
        isIncomplete: found.incomplete,
        items: found.items.map((each, index) => completionToItem(document, each, abilities, { list, index })),
      };
    }),
  );
  connection.onCompletionResolve((item, token) =>
    guard(log, 'completionItem/resolve', item, token, () => {
      const data = readData(item.data);
      const markdown = data?.list === last.list ? last.items[data.index]?.documentation?.() : undefined;
      if (markdown === undefined || markdown === '') return item;
      const kind = abilities.markdownCompletion ? MarkupKind.Markdown : MarkupKind.PlainText;
      return { ...item, documentation: { kind, value: markdown } };
    }),
  );
}

/** Whether the completion was triggered by a space at the start of a line, which only indents the line. */
function isIndenting(document: TextDocument, { context, position }: CompletionParams): boolean {
  if (context?.triggerKind !== CompletionTriggerKind.TriggerCharacter || context.triggerCharacter !== ' ') return false;
  const start = { line: position.line, character: 0 };
  return document.getText({ start, end: position }).trim() === '';
}

/** Parses the data of a completion item, which the client sends back to resolve the item. */
function readData(data: unknown): { readonly list: number; readonly index: number } | undefined {
  if (typeof data !== 'object' || data === null || !('list' in data) || !('index' in data)) return undefined;
  const { list, index } = data;
  return typeof list === 'number' && typeof index === 'number' ? { list, index } : undefined;
}

const kinds: Readonly<Record<Completion['kind'], CompletionItemKind>> = {
  key: CompletionItemKind.Property,
  value: CompletionItemKind.Value,
  operator: CompletionItemKind.Operator,
  field: CompletionItemKind.Field,
  selector: CompletionItemKind.Struct,
  namespace: CompletionItemKind.Module,
  file: CompletionItemKind.File,
  folder: CompletionItemKind.Folder,
};

const firstKinds: typeof kinds = {
  ...kinds,
  operator: CompletionItemKind.Keyword,
  selector: CompletionItemKind.Class,
  folder: CompletionItemKind.Module,
};

function completionToItem(
  document: TextDocument,
  completion: Completion,
  abilities: ClientAbilities,
  { list, index }: { readonly list: number; readonly index: number },
): CompletionItem {
  const { label, detail, description, edit, snippet, also, filter, goesOn } = completion;
  const isSnippet = abilities.snippets && snippet !== undefined;
  const data: CompletionData = { list, index, ...(goesOn && { goesOn }) };
  return {
    label,
    kind: (abilities.laterItemKinds ? kinds : firstKinds)[completion.kind],
    ...shownBeside(label, detail, description, abilities),
    sortText: String(index).padStart(4, '0'),
    filterText: filter,
    textEdit: editToTextEdit(document, isSnippet ? { ...edit, text: snippet } : edit),
    ...(isSnippet && { insertTextFormat: InsertTextFormat.Snippet }),
    // Multi-line text contains its own indentation, so the editor must not adjust it.
    ...(abilities.textAsItIs && edit.text.includes('\n') && { insertTextMode: InsertTextMode.asIs }),
    ...(also && { additionalTextEdits: also.map((each) => editToTextEdit(document, each)) }),
    data,
  };
}

/** The number of characters that fit on a line of a completion list with its default width. */
const maximumLength = 48;

function shownBeside(
  label: string,
  detail: string | undefined,
  description: string | undefined,
  { labelDetails }: ClientAbilities,
): Pick<CompletionItem, 'detail' | 'labelDetails'> {
  if (detail === undefined && description === undefined) return {};
  if (labelDetails) {
    // A completion list shortens a value to show the description next to it, so a description of a long value is shown
    // as `detail`.
    const isLong = label.length + (detail ?? '').length + (description ?? '').length > maximumLength;
    return {
      ...(isLong && description !== undefined && { detail: description }),
      labelDetails: {
        ...(detail !== undefined && { detail }),
        ...(!isLong && description !== undefined && { description }),
      },
    };
  }
  const words = [detail?.replace(/^: /, '').trim(), description].filter((each) => each !== undefined);
  return { detail: words.join(' · ') };
}
