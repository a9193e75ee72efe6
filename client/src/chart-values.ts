/** The values file with which the chart of a file is evaluated. VS Code's language status shows the file and lets the user choose another one; the choices are stored for the workspace. */
import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import {
  type ChosenValues,
  chosenValuesNotification,
  type InitializationOptions,
  type ValuesFiles,
  valuesFilesRequest,
} from '../../server/src/protocol.ts';
import { activeManifest } from './active-manifest.ts';
import { commands } from './commands.ts';
import { languages } from './languages.ts';

const valuesKey = 'chosenValues';

export class ChartValuesStatus implements vscode.Disposable {
  readonly #client: BaseLanguageClient;
  readonly #memory: vscode.Memento;
  readonly #followed: vscode.Disposable;
  #item: vscode.LanguageStatusItem | undefined;

  constructor(client: BaseLanguageClient, memory: vscode.Memento) {
    this.#client = client;
    this.#memory = memory;
    this.#followed = vscode.window.onDidChangeActiveTextEditor(() => this.refresh());
  }

  /** Requests the values files of the active file again. Hides the status item if there are none. */
  async refresh(): Promise<void> {
    const found = await this.#valuesFiles();
    if (found === undefined || found.files.length === 0) {
      this.#item?.dispose();
      this.#item = undefined;
      return;
    }
    const selector = languages.map((language) => ({ language }));
    this.#item ??= vscode.languages.createLanguageStatusItem('selectorLens.values', selector);
    this.#item.name = vscode.l10n.t('Selector Lens: values of the chart');
    const chosen = found.files.find(({ uri }) => uri === found.chosen);
    this.#item.text = chosen === undefined ? vscode.l10n.t('Values: all') : vscode.l10n.t('Values: {0}', chosen.name);
    this.#item.detail = vscode.l10n.t('chart {0}', found.chart);
    this.#item.command = { command: commands.chooseValues, title: 'Choose' };
  }

  /** Lets the user choose the values file with which the chart of the active file is evaluated. */
  async choose(): Promise<void> {
    const found = await this.#valuesFiles();
    if (found === undefined || found.files.length === 0) {
      void vscode.window.showInformationMessage(
        found === undefined
          ? vscode.l10n.t('Open a file of a Helm chart that no GitOps object installs to choose its values.')
          : vscode.l10n.t('There is no values file in the folder of the chart {0}.', found.chart),
      );
      return;
    }
    const { chart, files, chosen } = found;
    const now = vscode.l10n.t('now');
    const all = {
      label: vscode.l10n.t('All Values'),
      description: chosen === undefined ? now : '',
      detail: vscode.l10n.t('Only what holds for all values that a user of the chart may set is certain.'),
      uri: undefined,
    };
    const items = [
      all,
      ...files.map(({ name, uri }) => ({ label: name, description: uri === chosen ? now : '', detail: '', uri })),
    ];
    const title = vscode.l10n.t('Which values should the chart {0} be evaluated with?', chart);
    const picked = await vscode.window.showQuickPick(items, { title });
    if (picked === undefined || picked.uri === chosen) return;
    const others = chosenIn(this.#memory).filter((uri) => uri !== chosen);
    const chosenNow: ChosenValues = { files: picked.uri === undefined ? others : [...others, picked.uri] };
    await this.#memory.update(valuesKey, chosenNow.files);
    // The server notifies the client after it has evaluated the charts again.
    await this.#client.sendNotification(chosenValuesNotification, chosenNow);
  }

  async #valuesFiles(): Promise<ValuesFiles | undefined> {
    const document = activeManifest()?.document;
    if (document === undefined || !this.#client.isRunning()) return undefined;
    const textDocument = { uri: this.#client.code2ProtocolConverter.asUri(document.uri) };
    try {
      return (await this.#client.sendRequest<ValuesFiles | null>(valuesFilesRequest, { textDocument })) ?? undefined;
    } catch (error) {
      this.#client.debug('The request for the values files of a chart failed.', error, false);
      return undefined;
    }
  }

  dispose(): void {
    this.#followed.dispose();
    this.#item?.dispose();
  }
}

/** Returns the values files that were chosen in an earlier session, to pass to the server when it starts. */
export function rememberedValues(memory: vscode.Memento): Pick<InitializationOptions, 'chosenValues'> {
  return { chosenValues: chosenIn(memory) };
}

function chosenIn(memory: vscode.Memento): readonly string[] {
  return memory.get<readonly string[]>(valuesKey) ?? [];
}
