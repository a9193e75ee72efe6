/** Reads the two trees that a command compares, folders or commits of git, and compares them. */

import { BoundedMap, getOrAdd } from '../../engine/memoize.ts';
import { valuesTree } from '../../manifests/helm/values.ts';
import { isKustomizationName, isRemote } from '../../manifests/kustomize/kustomization.ts';
import type { Session } from '../../session.ts';
import { percentEncode } from '../../text/percent-encoding.ts';
import { hasSameText } from '../../workspace/base.ts';
import { isChartValues, isValuesFile } from '../../workspace/charts/chart-files.ts';
import { mayBeManifest } from '../../workspace/ignore/folder-filter.ts';
import { ParsedFiles } from '../../workspace/live/parsed-files.ts';
import type { Workspace } from '../../workspace/model.ts';
import { isKnown } from '../../workspace/reach/applied-clusters.ts';
import { isRendered, type Scope } from '../../workspace/scopes/model.ts';
import { fileNameOf, folderOf, isWithin, relativePath, resolveUri } from '../../workspace/uri.ts';
import type { Arguments } from '../commands/command.ts';
import type { World } from '../environment.ts';
import { reportSkipped, serviceOf } from '../indexed-workspace.ts';
import { loadRules } from '../load-rules.ts';
import { selectsAny } from '../objects/applied-objects.ts';
import { notesIn } from '../objects/compare.ts';
import { changesOfTrees, type TreeChanges } from '../objects/last-comparisons.ts';
import { missingFiles } from '../objects/missing-files.ts';
import { UsageError } from '../options/arguments.ts';
import { tame } from '../output/terminal-escape.ts';
import { sideOf, worldAt } from '../paths/committed-world.ts';
import { isOnlyGitops, withApplied } from '../paths/definition-scopes.ts';
import { PathSelection } from '../paths/path-selection.ts';
import { type LocatedPath, locate, outermost, rootAround, rootAt } from '../paths/requested-paths.ts';
import { configFaults, hasFaults, reportConfigFaults } from '../report/configuration-faults.ts';
import { filesWithLargeDocuments, filesWithSyntaxErrors, reportSyntaxErrors } from '../report/syntax-errors.ts';
import type { Tree } from '../trees/tree.ts';

export interface ComparedTrees extends TreeChanges {
  readonly trees: readonly [Tree, Tree];
  /** Whether both trees were read and compared completely. */
  readonly isWhole: boolean;
  /** Sentences about what is not compared. */
  readonly problems: readonly string[];
  /** Whether a tree has several scopes, so that lines about connections name them. */
  readonly areSeveral: boolean;
  /** Whether a file that differs has a syntax error. */
  readonly isUnread: boolean;
  /** Whether only parts are not compared that are missing from both trees: files with syntax errors, charts of a registry, other repositories. */
  readonly isComparable: boolean;
}

