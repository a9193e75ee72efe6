/** `selector-lens adopt`: plans the adoption of recommended labels, with a proof that no selector matches anything else. */

import { validateLabelKey } from '../../engine/index.ts';
import { getOrAdd } from '../../engine/memoize.ts';
import {
  type AdoptionOptions,
  type AdoptionPlan,
  isObjectKey,
  type LeftOut,
  type PlannedChange,
} from '../../features/adoption/model.ts';
import { planAdoption } from '../../features/adoption/plan-adoption.ts';
import { proofSentences } from '../../features/adoption/proof-sentences.ts';
import { offsetToPosition } from '../../text/lines.ts';
import { unifiedDiff } from '../../text/unified-diff.ts';
import type { World } from '../environment.ts';
import { exitCodeOf, type Indexed, indexPaths } from '../indexed-workspace.ts';
import { proposedSession } from '../objects/proposed.ts';
import { choice, UsageError } from '../options/arguments.ts';
import { formats, paths, whereToLook } from '../options/shared-options.ts';
import { counted } from '../output/counts.ts';
import { writeJson } from '../output/json.ts';
import { tame } from '../output/terminal-escape.ts';
import { sideOf } from '../paths/committed-world.ts';
import { displayPath } from '../paths/display-path.ts';
import { writeFixed } from '../report/fix.ts';
import type { Arguments, Command } from './command.ts';

export const adopt: Command = {
  name: 'adopt',
  summary: 'Plans the adoption of recommended labels, and proves that no selector matches anything else afterwards.',
  details: [
    'Stage 1 adds labels to objects, and with `--templates` to pod templates, which replaces their pods. The values are those of the labels that the recommended labels replace (`app`, `k8s-app`, `release`, `heritage`, `component`, `tier`, `chart`), or are derived from the object, its scope, and the workload that it selects. No label is removed. Stage 2 moves selectors that can be updated to these labels, after stage 1 was applied to the cluster.',
    'The planned state is compared with the present state, as `review` does. A part for which the comparison cannot prove that every selector matches what it matched, that no other selector gains a match, and that no update is rejected is left out, with the reason. Without `--write`, nothing is changed.',
  ],
  operand: paths,
  options: [
    {
      name: 'keys',
      value: 'LIST',
      description:
        'The labels to adopt, separated by commas; by default, those of `recommendedLabels` in the configuration or, if it lists none, the labels that Kubernetes recommends.',
    },
    {
      name: 'stage',
      value: 'NUMBER',
      choices: ['1', '2'],
      description: '`1`, the default, adds labels; `2` moves selectors to them.',
    },
    {
      name: 'templates',
      description: 'In stage 1, also add labels to pod templates, which replaces the pods of these workloads.',
    },
    { name: 'write', description: 'Write the changes to the files.' },
    formats('text', 'json'),
    ...whereToLook.filter(({ name }) => name !== 'stdin-filename'),
  ],
  examples: [
    { line: 'selector-lens adopt', description: 'Show the labels to add as a diff, with the proof.' },
    {
      line: 'selector-lens adopt --templates --write',
      description: 'Add the labels to objects and pod templates.',
    },
    { line: 'selector-lens adopt --stage 2', description: 'Show which selectors can then use the labels.' },
  ],
  run: runAdopt,
};

async function runAdopt(world: World, given: Arguments): Promise<number> {
  const options = optionsIn(given);
  const format = choice(given, 'format', ['text', 'json']);
  if (given.paths.includes('-')) throw new UsageError("'adopt' changes files, and cannot read standard input.");
  const indexed = await indexPaths(world, given);
  const { session, selection } = indexed;
  const reported = new Set(indexed.reported.map(({ uri }) => uri));
  const scopesOf = (uri: string) => session.snapshot().scopes().ofFile(uri);
  const isLimited = (uri: string) =>
    selection.limits === undefined || scopesOf(uri).some((each) => selection.limits?.has(each));
  const state = {
    side: sideOf(session, world),
    isWanted: ({ file: { uri } }: { readonly file: { readonly uri: string } }) => reported.has(uri) && isLimited(uri),
  };
  const plan = await planAdoption(state, options, async (texts) => {
    const proposed = await proposedSession(world, session, texts);
    const side = sideOf(proposed, world);
    return { ...side, textOf: (uri) => texts.get(uri) ?? side.textOf(uri) };
  });
  const isWriting = given.flags.has('write');
  if (isWriting)
    await writeFixed(
      world,
      plan.files.map((file) => ({ ...file, fixes: 0 })),
    );
  if (format === 'json') writeJson(world, jsonOf(world, indexed, plan, isWriting));
  else for (const line of textOf(world, indexed, plan, isWriting)) world.out(line);
  return exitCodeOf(world, indexed);
}

