/** The view "Changes Since HEAD": lost and gained matches, and objects that must be recreated. */
import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import {
  type Changes,
  changesNotification,
  changesRequest,
  type ReviewParams,
  reviewRequest,
  type ToolResult,
  withoutMarkup,
} from '../../server/src/protocol.ts';
import { type ChangeRow, countsOf, rowsOf } from './changes-rows.ts';
import type { Comparison, GitBase } from './git-base.ts';
import type { Pages } from './pages.ts';

const viewId = 'selectorLens.changes';

export class ChangesView implements vscode.TreeDataProvider<ChangeRow>, vscode.Disposable {
  readonly #client: BaseLanguageClient;
  readonly #base: GitBase;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.#changed.event;
  readonly #tree: vscode.TreeView<ChangeRow>;
  readonly #subscriptions: vscode.Disposable[];
  #rows: readonly ChangeRow[] = [];
  /** Whether the view shows a complete response; if not, requests show a progress indicator. */
  #isShown = false;
  #isAsking = false;
  #askAgain = false;

  constructor(client: BaseLanguageClient, base: GitBase) {
    this.#client = client;
    this.#base = base;
    this.#tree = vscode.window.createTreeView(viewId, { treeDataProvider: this, showCollapseAll: true });
    this.#subscriptions = [
      this.#changed,
      this.#tree,
      this.#tree.onDidChangeVisibility(() => this.#update()),
      client.onNotification(changesNotification, () => this.#update()),
      base.onDidCompare((comparison) => {
        this.#become(comparison);
        this.#update();
      }),
    ];
    this.#become(base.comparison);
  }

  /** Sets the title of the view, and selects the welcome text in `package.json` that the empty view shows. */
  #become(comparison: Comparison): void {
    void vscode.commands.executeCommand('setContext', 'selectorLens.changesAre', comparison.kind);
    this.#tree.title = vscode.l10n.t(
      'Changes Since {0}',
      comparison.kind === 'compared' ? withoutMarkup(comparison.name) : 'HEAD',
    );
    if (comparison.kind !== 'compared') this.#show(undefined);
  }

  /** Requests the changes, unless the view is hidden. */
  #update(): void {
    if (!this.#tree.visible || this.#base.comparison.kind !== 'compared') return;
    if (this.#isAsking) this.#askAgain = true;
    else if (this.#isShown) void this.#ask();
    else void this.#withProgress(() => this.#ask());
  }

  async #withProgress(work: () => Promise<void>): Promise<void> {
    await vscode.window.withProgress({ location: { viewId } }, work);
  }

  async #ask(): Promise<void> {
    this.#isAsking = true;
    do {
      this.#askAgain = false;
      try {
        this.#show(await this.#client.sendRequest<Changes>(changesRequest));
      } catch (error) {
        this.#client.debug('The changes since the compared state could not be requested.', error, false);
      }
    } while (this.#askAgain);
    this.#isAsking = false;
  }

  #show(changes: Changes | undefined): void {
    this.#isShown = changes?.complete === true;
    this.#rows = changes === undefined ? [] : rowsOf(changes);
    this.#tree.description = changes === undefined ? '' : countsOf(changes.scopes.flatMap(({ groups }) => groups));
    this.#tree.message = changes === undefined ? '' : messageOf(changes);
    this.#changed.fire();
  }

  getTreeItem({ item }: ChangeRow): vscode.TreeItem {
    return item;
  }

  getChildren(row?: ChangeRow): ChangeRow[] {
    return [...(row === undefined ? this.#rows : row.children)];
  }

  getParent({ parent }: ChangeRow): ChangeRow | undefined {
    return parent;
  }

  /** Reveals the view and moves the focus to it. */
  async show(): Promise<void> {
    await vscode.commands.executeCommand(`${viewId}.focus`);
  }

  /** Reads the git state again, and then requests the changes since that state. */
  async refresh(): Promise<void> {
    await this.#withProgress(async () => {
      await this.#base.refresh();
      if (this.#base.comparison.kind === 'compared') await this.#ask();
    });
  }

  /** Shows what the changes since the compared commit mean. */
  async review(pages: Pages): Promise<void> {
    const { comparison } = this.#base;
    const params: ReviewParams = { base: comparison.kind === 'compared' ? comparison.commit : 'HEAD' };
    const options = { location: vscode.ProgressLocation.Window, title: vscode.l10n.t('Reviewing changes…') };
    const { text, isError } = await vscode.window.withProgress(options, () =>
      this.#client.sendRequest<ToolResult>(reviewRequest, params),
    );
    if (isError) void vscode.window.showInformationMessage(withoutMarkup(text));
    else await pages.show({ title: vscode.l10n.t('Review'), markdown: text });
  }

  dispose(): void {
    vscode.Disposable.from(...this.#subscriptions).dispose();
  }
}

function messageOf({ base, complete, problems, scopes }: Changes): string {
  if (!complete) return vscode.l10n.t('Comparing manifests…');
  if (problems.length > 0) return problems.join(' ');
  if (base === null) return '';
  return scopes.length === 0
    ? vscode.l10n.t('No match is lost or gained since {0}, and no object must be recreated.', base)
    : '';
}
