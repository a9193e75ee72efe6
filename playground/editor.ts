/** The editor of the playground: CodeMirror with the language client. */

import { autocompletion, closeBrackets, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyField, historyKeymap, indentWithTab } from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import { bracketMatching, foldGutter, foldKeymap, indentUnit } from '@codemirror/language';
import { lintKeymap } from '@codemirror/lint';
import {
  findReferencesKeymap,
  hoverTooltips,
  jumpToDefinitionKeymap,
  LSPClient,
  LSPPlugin,
  serverCompletion,
} from '@codemirror/lsp-client';
import { EditorState, type Extension } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import type { InitializationOptions } from '../server/src/protocol.ts';
import { appearance } from './appearance.ts';
import { connectTo } from './connection.ts';
import { Findings } from './diagnostics.ts';
import { sanitized } from './elements.ts';
import { folder, type Place, type PlaygroundFile } from './model.ts';
import { renameLabel } from './rename.ts';
import { PlaygroundWorkspace } from './workspace.ts';

/** What the page does when something happened in the editor. */
export interface EditorEvents {
  /** The text, the files or the open file changed. */
  changed(): void;
  /** The cursor moved. */
  moved(): void;
  /** The findings changed. */
  found(): void;
  /** A notification of the server that is not part of LSP. */
  notified(method: string): void;
}

const initializationOptions: InitializationOptions = { changes: true };

/** Milliseconds until an answer of the server is given up. */
const patience = 20_000;

export class Editor {
  readonly client: LSPClient;
  readonly workspace: PlaygroundWorkspace;
  readonly findings: Findings;
  readonly #view: EditorView;
  readonly #events: EditorEvents;
  #shown: string | undefined;

  constructor(parent: ShadowRoot, events: EditorEvents) {
    this.#events = events;
    this.findings = new Findings(
      () => this.workspace,
      () => events.found(),
    );
    this.client = new LSPClient({
      rootUri: folder,
      initializationOptions,
      timeout: patience,
      sanitizeHTML: sanitized,
      workspace: (client) => new PlaygroundWorkspace(client),
      unhandledNotification: (_, method) => events.notified(method),
      extensions: [this.findings.extension],
    });
    const { workspace } = this.client;
    if (!(workspace instanceof PlaygroundWorkspace)) throw new Error('The client has another workspace.');
    this.workspace = workspace;
    workspace.show = (uri) => this.open(uri);
    workspace.changed = () => events.changed();
    this.#view = new EditorView({ parent, root: parent });
  }

  /** Starts the server. */
  connect(): void {
    const files = {
      uris: () => this.workspace.files.map(({ uri }) => uri),
      textOf: (uri: string) => this.workspace.getFile(uri)?.doc.toString(),
    };
    this.client.connect(connectTo(new Worker('server.js', { type: 'module' }), files));
  }

  get shown(): string | undefined {
    return this.#shown;
  }

  add(file: PlaygroundFile): string {
    const { uri } = this.workspace.add(file, EditorState.create({ doc: file.text }));
    return uri;
  }

  remove(uri: string): void {
    if (this.#shown === uri) {
      const others = this.workspace.files.filter((file) => file.uri !== uri);
      this.open(others[0]?.uri);
    }
    this.findings.removed(uri);
    this.workspace.remove(uri);
    this.#events.changed();
    this.#events.found();
  }

  /** Removes all files, and shows nothing. */
  clear(): void {
    this.open(undefined);
    for (const { uri } of [...this.workspace.files]) {
      this.findings.removed(uri);
      this.workspace.remove(uri);
    }
  }

  /** Shows a file in the editor. */
  open(uri: string | undefined): EditorView | null {
    if (uri !== this.#shown) {
      this.client.sync();
      const before = this.#shown === undefined ? null : this.workspace.getFile(this.#shown);
      if (before !== null) before.state = this.#view.state;
      const file = uri === undefined ? null : this.workspace.getFile(uri);
      this.#shown = file?.uri;
      this.#view.setState(file === null ? EditorState.create() : this.#stateOf(file.uri, file.state));
      if (file !== null) this.findings.show(file.uri);
      this.#events.changed();
    }
    return this.#shown === undefined ? null : this.#view;
  }

  /** Shows a position, and selects its range. */
  reveal({ uri, range }: Place): void {
    const view = this.open(uri);
    if (view === null || this.#shown !== uri) return;
    const { doc } = view.state;
    const offset = ({ line, character }: Place['range']['start']) =>
      line >= doc.lines ? doc.length : Math.min(doc.line(line + 1).from + character, doc.line(line + 1).to);
    view.dispatch({
      selection: { anchor: offset(range.start), head: offset(range.end) },
      effects: EditorView.scrollIntoView(offset(range.start), { y: 'center' }),
    });
    view.focus();
  }

  /** The position of the cursor; undefined if no file is shown. */
  position() {
    const plugin = LSPPlugin.get(this.#view);
    if (plugin === null || this.#shown === undefined) return undefined;
    return {
      textDocument: { uri: this.#shown },
      position: plugin.toPosition(this.#view.state.selection.main.head),
    };
  }

  /** Returns Markdown of the server as harmless HTML. */
  rendered(markdown: string): string {
    return LSPPlugin.get(this.#view)?.docToHTML({ kind: 'markdown', value: markdown }) ?? '';
  }

  /** Returns the state of a file with everything that the editor needs; a file that was shown before keeps its history. */
  #stateOf(uri: string, known: EditorState): EditorState {
    if (known.field(historyField, false) !== undefined) return known;
    return EditorState.create({ doc: known.doc, extensions: this.#extensions(uri) });
  }

  #extensions(uri: string): Extension {
    return [
      lineNumbers(),
      highlightActiveLine(),
      highlightActiveLineGutter(),
      foldGutter(),
      history(),
      drawSelection(),
      EditorState.tabSize.of(2),
      indentUnit.of('  '),
      bracketMatching(),
      closeBrackets(),
      autocompletion({ icons: false }),
      yaml(),
      appearance,
      this.client.plugin(uri),
      serverCompletion({ validFor: /^[\w-]*$/ }),
      hoverTooltips({ hoverTime: 250 }),
      keymap.of([
        { key: 'F2', run: renameLabel, preventDefault: true },
        ...jumpToDefinitionKeymap,
        ...findReferencesKeymap,
        ...lintKeymap,
        ...completionKeymap,
        ...historyKeymap,
        ...foldKeymap,
        ...defaultKeymap,
        indentWithTab,
      ]),
      EditorView.contentAttributes.of({ 'aria-label': 'Manifest' }),
      EditorView.updateListener.of(({ docChanged, selectionSet }) => {
        if (docChanged) this.#events.changed();
        if (docChanged || selectionSet) this.#events.moved();
      }),
    ];
  }
}
