/** The perspective: through which overlay, and with which values, the active file is seen. An item in the status bar names it and lets the user choose another one; the choices are stored for the workspace. */
import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import {
  type ChosenPerspective,
  choosePerspectiveNotification,
  type InitializationOptions,
  type PerspectiveResult,
  type PerspectiveScope,
  perspectiveRequest,
  type ValuesFiles,
  withoutMarkup,
} from '../../server/src/protocol.ts';
import { activeManifest } from './active-manifest.ts';
import { commands } from './commands.ts';

const chosenKey = 'perspective';

/** What the user picks: a scope, a values file, or no values file. */
interface Choice extends vscode.QuickPickItem {
  readonly path?: string;
  readonly values?: { readonly uri?: string };
}

export class PerspectiveStatus implements vscode.Disposable {
  readonly #client: BaseLanguageClient;
  readonly #memory: vscode.Memento;
  readonly #changed: () => void;
  readonly #bar = vscode.window.createStatusBarItem('selectorLens.perspective', vscode.StatusBarAlignment.Left, -2);
  readonly #followed: vscode.Disposable;

  /** `changed` is called after the user has chosen a different perspective. */
  constructor(client: BaseLanguageClient, memory: vscode.Memento, changed: () => void) {
    this.#client = client;
    this.#memory = memory;
    this.#changed = changed;
    this.#followed = vscode.window.onDidChangeActiveTextEditor(() => this.refresh());
    this.#bar.name = vscode.l10n.t('Selector Lens: overlay and values');
    this.#bar.command = commands.choosePerspective;
  }

  /** Requests the perspective of the active file again. Hides the item if there is nothing to choose. */
  async refresh(): Promise<void> {
    const { scopes = [], values } = (await this.#perspective(activeManifest()?.document.uri)) ?? {};
    const [lead] = scopes;
    const parts = [
      ...(lead === undefined ? [] : [vscode.l10n.t('Overlay: {0}', withoutMarkup(lead.name))]),
      ...(values === undefined ? [] : [vscode.l10n.t('Values: {0}', withoutMarkup(chosenName(values)))]),
    ];
    if (parts.length === 0) {
      this.#bar.hide();
      return;
    }
    this.#bar.text = `$(layers) ${parts.join(', ')}`;
    const count = scopes.length > 1 ? vscode.l10n.t('{0} overlays apply this file.', scopes.length) : '';
    this.#bar.tooltip = `${count} ${vscode.l10n.t('Choose through which overlay and values it is seen.')}`.trim();
    this.#bar.accessibilityInformation = { label: parts.join(', '), role: 'button' };
    this.#bar.show();
  }

  /**
   * Chooses the scope whose path `argument` contains (`{ path }`); for any other argument, lets the user choose a scope or
   * a values file. `document` is the active manifest unless it is given.
   */
  async choose(argument?: unknown, document = activeManifest()?.document.uri): Promise<void> {
    const found = await this.#perspective(document);
    const path = pathOf(argument);
    const choice: Pick<Choice, 'path' | 'values'> | undefined = path === undefined ? await ask(found) : { path };
    if (choice === undefined) return;
    const before = chosenIn(this.#memory);
    const alternatives = new Set(found?.scopes.map((scope) => scope.path));
    const files = new Set(found?.values?.files.map(({ uri }) => uri));
    const chosen: ChosenPerspective = {
      scopes: choice.path === undefined ? before.scopes : replaced(before.scopes, alternatives, choice.path),
      values: choice.values === undefined ? before.values : replaced(before.values, files, choice.values.uri),
    };
    await this.#memory.update(chosenKey, chosen);
    await this.#client.sendNotification(choosePerspectiveNotification, chosen);
    await this.refresh();
    this.#changed();
  }

  async #perspective(document: vscode.Uri | undefined): Promise<PerspectiveResult | undefined> {
    if (document === undefined || !this.#client.isRunning()) return undefined;
    const textDocument = { uri: this.#client.code2ProtocolConverter.asUri(document) };
    try {
      return (
        (await this.#client.sendRequest<PerspectiveResult | null>(perspectiveRequest, { textDocument })) ?? undefined
      );
    } catch (error) {
      this.#client.debug('The request for the perspective of a file failed.', error, false);
      return undefined;
    }
  }

  dispose(): void {
    this.#followed.dispose();
    this.#bar.dispose();
  }
}

/** Returns what was chosen in an earlier session, to pass to the server when it starts. */
export function rememberedPerspective(memory: vscode.Memento): Pick<InitializationOptions, 'perspective'> {
  return { perspective: chosenIn(memory) };
}

function chosenIn(memory: vscode.Memento): ChosenPerspective {
  return memory.get<ChosenPerspective>(chosenKey) ?? { scopes: [], values: [] };
}

/** Returns the choices with `chosen`, the latest one, instead of its alternatives. */
function replaced(all: readonly string[], alternatives: ReadonlySet<string>, chosen?: string): readonly string[] {
  return [
    ...(chosen === undefined ? [] : [chosen]),
    ...all.filter((each) => each !== chosen && !alternatives.has(each)),
  ];
}

async function ask(found: PerspectiveResult | undefined): Promise<Choice | undefined> {
  if (found === undefined) {
    void vscode.window.showInformationMessage(
      activeManifest() === undefined
        ? vscode.l10n.t('Open a manifest of several overlays, or a file of a chart, to choose how it is evaluated.')
        : vscode.l10n.t('This file belongs to at most one overlay, and to no chart with values files.'),
    );
    return undefined;
  }
  const { scopes, values } = found;
  const items: readonly Choice[] = [
    ...(scopes.length > 0 ? [separator(vscode.l10n.t('Overlays'))] : []),
    ...scopes.map(scopeChoice),
    ...(values === undefined ? [] : [separator(vscode.l10n.t('Values of the chart {0}', values.chart))]),
    ...(values === undefined ? [] : valuesChoices(values)),
  ];
  return vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('How should this file be evaluated?'),
    matchOnDescription: true,
  });
}

function separator(label: string): Choice {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}

function scopeChoice({ name, path, objects, appliedBy }: PerspectiveScope, index: number): Choice {
  const parts = [
    ...(index === 0 ? [vscode.l10n.t('now')] : []),
    objects === 1 ? vscode.l10n.t('1 object') : vscode.l10n.t('{0} objects', objects),
    ...(appliedBy === undefined ? [] : [vscode.l10n.t('applied by {0}', withoutMarkup(appliedBy))]),
  ];
  return { label: withoutMarkup(name), description: parts.join(', '), path };
}

function valuesChoices({ files, chosen }: ValuesFiles): readonly Choice[] {
  const now = vscode.l10n.t('now');
  return [
    {
      label: vscode.l10n.t('Default Values'),
      description: chosen === undefined ? now : '',
      detail: vscode.l10n.t('The chart is executed with the values in its values.yaml.'),
      values: {},
    },
    ...files.map(({ name, uri }) => ({
      label: withoutMarkup(name),
      description: uri === chosen ? now : '',
      values: { uri },
    })),
  ];
}

function chosenName({ files, chosen }: ValuesFiles): string {
  return files.find(({ uri }) => uri === chosen)?.name ?? vscode.l10n.t('default');
}

function pathOf(argument: unknown): string | undefined {
  const path = typeof argument === 'object' && argument !== null && 'path' in argument ? argument.path : undefined;
  return typeof path === 'string' ? path : undefined;
}
