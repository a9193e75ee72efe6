/** What did the server read? Shown in the language status of an open manifest. */
import * as vscode from 'vscode';
import type { Ready } from '../../server/src/protocol.ts';
import { commands } from './commands.ts';
import { languages } from './languages.ts';

const showLog: vscode.Command = { command: commands.showLog, title: 'Show Log' };

export class IndexStatus implements vscode.Disposable {
  readonly #item = vscode.languages.createLanguageStatusItem(
    'selectorLens.index',
    languages.map((language) => ({ language })),
  );

  constructor() {
    this.#item.name = 'Selector Lens';
    this.busy();
  }

  busy(): void {
    this.#item.busy = true;
    this.#item.text = 'Selector Lens: reading manifests';
    this.#item.detail = '';
    this.#item.severity = vscode.LanguageStatusSeverity.Information;
    this.#item.command = showLog;
  }

  ready({ files, objects, skipped }: Ready): void {
    this.#item.busy = false;
    this.#item.text = `Selector Lens: ${count(objects, 'object')}`;
    this.#item.detail = `in ${count(files, 'file')}${skipped > 0 ? `, ${count(skipped, 'file')} skipped` : ''}`;
    this.#item.severity =
      skipped > 0 ? vscode.LanguageStatusSeverity.Warning : vscode.LanguageStatusSeverity.Information;
  }

  stopped(): void {
    this.#item.busy = false;
    this.#item.text = 'Selector Lens is not running';
    this.#item.detail = '';
    this.#item.severity = vscode.LanguageStatusSeverity.Error;
    this.#item.command = { command: commands.restartServer, title: 'Restart Server' };
  }

  dispose(): void {
    this.#item.dispose();
  }
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
