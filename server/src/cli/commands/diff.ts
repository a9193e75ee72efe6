/** `selector-lens diff`: compares the matches of selectors in two trees of manifests, and lists lost and new matches. */

import { BoundedMap, getOrAdd } from '../../engine/memoize.ts';
import { escapeMarkdown } from '../../features/presentation/markdown.ts';
import { isKustomizationName, isRemote } from '../../manifests/kustomize/kustomization.ts';
import type { Session } from '../../session.ts';
import { percentEncode } from '../../text/percent-encoding.ts';
import { mayBeManifest } from '../../workspace/ignore/ignore-filter.ts';
import type { Workspace } from '../../workspace/model.ts';
import type { Scope } from '../../workspace/scopes/model.ts';
import { fileNameOf, folderOf, isWithin, relativePath, resolveUri } from '../../workspace/uri.ts';
import type { World } from '../environment.ts';
import { reportSkipped, serviceOf, writeNotes } from '../indexed-workspace.ts';
import { selectsAny } from '../objects/applied-objects.ts';
import type { Change } from '../objects/compare.ts';
import { shownName } from '../objects/compared-names.ts';
import { changesOfTrees } from '../objects/last-comparisons.ts';
import { missingFiles } from '../objects/missing-files.ts';
import type { Tree } from '../objects/objects-of-tree.ts';
import { choice, UsageError } from '../options/arguments.ts';
import { chartOptions, color, formats, namespace, noCache, root, scope } from '../options/shared-options.ts';
import { counted } from '../output/counts.ts';
import { writeJson } from '../output/json.ts';
import { colorizer, tame } from '../output/terminal-escape.ts';
import { sideOf, worldAt } from '../paths/committed-world.ts';
import { isOnlyGitops, withApplied } from '../paths/definition-scopes.ts';
import { PathSelection } from '../paths/path-selection.ts';
import { type LocatedPath, locate, outermost, rootAround, rootAt } from '../paths/requested-paths.ts';
import { connectionLines, connectionMarkdown } from '../reach/connection-change-lines.ts';
import { configFaults, hasFaults, reportConfigFaults } from '../report/configuration-faults.ts';
import { filesWithSyntaxErrors, reportSyntaxErrors } from '../report/syntax-errors.ts';
import type { Arguments, Command } from './command.ts';

export const diff: Command = {
  name: 'diff',
  summary:
    'Compares two trees of manifests: shows lost and new matches of selectors, references that lost their target, and changes that the API server rejects.',
  details: [
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
      input:
        'Compare only the objects of this scope, as `objects` shows it; if old and new are folders, relative to them.',
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
    use: 'Call it to review a change, for example with old=HEAD.',
    operands: {
      old: 'The earlier state: a commit of git, such as HEAD, or a path.',
      new: 'The later state; the current files by default.',
    },
    options: ['scope'],
    lists: ['changes', 'connections'],
    // The messages contain the names of the owner, the target and the scope.
    details: ['owner', 'target', 'recreate'],
  },
  run: runDiff,
};

async function runDiff(world: World, given: Arguments): Promise<number> {
  const [oldPath, newPath] = given.paths;
  if (oldPath === undefined) throw new UsageError("'diff' requires two paths, OLD and NEW, or a commit of git.");
  const format = choice(given, 'format', ['text', 'json', 'markdown']);
  const sidesWith = async (likeTree: boolean) =>
    [
      await sideFor(world, oldPath, { isAlone: newPath === undefined, likeTree }),
      await sideFor(world, newPath, { isAlone: false, likeTree }),
    ] as const;
  const found = await sidesWith(false);
  const areCommits = found.every(({ commit }) => commit !== undefined);
  const sides = areCommits ? found : await sidesWith(true);
  const { trees, unread } = await readTrees(world, sides, given);
  const { compared, connections } = changesOfTrees(...trees, given.lists.get('scope') ?? []);
  const { changes, notes, uncompared } = compared;
  const breaking = changes.filter(({ kind, recreatedBy }) => kind !== 'gained' && recreatedBy === undefined).length;
  const omitted = [...new Set(sides.flatMap((side) => side.omitted ?? []))];
  const isWhole =
    unread.length + notes.length + uncompared.length + connections.problems.length + omitted.length === 0 &&
    trees.every((tree) => !tree.isFaulty && !tree.isPartial);
  const areSeveral = trees.some(({ session }) => session.snapshot().scopes().all().length > 1);
  const lines =
    format === 'text'
      ? [...textLines(world, changes, isWhole), ...connectionLines(world, connections, areSeveral)]
      : [...markdownLines(changes, isWhole), ...connectionMarkdown(connections, areSeveral)];
  if (format === 'json')
    writeJson(world, { changes, connections: connections.changes, summary: countsOf(changes), complete: isWhole });
  else for (const line of lines) world.out(line);
  writeNotes(world, [...omitted, ...notes, ...uncompared, ...connections.problems]);
  if (unread.some(({ differs }) => differs)) return 2;
  // An incomplete comparison must not look like a comparison without changes.
  return breaking > 0 || notes.length > 0 || trees.some(({ isFaulty }) => isFaulty) ? 1 : 0;
}

