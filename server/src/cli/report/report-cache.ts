/**
 * Caches the report of the previous run. If nothing has changed since, that report is the result and no file is parsed.
 * If files changed, the findings in files that the changes do not affect are reused.
 */

import { getOrAdd } from '../../engine/memoize.ts';
import type { Settings } from '../../settings/settings.ts';
import { hashOf } from '../../text/hash.ts';
import { compareText, inOrder } from '../../text/order.ts';
import { build } from '../../version.ts';
import { absentFile } from '../../workspace/absent-file.ts';
import { AskedQuestions } from '../../workspace/dependencies/asked-questions.ts';
import { affectedFiles } from '../../workspace/dependencies/dependencies.ts';
import type { Question } from '../../workspace/dependencies/questions.ts';
import type { LiveWorkspace } from '../../workspace/live/live-workspace.ts';
import { type FileStat, listFolders, type ReadText, versionOf } from '../../workspace/live/load.ts';
import { workspaceBefore } from '../../workspace/snapshot.ts';
import { fits, type Shape } from '../../workspace/store/json-shape.ts';
import type { World } from '../environment.ts';
import type { RequestedPaths } from '../paths/requested-paths.ts';
import { listCommandFiles } from './command-files.ts';
import type { CheckedReport, Diagnostic, KnownChecks, Report } from './model.ts';

export interface KnownReport {
  /** The cached report; undefined if something has changed. */
  readonly report: CheckedReport | undefined;
  /**
   * Returns the results of files that do not have to be checked again; undefined if every file must be checked.
   * `workspace` has loaded all files in their current state, with the cache of the previous run. `isWhole` means that
   * the paths select every finding.
   */
  checks(workspace: CheckedWorkspace, isWhole: boolean): KnownChecks | undefined;
  /** Caches a report. `inputs` are files other than manifests on whose content the report depends. */
  keep(report: CheckedReport, inputs: readonly string[]): Promise<void>;
}

type CheckedWorkspace = Pick<LiveWorkspace, 'catalogueOf' | 'earlierVersion' | 'snapshot'>;

/** Loads the cached report of the same command line. Only reports for folders are cached, because a list of files is rarely checked twice. `options` are the options on which the findings depend. */
export async function knownReport(
  world: World,
  requested: RequestedPaths,
  settings: Settings,
  options: readonly string[],
): Promise<KnownReport | undefined> {
  const { named, scopes, folders, inside } = requested;
  const uris = (places: readonly { readonly uri: string }[]) => places.map(({ uri }) => uri).join('\n');
  const question = [world.currentFolder, ...folders, JSON.stringify(options), uris(named), uris(scopes), ...inside];
  const cache = named.some(({ kind }) => kind !== 'folder') ? undefined : world.cacheOf?.(['report', ...question]);
  if (cache === undefined) return undefined;
  // A run without a cache is slower, but correct.
  const write = (what: Kept) => cache.write({ header: JSON.stringify(what), bytes: new Uint8Array() }).catch(() => {});
  const stored = await cache.read().catch(() => undefined);
  const kept = stored && cachedIn(stored.header);
  const state = await stateOf(world, requested, settings, kept?.young ?? []);
  const hasInputs = kept !== undefined && (await inputsOf(world, kept.inputs)) === kept.inputState;
  const changed = hasInputs ? changesBetween(kept, state) : undefined;
  const isKnown = kept !== undefined && changed?.length === 0;
  // The contents of files that changed just before a run are hashed until a run finds no such file; after that, size
  // and time are sufficient.
  if (isKnown && kept.young.length > 0 && state.young.size === 0) await write({ ...kept, young: [] });
  return {
    report: isKnown ? kept : undefined,
    checks(workspace, isWhole) {
      if (kept === undefined || changed === undefined) return undefined;
      try {
        return checksAfter(kept, changed, workspace, isWhole);
      } catch {
        // A damaged cache may contain anything.
        return undefined;
      }
    },
    async keep({ report, requested: asked }, inputs) {
      // If a file changed between reading and hashing, or an input changed just before the run, nothing is cached.
      const hashed = [...state.contents.keys()];
      const [now, inputState] = [await stateOf(world, requested, settings, hashed), await inputsOf(world, inputs)];
      if (changesBetween(cachedState(state), now)?.length !== 0 || inputState === undefined) return;
      const contents = [...now.contents].filter(([uri]) => state.young.has(uri) || now.young.has(uri));
      await write({
        ...cachedState(now),
        contents,
        young: [...now.young],
        inputs,
        inputState,
        report,
        requested: asked,
      });
    },
  };
}