/** Compares two trees, which the operands name: two paths, or one or two commits of git; an absent second operand means the current files. With `areCommits`, for a review, the operands are never paths, and charts are executed with their default values. What could not be read is reported on standard error. Throws a UsageError for an operand that names no tree. */
export async function compareTrees(
  world: World,
  [oldPath, newPath]: readonly [string, string | undefined],
  given: Arguments,
  areCommits = false,
): Promise<ComparedTrees> {
  const sidesWith = async (likeTree: boolean) =>
    [
      await sideFor(world, oldPath, { isAlone: areCommits || newPath === undefined, areCommits, likeTree }),
      await sideFor(world, newPath, { isAlone: areCommits, areCommits, likeTree }),
    ] as const;
  // Without a second operand, the other side is the working tree.
  const found = await sidesWith(newPath === undefined);
  const isKnown = newPath === undefined || found.every(({ commit }) => commit !== undefined);
  const sides = isKnown ? found : await sidesWith(true);
  const { trees, unread } = await readTrees(world, sides, given, areCommits);
  const { compared, connections } = changesOfTrees(...trees, given.lists.get('scope') ?? []);
  const omitted = [...new Set(sides.flatMap((side) => side.omitted ?? []))];
  const unevaluated = [...compared.notes, ...compared.uncompared, ...connections.problems];
  const ofValues = [...unreadValues(trees), ...largeValues(trees)];
  const ofLimits = limitedScopes(trees);
  const problems = [...omitted, ...unevaluated, ...ofValues, ...ofLimits];
  const isUnread = unread.some(({ differs }) => differs);
  const limits = [...omitted, ...compared.notes, ...notesIn(compared.found), ...ofValues, ...ofLimits];
  return {
    trees,
    compared,
    connections,
    problems,
    isWhole: unread.length + problems.length === 0 && trees.every((tree) => !tree.isFaulty && !tree.isPartial),
    areSeveral: trees.some(({ session }) => session.snapshot().scopes().all().length > 1),
    isUnread,
    isComparable: !isUnread && limits.length === 0 && trees.every((tree) => !tree.isFaulty),
  };
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
async function readTrees(
  world: World,
  [before, after]: readonly [Side, Side],
  given: Arguments,
  executesCharts: boolean,
): Promise<TreesRead> {
  // A server keeps the states of commits.
  const parsed = world.warm === undefined ? new ParsedFiles() : undefined;
  const [old, fresh] = [collected(before, parsed), collected(after, parsed)];
  try {
    const trees = await treesAt([old.side, fresh.side], given, executesCharts);
    // A rule finds the syntax errors.
    if (trees.some(({ session }) => filesWithSyntaxErrors(session.snapshot()).length > 0)) await loadRules();
    const [oldTree, freshTree] = trees;
    const unreadIn = (tree: Tree, { world: own }: Side, other: Tree) => {
      const broken = reportSyntaxErrors(own, tree, ({ uri }) => tree.side.textOf(uri) ?? '');
      return [...broken, ...filesWithLargeDocuments(tree.session.snapshot())].map((uri) => {
        const counterpart = resolveUri(other.root, relativePath(tree.root, uri));
        return { differs: tree.side.textOf(uri) !== other.side.textOf(counterpart) };
      });
    };
    return {
      trees,
      unread: [...unreadIn(oldTree, old.side, freshTree), ...unreadIn(freshTree, fresh.side, oldTree)],
    };
  } finally {
    for (const line of old.lines) world.err(fresh.lines.has(line) ? line : placed(line, old.side));
    for (const line of fresh.lines) if (!old.lines.has(line)) world.err(placed(line, fresh.side));
  }
}

/** Returns a line about a side with the name of its commit. */
function placed(line: string, { commit }: Side): string {
  return commit === undefined ? line : line.replace('selector-lens: ', (program) => `${program}In ${tame(commit)}: `);
}

/** Returns a side that collects the lines on standard error, and shares its files with the other side. */
function collected(
  side: Side,
  parsed: ParsedFiles | undefined,
): { readonly side: Side; readonly lines: ReadonlySet<string> } {
  const lines = new Set<string>();
  return { side: { ...side, world: { ...side.world, parsed, err: (line) => void lines.add(line) } }, lines };
}

/** How an operand is read. */
interface Reading {
  /** Whether the operand is a commit, unless it is a path. */
  readonly isAlone: boolean;
  /** Whether no operand is a path. */
  readonly areCommits: boolean;
  /** Whether files that a sparse checkout leaves out are omitted. */
  readonly likeTree: boolean;
}

/** Resolves an operand. An absent operand means the current files; a single operand is a commit. Throws a UsageError if it is neither a path nor a commit. */
async function sideFor(
  world: World,
  word: string | undefined,
  { isAlone, areCommits, likeTree }: Reading,
): Promise<Side> {
  const { currentFolder } = world;
  if (word === undefined) {
    const repository = await world.repositoryOf(currentFolder);
    return { world, path: '.', ...(repository !== undefined && { repository }) };
  }
  if (!isAlone && (word === '' || (await world.locate(word)) !== undefined)) return { world, path: word };
  const isPath = isAlone && !areCommits && (await world.locate(word)) !== undefined;
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
async function treesAt(
  sides: readonly [Side, Side],
  given: Arguments,
  executesCharts: boolean,
): Promise<readonly [Tree, Tree]> {
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
      executesCharts,
    });
  };
  const [old, fresh] = [await treeOf(sides[0], before, after, chosen), await treeOf(sides[1], after, before, other)];
  const reason = old.barren ?? fresh.barren;
  // A commit may add the first objects of a repository, or delete the last, and objects may be unknown.
  const mayOneBeEmpty = areCommits && [old, fresh].some(({ barren, isUnknown }) => barren === undefined || isUnknown);
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

/** The part of a tree that a path selects. */
interface SelectedPart {
  readonly selection: PathSelection;
  readonly missing: readonly string[];
  readonly isEmpty: boolean;
  /** Whether there are no objects only because all objects of a chart or a kustomization are unknown. */
  readonly isUnknown: boolean;
}

/** The selected parts of trees by snapshot and path. */
const selections = new WeakMap<Workspace, BoundedMap<string, SelectedPart>>();
const mostSelections = 16;

