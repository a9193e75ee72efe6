/** What is measured in a process of its own? Each run does one thing once, and prints what it took as JSON. */

import { readdirSync, readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { previewText } from '../server/src/features/pages/preview.ts';

export interface Run {
  /** In milliseconds. */
  readonly time: number;
  /** What the processors worked for it, in milliseconds; on a machine that is busy otherwise this says more. */
  readonly work: number;
  /** The most that the process ever had, in bytes. */
  readonly memory: number;
  readonly objects: number;
}

/** Walks and reads every file: no program that reads them can be quicker. */
function floor(folder: string): number {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) floor(path);
    else readFileSync(path);
  }
  return 0;
}

/**
 * Lists, reads and parses, and asks for what needs all of it. With a cache folder, the first run writes the cache that
 * the second one finds.
 */
async function index(folder: string, cacheFolder?: string): Promise<void> {
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

/** The same program without its fast reader. */
function withoutFastReader(): void {
  const fast =
    'readFast(source, masked, span) ?? readEvents(source, masked, span) ?? readTolerantly(source, masked, span),';
  registerHooks({
    load(url, context, next) {
      const loaded = next(url, context);
      if (!url.endsWith('/manifests/yaml/parse-yaml.ts')) return loaded;
      const source = String(loaded.source);
      if (!source.includes(fast)) throw new Error('parse-yaml.ts no longer holds the line that the bench replaces.');
      return { ...loaded, source: source.replace(fast, 'readTolerantly(source, masked, span),') };
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