/** Returns the URIs of the files that changed, were added or were deleted. Returns undefined if something else changed, because any finding may then change. */
export function changesBetween(kept: CachedState, now: State): readonly string[] | undefined {
  if (kept.around !== now.around) return undefined;
  const [before, after] = [new Map(kept.files), new Map(now.files)];
  const young = new Set(kept.young);
  const contents = new Map(kept.contents.filter(([uri]) => young.has(uri)));
  const changed = [...after.keys()].filter(
    (uri) => before.get(uri) !== after.get(uri) || contents.get(uri) !== now.contents.get(uri),
  );
  return [...changed, ...[...before.keys()].filter((uri) => !after.has(uri))];
}

/** Returns the checks whose results stay valid although files changed: the checks of files that the changes do not affect and whose findings refer to no changed file. Returns undefined if the changes may affect every file. */
function checksAfter(
  kept: Kept,
  changed: readonly string[],
  workspace: CheckedWorkspace,
  isWhole: boolean,
): KnownChecks | undefined {
  const { young } = kept;
  const versions = new Map(kept.files);
  const hashes = new Map(kept.contents);
  const snapshot = workspace.snapshot();
  const changes = changed.flatMap((uri) => {
    const file = snapshot.files.get(uri);
    if (file !== undefined && !versions.has(uri)) return [{ isSame: false, before: absentFile(uri), after: file }];
    const earlier = workspace.earlierVersion(uri);
    // The cache of files may be newer than the report, if another command wrote it.
    if (earlier === undefined || versionOf(earlier.stat) !== versions.get(uri)) return [];
    // A file without a hash had not changed just before it was read, so its size and time identify its content.
    const isSame = earlier.hash === undefined ? !young.includes(uri) : earlier.hash === hashes.get(uri);
    return isSame ? [earlier] : [];
  });
  if (changes.length < changed.length) return undefined;
  const visible = changes.filter(({ isSame }) => !isSame);
  // If only a part of the findings is selected, changed labels may affect which files contain selected findings.
  if (visible.length > 0 && !isWhole) return undefined;
  const before = workspaceBefore(snapshot, visible);
  const stale = affectedFiles(new AskedQuestions(kept.requested), workspace, before, visible, changed);
  if (stale === undefined) return undefined;
  const questions = new Map<string, Question[]>();
  for (const { question, uris } of kept.requested)
    for (const uri of uris) getOrAdd(questions, uri, () => []).push(question);
  return checksIn(kept.report, stale, questions);
}

/** Returns the results of the checks in a report, except for the files in `stale`, with the questions of each file. */
export function checksIn(
  report: Report,
  stale: ReadonlySet<string>,
  questions?: ReadonlyMap<string, readonly Question[]>,
): KnownChecks {
  const diagnostics = new Map<string, Diagnostic[]>();
  for (const each of report.diagnostics) getOrAdd(diagnostics, each.uri, () => []).push(each);
  return (uri) =>
    stale.has(uri) ? undefined : { diagnostics: diagnostics.get(uri) ?? [], questions: questions?.get(uri) ?? [] };
}

export interface CachedState {
  /** A string that represents the state of everything except the individual files. */
  readonly around: string;
  readonly files: readonly (readonly [uri: string, version: string])[];
  /**
   * The hashes of the files that had changed so shortly before they were read that size and time did not identify their
   * content.
   */
  readonly contents: readonly (readonly [uri: string, hash: string])[];
  /** The files that changed so shortly before the end of the run that their content must be hashed. */
  readonly young: readonly string[];
}

interface Kept extends CachedState, CheckedReport {
  readonly inputs: readonly string[];
  readonly inputState: string;
}

export function cachedState({ around, files, contents }: State): CachedState {
  return { around, files, contents: [...contents], young: [...contents.keys()] };
}

function cachedIn(header: string): Kept | undefined {
  try {
    const kept: unknown = JSON.parse(header);
    return fits(kept, cachedShape) ? (kept as Kept) : undefined; // its shape was checked, and its state names its build
  } catch {
    return undefined;
  }
}

