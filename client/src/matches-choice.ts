/** The user's choices in the view "Selector Matches": a pinned position, the shown kinds, and the label columns. */
import * as vscode from 'vscode';
import { type Preview, type PreviewTarget, withoutMarkup } from '../../server/src/protocol.ts';

const columnsKey = 'labelColumns';

/** A selector or an object that the view shows regardless of the cursor position. */
interface Pin {
  readonly document: string;
  readonly params: PreviewTarget;
}

export class MatchesChoice {
  readonly #memory: vscode.Memento;
  #pin: Pin | undefined;
  /** The kinds to show; undefined to show all kinds. */
  #kinds: readonly string[] | undefined;

  /** `memory` stores the label columns for the workspace. */
  constructor(memory: vscode.Memento) {
    this.#memory = memory;
  }

  get pinned(): PreviewTarget | undefined {
    return this.#pin?.params;
  }

  get kinds(): readonly string[] | undefined {
    return this.#kinds;
  }

  get columns(): readonly string[] {
    return this.#memory.get<readonly string[]>(columnsKey, []);
  }

  pin(document: vscode.Uri, params: PreviewTarget): void {
    this.#setPin({ document: document.toString(), params });
  }

  unpin(): void {
    this.#setPin(undefined);
  }

  #setPin(pin: Pin | undefined): void {
    this.#pin = pin;
    void vscode.commands.executeCommand('setContext', 'selectorLens.matchesPinned', pin !== undefined);
  }

  /** Adjusts the pinned position to edits before it. */
  move(document: vscode.TextDocument, changes: readonly vscode.TextDocumentContentChangeEvent[]): void {
    const pin = this.#pin;
    if (pin === undefined || pin.document !== document.uri.toString() || !('position' in pin.params)) return;
    let { line, character } = pin.params.position;
    for (const { range, text } of changes) {
      if (range.end.isAfter(new vscode.Position(line, character))) continue;
      const lines = text.split('\n');
      if (range.end.line === line) {
        const last = lines.at(-1)?.length ?? 0;
        character += last - range.end.character + (lines.length === 1 ? range.start.character : 0);
      }
      line += lines.length - 1 - (range.end.line - range.start.line);
    }
    this.#pin = { ...pin, params: { ...pin.params, position: { line, character } } };
  }

  /** Lets the user choose the kinds to show. Returns true if the choice was confirmed. */
  async chooseKinds({ kinds }: Preview): Promise<boolean> {
    const before = this.#kinds;
    const items = kinds.map((name) => ({
      label: withoutMarkup(name),
      name,
      picked: before === undefined || before.includes(name),
    }));
    const title = vscode.l10n.t('Filter matches by kind');
    const chosen = await vscode.window.showQuickPick(items, { title, canPickMany: true });
    if (chosen === undefined) return false;
    this.#kinds = chosen.length === 0 || chosen.length === kinds.length ? undefined : chosen.map(({ name }) => name);
    return true;
  }

  async chooseColumns({ groups }: Preview): Promise<boolean> {
    const before = this.columns;
    const counts = new Map(before.map((key) => [key, 0]));
    for (const { items } of groups) {
      for (const item of items) {
        for (const key of Object.keys(item.labels)) counts.set(key, (counts.get(key) ?? 0) + 1);
      }
    }
    const items = [...counts]
      .sort(([a, ofA], [b, ofB]) => ofB - ofA || (a < b ? -1 : 1))
      .map(([key, count]) => ({
        label: withoutMarkup(key),
        key,
        description: vscode.l10n.t('on {0}', count),
        picked: before.includes(key),
      }));
    const title = vscode.l10n.t('Select the labels to show next to each object');
    const chosen = await vscode.window.showQuickPick(items, { title, canPickMany: true });
    if (chosen === undefined) return false;
    await this.#memory.update(
      columnsKey,
      chosen.map(({ key }) => key),
    );
    return true;
  }
}
