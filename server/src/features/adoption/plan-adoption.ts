/** Plans an adoption: repeats planning and comparing until every remaining part is proven. */

import { getOrAdd } from '../../engine/memoize.ts';
import { applyEdits, type Edit } from '../../text/edit.ts';
import { localize } from '../../text/localize.ts';
import type { Base } from '../../workspace/base.ts';
import type {
  AdoptionOptions,
  AdoptionPlan,
  AdoptionState,
  ChangedText,
  EvaluateTexts,
  PlannedChange,
  Proof,
} from './model.ts';
import { planAdditions, type StagePlan } from './plan-additions.ts';
import { compareStates, type Doubt } from './prove.ts';

/** The maximum number of times that the remaining parts of a plan are compared. */
const mostRounds = 8;

/** Plans an adoption. Parts for which the comparison finds a doubt are left out, with the reason. */
export async function planAdoption(
  state: AdoptionState,
  options: AdoptionOptions,
  evaluate: EvaluateTexts,
): Promise<AdoptionPlan> {
  const refused = new Map<string, string>();
  for (let round = 0; ; round++) {
    const plan = planStage(state, options, refused);
    const files = changedTexts(state, plan.changes);
    if (files.length === 0) return planOf(options, plan, files, noProof);
    const now = await evaluate(new Map(files.map(({ uri, after }) => [uri, after])));
    const { doubts, proof } = compareStates(baseOf(state, files), now, plan.changes);
    if (doubts.length === 0) return planOf(options, plan, files, proof);
    refuse(refused, plan.changes, round === mostRounds ? [{ objects: [], reason: unproven() }] : doubts);
  }
}

const noProof: Proof = { objects: 0, matches: 0, restarts: [], pods: 0, notes: [] };

function unproven(): string {
  return localize`It could not be proven that no match changes.`;
}

function planStage(state: AdoptionState, options: AdoptionOptions, refused: ReadonlyMap<string, string>): StagePlan {
  return planAdditions(state, options, refused);
}

/** Adds the objects that doubts concern to the refused objects; all planned objects if a doubt concerns the whole plan. */
function refuse(refused: Map<string, string>, changes: readonly PlannedChange[], doubts: readonly Doubt[]): void {
  const specific = doubts.filter(({ objects }) => objects.length > 0);
  for (const { objects, reason } of specific)
    for (const key of objects) if (!refused.has(key)) refused.set(key, reason);
  const [general] = specific.length > 0 ? [] : doubts;
  if (general === undefined) return;
  for (const key of changes.flatMap(({ objects }) => objects)) if (!refused.has(key)) refused.set(key, general.reason);
}

function changedTexts({ side }: AdoptionState, changes: readonly PlannedChange[]): readonly ChangedText[] {
  const byFile = new Map<string, Edit[]>();
  for (const { uri, edits } of changes) getOrAdd(byFile, uri, () => []).push(...edits);
  return [...byFile].flatMap(([uri, edits]) => {
    const before = side.textOf(uri);
    return before === undefined ? [] : [{ uri, before, after: applyEdits(before, edits), edits }];
  });
}

function baseOf({ side }: AdoptionState, files: readonly ChangedText[]): Base {
  const changed = new Set(files.map(({ uri }) => uri));
  return { name: 'now', side, textNow: (uri) => side.textOf(uri), changed };
}

function planOf(
  { stage }: AdoptionOptions,
  { changes, left }: StagePlan,
  files: readonly ChangedText[],
  proof: Proof,
): AdoptionPlan {
  return { stage, files, changes, left, immutable: [], proof };
}
