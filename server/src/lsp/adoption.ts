/** Provides the command that adopts recommended labels: plans the edits, proves them, and asks the editor to apply them after a preview. */

import type { ResponseError } from 'vscode-languageserver';
import type { AdoptionOptions, AdoptionPlan, EvaluateTexts } from '../features/adoption/model.ts';
import { planAdoption } from '../features/adoption/plan-adoption.ts';
import { proofSentences } from '../features/adoption/proof-sentences.ts';
import type { Adopted, AdoptParams } from '../protocol.ts';
import type { Edit } from '../text/edit.ts';
import { localize } from '../text/localize.ts';
import type { FileSource } from '../workspace/live/load.ts';
import { withTexts } from '../workspace/live/with-texts.ts';
import { everyCluster } from '../workspace/scopes/model.ts';
import { refusal } from './refusal.ts';
import type { RequestContext } from './request-helpers.ts';
import { type NotedEdits, toWorkspaceEdit } from './workspace-edit.ts';

type AdoptionContext = RequestContext & { readonly source: FileSource };

/** Plans the adoption, and asks the editor to apply the edits; the user confirms them in a preview, as for a rename. */
export async function adoptLabels(
  context: AdoptionContext,
  params: AdoptParams,
): Promise<Adopted | ResponseError<void>> {
  const { connection, session } = context;
  const before = session.snapshot();
  const plan = await planOf(context, params, () => true);
  const reasons = [...plan.left, ...plan.immutable].map(({ name, reason }) => `${name}: ${reason}`);
  const isNothing = plan.files.length === 0;
  if (isNothing && reasons.length === 0)
    return refusal(
      params.stage === 1 ? localize`there are no labels to add` : localize`there are no selectors to move`,
    );
  if (session.snapshot() !== before) return refusal(localize`the files have changed in the meantime`);
  const proof = isNothing ? [] : proofSentences(plan);
  if (isNothing) return { applied: false, objects: 0, left: reasons.length, reasons, proof };
  const edit = toWorkspaceEdit(context, editsOf(plan));
  const { applied } = await connection.workspace.applyEdit({ label: labelOf(plan), edit });
  return { applied, objects: plan.proof.objects, left: reasons.length, reasons, proof };
}

/** Returns the edits of a plan for some files, with the proof as the reason to confirm them; undefined if there are none. */
export async function plannedEdits(
  context: AdoptionContext,
  { isWanted, ...options }: AdoptionOptions & { isWanted(uri: string): boolean },
): Promise<NotedEdits | undefined> {
  const plan = await planOf(context, options, isWanted);
  return plan.files.length === 0 ? undefined : editsOf(plan);
}

function editsOf(plan: AdoptionPlan): NotedEdits {
  const edits = plan.files.map(({ uri, edits: inFile }) => [uri, lookOf(inFile)] as const);
  const description = proofSentences(plan).join(' ');
  return { edits: new Map(edits), notes: { adopt: { label: labelOf(plan), description, needsConfirmation: true } } };
}

function lookOf(edits: readonly Edit[]): readonly (Edit & { readonly look: string })[] {
  return edits.toSorted((a, b) => a.span.start - b.span.start).map((edit) => ({ ...edit, look: 'adopt' }));
}

function labelOf({ stage, changes }: AdoptionPlan): string {
  const keys = [...new Set(changes.flatMap(({ labels }) => labels.map(([key]) => key)))];
  const [only, ...others] = keys;
  if (only !== undefined && others.length === 0)
    return stage === 1 ? localize`Stage 1: add the label ${only}` : localize`Stage 2: move selectors to ${only}`;
  return stage === 1
    ? localize`Stage 1: add the recommended labels`
    : localize`Stage 2: move selectors to the recommended labels`;
}

async function planOf(
  context: AdoptionContext,
  { stage, templates, ...rest }: AdoptionOptions,
  isWanted: (uri: string) => boolean,
): Promise<AdoptionPlan> {
  const { session } = context;
  const texts = await textsOfFiles(context);
  const options = { ...rest, stage, templates: stage === 1 && templates };
  const side = {
    workspace: session.snapshot(),
    catalogueOf: (uri: string) => session.workspace.catalogueOf(uri),
    textOf: (uri: string) => texts.get(uri),
  };
  return planAdoption({ side, isWanted: ({ file }) => isWanted(file.uri) }, options, evaluatorOf(context, texts));
}

/** The number of files that are read at once. */
const filesAtOnce = 200;

/** Returns the texts of all files, as they are in the editor or on disk. */
async function textsOfFiles({ session, source }: AdoptionContext): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  const closed: string[] = [];
  for (const uri of session.snapshot().files.keys()) {
    const text = session.workspace.textOf(uri);
    if (text === undefined && uri !== everyCluster) closed.push(uri);
    else if (text !== undefined) texts.set(uri, text);
  }
  for (let at = 0; at < closed.length; at += filesAtOnce) {
    const some = closed.slice(at, at + filesAtOnce);
    const read = await source.read(some, session.workspace.settings.maximumFileSize);
    for (const [index, uri] of some.entries()) {
      const each = read[index];
      if (each !== undefined && 'text' in each) texts.set(uri, each.text);
    }
  }
  return texts;
}

/** Returns a function that evaluates planned texts in a copy of the workspace. */
function evaluatorOf({ session, source }: AdoptionContext, current: ReadonlyMap<string, string>): EvaluateTexts {
  const { workspace } = session;
  const copy = workspace.clone(undefined, [...session.snapshot().folders], true);
  const open = workspace.openFiles().map(({ file, text }) => [file.uri, text] as const);
  let last = new Map<string, string>();
  return async (planned) => {
    const texts = new Map([...open, ...planned]);
    const changed = new Set([...last.keys(), ...texts.keys()]);
    last = texts;
    await copy.refresh(
      withTexts(source, texts),
      [...changed].map((uri) => ({ uri, gone: false })),
    );
    return {
      workspace: copy.snapshot(),
      catalogueOf: (uri) => copy.catalogueOf(uri),
      textOf: (uri) => texts.get(uri) ?? current.get(uri),
    };
  };
}

export function isAdoptParams(given: unknown): given is AdoptParams {
  if (typeof given !== 'object' || given === null) return false;
  const { stage, templates, keys } = given as Partial<Record<keyof AdoptParams, unknown>>; // all are validated
  const areKeys = keys === undefined || (Array.isArray(keys) && keys.every((key) => typeof key === 'string'));
  return (stage === 1 || stage === 2) && typeof templates === 'boolean' && areKeys;
}