/** An operand of the command: a path in the environment, or a whole repository at a commit or in its current state. */
interface Side {
  readonly world: World;
  readonly path: string;
  readonly repository?: string;
  /** The name of the commit; absent for current files. */
  readonly commit?: string;
  /** Sentences about files of the commit that are not compared. */
  readonly omitted?: readonly string[];
}

interface TreesRead {
  readonly trees: readonly [Tree, Tree];
  /** The files with syntax errors. */
  readonly unread: readonly { readonly differs: boolean }[];
}

/** Reads both trees, and reports on standard error what could not be read: once if it is the same in both trees, otherwise with the name of the commit. */
async function readTrees(world: World, [before, after]: readonly [Side, Side], given: Arguments): Promise<TreesRead> {
  const [old, fresh] = [collected(before), collected(after)];
  try {
    const trees = await treesAt([old.side, fresh.side], given);
    const [oldTree, freshTree] = trees;
    const unreadIn = (tree: Tree, { world: own }: Side, other: Tree) =>
      reportSyntaxErrors(own, tree, ({ uri }) => tree.side.textOf(uri) ?? '').map((uri) => {
        const counterpart = resolveUri(other.root, relativePath(tree.root, uri));
        return { differs: tree.side.textOf(uri) !== other.side.textOf(counterpart) };
      });
    return {
      trees,
      unread: [...unreadIn(oldTree, old.side, freshTree), ...unreadIn(freshTree, fresh.side, oldTree)],
    };
  } finally {
    for (const line of old.lines) world.err(fresh.lines.has(line) ? line : placed(line, old.side));
    for (const line of fresh.lines) if (!old.lines.has(line)) world.err(placed(line, fresh.side));
  }
}

function placed(line: string, { commit }: Side): string {
  return commit === undefined ? line : line.replace('selector-lens: ', (program) => `${program}In ${tame(commit)}: `);
}

function collected(side: Side): { readonly side: Side; readonly lines: ReadonlySet<string> } {
  const lines = new Set<string>();
  return { side: { ...side, world: { ...side.world, err: (line) => void lines.add(line) } }, lines };
}

/** Resolves an operand. An absent operand means the current files; a single operand is a commit. Throws a UsageError if it is neither a path nor a commit. */
async function sideFor(
  world: World,
  word: string | undefined,
  { isAlone, likeTree }: { readonly isAlone: boolean; readonly likeTree: boolean },
): Promise<Side> {
  const { currentFolder } = world;
  if (word === undefined) {
    const repository = await world.repositoryOf(currentFolder);
    return { world, path: '.', ...(repository !== undefined && { repository }) };
  }
  if (!isAlone && (word === '' || (await world.locate(word)) !== undefined)) return { world, path: word };
  const isPath = isAlone && (await world.locate(word)) !== undefined;
  try {
    const { world: before, repository, notes } = await worldAt(world, currentFolder, word, likeTree);
    const isThere = (await before.locate('.')) !== undefined;
    const atCommit = isThere ? before : { ...before, currentFolder: repository };
    return { world: atCommit, path: '.', repository, commit: word, omitted: notes };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    if (isPath) throw new UsageError("'diff' requires two paths, OLD and NEW, or a commit of git.");
    throw isAlone ? error : new UsageError(`There is no file or folder '${word}', and ${error.message}`);
  }
}

