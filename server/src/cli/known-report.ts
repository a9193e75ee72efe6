/** Keeps the report of a check: as long as no file has changed, it is the answer, and no file is read. */

import type { Settings } from '../settings/settings.ts';
import { build } from '../version.ts';
import { fits, type Shape } from '../workspace/fits.ts';
import { listFolders } from '../workspace/load.ts';
import type { Asked } from './asked.ts';
import { listCommandFiles } from './command-files.ts';
import type { Report } from './report.ts';
import type { World } from './world.ts';

export interface KnownReport {
  /** Undefined where something has changed. */
  readonly report: Report | undefined;
  keep(report: Report): Promise<void>;
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
  const state = await stateOf(world, asked, settings);
  const stored = await cache.read().catch(() => undefined);
  const known = stored && keptIn(stored.header);
  return {
    report: state !== undefined && known?.state === state ? known.report : undefined,
    async keep(report) {
      const header = JSON.stringify({ state, report });
      // A run without a cache is slower, and right.
      if (state !== undefined) await cache.write({ header, bytes: new Uint8Array() }).catch(() => {});
    },
  };
}

interface Kept {
  readonly state: string;
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
const keptShape: Shape = { keys: { state: 'string', report: { keys: report } } };

/**
 * Everything that a report depends on, as text: the program, the day, and size and time of every file. Undefined where a
 * file changed so lately that it may change again and keep its time.
 */
async function stateOf(
  world: World,
  { named, folders, inside }: Asked,
  settings: Settings,
): Promise<string | undefined> {
  const listing = await listFolders(world.files, {
    ...settings,
    folders: [...folders, ...inside],
    isCancelled: () => false,
  });
  const commandFiles = await listCommandFiles(world.files, named, settings);
  const uris = [...listing.uris, ...commandFiles];
  const stats = await world.files.stat(uris);
  const lines = uris.map((uri, number) => {
    const stat = stats[number];
    return `${uri} ${stat?.size} ${stat?.modified} ${listing.folders.saysGenerated(uri)}`;
  });
  if (stats.some((stat) => stat?.fresh)) return undefined;
  const skipped = listing.skipped.map(({ uri, reason }) => `${uri} ${reason}`);
  return [build, world.clock?.today() ?? '', ...lines, ...skipped].join('\n');
}
