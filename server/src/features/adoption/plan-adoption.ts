/** Plans an adoption: repeats planning and comparing until every remaining part is proven. */

import { getOrAdd } from '../../engine/memoize.ts';
import { applyEdits, type Edit } from '../../text/edit.ts';
import { localize } from '../../text/localize.ts';
import type { Base } from '../../workspace/base.ts';
import { asWritten } from '../../workspace/snapshot.ts';
import {
  type AdoptionOptions,
  type AdoptionPlan,
  type AdoptionState,
  type ChangedText,
  type EvaluateTexts,
  type PlannedChange,
  type Proof,
  type StagePlan,
  templatesSuffix,
} from './model.ts';
import { planAdditions } from './plan-additions.ts';
import { planMoves } from './plan-moves.ts';
import { compareStates, type Doubt } from './prove.ts';

/** The maximum number of times that the remaining parts of a plan are compared. */
const mostRounds = 8;

/** Plans an adoption. Parts for which the comparison finds a doubt are left out, with the reason. */
export async function planAdoption(
  given: AdoptionState,
  options: AdoptionOptions,
  evaluate: EvaluateTexts,
): Promise<AdoptionPlan> {
  // A proof must hold for all values of a chart.
  const state = { ...given, side: asWritten(given.side) };
  const refused = new Map<string, string>();
  for (let round = 0; ; round++) {
    const plan = planStage(state, options, refused);
    const files = changedTexts(state, plan.changes);
    if (files.length === 0) return planOf(options, plan, files, noProof);
    const now = await evaluate(new Map(files.map(({ uri, after }) => [uri, after])));
    const { doubts, proof } = compareStates(baseOf(state, files), asWritten(now), plan.changes);
    if (doubts.length === 0) return planOf(options, plan, files, proof);
    refuse(refused, plan.changes, round === mostRounds ? [{ objects: [], reason: unproven() }] : doubts);
  }
}

const noProof: Proof = { objects: 0, matches: 0, restarts: [], pods: 0, notes: [] };

function unproven(): string {
  return localize`It could not be proven that no match changes.`;
}

function planStage(state: AdoptionState, options: AdoptionOptions, refused: ReadonlyMap<string, string>): StagePlan {
  return options.stage === 1 ? planAdditions(state, options, refused) : planMoves(state, options, refused);
}

/** Adds the objects that doubts concern to the refused objects; all planned objects if a doubt concerns the whole plan. Of a change of several objects and a change of one of them, the former is refused first; labels of pod templates are refused before those of the object itself. */
function refuse(refused: Map<string, string>, changes: readonly PlannedChange[], doubts: readonly Doubt[]): void {
  const shared = new Map<string, string>();
  for (const { objects } of changes) {
    const [own, ...others] = objects;
    if (own !== undefined && others.length > 0) for (const key of objects) shared.set(key, own);
  }
  const withTemplates = new Set(changes.flatMap(({ isTemplate, objects }) => (isTemplate ? objects : [])));
  const specific = doubts.filter(({ objects }) => objects.length > 0);
  const [general] = specific.length > 0 ? [] : doubts;
  const all = general && [{ objects: changes.flatMap(({ objects }) => objects.slice(0, 1)), reason: general.reason }];
  for (const { objects, reason } of all ?? specific)
    for (const key of objects) {
      const inTemplates = `${key}${templatesSuffix}`;
      const refusedKey = shared.get(key) ?? (withTemplates.has(key) ? inTemplates : key);
      if (!refused.has(refusedKey)) refused.set(refusedKey, reason);
    }
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
  { changes, left, immutable = [] }: StagePlan,
  files: readonly ChangedText[],
  proof: Proof,
): AdoptionPlan {
  return { stage, files, changes, left, immutable, proof };
}
