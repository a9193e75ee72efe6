/** `selector-lens diff`: compares the matches of selectors in two trees of manifests, and lists lost and new matches. */

import { escapeMarkdown } from '../../features/presentation/markdown.ts';
import type { World } from '../environment.ts';
import { writeNotes } from '../indexed-workspace.ts';
import type { Change } from '../objects/compare.ts';
import { shownName } from '../objects/compared-names.ts';
import { choice, UsageError } from '../options/arguments.ts';
import { chartOptions, color, formats, namespace, noCache, root, scope } from '../options/shared-options.ts';
import { counted } from '../output/counts.ts';
import { writeJson } from '../output/json.ts';
import { colorizer, tame } from '../output/terminal-escape.ts';
import { connectionLines, connectionMarkdown } from '../reach/connection-change-lines.ts';
import { compareTrees } from '../trees/compared-trees.ts';
import type { Arguments, Command } from './command.ts';

export const diff: Command = {
  name: 'diff',
  summary:
    'Compares two trees of manifests: shows lost and new matches of selectors, references that lost their target, and changes that the API server rejects.',
  details: [
    'Lists each change, for scripts and for two folders. To learn what a change means before it is merged, use `review`, which joins equal changes and names their causes.',
    'A tree is a path, or a commit of the git repository around the current folder: a branch, a tag, an id, or one of these with `~N` or `^N`. If a word is both a path and a commit, the path is used. A single commit is compared with the current files. The command reads the git repository without running git; a partial clone may lack some of the required git objects. To compare trees that are not commits, specify two folders, for example with the rendered manifests of each version.',
    'If a scope that `--scope` names contains only GitOps objects, the objects that they apply are also compared. Matches between objects of different GitOps objects are compared if these certainly apply to the same cluster. Files that a GitOps object applies in only one of the trees are compared only in its cluster. Changes of uncertain matches are not reported. The exit code is 1 if a match was lost, if a reference lost its target because the target was deleted or the reference was changed, or if an immutable field changed so that the API server rejects the update. The exit code is also 1 if a `.selector-lens.yaml` that applies to a tree contains an error, or if a tree is too large to be compared completely. The exit code is 2 if a manifest that differs has a syntax error, because selectors and objects after the error may be missing from the comparison; an equal file with a syntax error only makes the comparison incomplete.',
  ],
  operand: {
    shown: 'OLD [NEW]',
    description: 'Two folders, two files, or two kustomizations or charts; or one or two git commits.',
    completes: 'paths',
    most: 2,
  },
  options: [
    formats('text', 'json', 'markdown'),
    {
      ...root,
      several: true,
      description:
        'The folder to index for the paths; given twice, the first is for OLD and the second for NEW. With commits, only this folder is compared. By default, the git repositories if the paths are in two different ones, or for commits; otherwise, the paths and the files to which their kustomizations refer.',
    },
    {
      ...scope,
      description:
        'Compare only the objects of this scope, given by its path relative to OLD and NEW. Can be repeated.',
    },
    ...chartOptions,
    namespace,
    color,
    noCache,
  ],
  examples: [
    { line: 'selector-lens diff ../main/deploy deploy', description: 'Compare two folders.' },
    {
      line: 'selector-lens diff ../main/overlays/prod overlays/prod',
      description: 'Compare the objects that an overlay builds.',
    },
    { line: 'selector-lens diff origin/main', description: 'Compare a commit with the current files.' },
    { line: 'selector-lens diff v1.2 v1.3 --scope overlays/prod', description: 'Compare one overlay of two releases.' },
    {
      line: 'selector-lens diff --format markdown old.yaml new.yaml',
      description: 'Write a comment for a pull request.',
    },
  ],
  tool: {
    use: 'Call it for each change, for example with old=HEAD.',
    operands: {
      old: 'The earlier state: a commit of git, such as HEAD, or a path.',
      new: 'The later state; the current files by default.',
    },
    options: ['scope'],
    lists: ['changes', 'connections'],
    // The messages contain the names of the owner, the target and the scope.
    details: ['owner', 'target', 'recreate'],
  },
  evaluatesNoRules: true,
  run: runDiff,
};

