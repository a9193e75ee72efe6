/** Runs the command line over files on disk, without a separate process. */
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { World } from '../../server/src/cli/environment.ts';
import { run } from '../../server/src/cli/run.ts';
import { catalogue } from '../../server/src/engine/catalogue/index.ts';
import { diskFiles, fileUri } from '../../server/src/node/disk-files.ts';

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a command line in a folder. */
export async function runOnDisk(words: readonly string[], currentFolder: string): Promise<Ran> {
  const out: string[] = [];
  const err: string[] = [];
  const files = diskFiles();
  const world: World = {
    version: 'test',
    currentFolder: fileUri(currentFolder),
    files,
    readNow: files.readNow,
    loadCatalogue: () => Promise.resolve(catalogue),
    locate(path) {
      const absolute = resolve(currentFolder, path);
      const found = statSync(absolute, { throwIfNoEntry: false });
      if (found === undefined) return Promise.resolve(undefined);
      return Promise.resolve({ kind: found.isDirectory() ? 'folder' : 'file', uri: fileUri(absolute) });
    },
    repositoryOf: () => Promise.resolve(undefined),
    write: () => Promise.resolve('nothing is written here'),
    serveEditor: () => Promise.reject(new Error('there is no editor here')),
    readStandardInput: () => Promise.resolve({ skipped: 'there is none' }),
    out: (line) => out.push(line),
    err: (line) => err.push(line),
  };
  const code = await run(words, world);
  return { code, out: out.join('\n'), err: err.join('\n') };
}
