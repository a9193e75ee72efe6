/** The command "Who Can Reach a Workload?": asks for a workload and for its sources, and opens a page that says what network policies decide between them. */
import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import { type ReachResult, reachRequest, withoutMarkup } from '../../server/src/protocol.ts';
import { nearestManifest } from './active-manifest.ts';
import type { Pages } from './pages.ts';

export async function canReach(client: BaseLanguageClient, pages: Pages): Promise<void> {
  const manifest = nearestManifest();
  const { asUri, asPosition } = client.code2ProtocolConverter;
  const place = manifest && {
    textDocument: { uri: asUri(manifest.document.uri) },
    position: asPosition(manifest.selection?.active ?? new vscode.Position(0, 0)),
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
  const workloads = itemsOf(found, found.workloads);
  const placeHolder = vscode.l10n.t('Workloads that are applied with {0}', withoutMarkup(found.scope));
  const to = await vscode.window.showQuickPick(workloads, { title: vscode.l10n.t('Who can reach…'), placeHolder });
  if (to === undefined) return;
  const all = { label: vscode.l10n.t('All workloads'), description: vscode.l10n.t('and addresses'), name: undefined };
  const sources = [all, ...itemsOf(found, found.workloads).filter(({ name }) => name !== to.name)];
  const title = vscode.l10n.t('Who can reach {0}: from which workload?', to.label);
  const from = await vscode.window.showQuickPick(sources, { title, placeHolder });
  if (from === undefined) return;
  const page = (await ask({ to: to.name, ...(from.name !== undefined && { from: from.name }) }))?.page;
  if (page === undefined) void vscode.window.showInformationMessage(vscode.l10n.t('The workloads have changed.'));
  else await pages.show(page);
}

/** Returns items for workloads; the one at the cursor comes first. */
function itemsOf({ here }: ReachResult, workloads: readonly string[]) {
  const sorted = workloads.toSorted((a, b) => Number(b === here) - Number(a === here));
  return sorted.map((name) => ({
    label: withoutMarkup(name),
    description: name === here ? vscode.l10n.t('at the cursor') : '',
    name,
  }));
}
