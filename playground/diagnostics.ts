/** The findings of the server: as squiggles in the editor, with their fixes, and as a list of all files. */

import { type Action, type Diagnostic as Squiggle, setDiagnostics } from '@codemirror/lint';
import { type LSPClient, type LSPClientExtension, LSPPlugin } from '@codemirror/lsp-client';
import { ViewPlugin, type ViewUpdate } from '@codemirror/view';
import type { CodeAction, Diagnostic, PublishDiagnosticsParams, WorkspaceEdit } from 'vscode-languageserver';
import type { PlaygroundWorkspace } from './workspace.ts';

/** A fix that the user can choose. */
export interface Fix {
  readonly title: string;
  /** Whether the fix is offered first. */
  readonly isPreferred: boolean;
  apply(): void;
}

export interface Finding {
  readonly uri: string;
  readonly diagnostic: Diagnostic;
  readonly fixes: readonly Fix[];
}

/** The maximum number of findings of a file for which fixes are requested. */
const maximumFixed = 50;

const severities = ['error', 'warning', 'info', 'hint'] as const;

/** Milliseconds without a key press after which the server gets the text. */
const pause = 150;

export class Findings {
  readonly #workspace: () => PlaygroundWorkspace;
  readonly #changed: () => void;
  readonly #found = new Map<string, readonly Finding[]>();

  constructor(workspace: () => PlaygroundWorkspace, changed: () => void) {
    this.#workspace = workspace;
    this.#changed = changed;
  }

  /** All findings, with the most severe ones first. */
  all(): readonly Finding[] {
    const severityOf = ({ diagnostic }: Finding) => diagnostic.severity ?? 1;
    return [...this.#found.values()].flat().toSorted((a, b) => severityOf(a) - severityOf(b));
  }

  removed(uri: string): void {
    this.#found.delete(uri);
  }

  /** Shows the findings of a file that was opened in the editor. */
  show(uri: string): void {
    const view = this.#workspace().getFile(uri)?.getView();
    const plugin = view && LSPPlugin.get(view);
    if (!view || !plugin) return;
    const place = (position: Diagnostic['range']['start']) => {
      const line = Math.min(position.line + 1, plugin.syncedDoc.lines);
      const { from, to } = plugin.syncedDoc.line(line);
      return plugin.unsyncedChanges.mapPos(Math.min(from + position.character, to));
    };
    const squiggles = (this.#found.get(uri) ?? []).map(({ diagnostic, fixes }): Squiggle => {
      const { range, message, severity = 1, code } = diagnostic;
      return {
        from: place(range.start),
        to: Math.max(place(range.start), place(range.end)),
        severity: severities[severity - 1] ?? 'error',
        message: `${message} (${code})`,
        actions: fixes.map(({ title, apply }): Action => ({ name: title, apply })),
      };
    });
    view.dispatch(setDiagnostics(view.state, squiggles));
  }

  /** Handles the notifications of the server. */
  readonly extension: LSPClientExtension = {
    notificationHandlers: {
      'textDocument/publishDiagnostics': (client, params) => {
        void this.#receive(client, params);
        return true;
      },
    },
    editorExtension: ViewPlugin.fromClass(
      class {
        #waiting: ReturnType<typeof setTimeout> | undefined;
        update({ docChanged, view }: ViewUpdate) {
          if (!docChanged) return;
          clearTimeout(this.#waiting);
          this.#waiting = setTimeout(() => LSPPlugin.get(view)?.client.sync(), pause);
        }
        destroy() {
          clearTimeout(this.#waiting);
        }
      },
    ),
  };

  async #receive(client: LSPClient, { uri, version, diagnostics }: PublishDiagnosticsParams): Promise<void> {
    const isCurrent = () => {
      const file = this.#workspace().getFile(uri);
      return file !== null && (version === undefined || version === file.version);
    };
    if (!isCurrent()) return;
    const without = diagnostics.map((diagnostic): Finding => ({ uri, diagnostic, fixes: [] }));
    this.#found.set(uri, without);
    this.show(uri);
    this.#changed();
    const fixed = await Promise.all(
      diagnostics.slice(0, maximumFixed).map(async (diagnostic): Promise<Finding> => {
        return { uri, diagnostic, fixes: await this.#fixesOf(client, uri, diagnostic) };
      }),
    );
    if (!isCurrent() || this.#found.get(uri) !== without) return;
    this.#found.set(uri, [...fixed, ...without.slice(maximumFixed)]);
    this.show(uri);
    this.#changed();
  }

  async #fixesOf(client: LSPClient, uri: string, diagnostic: Diagnostic): Promise<readonly Fix[]> {
    const { range } = diagnostic;
    const params = { textDocument: { uri }, range, context: { diagnostics: [diagnostic], only: ['quickfix'] } };
    const actions = await client
      .request<typeof params, readonly CodeAction[] | null>('textDocument/codeAction', params)
      .catch(() => null);
    return (actions ?? []).flatMap(({ title, edit, diagnostics, isPreferred = false }) => {
      const isOfThis = diagnostics?.some(({ code }) => code === diagnostic.code) ?? true;
      const isHere = Object.keys(edit?.changes ?? {}).every((each) => this.#workspace().getFile(each) !== null);
      return edit?.changes === undefined || !isOfThis || !isHere
        ? []
        : [{ title, isPreferred, apply: () => applyEdit(client, edit) }];
    });
  }
}

/** Applies the edits of the server to all files. */
export function applyEdit(client: LSPClient, { changes = {} }: WorkspaceEdit): void {
  client.sync();
  for (const [uri, edits] of Object.entries(changes)) {
    const doc = client.workspace.getFile(uri)?.doc;
    if (doc === undefined) continue;
    const offset = ({ line, character }: { readonly line: number; readonly character: number }) =>
      line >= doc.lines ? doc.length : Math.min(doc.line(line + 1).from + character, doc.line(line + 1).to);
    client.workspace.updateFile(uri, {
      changes: edits.map(({ range, newText }) => ({
        from: offset(range.start),
        to: offset(range.end),
        insert: newText,
      })),
      userEvent: 'input.fix',
    });
  }
}
