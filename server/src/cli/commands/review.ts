/** `selector-lens review`: states what a change of manifests means, for the person who merges it. */

import { escapeMarkdown } from '../../features/presentation/markdown.ts';
import { codeOwnersPaths } from '../../workspace/code-owners.ts';
import { resolveUri } from '../../workspace/uri.ts';
import type { World } from '../environment.ts';
import { choice, UsageError } from '../options/arguments.ts';
import { chartOptions, color, formats, namespace, noCache, root, scope } from '../options/shared-options.ts';
import { writeJson } from '../output/json.ts';
import { type Cause, withoutTexts } from '../review/causes.ts';
import { readCodeOwners } from '../review/code-owners.ts';
import type { Review, SectionId } from '../review/model.ts';
import { reviewOf } from '../review/review.ts';
import { reviewMarkdown, reviewText } from '../review/review-lines.ts';
import { type ComparedTrees, compareTrees } from '../trees/compared-trees.ts';
import type { Arguments, Command } from './command.ts';

/** What `--fail-on` accepts. */
const failures = ['refused', 'lost', 'opened', 'broken', 'incomplete'] as const;

export const review: Command = {
  name: 'review',
  summary:
    'States what a change means before it is merged: refused updates, lost and new matches, opened connections, broken references.',
  details: [
    'Compares a commit with the current files, or with another commit (`--head`). By default, the commit is the merge base with the default branch: `origin`, or else `main` or `master`. `BASE` is named as for `diff`: a branch, a tag, an id, one with `~N` or `^N`, or `A...B` for the merge base of two commits. The command reads the git repository without running git. To compare two folders, use `diff`, which lists each change; `review` says in a few lines what the changes mean.',
    'Equal changes in several overlays, charts or applications are one sentence, with the line that causes them. If no selector, reference, connection or immutable field changes, the first line says so; it is only said if everything was evaluated. The Markdown is a comment for a pull request: at most 15 lines before the details, without links, images or mentions from the manifests.',
    'The exit code is 0, or 1 if `--fail-on` names a part of the review that is not empty.',
  ],
  operand: {
    shown: '[BASE]',
    description: 'The commit before the change; by default, the merge base with the default branch.',
    completes: 'nothing',
    most: 1,
  },
  options: [
    formats('text', 'json', 'markdown'),
    {
      name: 'head',
      value: 'REF',
      description: 'The commit with the change, instead of the current files.',
      input: 'The commit after it.',
    },
    {
      name: 'fail-on',
      value: 'LIST',
      description: `Exit with 1 if one of these parts is not empty: ${failures.join(', ')}, separated by commas.`,
    },
    { ...root, description: 'Review only this folder.' },
    scope,
    ...chartOptions,
    namespace,
    color,
    noCache,
  ],
  examples: [
    { line: 'selector-lens review', description: 'Review the changes of the current branch.' },
    { line: 'selector-lens review HEAD~1 --head HEAD', description: 'Review the last commit.' },
    {
      line: 'selector-lens review origin/main... --format markdown --fail-on refused,lost',
      description: 'Write a comment for a pull request, and fail if an update is refused or a match is lost.',
    },
  ],
  tool: {
    use: 'Call it before a commit or a merge.',
    operands: { base: 'The commit before the change, such as HEAD or main...HEAD.' },
    options: ['head', 'scope'],
    lists: ['sections', 'changes', 'connections', 'added', 'removed'],
    details: ['changes', 'connections', 'added', 'removed'],
  },
  evaluatesNoRules: true,
  run: runReview,
};

async function runReview(world: World, given: Arguments): Promise<number> {
  const format = choice(given, 'format', ['text', 'json', 'markdown']);
  const failing = failuresIn(given);
  const head = given.values.get('head');
  const compared = await comparedWith(world, given, head);
  const found = reviewOf(compared, await ownersIn(world, compared));
  if (format === 'json') writeJson(world, jsonOf(found, compared));
  else for (const line of format === 'text' ? reviewText(world, found) : reviewMarkdown(found)) world.out(line);
  if (compared.isUnread) return 2;
  return failing.some((each) => hasFailed(each, found, compared)) ? 1 : 0;
}

/** The sections that are not named like the part of `--fail-on` to which they belong. */
const alsoFailing: Partial<Readonly<Record<SectionId, (typeof failures)[number]>>> = {
  stopped: 'lost',
  kept: 'lost',
  expectations: 'broken',
};

