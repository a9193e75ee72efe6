/** The files of the playground for the language client: all of them are open, and one of them is in the editor. */

import { type LSPClient, LSPPlugin, Workspace, type WorkspaceFile } from '@codemirror/lsp-client';
import { ChangeSet, type EditorState, type Text, type TransactionSpec } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import type { PlaygroundFile } from './model.ts';
import { pathOf, uriOf } from './model.ts';

/** A file; `state` is its state in the editor, which is current unless the file is shown. */
class OpenFile implements WorkspaceFile {
  readonly uri: string;
  readonly languageId: string;
  readonly before: string | null | undefined;
  version = 1;
  doc: Text;
  state: EditorState;
  view: EditorView | undefined;
  /** The changes of a file that is not shown, which the server does not know. */
  unsynced: ChangeSet | undefined;

  constructor({ path, before }: PlaygroundFile, state: EditorState) {
    this.uri = uriOf(path);
    this.languageId = languageOf(path);
    this.before = before;
    this.state = state;
    this.doc = state.doc;
  }

  getView(): EditorView | null {
    return this.view ?? null;
  }

  get current(): EditorState {
    return this.view?.state ?? this.state;
  }
}

function languageOf(path: string): string {
  if (/(?:^|\/)templates\/|\.tpl$/.test(path)) return 'helm';
  return path.endsWith('.json') ? 'json' : 'yaml';
}

export class PlaygroundWorkspace extends Workspace {
  override files: OpenFile[] = [];
  /** Shows a file in the editor. */
  show: (uri: string) => EditorView | null = () => null;
  /** Called after files were changed, added or removed. */
  changed: () => void = () => {};

  constructor(client: LSPClient) {
    super(client);
  }

  override getFile(uri: string): OpenFile | null {
    return this.files.find((file) => file.uri === uri) ?? null;
  }

  add(file: PlaygroundFile, state: EditorState): OpenFile {
    const made = new OpenFile(file, state);
    this.files.push(made);
    if (this.client.connected) this.client.didOpen(made);
    this.#announce(made.uri, 1);
    return made;
  }

  remove(uri: string): void {
    this.files = this.files.filter((file) => file.uri !== uri);
    this.client.didClose(uri);
    this.#announce(uri, 3);
  }

  /** Tells the server that a file was created (1) or deleted (3). */
  #announce(uri: string, type: 1 | 3): void {
    this.client.notification('workspace/didChangeWatchedFiles', { changes: [{ uri, type }] });
  }

  override syncFiles() {
    return this.files.flatMap((file) => {
      const plugin = file.view && LSPPlugin.get(file.view);
      const changes = file.unsynced ?? plugin?.unsyncedChanges;
      if (changes === undefined || changes.empty) return [];
      const prevDoc = file.doc;
      file.doc = file.current.doc;
      file.version++;
      file.unsynced = undefined;
      plugin?.clear();
      return [{ file, prevDoc, changes }];
    });
  }

  override openFile(uri: string, _: string, view: EditorView): void {
    const file = this.getFile(uri);
    if (file !== null) file.view = view;
  }

  override closeFile(uri: string, view: EditorView): void {
    const file = this.getFile(uri);
    if (file?.view === view) file.view = undefined;
  }

  override updateFile(uri: string, update: TransactionSpec): void {
    const file = this.getFile(uri);
    if (file === null) return;
    if (file.view !== undefined) file.view.dispatch(update);
    else {
      const { state, changes } = file.state.update(update);
      file.state = state;
      file.unsynced = (file.unsynced ?? ChangeSet.empty(changes.length)).compose(changes);
    }
    this.client.sync();
    this.changed();
  }

  override displayFile(uri: string): Promise<EditorView | null> {
    return Promise.resolve(this.show(uri));
  }

  /** Returns the files for a link. */
  contents(): readonly PlaygroundFile[] {
    return this.files.map(({ uri, before, current }) => ({
      path: pathOf(uri),
      text: current.doc.toString(),
      ...(before !== undefined && { before }),
    }));
  }
}
