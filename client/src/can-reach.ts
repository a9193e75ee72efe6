/** The command "Can A Reach B?": asks for two workloads, and opens a page that says what network policies decide between them. */
import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import { type ReachResult, reachRequest, withoutMarkup } from '../../server/src/protocol.ts';
import { activeManifest } from './active-manifest.ts';
import type { Pages } from './pages.ts';

export async function canReach(client: BaseLanguageClient, pages: Pages): Promise<void> {
  const editor = activeManifest();
  const { asUri, asPosition } = client.code2ProtocolConverter;
  const place = editor && {
    textDocument: { uri: asUri(editor.document.uri) },
    position: asPosition(editor.selection.active),
  };
  const ask = async (ends: { readonly from?: string; readonly to?: string }) =>
    place && ((await client.sendRequest<ReachResult | null>(reachRequest, { ...place, ...ends })) ?? undefined);
  const found = await ask({});
  if (found === undefined || found.workloads.length < 2) {
    void vscode.window.showInformationMessage(
      found === undefined
        ? vscode.l10n.t('Open a manifest to select two of the workloads that are applied with it.')
        : vscode.l10n.t('There are fewer than two workloads in {0}.', withoutMarkup(found.scope)),
    );
    return;
  }
  const from = await pick(vscode.l10n.t('From which workload?'), found, found.workloads, found.here);
  if (from === undefined) return;
  const others = found.workloads.filter((each) => each !== from);
  const to = await pick(vscode.l10n.t('Can {0} reach…', from), found, others, found.here);
  if (to === undefined) return;
  const page = (await ask({ from, to }))?.page;
  if (page === undefined) void vscode.window.showInformationMessage(vscode.l10n.t('The workloads have changed.'));
  else await pages.show(page);
}

/** Lets the user pick a workload; the one at the cursor comes first. */
async function pick(
  title: string,
  { scope }: ReachResult,
  workloads: readonly string[],
  here: string | undefined,
): Promise<string | undefined> {
  const sorted = workloads.toSorted((a, b) => Number(b === here) - Number(a === here));
  const items = sorted.map((name) => ({
    label: withoutMarkup(name),
    description: name === here ? vscode.l10n.t('at the cursor') : '',
    name,
  }));
  const placeHolder = vscode.l10n.t('Workloads in {0}', withoutMarkup(scope));
  return (await vscode.window.showQuickPick(items, { title: withoutMarkup(title), placeHolder }))?.name;
}