/** Indexes both sides of the comparison, after determining the root folders of each. */
async function treesAt(sides: readonly [Side, Side], given: Arguments): Promise<readonly [Tree, Tree]> {
  const [chosen, other = chosen] = given.lists.get('root') ?? [];
  // A commit is compared in the folder that is its root.
  const pathOf = ({ repository, path }: Side, word: string | undefined) => (repository && word) ?? path;
  const [before, after] = await Promise.all([
    locate(sides[0].world, pathOf(sides[0], chosen)),
    locate(sides[1].world, pathOf(sides[1], other)),
  ]);
  const areCommits = sides.some(({ repository }) => repository !== undefined);
  const rootOf = async ({ world, repository }: Side, place: LocatedPath, word: string | undefined): Promise<Root> => {
    if (word !== undefined) return { folders: [(await rootAt(world, word)).uri], bound: undefined };
    if (repository !== undefined) return { folders: [repository], bound: undefined };
    const own = await repositoryOf(world, place);
    const shared =
      (await repositoryOf(sides[0].world, before)) === (await repositoryOf(sides[1].world, after)) && !areCommits;
    // Two paths in one repository are independent: for each of them, only the path and the files that it refers to are
    // read.
    if (own !== undefined && !shared) return { folders: [own], bound: undefined };
    const folder = place.kind === 'folder' ? place.uri : folderOf(place.uri);
    return {
      folders: place.kind === 'file' && !isKustomizationName(fileNameOf(place.uri)) ? [] : [folder],
      bound: await rootAround(world, folder),
    };
  };
  const treeOf = async (side: Side, place: LocatedPath, beside: LocatedPath, word: string | undefined) => {
    const values = await valuesOf(side.world, given, place, beside);
    const lists = new Map([...given.lists, ['values', values] as const]);
    return treeAt(side.world, { ...given, lists }, place, {
      path: pathOf(side, word),
      root: await rootOf(side, place, word),
    });
  };
  const [old, fresh] = [await treeOf(sides[0], before, after, chosen), await treeOf(sides[1], after, before, other)];
  const reason = old.barren ?? fresh.barren;
  // A commit may add the first objects of a repository, or delete the last.
  const mayOneBeEmpty = areCommits && (old.barren === undefined || fresh.barren === undefined);
  if (reason !== undefined && !mayOneBeEmpty) throw new UsageError(reason);
  const trees = [old.tree, fresh.tree] as const;
  const words = given.lists.get('scope') ?? [];
  return words.length === 0 ? trees : limited(trees, words);
}

/** Returns the values files of a tree: a file in the other tree is only for this one. */
async function valuesOf(
  world: World,
  { lists }: Arguments,
  own: LocatedPath,
  other: LocatedPath,
): Promise<readonly string[]> {
  const words = lists.get('values') ?? [];
  const found = await Promise.all(words.map((word) => locate(world, word)));
  return words.filter((_, index) => {
    const { uri = '' } = found[index] ?? {};
    return isWithin(uri, own.uri) || !isWithin(uri, other.uri);
  });
}

/** The folders to read for a path. Folders inside of `bound` are also read if kustomizations refer to them. */
interface Root {
  readonly folders: readonly string[];
  readonly bound: string | undefined;
}

function repositoryOf(world: World, { kind, uri }: LocatedPath): Promise<string | undefined> {
  return world.repositoryOf(kind === 'folder' ? uri : folderOf(uri));
}

interface SelectedPart {
  readonly selection: PathSelection;
  readonly missing: readonly string[];
  readonly isEmpty: boolean;
}

/** The selected parts of trees by snapshot and path. */
const selections = new WeakMap<Workspace, BoundedMap<string, SelectedPart>>();
const mostSelections = 16;

async function treeAt(
  world: World,
  given: Arguments,
  place: LocatedPath,
  { path, root }: { readonly path: string; readonly root: Root },
): Promise<{ readonly tree: Tree; readonly barren: string | undefined }> {
  const session = await serviceWith(world, given, place, root);
  if (place.kind === 'file' && !session.snapshot().files.has(place.uri)) {
    // A file that only this command reads must not stay in the workspace of later commands.
    if (world.warm !== undefined) return treeAt({ ...world, warm: undefined }, given, place, { path, root });
    const [read] = await world.files.read([place.uri], session.workspace.settings.maximumFileSize);
    if (read === undefined || 'skipped' in read)
      throw new UsageError(`'${path}' cannot be read: ${read?.skipped ?? 'it no longer exists'}.`);
    session.workspace.update([[place.uri, read]]);
  }
  const skippedHere = session.workspace.skipped().filter(({ uri }) => isWithin(uri, place.uri));
  reportSkipped(world, skippedHere);
  const ofSnapshot = getOrAdd(
    selections,
    session.snapshot(),
    () => new BoundedMap<string, SelectedPart>(mostSelections),
  );
  const {
    selection,
    missing: [missing, ...others],
    isEmpty,
  } = getOrAdd(ofSnapshot, JSON.stringify(place), () => {
    const made = new PathSelection(session, [place], undefined);
    return {
      selection: made,
      missing: missingFiles(session.snapshot().scopes(), (scope) => made.concerns(scope)).map(({ why }) => why),
      isEmpty: !selectsAny({ session, selection: made }),
    };
  });
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
  const barren =
    isEmpty && skippedHere.length === 0
      ? `No Kubernetes objects in '${path}'.${missing === undefined ? '' : ` ${missing}`}`
      : undefined;
  if (barren === undefined && missing !== undefined)
    world.err(tame(`selector-lens: '${path}' is compared only in part: ${missing}${more}`));
  const faults = configFaults(session, selection.heldFiles());
  reportConfigFaults(world, session, faults);
  const unread = [...session.workspace.skipped(), ...filesWithSyntaxErrors(session.snapshot())];
  const skipped = unread.map(({ uri }) => relativePath(place.uri, uri));
  const tree = {
    session,
    side: sideOf(session, world),
    selection,
    root: place.uri,
    skipped,
    isFaulty: hasFaults(faults),
    isPartial: skippedHere.length > 0 || missing !== undefined,
  };
  return { tree, barren };
}

