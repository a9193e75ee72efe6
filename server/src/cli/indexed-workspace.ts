/** Indexes the workspace of a command, and determines the files and objects that its paths select. */

import { eachBugOnce, type Log } from '../log.ts';
import { type Choices, Session } from '../session.ts';
import { configName } from '../settings/config.ts';
import { levels } from '../settings/level.ts';
import { defaultSettings, type Settings } from '../settings/settings.ts';
import { mayBeManifest } from '../workspace/ignore/folder-filter.ts';
import type { ReadText, Skipped } from '../workspace/live/load.ts';
import type { WorkspaceFile } from '../workspace/model.ts';
import type { ChartValues } from '../workspace/scopes/model.ts';
import { fileNameOf, folderOf, isWithin } from '../workspace/uri.ts';
import type { Arguments } from './commands/command.ts';
import type { Indexing, World } from './environment.ts';
import { UsageError } from './options/arguments.ts';
import { excludedBy } from './options/exclude-option.ts';
import { chosenRules } from './options/rule-options.ts';
import { haveScopes, kustomizationsAt, scopesNamed } from './options/scope-option.ts';
import { nameList } from './output/name-list.ts';
import { tame } from './output/terminal-escape.ts';
import { definitionNotes } from './paths/definition-scopes.ts';
import { displayPath } from './paths/display-path.ts';
import { PathSelection } from './paths/path-selection.ts';
import { locate, type NamedPath, type RequestedPaths, requestedPaths, uriBelow } from './paths/requested-paths.ts';
import { takingPartIn } from './paths/taking-part.ts';
import { readCommandFiles } from './report/command-files.ts';
import { type ConfigFaults, configFaults, hasFaults, reportConfigFaults } from './report/configuration-faults.ts';
import { reportSyntaxErrors } from './report/syntax-errors.ts';

export interface Indexed {
  readonly session: Session;
  /** The files in the requested paths, in the order of their URIs. */
  readonly reported: readonly WorkspaceFile[];
  /** The scripts and Markdown pages in the paths that contain commands with selectors. */
  readonly commandFiles: readonly WorkspaceFile[];
  /** The selection of objects and findings by the paths, which may include parts of files outside of the paths. */
  readonly selection: PathSelection;
  /** The requested files that could not be read. */
  readonly skipped: readonly Skipped[];
  /** Whether `--exclude` leaves a file out of the report. */
  isExcluded(uri: string): boolean;
  /** The faults of the configurations that apply to the selection. */
  readonly faults: ConfigFaults;
  /** Whether only one file with objects was requested: it may lack the context of other files. */
  readonly alone: boolean;
  /** Whether the paths contain nothing to check and do not come from a list of files, which is rarely intended. */
  readonly barren: boolean;
  /** Whether the paths select nothing, and no skipped file could have been part of the selection. */
  readonly isEmpty: boolean;
  /** Notes on the named paths that were not checked, as sentences. */
  readonly notes: readonly string[];
  /** Returns the current text of a file; empty if it is deleted. */
  readText(file: WorkspaceFile): string;
}

/** Resolves the paths of a command line and indexes their workspace. Throws a UsageError for unreadable paths. */
export async function indexPaths(world: World, given: Arguments, context: IndexingContext = {}): Promise<Indexed> {
  return indexAsked(world, given, await requestedPaths(world, given), context);
}

interface IndexingContext {
  /** Whether each named scope represents its whole cluster. */
  readonly ofClusters?: boolean;
}

