/** The active scope: the overlay in which a file is evaluated if it belongs to several. VS Code's language status shows the scope and lets the user change it; the choice is stored for the workspace. */
import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import {
  type ActiveScope,
  activeScopeNotification,
  type InitializationOptions,
  type ScopesResult,
  scopesRequest,
  withoutMarkup,
} from '../../server/src/protocol.ts';
import { activeManifest } from './active-manifest.ts';
import { commands } from './commands.ts';
import { languages } from './languages.ts';

const scopeKey = 'activeScope';

export class ActiveScopeStatus implements vscode.Disposable {
  readonly #client: BaseLanguageClient;
  readonly #memory: vscode.Memento;
  readonly #changed: () => void;
  readonly #followed: vscode.Disposable;
  #item: vscode.LanguageStatusItem | undefined;

  /** `changed` is called after the user has selected a different scope. */
  constructor(client: BaseLanguageClient, memory: vscode.Memento, changed: () => void) {
    this.#client = client;
    this.#memory = memory;
    this.#changed = changed;
    this.#followed = vscode.window.onDidChangeActiveTextEditor(() => this.refresh());
  }

  /**
   * Requests the scopes of the active file again. Hides the status item if there are fewer than two scopes to choose
   * from.
   */
  async refresh(): Promise<void> {
    const scopes = await this.#scopes();
    const [lead] = scopes;
    if (lead === undefined) {
      this.#item?.dispose();
      this.#item = undefined;
      return;
    }
    const selector = languages.map((language) => ({ language }));
    this.#item ??= vscode.languages.createLanguageStatusItem('selectorLens.scope', selector);
    this.#item.name = vscode.l10n.t('Selector Lens: scope');
    this.#item.text = vscode.l10n.t('Overlay: {0}', withoutMarkup(lead.name));
    this.#item.detail = vscode.l10n.t('1 of {0}', scopes.length);
    this.#item.command = { command: commands.chooseScope, title: 'Choose' };
  }

  /**
   * Selects the scope whose path `argument` contains (`{ path }`); for any other argument, lets the user select a
   * scope.
   */
  async choose(argument?: unknown): Promise<void> {
    const path = pathOf(argument) ?? (await this.#ask());
    if (path === undefined) return;
    await this.#memory.update(scopeKey, path);
    const chosen: ActiveScope = { path };
    await this.#client.sendNotification(activeScopeNotification, chosen);
    await this.refresh();
    this.#changed();
  }

  async #ask(): Promise<string | undefined> {
    const scopes = await this.#scopes();
    if (scopes.length === 0) {
      void vscode.window.showInformationMessage(
        activeManifest() === undefined
          ? vscode.l10n.t('Open a manifest that belongs to several overlays to select one of them.')
          : vscode.l10n.t('This file belongs to one overlay only.'),
      );
      return undefined;
    }
    const items = scopes.map(({ name, path }, index) => ({
      label: withoutMarkup(name),
      description: index === 0 ? 'now' : '',
      path,
    }));
    const title = vscode.l10n.t('Which overlay should this file be evaluated in?');
    return (await vscode.window.showQuickPick(items, { title }))?.path;
  }

  async #scopes(): Promise<ScopesResult> {
    const document = activeManifest()?.document;
    if (document === undefined || !this.#client.isRunning()) return [];
    const textDocument = { uri: this.#client.code2ProtocolConverter.asUri(document.uri) };
    try {
      return await this.#client.sendRequest<ScopesResult>(scopesRequest, { textDocument });
    } catch (error) {
      this.#client.debug('The request for the scopes of a file failed.', error, false);
      return [];
    }
  }

  dispose(): void {
    this.#followed.dispose();
    this.#item?.dispose();
  }
}

/** Returns the scope that was selected in an earlier session, to pass to the server when it starts. */
export function rememberedScope(memory: vscode.Memento): Pick<InitializationOptions, 'activeScope'> {
  const activeScope = memory.get<string>(scopeKey);
  return activeScope === undefined ? {} : { activeScope };
}

function pathOf(argument: unknown): string | undefined {
  const path = typeof argument === 'object' && argument !== null && 'path' in argument ? argument.path : undefined;
  return typeof path === 'string' ? path : undefined;
}