/** The maximum number of rounds in which referenced folders are added. */
const mostRounds = 10;

/** Indexes the folders of a root, and the folders inside of its bound to which their kustomizations refer. */
async function serviceWith(
  world: World,
  given: Arguments,
  place: LocatedPath,
  { folders, bound }: Root,
): Promise<Session> {
  const inside = place.kind === 'folder' && !folders.includes(place.uri) ? [place.uri] : [];
  const scopes = (given.lists.get('scope') ?? []).map((word) => ({
    kind: 'folder' as const,
    uri: resolveUri(place.uri, word),
  }));
  let read = folders;
  for (let round = 0; ; round++) {
    const session = await serviceOf(world, given, read, { inside, scopes });
    const others = bound === undefined || round === mostRounds ? [] : referredFrom(session, read, bound);
    if (others.length === 0) return session;
    read = outermost([...read, ...others]);
  }
}

/** Returns the folders inside of `bound` that kustomizations include and that were not read. */
function referredFrom(session: Session, read: readonly string[], bound: string): readonly string[] {
  const workspace = session.snapshot();
  const found = new Set<string>();
  for (const [uri, { kustomization }] of workspace.scopes().facts()) {
    for (const path of [...(kustomization?.resources ?? []), ...(kustomization?.components ?? [])]) {
      if (isRemote(path)) continue;
      const target = workspace.at(folderOf(uri), path);
      const isKnown = read.some((folder) => isWithin(target, folder));
      if (!isKnown && isWithin(target, bound) && !mayBeManifest(fileNameOf(target))) found.add(target);
    }
  }
  return [...found];
}

/** Returns the path of the scope of one of several GitOps objects in a file, for example `argocd/apps.yaml#shop`. */
function namedIn(root: string, word: string): string {
  const at = Math.max(word.indexOf('#'), 0);
  return `${resolveUri(root, word.slice(0, at))}#${percentEncode(word.slice(at + 1))}`;
}

/** Limits two trees to the scopes at paths that are relative to each tree. If a scope contains only GitOps objects in one of the trees, the scopes that they apply are included in both. Throws a UsageError for a path that has a scope in neither tree. */
function limited(trees: readonly [Tree, Tree], words: readonly string[]): readonly [Tree, Tree] {
  const limits = [new Set<Scope>(), new Set<Scope>()] as const;
  for (const word of words) {
    const sides = trees.map(({ session, root }, index) => {
      const scopes = session.snapshot().scopes();
      const isNamed = ({ path }: Scope) => path === resolveUri(root, word) || path === namedIn(root, word);
      return { scopes, named: scopes.all().filter(isNamed), limit: limits[index] };
    });
    if (sides.every(({ named }) => named.length === 0)) throw new UsageError(`Unknown scope '${word}' in both trees.`);
    const isDefinition = sides.some(({ scopes, named }) => named.some((scope) => isOnlyGitops(scopes, scope)));
    for (const { scopes, named, limit } of sides)
      for (const scope of [...named, ...withApplied(scopes, named, () => isDefinition)]) limit?.add(scope);
  }
  const limitedTo = (tree: Tree, scopes: ReadonlySet<Scope>): Tree => {
    const place = { kind: 'folder', uri: tree.root } as const;
    return { ...tree, selection: new PathSelection(tree.session, [place], scopes) };
  };
  return [limitedTo(trees[0], limits[0]), limitedTo(trees[1], limits[1])];
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