/** States with what the files were compared, which a page in an editor does not show otherwise. */
function baseLine(base: string): string {
  return base === 'HEAD'
    ? 'Compared with HEAD: only changes that are not committed. To compare with a branch, set `selectorLens.compareWith`.'
    : `Compared with ${escapeMarkdown(base)}.`;
}

/** Reviews the changes of the current files since a commit as Markdown, with links to lines, which are relative to the folder; or returns the reason why there is no review. */
export async function reviewSince(
  world: World,
  base: string,
): Promise<{ readonly text: string; readonly isError: boolean }> {
  const given: Arguments = { paths: [base], values: new Map(), lists: new Map(), flags: new Set() };
  try {
    const compared = await comparedWith(world, given, undefined);
    const found = reviewOf(compared, await ownersIn(world, compared));
    const linkTo = ({ path, line, isBefore }: Cause) => (isBefore ? undefined : `/${path}#L${line}`);
    return { text: [...reviewMarkdown(found, linkTo), '', baseLine(base)].join('\n'), isError: false };
  } catch (error) {
    if (error instanceof UsageError) return { text: error.message, isError: true };
    throw error;
  }
}

function hasFailed(
  failure: (typeof failures)[number],
  { sections, isComplete }: Review,
  { compared }: ComparedTrees,
): boolean {
  if (failure === 'incomplete') return !isComplete;
  // A broken reference because of which an update is refused is in the section of refused updates.
  if (failure === 'broken' && compared.changes.some(({ kind }) => kind === 'broken')) return true;
  return sections.some(({ id }) => id === failure || alsoFailing[id] === failure);
}

function failuresIn({ values }: Arguments): readonly (typeof failures)[number][] {
  return (values.get('fail-on') ?? '')
    .split(',')
    .filter((word) => word !== '')
    .map((word) => {
      const known = failures.find((each) => each === word);
      if (known === undefined)
        throw new UsageError(`'${word}' is not a part for '--fail-on': use ${failures.join(', ')}.`);
      return known;
    });
}

/** The names of the default branch, in the order in which they are tried. */
const defaultBranches: readonly string[] = ['origin', 'origin/main', 'origin/master', 'main', 'master'];

async function comparedWith(world: World, given: Arguments, head: string | undefined): Promise<ComparedTrees> {
  const [base] = given.paths;
  if (base !== undefined) return compareTrees(world, [base, head], given, true);
  const repository = await world.repositoryOf(world.currentFolder);
  if (repository === undefined || world.openCommit === undefined)
    throw new UsageError("'review' compares commits, and there is no git repository. Use 'diff' to compare folders.");
  for (const branch of defaultBranches) {
    const name = `${branch}...${head ?? 'HEAD'}`;
    const files = world.openCommit(repository, name, head === undefined);
    if ('refused' in files) continue;
    files.close();
    return compareTrees(world, [name, head], given, true);
  }
  throw new UsageError(
    `There is no default branch with a common commit: ${defaultBranches.join(', ')} were tried. Name the commit before the change: 'selector-lens review BASE'.`,
  );
}

/** Returns a function that finds the owners of a path relative to the new tree. */
async function ownersIn(world: World, { trees }: ComparedTrees): Promise<(path: string) => readonly string[]> {
  const { root: folder, side } = trees[1];
  const repository = (await world.repositoryOf(folder)) ?? folder;
  const text = codeOwnersPaths
    .map((path) => side.textOf(resolveUri(repository, path)))
    .find((each) => each !== undefined);
  if (text === undefined) return () => [];
  const ownersOf = readCodeOwners(text);
  const inside = folder.slice(repository.length + 1);
  return (path) => ownersOf(inside === '' ? path : `${inside}/${path}`);
}

function jsonOf(found: Review, { compared, connections }: ComparedTrees) {
  const { sections, added, removed, otherFields, notes, verdict, isComplete, unchanged, notEvaluated } = found;
  return {
    verdict,
    complete: isComplete,
    notEvaluated,
    unchanged,
    sections: sections.map(({ summary: _, afterDeletion: __, items, ...section }) => ({
      ...section,
      items: items.map(({ text, more, cause, ...item }) => ({
        text: more === undefined ? text : `${text} ${more}`,
        ...item,
        ...(cause && { cause: withoutTexts(cause) }),
      })),
    })),
    changes: compared.changes,
    connections: connections.changes,
    added,
    removed,
    otherFields,
    otherChanges: notes.map(({ text, count }) => ({ text, count })),
  };
}