/** Indexes the workspace of resolved paths. Throws a UsageError for unreadable paths. */
export async function indexAsked(
  world: World,
  given: Arguments,
  requested: RequestedPaths | '-',
  context: IndexingContext = {},
): Promise<Indexed> {
  if (requested === '-') return indexStandardInput(world, given);
  const isExcluded = excludedBy(world, given);
  const session = await serviceOf(world, given, requested.folders, { ...context, ...requested });
  const named = requested.named.map((each) => ({ ...each, uri: ownName(session, each.uri) }));
  // A file that only this command reads must not stay in the workspace of later commands.
  if (world.warm !== undefined && unloadedAmong(session, named).length > 0)
    return indexAsked({ ...world, warm: undefined }, given, requested, context);
  const piped = await addNamedFiles(world, session, named);
  const limits = scopesNamed(world, session, requested.scopes);
  const selection = new PathSelection(session, named, limits);
  const { files: withCommands, note } =
    requested.scopes.length > 0 ? { files: [] } : await readCommandFiles(world.files, named, session);
  const commandFiles = withCommands.filter(({ uri }) => !isExcluded(uri));
  const takingPart = takingPartIn(session.snapshot());
  const filesAt = takingPart.filesAt(named);
  const reported = given.lists.has('exclude') ? filesAt.filter(({ uri }) => !isExcluded(uri)) : filesAt;
  refuseUnreadable(world, session, named);
  const faults = configFaults(session, selection.heldFiles());
  const { maximumFileSize } = session.workspace.settings;
  const skipped = session.workspace
    .skipped()
    .filter(({ uri }) => named.some((each) => isWithin(uri, each.uri)) && !isExcluded(uri));
  const others = [...skipped, ...withCommands];
  const unused = selection.unused().filter(({ uri }) => !others.some((each) => isWithin(each.uri, uri)));
  const isUnused = unused.length === named.length || selection.filesWithFindings().length === 0;
  // A scope whose files could not be read was not checked.
  const isUnread =
    selection.missing().length > 0 && takingPart.files().every((file) => selection.objectsIn(file) === 0);
  const isEmpty = (isUnused || isUnread) && others.length === 0;
  return {
    session,
    reported,
    commandFiles,
    selection,
    skipped,
    isExcluded,
    faults,
    alone: named.length === 1 && named[0]?.kind === 'file' && reported.some(({ objects }) => objects > 0),
    // A list of files may contain no manifests, which is not a mistake. A skipped file may be a manifest.
    isEmpty,
    barren: isEmpty && named.some(({ listed }) => listed !== true),
    notes: [
      ...(isEmpty ? [nothingSelected] : []),
      ...notesOn(world, selection, isEmpty ? [] : unused),
      ...(note === undefined ? [] : [note]),
      ...(context.ofClusters ? [] : definitionNotes(world, session.snapshot().scopes(), selection)),
    ],
    readText: ({ uri }) => piped.get(uri) ?? textOf(world.readNow(uri, maximumFileSize)),
  };
}

/** Returns the URI under which a file is loaded: for a symbolic link, the URI of its target. */
function ownName(session: Session, uri: string): string {
  return session.snapshot().at(folderOf(uri), fileNameOf(uri));
}

const mostNamed = 3;

function notesOn(world: World, selection: PathSelection, unused: readonly NamedPath[]): readonly string[] {
  // A list of changed files may contain many files that are not manifests.
  const meant = unused.filter(({ uri, listed }) => !listed || mayBeManifest(fileNameOf(uri)));
  const names = meant.map(({ uri }) => displayPath(world, uri));
  const unchecked = names.length === 0 ? [] : [`Without Kubernetes objects: ${nameList(names, mostNamed)}.`];
  const missing = selection.missing().map(([{ path }, why]) => {
    return `'${displayPath(world, path)}' was read only in part: ${why} Use a larger '--root'.`;
  });
  const leftOut = selection.leftOut().map(([{ path }, [first = '', ...others]]) => {
    const more = others.length === 0 ? '' : `, and ${others.length} more`;
    return `'${displayPath(world, path)}' was read only in part: ${first.slice(0, -1)}${more}.`;
  });
  const more = leftOut.length > mostNamed ? [`${leftOut.length - mostNamed} more scopes were read only in part.`] : [];
  return [...unchecked, ...missing, ...leftOut.slice(0, mostNamed), ...more];
}

/** Indexes whole folders in their state on disk. */
export async function serviceOf(
  world: World,
  given: Arguments,
  folders: readonly string[],
  {
    inside = [],
    scopes = [],
    executesCharts = true,
  }: Partial<Pick<RequestedPaths, 'inside' | 'scopes'> & { readonly executesCharts: boolean }> = {},
): Promise<Session> {
  const namedKustomizations = kustomizationsAt(scopes);
  const chartValues = await chartValuesOf(world, given, executesCharts);
  const namespace = given.values.get('namespace');
  const level = levels.find((each) => each === given.values.get('level'));
  const warm = await world.warm?.session({ folders, inside, namespace, chartValues });
  if (warm !== undefined && haveScopes(warm.snapshot(), namedKustomizations))
    return warm.withChoices({ level, ...rulesFor(warm, folders, given) });
  const { cacheOf: _, ...uncached } = world;
  const reader = given.flags.has('no-cache') ? uncached : world;
  const settings = withRequestedRules(defaultSettings, given);
  const indexing = { folders, inside, namespace, chartValues, namedKustomizations, settings };
  const session = await indexFolders(reader, indexing);
  session.choose({ level });
  return session;
}

