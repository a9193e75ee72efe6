/** Renames the label at the cursor in all files. */

import { LSPPlugin } from '@codemirror/lsp-client';
import { type Command, type EditorView, showDialog } from '@codemirror/view';
import type { Range, WorkspaceEdit } from 'vscode-languageserver';
import { applyEdit } from './diagnostics.ts';

interface Prepared {
  readonly range: Range;
  readonly placeholder: string;
}

/** Asks for the new name, and renames. */
export const renameLabel: Command = (view) => {
  const plugin = LSPPlugin.get(view);
  if (plugin === null) return false;
  rename(view, plugin).catch((error: { readonly message?: string }) => {
    plugin.reportError('Not renamed', error.message ?? error);
  });
  return true;
};

async function rename(view: EditorView, plugin: LSPPlugin): Promise<void> {
  const { client, uri } = plugin;
  client.sync();
  const at = { textDocument: { uri }, position: plugin.toPosition(view.state.selection.main.head) };
  const prepared = await client.request<typeof at, Prepared | null>('textDocument/prepareRename', at);
  if (prepared === null) throw new Error('Place the cursor in a label.');
  const { close, result } = showDialog(view, {
    label: `New name of ${prepared.placeholder} `,
    input: { name: 'name', value: prepared.placeholder },
    focus: true,
    submitLabel: 'Rename',
  });
  const form = await result;
  view.dispatch({ effects: close });
  view.focus();
  const field = form?.elements.namedItem('name');
  if (!(field instanceof HTMLInputElement)) return;
  const params = { ...at, newName: field.value };
  const edit = await client.request<typeof params, WorkspaceEdit | null>('textDocument/rename', params);
  if (edit !== null) applyEdit(client, edit);
}