async function treeAt(
  world: World,
  given: Arguments,
  place: LocatedPath,
  { path, root, executesCharts }: { readonly path: string; readonly root: Root; readonly executesCharts: boolean },
): Promise<{ readonly tree: Tree; readonly barren: string | undefined; readonly isUnknown: boolean }> {
  const session = await serviceWith(world, given, place, { ...root, executesCharts });
  if (place.kind === 'file' && !session.snapshot().files.has(place.uri)) {
    // A file that only this command reads must not stay in the workspace of later commands.
    if (world.warm !== undefined)
      return treeAt({ ...world, warm: undefined }, given, place, { path, root, executesCharts });
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
    isUnknown,
  } = getOrAdd(ofSnapshot, JSON.stringify(place), () => {
    const made = new PathSelection(session, [place], undefined);
    const isEmpty = !selectsAny({ session, selection: made });
    return {
      selection: made,
      missing: missingFiles(session.snapshot().scopes(), (scope) => made.concerns(scope)).map(({ why }) => why),
      isEmpty,
      isUnknown: isEmpty && hasUnknownObjects(session, made),
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
    missing: missing === undefined ? [] : [missing, ...others],
  };
  return { tree, barren, isUnknown };
}

function hasUnknownObjects(session: Session, selection: PathSelection): boolean {
  const workspace = session.snapshot();
  const scopes = workspace
    .scopes()
    .all()
    .filter((scope) => isRendered(scope) && selection.concerns(scope));
  return scopes.some((scope) => !isKnown(workspace, session.workspace.catalogueOf(scope.path), scope));
}

/** The maximum number of rounds in which referenced folders are added. */
const mostRounds = 10;

/** Indexes the folders of a root, and the folders inside of its bound to which their kustomizations refer. */
async function serviceWith(
  world: World,
  given: Arguments,
  place: LocatedPath,
  { folders, bound, executesCharts }: Root & { readonly executesCharts: boolean },
): Promise<Session> {
  const inside = place.kind === 'folder' && !folders.includes(place.uri) ? [place.uri] : [];
  const scopes = (given.lists.get('scope') ?? []).map((word) => ({
    kind: 'folder' as const,
    uri: resolveUri(place.uri, word),
  }));
  let read = folders;
  for (let round = 0; ; round++) {
    const session = await serviceOf(world, given, read, { inside, scopes, executesCharts });
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

/** Returns a sentence about the scopes that are evaluated only in part, because building them exceeds a limit; none if there are no such scopes. */
function limitedScopes(trees: readonly [Tree, Tree]): readonly string[] {
  const paths = trees.flatMap(({ session, selection, side, root }) => {
    const snapshot = session.snapshot();
    const isLimited = ({ path }: Scope) => {
      const catalogue = side.catalogueOf(path);
      return snapshot.unrendered(path, catalogue) !== undefined || snapshot.rendering(path, catalogue)?.isCut === true;
    };
    const scopes = snapshot.scopes().all();
    return scopes
      .filter((scope) => isRendered(scope) && selection.concerns(scope) && isLimited(scope))
      .map(({ path }) => (path === root ? '.' : relativePath(root, path)));
  });
  const [first, ...others] = new Set(paths);
  if (first === undefined) return [];
  return [
    others.length === 0
      ? `'${first}' exceeds a limit of the analysis, so it is evaluated only in part.`
      : `'${first}' and ${others.length} more exceed a limit of the analysis, so they are evaluated only in part.`,
  ];
}

/** Returns a sentence for each file. The values with which chart-testing installs a chart (`ci/`) are applied to no cluster. */
function unreadValues(trees: readonly [Tree, Tree]): readonly string[] {
  const changed = new Set<string>();
  for (const [tree, other] of [trees, trees.toReversed()] as const)
    for (const { uri, path } of unreadIn(tree)) {
      const counterpart = other && resolveUri(other.root, path);
      if (counterpart !== undefined && tree.side.textOf(uri) !== other?.side.textOf(counterpart)) changed.add(path);
    }
  return [...changed]
    .toSorted()
    .map((path) => `'${path}' changed, and no release reads it: name it with '--values' to compare its chart with it.`);
}

/** Returns a sentence for each changed file with the default values of a chart that is too large to be read. */
function largeValues([before, after]: readonly [Tree, Tree]): readonly string[] {
  return [...after.session.snapshot().files.keys()].filter(isChartValues).flatMap((uri) => {
    const path = relativePath(after.root, uri);
    const old = resolveUri(before.root, path);
    if (old === uri && hasSameText(before.side, after.side, uri)) return [];
    const [was, is] = [before.side.textOf(old), after.side.textOf(uri)];
    const isUnread = (text: string | undefined) =>
      text !== undefined && /^[^\s#]/m.test(text) && valuesTree(text) === undefined;
    return was !== is && (isUnread(was) || isUnread(is)) ? [`'${path}' changed, and was not read completely.`] : [];
  });
}

function unreadIn({ session, root }: Tree): readonly { readonly uri: string; readonly path: string }[] {
  const { files, scopes } = session.snapshot();
  const read = new Set(
    scopes()
      .all()
      .flatMap(({ release }) => release?.values ?? []),
  );
  // The files of a chart are data for its templates, too.
  const isData = (uri: string) => (scopes().dataFiles().get(uri) ?? 'template') !== 'template';
  return [...files].flatMap(([uri, { objects }]) => {
    const folder = folderOf(uri);
    if (!isValuesFile(uri) || objects > 0 || fileNameOf(folder) === 'ci' || read.has(uri) || isData(uri)) return [];
    const isDefault = isChartValues(uri) && files.has(resolveUri(folder, 'Chart.yaml'));
    return isDefault ? [] : [{ uri, path: relativePath(root, uri) }];
  });
}