function optionsIn(given: Arguments): AdoptionOptions {
  const keys = given.values
    .get('keys')
    ?.split(',')
    .map((key) => key.trim())
    .filter((key) => key !== '');
  for (const key of keys ?? []) {
    const [problem] = validateLabelKey(key);
    if (problem !== undefined) throw new UsageError(`'${key}' is not a label key: it ${problem.message}.`);
  }
  const stage = choice(given, 'stage', ['1', '2']) === '2' ? 2 : 1;
  const templates = given.flags.has('templates');
  if (templates && stage === 2) throw new UsageError("'--templates' belongs to stage 1.");
  return { stage, templates, ...(keys && { keys }) };
}

/** The maximum number of objects that a line names. */
const mostNamed = 5;

function* textOf(world: World, indexed: Indexed, plan: AdoptionPlan, isWritten: boolean): Iterable<string> {
  const { files, changes, left, immutable } = plan;
  const objects = new Set(changes.flatMap((change) => change.objects).filter(isObjectKey));
  if (files.length === 0) yield plan.stage === 1 ? 'No labels to add.' : 'No selectors to move.';
  else {
    const verb = isWritten ? 'changed' : 'would change';
    yield `Stage ${plan.stage} ${verb} ${counted(objects.size, 'object')} in ${counted(files.length, 'file')}.`;
    for (const line of proofSentences(plan)) yield `- ${tame(line)}`;
  }
  yield* groupLines(world, indexed, 'Not changed', left);
  yield* groupLines(world, indexed, 'Cannot be updated', immutable);
  if (isWritten) return;
  for (const { uri, before, after } of files)
    for (const line of unifiedDiff(displayPath(world, uri), before, after))
      yield world.columns === undefined ? line : tame(line);
}

/** Returns a line for each reason, with the objects that it concerns. */
function* groupLines(world: World, indexed: Indexed, title: string, left: readonly LeftOut[]): Iterable<string> {
  const byReason = new Map<string, LeftOut[]>();
  for (const each of left) getOrAdd(byReason, each.reason, () => []).push(each);
  for (const [reason, those] of byReason) {
    const names = those.slice(0, mostNamed).map((each) => `${each.name} at ${placeOf(world, indexed, each)}`);
    const more = those.length > mostNamed ? ` and ${those.length - mostNamed} more` : '';
    yield tame(`${title}: ${reason} ${names.join(', ')}${more}.`);
  }
}

function placeOf(world: World, { session }: Indexed, { uri, offset }: LeftOut): string {
  const lines = session.snapshot().files.get(uri)?.lines ?? [0];
  return `${displayPath(world, uri)}:${offsetToPosition(lines, offset).line + 1}`;
}

function jsonOf(world: World, indexed: Indexed, plan: AdoptionPlan, isWritten: boolean) {
  const { stage, files, changes, left, immutable, proof } = plan;
  const placed = (each: LeftOut) => ({
    object: each.name,
    reason: each.reason,
    ...fileAndLine(world, indexed, each),
  });
  return {
    stage,
    written: isWritten,
    changes: changes.map(({ name, uri, labels, isTemplate, objects }: PlannedChange) => ({
      object: name,
      file: displayPath(world, uri),
      labels: Object.fromEntries(labels),
      template: isTemplate,
      objects: objects.filter(isObjectKey).length,
    })),
    left: left.map(placed),
    immutable: immutable.map(placed),
    proof: {
      objects: proof.objects,
      matches: proof.matches,
      restarts: proof.restarts,
      ...(proof.pods !== undefined && { pods: proof.pods }),
      notes: proof.notes,
    },
    files: files.map(({ uri, before, after }) => ({
      file: displayPath(world, uri),
      diff: unifiedDiff(displayPath(world, uri), before, after).join('\n'),
    })),
  };
}

function fileAndLine(world: World, { session }: Indexed, { uri, offset }: LeftOut) {
  const lines = session.snapshot().files.get(uri)?.lines ?? [0];
  return { file: displayPath(world, uri), line: offsetToPosition(lines, offset).line + 1 };
}
