/** The status of the index, as the language status of an open manifest and as an item of the status bar: the progress, the number of indexed objects and files, and the number of problems. */
import * as vscode from 'vscode';
import { type Ready, type SyntaxErrorAt, withoutMarkup } from '../../server/src/protocol.ts';
import { commands } from './commands.ts';
import { isOurs } from './get-started.ts';
import { commandLanguages, languages } from './languages.ts';

const showLog: vscode.Command = { command: commands.showLog, title: vscode.l10n.t('Show Log') };
const reindex: vscode.Command = { command: commands.reindex, title: vscode.l10n.t('Reindex') };

export class IndexStatus implements vscode.Disposable {
  readonly #item = vscode.languages.createLanguageStatusItem(
    'selectorLens.index',
    [...languages, ...Object.values(commandLanguages).flat()].map((language) => ({ language })),
  );
  readonly #bar = vscode.window.createStatusBarItem('selectorLens.status', vscode.StatusBarAlignment.Left, -1);
  readonly #changed = new vscode.EventEmitter<void>();
  /** Fires when the summary may have changed. */
  readonly onDidChange = this.#changed.event;
  readonly #events = vscode.Disposable.from(
    vscode.languages.onDidChangeDiagnostics(() => this.#showMessage()),
    vscode.window.onDidChangeActiveTextEditor(() => this.#showMessage()),
  );
  /** The line and column of the syntax error in each open document that has one, such as `4:7`, by URI. */
  readonly #syntaxErrors = new Map<string, string>();
  #ready: Ready | undefined;
  /** The name of the git state with which manifests are compared. */
  #compared: string | undefined;

  constructor() {
    this.#item.name = 'Selector Lens';
    this.#bar.name = 'Selector Lens';
    this.#bar.command = commands.showCommands;
    this.busy();
  }

  /**
   * A summary of the index, such as `754 objects in 574 files, 12 problems in open files`; empty while indexing, or
   * without manifests.
   */
  get summary(): string {
    if (this.#ready === undefined || this.#ready.objects === 0) return '';
    const { objects, files } = this.#ready;
    const indexed = vscode.l10n.t('{0} in {1}', count(objects, 'object'), count(files, 'file'));
    return vscode.l10n.t('{0}, {1}', indexed, problemsText());
  }

  /** Shows that indexing is in progress; `percentage` is undefined if the progress is unknown. */
  busy(percentage?: number): void {
    this.#ready = undefined;
    this.#item.busy = true;
    this.#item.text = vscode.l10n.t('Selector Lens: indexing manifests');
    this.#item.detail = percentage === undefined ? '' : `${percentage} %`;
    this.#item.severity = vscode.LanguageStatusSeverity.Information;
    this.#item.command = showLog;
    this.#bar.text = `$(loading~spin) Selector Lens${percentage === undefined ? '' : ` ${percentage} %`}`;
    this.#bar.tooltip = this.#item.text;
    this.#bar.accessibilityInformation = undefined;
    this.#bar.show();
  }

  ready(ready: Ready): void {
    this.#ready = ready;
    this.#showMessage();
  }

  syntaxError({ uri, position }: SyntaxErrorAt): void {
    const known = vscode.Uri.parse(uri).toString();
    if (position === undefined) this.#syntaxErrors.delete(known);
    else this.#syntaxErrors.set(known, `${position.line + 1}:${position.character + 1}`);
    this.#showMessage();
  }

  /** Shows the name of the git state with which manifests are compared; undefined if they are not compared. */
  compared(name: string | undefined): void {
    this.#compared = name;
    this.#showMessage();
  }

  #showMessage(): void {
    if (this.#ready === undefined) return;
    const active = vscode.window.activeTextEditor?.document.uri.toString();
    const syntaxError = active === undefined ? undefined : this.#syntaxErrors.get(active);
    const { files, objects, skipped } = this.#ready;
    this.#item.busy = false;
    this.#item.text =
      syntaxError === undefined
        ? vscode.l10n.t('Selector Lens: {0}', count(objects, 'object'))
        : vscode.l10n.t('YAML syntax error at {0}', syntaxError);
    this.#item.detail = [
      vscode.l10n.t('in {0}', count(files, 'file')),
      ...(countProblems() > 0 ? [problemsText()] : []),
      ...(skipped > 0 ? [vscode.l10n.t('{0} skipped', count(skipped, 'file'))] : []),
      this.#compared === undefined
        ? vscode.l10n.t('not compared with git')
        : vscode.l10n.t('compared with {0}', withoutMarkup(this.#compared)),
    ].join(', ');
    this.#item.severity =
      skipped > 0 || syntaxError !== undefined
        ? vscode.LanguageStatusSeverity.Warning
        : vscode.LanguageStatusSeverity.Information;
    this.#showBar();
    // The log lists the skipped files.
    this.#item.command = skipped > 0 ? showLog : reindex;
  }

  #showBar(): void {
    const { summary } = this;
    if (summary === '') this.#bar.hide();
    else {
      this.#bar.text = `$(tag) ${summary}`;
      this.#bar.tooltip = vscode.l10n.t('Selector Lens: show all commands');
      this.#bar.accessibilityInformation = { label: vscode.l10n.t('Kubernetes manifests: {0}', summary) };
      this.#bar.show();
    }
    this.#changed.fire();
  }

  stopped(): void {
    this.#bar.text = `$(error) ${vscode.l10n.t('Selector Lens is not running')}`;
    this.#bar.tooltip = vscode.l10n.t('Selector Lens: show all commands');
    this.#bar.accessibilityInformation = { label: vscode.l10n.t('Selector Lens is not running') };
    this.#bar.show();
    this.#ready = undefined;
    this.#syntaxErrors.clear();
    this.#item.busy = false;
    this.#item.text = vscode.l10n.t('Selector Lens is not running');
    this.#item.detail = '';
    this.#item.severity = vscode.LanguageStatusSeverity.Error;
    this.#item.command = { command: commands.restartServer, title: vscode.l10n.t('Restart Server') };
  }

  dispose(): void {
    vscode.Disposable.from(this.#events, this.#item, this.#bar, this.#changed).dispose();
  }
}

/** Counts the diagnostics of this extension in open documents, or in all files if the user enabled this. */
function countProblems(): number {
  const all = vscode.languages.getDiagnostics().flatMap(([, diagnostics]) => diagnostics);
  return all.filter(isOurs).length;
}

/** States where the problems are, because those of closed files are unknown by default. */
function problemsText(): string {
  const problems = count(countProblems(), 'problem');
  const where = vscode.workspace.getConfiguration('selectorLens').get('problems');
  return where === 'workspace' ? problems : vscode.l10n.t('{0} in open files', problems);
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