/** Indexes whole folders for one command or one commit. */
export async function indexFolders(
  world: World,
  { settings = defaultSettings, ...indexing }: Indexing & { readonly settings?: Settings },
): Promise<Session> {
  const { folders, inside, namespace, chartValues, namedKustomizations } = indexing;
  const { clock, cacheOf, parsed } = world;
  const parts = { catalogue: await world.loadCatalogue(), log: logOf(world), isOneShot: true, parsed };
  const textOfClosed = (uri: string) => {
    const read = world.readNow(uri, settings.maximumFileSize);
    return 'text' in read ? read.text : undefined;
  };
  const session = new Session({ ...parts, textOf: textOfClosed, ...(clock && { clock }), ...(cacheOf && { cacheOf }) });
  session.workspace.configure({ defaultNamespace: namespace, chartValues, namedKustomizations, settings });
  const progress = (percentage: number) => world.status?.(`Reading files: ${percentage} %`);
  await session.workspace.load(world.files, folders, progress, () => false, inside);
  await addValuesFiles(world, session, chartValues);
  world.status?.(undefined);
  return session;
}

async function chartValuesOf(
  world: World,
  given: Arguments,
  executesCharts: boolean,
): Promise<ChartValues | undefined> {
  const release = given.values.get('release');
  const named = await Promise.all((given.lists.get('values') ?? []).map((path) => locate(world, path)));
  const files = named.map(({ uri }) => uri);
  if (release === undefined && files.length === 0) return executesCharts ? undefined : { files, areUnknown: true };
  return { files, ...(release !== undefined && { release }) };
}

/** Adds the values files of charts that are not in the indexed folders, or that git ignores. */
async function addValuesFiles(world: World, { workspace }: Session, chosen: ChartValues | undefined): Promise<void> {
  const missing = (chosen?.files ?? []).filter((uri) => !workspace.snapshot().files.has(uri));
  const read = await world.files.read(missing, workspace.settings.maximumFileSize);
  workspace.update(missing.map((uri, index) => [uri, read[index] ?? { skipped: 'it could not be read' }]));
}

/** Returns the settings, with the rules enabled that `--rule` names and that are off by default. */
function withRequestedRules(settings: Settings, given: Arguments): Settings {
  const { requested } = chosenRules(given);
  if (requested.length === 0) return settings;
  return {
    ...settings,
    rules: { ...settings.rules, ...Object.fromEntries(requested.map((rule) => [rule, 'warning'])) },
  };
}

/** Returns the choices that enable the rules of one command in the folders of an indexed workspace. */
function rulesFor({ workspace, choices }: Session, folders: readonly string[], given: Arguments): Partial<Choices> {
  if (chosenRules(given).requested.length === 0) return {};
  const around = [...choices.folderSettings, ...folders.map((folder) => [folder, workspace.settings] as const)];
  return {
    folderSettings: new Map(around.map(([folder, settings]) => [folder, withRequestedRules(settings, given)])),
  };
}

/** Returns the exit code of a command without findings: 2 if there was nothing to check, or if a syntax error may hide a part of the result, 1 if a configuration that applies to the files is broken, otherwise 0. Reports skipped files and faults of configurations on standard error. */
export function exitCodeOf(world: World, indexed: Indexed): number {
  reportSkipped(world, indexed.skipped);
  writeNotes(world, indexed.notes);
  reportConfigFaults(world, indexed.session, indexed.faults);
  const isUnread = reportSyntaxErrors(world, indexed, indexed.readText).length > 0;
  return indexed.barren || isUnread ? 2 : hasFaults(indexed.faults) ? 1 : 0;
}

/** Reports the skipped files on standard error: the result may depend on them. */
export function reportSkipped(world: World, skipped: readonly Skipped[]): void {
  for (const { uri, reason } of skipped)
    world.err(`selector-lens: ${tame(displayPath(world, uri))} was skipped: ${tame(reason)}.`);
}

export const nothingSelected = 'No Kubernetes objects in the given paths.';

export function writeNotes(world: World, notes: readonly string[]): void {
  for (const each of notes) world.err(`selector-lens: ${tame(each)}`);
}

/** Returns the URI of standard input. It is in the current folder, so that the configuration of that folder applies. */
function standardInputIn({ currentFolder }: World): string {
  return `${currentFolder}/-`;
}