const position: Shape = { keys: { line: 'number', column: 'number' } };
const range: Shape = { keys: { start: position, end: position } };
const place = { message: 'string', file: 'string', uri: 'string', range, line: 'string', lineFrom: 'number' } as const;
const change: Shape = { keys: { uri: 'string', range, text: 'string' } };
const diagnostic: Shape = {
  keys: {
    ...place,
    rule: 'string',
    severity: 'string',
    related: { list: { keys: place } },
    fixes: { list: { keys: { title: 'string', safe: 'boolean', changes: { list: change } } } },
    fingerprint: 'string',
    'object?': { keys: { apiVersion: 'string', kind: 'string', 'namespace?': 'string', 'name?': 'string' } },
    'source?': 'string',
  },
};
const counts = { files: 'number', objects: 'number' } as const;
const summary: Shape = {
  keys: {
    ...counts,
    error: 'number',
    warning: 'number',
    information: 'number',
    hint: 'number',
    skipped: { list: { keys: { file: 'string', reason: 'string' } } },
  },
};
const report: Readonly<Record<keyof Report, Shape>> = {
  diagnostics: { list: diagnostic },
  summary,
  skipped: { list: { keys: { uri: 'string', reason: 'string' } } },
  files: { list: { keys: { file: 'string', uri: 'string' } } },
  looked: { list: 'string' },
  loaded: { keys: counts },
  alone: 'boolean',
  isEmpty: 'boolean',
  barren: 'boolean',
  notes: { list: 'string' },
  broken: { list: 'string' },
  // A baseline and statistics are not cached.
  known: 'any',
  stale: 'any',
  statistics: 'any',
  isQuiet: 'any',
};
export const cachedStateShape = {
  around: 'string',
  files: { list: { tuple: ['string', 'string'] } },
  contents: { list: { tuple: ['string', 'string'] } },
  young: { list: 'string' },
} satisfies Readonly<Record<keyof CachedState, Shape>>;
const cachedShape: Shape = {
  keys: {
    ...cachedStateShape,
    inputs: { list: 'string' },
    inputState: 'string',
    report: { keys: report },
    requested: { list: { keys: { question: { keys: { about: 'string' } }, uris: { list: 'string' } } } },
  },
};

interface State extends Pick<CachedState, 'around' | 'files'> {
  readonly contents: ReadonlyMap<string, string>;
  /** The files that changed so recently that a further change may leave their modification time the same. */
  readonly young: ReadonlySet<string>;
}

/** Returns everything that a report depends on: the program, the day, the ignore files, and the size and modification time of every file. A file that changed just now may change again without a new time, so its content is hashed, as in git. The files in `alsoHashed`, which were recent when the report was created, are hashed too. */
export async function stateOf(
  world: World,
  { named, folders, inside }: RequestedPaths,
  settings: Settings,
  alsoHashed: readonly string[],
): Promise<State> {
  const listing = await listFolders(world.files, {
    ...settings,
    folders: [...folders, ...inside],
    isCancelled: () => false,
  });
  const commandFiles = await listCommandFiles(world.files, named, settings);
  const uris = [...listing.uris, ...commandFiles];
  const stats = await world.files.stat(uris);
  const young = new Set(uris.filter((_, number) => stats[number]?.fresh));
  const before = new Set(alsoHashed);
  const hashed = uris.filter((uri) => young.has(uri) || before.has(uri));
  const read = hashed.length === 0 ? [] : await world.files.read(hashed, settings.maximumFileSize);
  const generated = uris.filter((uri) => listing.folders.isMarkedGenerated(uri));
  const skipped = listing.skipped.map(({ uri, reason }) => `${uri} ${reason}`);
  const learned = listing.folders.filters.map((filter) => filter.learned());
  const links = inOrder([...listing.folders.links], ([a], [b]) => compareText(a, b));
  return {
    around: JSON.stringify([build, world.clock?.today(), learned, skipped, generated, commandFiles, links]),
    files: uris.map((uri, number) => [uri, versionOrNone(stats[number])]),
    contents: new Map(hashed.map((uri, number) => [uri, contentOf(read[number])])),
    young,
  };
}

function versionOrNone(stat: FileStat | undefined): string {
  return stat === undefined ? '' : versionOf(stat);
}

function contentOf(read: ReadText | undefined): string {
  return read === undefined ? '' : 'text' in read ? hashOf(read.text) : read.skipped;
}

/** Returns the size and modification time of files; undefined if one of them changed just now. */
export async function inputsOf(world: World, uris: readonly string[]): Promise<string | undefined> {
  const stats = uris.length === 0 ? [] : await world.files.stat(uris);
  if (stats.some((stat) => stat?.fresh)) return undefined;
  return uris.map((uri, number) => `${uri} ${versionOrNone(stats[number])}`).join('\n');
}
