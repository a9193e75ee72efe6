/** Offers a plan in stages for the rename of a label key whose workloads must be recreated. */

import { MessageType, ShowMessageRequest, type ShowMessageRequestParams } from 'vscode-languageserver';
import type { Refused } from '../features/rename/annotated-edits.ts';
import type { Renamed } from '../features/rename/rename.ts';
import { localize } from '../text/localize.ts';
import type { FileSource } from '../workspace/live/load.ts';
import { plannedEdits } from './adoption.ts';
import type { RequestContext } from './request-helpers.ts';
import { shownText } from './shown-text.ts';
import type { NotedEdits } from './workspace-edit.ts';

type Context = RequestContext & { readonly source: FileSource };

/** Asks the user how to rename a label key if workloads must be recreated for it. Returns the rename itself if no question is needed or possible, other edits, the reason why there are none, or undefined if the user canceled. */
export async function chosenPlan(
  context: Context,
  renamed: Renamed,
  to: string,
): Promise<Renamed | NotedEdits | Refused | undefined> {
  const { recreated } = renamed;
  if (recreated === undefined || !context.abilities.choosesActions) return renamed;
  const { key, workloads } = recreated;
  const all = { title: localize`Rename All` };
  const inStages = { title: localize`Plan in Stages` };
  const each = { title: localize`Choose Each Change` };
  const message = localize`${countsOf(workloads)} must be recreated: selectors of workloads are immutable.`;
  const params: ShowMessageRequestParams = {
    type: MessageType.Warning,
    message: shownText(message),
    actions: [all, inStages, each],
  };
  const chosen = await context.connection.sendRequest(ShowMessageRequest.type, params).catch(() => each);
  if (chosen?.title === each.title) return confirmed(renamed);
  if (chosen?.title === inStages.title) return plannedInStages(context, renamed, key, to);
  return chosen?.title === all.title ? { ...renamed } : undefined;
}

/** Counts workloads by kind: `13 Deployments and 1 StatefulSet`. */
function countsOf(workloads: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const name of workloads) {
    const kind = name.slice(0, name.indexOf('/'));
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  const shown = [...counts].map(([kind, count]) => `${count} ${kind}${count === 1 ? '' : 's'}`);
  const last = shown.pop() ?? '';
  return shown.length === 0 ? last : localize`${shown.join(', ')} and ${last}`;
}

/** Returns the edits with a confirmation for each of them. */
function confirmed({ edits, notes }: Renamed): NotedEdits {
  const all = Object.entries(notes).map(([look, note]) => [look, { ...note, needsConfirmation: true }] as const);
  return { edits, notes: Object.fromEntries(all) };
}

/** Returns the edits of stage 1, which adds the new label beside the old one. */
async function plannedInStages(
  context: Context,
  { edits }: Renamed,
  key: string,
  to: string,
): Promise<NotedEdits | Refused> {
  const options = { keys: [to], replaced: { [to]: [key] }, isWanted: (uri: string) => edits.has(uri) };
  const planned = await plannedEdits(context, { ...options, stage: 1, templates: true });
  return planned ?? { refused: localize`no label can be added without changing a match` };
}

/** Returns the edits of stage 2, which moves selectors to a label that objects have beside the renamed one; undefined if no selector can be moved, or the client shows no preview. */
export async function movedSelectors(
  context: Context,
  { besideKey }: Refused,
  to: string,
): Promise<NotedEdits | undefined> {
  if (besideKey === undefined || !context.abilities.changeAnnotations) return undefined;
  const options = { keys: [to], replaced: { [to]: [besideKey] }, isWanted: () => true };
  return plannedEdits(context, { ...options, stage: 2, templates: false });
}