/** Indexes standard input as a separate scope, so that it is not confused with a file of the same name. */
async function indexStandardInput(world: World, given: Arguments): Promise<Indexed> {
  const session = await serviceOf(world, given, []);
  const read = await world.readStandardInput(session.workspace.settings.maximumFileSize);
  if ('skipped' in read) throw new UsageError(`Standard input cannot be read: ${read.skipped}.`);
  const name = given.values.get('stdin-filename');
  const uri = name === undefined ? standardInputIn(world) : uriBelow(world.currentFolder, name);
  const config = await configAbove(world, session, folderOf(uri));
  session.workspace.update([...config, [uri, read]]);
  const reported = [...session.snapshot().files.values()].filter((file) => file.uri === uri);
  const selection = new PathSelection(session, [{ kind: 'file', uri }], undefined);
  const isEmpty = reported.every(({ manifest }) => manifest.objects.length === 0 && manifest.syntaxErrors === 0);
  return {
    session,
    reported,
    commandFiles: [],
    selection,
    skipped: [],
    isExcluded: () => false,
    faults: configFaults(session, reported),
    alone: true,
    isEmpty,
    barren: isEmpty,
    notes: isEmpty ? ['No Kubernetes objects in standard input.'] : [],
    readText: (file) =>
      textOf(file.uri === uri ? read : world.readNow(file.uri, session.workspace.settings.maximumFileSize)),
  };
}

/** Returns the nearest configuration in a folder or above it, up to the root of the repository. */
async function configAbove(world: World, session: Session, folder: string): Promise<readonly [string, ReadText][]> {
  const top = (await world.repositoryOf(folder)) ?? folder;
  for (let at = folder; isWithin(at, top); at = folderOf(at)) {
    const uri = `${at}/${configName}`;
    const [stat] = await world.files.stat([uri]);
    if (stat === undefined) continue;
    const [read] = await world.files.read([uri], session.workspace.settings.maximumFileSize);
    return read === undefined ? [] : [[uri, read]];
  }
  return [];
}

/** Adds the files that the user named. A named file is loaded regardless of its name and location; a file from a list, or a file that a kustomization puts into a generated object, is loaded only if it has the name of a manifest. Returns the contents of pipes, such as `<(helm template web)`, which can be read only once and have neither a size nor a modification time. */
async function addNamedFiles(
  world: World,
  session: Session,
  named: readonly NamedPath[],
): Promise<ReadonlyMap<string, string>> {
  const missing = unloadedAmong(session, named);
  if (missing.length === 0) return new Map();
  const texts = await world.files.read(missing, session.workspace.settings.maximumFileSize);
  const read = missing.map((uri, index) => [uri, texts[index] ?? { skipped: 'it could not be read' }] as const);
  session.workspace.update(read);
  return new Map(read.flatMap(([uri, each]) => ('text' in each && each.stat === undefined ? [[uri, each.text]] : [])));
}

/** Returns the URIs of the named files that are not loaded. */
function unloadedAmong(session: Session, named: readonly NamedPath[]): readonly string[] {
  const known = session.snapshot().files;
  const inputs = new Set(session.workspace.generatedFrom());
  const isManifest = ({ uri, listed }: NamedPath) => mayBeManifest(fileNameOf(uri)) || (!listed && !inputs.has(uri));
  // A file that the listing skipped, such as a link that points outside of the workspace, is loaded if the user named
  // it.
  const skipped = new Set(session.workspace.skipped().map(({ uri }) => uri));
  return named
    .filter((each) => each.kind === 'file' && (!known.has(each.uri) || skipped.has(each.uri)) && isManifest(each))
    .map(({ uri }) => uri);
}

function refuseUnreadable(world: World, session: Session, named: readonly NamedPath[]): void {
  const refused = session.workspace
    .skipped()
    .find(({ uri }) => named.some((each) => each.uri === uri && each.kind === 'file'));
  if (refused !== undefined)
    throw new UsageError(`'${displayPath(world, refused.uri)}' cannot be read: ${refused.reason}.`);
}

function textOf(read: ReadText): string {
  return 'text' in read ? read.text : '';
}

/** Returns a log that writes internal errors to standard error and drops all other messages. */
export function logOf(world: World): Log {
  return eachBugOnce({
    info() {},
    // Faults of configurations are reported separately, and users do not need to know that a cache cannot be written.
    warn() {},
    bug: (where, error) => world.err(tame(`Internal error, please report it. ${where}: ${error}`)),
  });
}
