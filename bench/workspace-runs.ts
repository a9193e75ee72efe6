/** The measurements that run in separate processes. Each run does one operation once, and prints its cost as JSON. */

import { readdirSync, readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { previewText } from '../server/src/features/pages/preview.ts';

export interface Run {
  /** In milliseconds. */
  readonly time: number;
  /** The CPU time in milliseconds; on a busy machine this is more reliable. */
  readonly work: number;
  /** The peak memory of the process, in bytes. */
  readonly memory: number;
  readonly objects: number;
}

/** Lists and reads every file: the minimum time of any program that reads them. */
function floor(folder: string): number {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) floor(path);
    else readFileSync(path);
  }
  return 0;
}

/**
 * Lists, reads and parses all files, and makes a request that needs all of them. With a cache folder, the first run
 * writes the cache that the second one uses.
 */
async function index(folder: string, cacheFolder?: string): Promise<void> {
  // Otherwise each process that runs from sources has a build id of its own, and ignores the caches of others.
  Object.assign(globalThis, { SELECTOR_LENS_BUILD: 'bench' });
  const [{ Session }, { diskFiles }, { cacheFile }, { catalogue }] = await Promise.all([
    import('../server/src/session.ts'),
    import('../server/src/node/disk-files.ts'),
    import('../server/src/node/cache-file.ts'),
    import('../server/src/engine/catalogue/index.ts'),
  ]);
  const log = { info() {}, warn: console.error, bug: console.error };
  const cacheOf = (folders: readonly string[]) => cacheFile(cacheFolder, folders);
  const session = new Session({ catalogue, log, ...(cacheFolder !== undefined && { cacheOf }) });
  const progress = () => {};
  await measured(async () => {
    await session.workspace.load(diskFiles(), [pathToFileURL(folder).href], progress, () => false);
    previewText(session.view(), 'app.kubernetes.io/name=nobody');
    return session.workspace.summary().objects;
  });
}

/** Disables the fast parser. */
function withoutFastReader(): void {
  const fast =
    'readFast(source, blanked, span) ?? readEvents(source, blanked, span) ?? readTolerantly(source, blanked, span),';
  registerHooks({
    load(url, context, next) {
      const loaded = next(url, context);
      if (!url.endsWith('/manifests/yaml/parse-yaml.ts')) return loaded;
      const source = String(loaded.source);
      if (!source.includes(fast)) throw new Error('parse-yaml.ts no longer holds the line that the bench replaces.');
      return { ...loaded, source: source.replace(fast, 'readTolerantly(source, blanked, span),') };
    },
  });
}

async function measured(work: () => number | Promise<number>): Promise<number> {
  const before = process.cpuUsage();
  const start = performance.now();
  const objects = await work();
  const time = performance.now() - start;
  const { user, system } = process.cpuUsage(before);
  const memory = process.resourceUsage().maxRSS * 1024;
  const run: Run = { time, work: (user + system) / 1000, memory, objects };
  console.log(JSON.stringify(run));
  return objects;
}

const [what, folder = '', cacheFolder = ''] = process.argv.slice(2);
if (what === 'floor') await measured(() => floor(folder));
if (what === 'cold') await index(folder);
if (what === 'cache') await index(folder, cacheFolder);
if (what === 'tolerant') {
  withoutFastReader();
  await index(folder);
}
