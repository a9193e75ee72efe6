/** Adopts recommended labels: the user chooses a stage, the server plans and proves the edits, and the editor shows them before they are made. */
import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import { type Adopted, type AdoptParams, adoptCommand, withoutMarkup } from '../../server/src/protocol.ts';

interface Stage extends vscode.QuickPickItem {
  readonly params: AdoptParams;
}

export async function adoptLabels(client: BaseLanguageClient): Promise<void> {
  const chosen = await vscode.window.showQuickPick(stages(), {
    title: vscode.l10n.t('Adopt Recommended Labels'),
    placeHolder: vscode.l10n.t('A preview lists all changes: check those that you want.'),
  });
  if (chosen === undefined) return;
  try {
    const title = vscode.l10n.t('Planning the adoption of labels');
    const done = await vscode.window.withProgress({ location: vscode.ProgressLocation.Window, title }, () =>
      client.sendRequest<Adopted | null>('workspace/executeCommand', {
        command: adoptCommand,
        arguments: [chosen.params],
      }),
    );
    if (done === null) return;
    const text = withoutMarkup(result(done));
    if (text !== '') void vscode.window.showInformationMessage(text);
  } catch (error) {
    void vscode.window.showErrorMessage(withoutMarkup(error instanceof Error ? error.message : String(error)));
  }
}

function stages(): readonly Stage[] {
  return [
    {
      label: vscode.l10n.t('Stage 1: add labels to objects'),
      detail: vscode.l10n.t('No pod restarts.'),
      params: { stage: 1, templates: false },
    },
    {
      label: vscode.l10n.t('Stage 1: add labels to objects and pod templates'),
      detail: vscode.l10n.t('The pods of the changed workloads are replaced.'),
      params: { stage: 1, templates: true },
    },
    {
      label: vscode.l10n.t('Stage 2: move selectors to the labels'),
      detail: vscode.l10n.t('After stage 1 has been applied to the cluster.'),
      params: { stage: 2, templates: false },
    },
  ];
}

/** The maximum number of reasons in a notification. */
const mostReasons = 3;

function result({ applied, proof, left, reasons }: Adopted): string {
  const proven = applied ? proof : [];
  if (left === 0) return proven.join(' ');
  const more = left > mostReasons ? vscode.l10n.t(' And {0} more.', left - mostReasons) : '';
  const unchanged = vscode.l10n.t('Not changed: {0}{1}', reasons.slice(0, mostReasons).join(' '), more);
  return [...proven, unchanged].join(' ');
}