async function runDiff(world: World, given: Arguments): Promise<number> {
  const [oldPath, newPath] = given.paths;
  if (oldPath === undefined) throw new UsageError("'diff' requires two paths, OLD and NEW, or a commit of git.");
  const format = choice(given, 'format', ['text', 'json', 'markdown']);
  const found = await compareTrees(world, [oldPath, newPath], given);
  const { trees, compared, connections, isWhole, areSeveral } = found;
  const { changes, notes } = compared;
  const breaking = changes.filter(({ kind, recreatedBy }) => kind !== 'gained' && recreatedBy === undefined).length;
  const lines =
    format === 'text'
      ? [...textLines(world, changes, isWhole), ...connectionLines(world, connections, areSeveral)]
      : [...markdownLines(changes, isWhole), ...connectionMarkdown(connections, areSeveral)];
  if (format === 'json')
    writeJson(world, { changes, connections: connections.changes, summary: countsOf(changes), complete: isWhole });
  else for (const line of lines) world.out(line);
  writeNotes(world, found.problems);
  if (found.isUnread) return 2;
  // An incomplete comparison must not look like a comparison without changes.
  return breaking > 0 || notes.length > 0 || trees.some(({ isFaulty }) => isFaulty) ? 1 : 0;
}

function countsOf(changes: readonly Change[]) {
  const count = (kind: Change['kind']) => changes.filter((each) => each.kind === kind).length;
  return { lost: count('lost'), gained: count('gained'), immutable: count('immutable'), broken: count('broken') };
}

const titles = {
  immutable: 'Must be recreated',
  broken: 'Breaks a reference',
  lost: 'Loses matches',
  gained: 'Gains matches',
} as const;
const styles = { immutable: 'red', broken: 'red', lost: 'red', gained: 'green' } as const;
const marks = { immutable: '!', broken: '!', lost: '-', gained: '+' } as const;

function textLines(world: World, changes: readonly Change[], isWhole: boolean): readonly string[] {
  const colorize = colorizer(world.colours === true);
  const lines = changes.map(({ kind, message }) => `${colorize(marks[kind], styles[kind], 'bold')} ${tame(message)}`);
  return [...lines, ...(lines.length === 0 ? [] : ['']), `${colorize(countLine(changes, isWhole), 'bold')}`];
}

function countLine(changes: readonly Change[], isWhole: boolean): string {
  if (changes.length === 0)
    return isWhole ? 'No match is certainly lost or new.' : 'No changes found in the objects that could be compared.';
  const { lost, gained, immutable, broken } = countsOf(changes);
  const names = broken === 0 ? '' : `, ${counted(broken, 'reference')} to objects that do not exist`;
  const refused = immutable === 0 ? '' : `, ${counted(immutable, 'change')} that the API server rejects`;
  return `${lost} lost ${lost === 1 ? 'match' : 'matches'}, ${gained} new${refused}${names}.`;
}

/** The maximum number of rows. Further changes are only counted, because a comment on GitHub has at most 65,536 characters. */
const maximumRows = 200;

/** Returns one table: objects that must be recreated, with the consequence, then broken references, lost matches and new matches. */
function markdownLines(changes: readonly Change[], isWhole: boolean): readonly string[] {
  const rows = changes.slice(0, maximumRows).map(({ kind, owner, message, recreatedBy }) => {
    const title = recreatedBy === undefined ? titles[kind] : 'Is recreated';
    return `| ${title} | ${escapeMarkdown(shownName(owner, false))} | ${escapeMarkdown(message)} |`;
  });
  const more = changes.length - rows.length;
  const table = rows.length === 0 ? [] : ['| Change | Object | Details |', '| --- | --- | --- |', ...rows, ''];
  return ['### Changes', '', ...table, ...(more > 0 ? [`And ${more} more.`, ''] : []), countLine(changes, isWhole)];
}
