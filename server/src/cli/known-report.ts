/** Keeps the report of an earlier run, which is the answer as long as nothing has changed: then no file is parsed. */

import type { Settings } from '../settings/settings.ts';
import { hashOf } from '../text/hash.ts';
import { build } from '../version.ts';
import { fits, type Shape } from '../workspace/fits.ts';
import { listFolders, type ReadText } from '../workspace/load.ts';
import type { Asked } from './asked.ts';
import { listCommandFiles } from './command-files.ts';
import type { Report } from './report.ts';
import type { World } from './world.ts';

export interface KnownReport {
  /** Undefined where something has changed. */
  readonly report: Report | undefined;
  /** `inputs`: files that are no manifests, on whose content the report depends. */
  keep(report: Report, inputs: readonly string[]): Promise<void>;
}

/** The report of an earlier run on these folders; a list of files is rarely asked about twice. */
export async function knownReport(
  world: World,
  asked: Asked,
  settings: Settings,
  namespace: string | undefined,
): Promise<KnownReport | undefined> {
  const { named, scopes, folders, inside } = asked;
  const uris = (places: readonly { readonly uri: string }[]) => places.map(({ uri }) => uri).join('\n');
  const question = [world.currentFolder, ...folders, namespace ?? '', uris(named), uris(scopes), ...inside];
  const cache = named.some(({ kind }) => kind !== 'folder') ? undefined : world.cacheOf?.(['report', ...question]);
  if (cache === undefined) return undefined;
  // A run without a cache is slower, and right.
  const write = (what: Kept) => cache.write({ header: JSON.stringify(what), bytes: new Uint8Array() }).catch(() => {});
  const stored = await cache.read().catch(() => undefined);
  const kept = stored && keptIn(stored.header);
  const state = await stateOf(world, asked, settings, kept?.hashed ?? []);
  const isKnown = kept?.state === state.text && (await inputsOf(world, kept.inputs)) === kept.inputState;
  // Contents are looked at until no file is young any more: then size and time are enough.
  if (isKnown && kept.hashed.length > 0 && !state.isFresh) {
    await write({ ...kept, state: state.withoutContents, hashed: [] });
  }
  return {
    report: isKnown ? kept.report : undefined,
    async keep(report, inputs) {
      // What was read may be older or newer than what was looked at: then nothing is kept, as with fresh inputs.
      const [now, inputState] = [await stateOf(world, asked, settings, state.hashed), await inputsOf(world, inputs)];
      if (now.text !== state.text || inputState === undefined) return;
      await write({ state: now.text, hashed: now.hashed, inputs, inputState, report });
    },
  };
}

interface Kept {
  readonly state: string;
  /** The files whose contents are in the state. */
  readonly hashed: readonly string[];
  readonly inputs: readonly string[];
  readonly inputState: string;
  readonly report: Report;
}

function keptIn(header: string): Kept | undefined {
  try {
    const kept: unknown = JSON.parse(header);
    return fits(kept, keptShape) ? (kept as Kept) : undefined; // its shape was checked, and its state names its build
  } catch {
    return undefined;
  }
}

const position: Shape = { keys: { line: 'number', column: 'number' } };
const range: Shape = { keys: { start: position, end: position } };
const place = { message: 'string', file: 'string', uri: 'string', range, line: 'string' } as const;
const change: Shape = { keys: { uri: 'string', range, text: 'string' } };
const diagnostic: Shape = {
  keys: {
    ...place,
    rule: 'string',
    severity: 'string',
    related: { list: { keys: place } },
    fixes: { list: { keys: { title: 'string', changes: { list: change } } } },
    fingerprint: 'string',
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
  // A baseline is not part of what is kept.
  known: 'any',
};
const keptShape: Shape = {
  keys: {
    state: 'string',
    hashed: { list: 'string' },
    inputs: { list: 'string' },
    inputState: 'string',
    report: { keys: report },
  },
};

/**
 * Everything that a report depends on, as text: the program, the day, the ignore files, and size and time of every file.
 * A file that changed just now may change again and keep its time: as git does, its content is looked at, and that of
 * the files in `alsoHashed`, which were as young when the report was made.
 */
async function stateOf(
  world: World,
  { named, folders, inside }: Asked,
  settings: Settings,
  alsoHashed: readonly string[],
) {
  const listing = await listFolders(world.files, {
    ...settings,
    folders: [...folders, ...inside],
    isCancelled: () => false,
  });
  const commandFiles = await listCommandFiles(world.files, named, settings);
  const uris = [...listing.uris, ...commandFiles];
  const stats = await world.files.stat(uris);
  const before = new Set(alsoHashed);
  const hashed = uris.filter((uri, number) => stats[number]?.fresh || before.has(uri));
  const read = hashed.length === 0 ? [] : await world.files.read(hashed, settings.maximumFileSize);
  const hashes = new Map(hashed.map((uri, number) => [uri, contentOf(read[number])]));
  const line = (uri: string, number: number) => {
    const stat = stats[number];
    return `${uri} ${stat?.size} ${stat?.modified} ${listing.folders.saysGenerated(uri)}`;
  };
  const skipped = listing.skipped.map(({ uri, reason }) => `${uri} ${reason}`);
  const learned = listing.folders.filters.map((filter) => filter.learned());
  const withoutContents = [build, world.clock?.today() ?? '', ...learned, ...uris.map(line), ...skipped].join('\n');
  return {
    text: [withoutContents, ...Array.from(hashes, ([uri, hash]) => `${uri} ${hash}`)].join('\n'),
    withoutContents,
    hashed,
    isFresh: stats.some((stat) => stat?.fresh),
  };
}

function contentOf(read: ReadText | undefined): string {
  return read === undefined ? '' : 'text' in read ? hashOf(read.text) : read.skipped;
}

/** Size and time of files; undefined if one changed just now. */
async function inputsOf(world: World, uris: readonly string[]): Promise<string | undefined> {
  const stats = uris.length === 0 ? [] : await world.files.stat(uris);
  if (stats.some((stat) => stat?.fresh)) return undefined;
  return uris.map((uri, number) => `${uri} ${stats[number]?.size} ${stats[number]?.modified}`).join('\n');
}
