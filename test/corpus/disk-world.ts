/** Runs the command line over files on disk, without a separate process. */
import { existsSync, realpathSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { World } from '../../server/src/cli/environment.ts';
import { run } from '../../server/src/cli/run.ts';
import { catalogue } from '../../server/src/engine/catalogue/index.ts';
import { diskFiles, fileUri } from '../../server/src/node/disk-files.ts';
import { openCommit } from '../../server/src/node/git/committed-files.ts';

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a command line in a folder. */
export async function runOnDisk(words: readonly string[], currentFolder: string, standardInput?: string): Promise<Ran> {
  const out: string[] = [];
  const err: string[] = [];
  const code = await run(words, diskWorld(currentFolder, out, err, standardInput));
  return { code, out: out.join('\n'), err: err.join('\n') };
}

/** The environment of a command line in a folder on disk. */
export function diskWorld(currentFolder: string, out: string[], err: string[], standardInput?: string): World {
  const files = diskFiles();
  return {
    version: 'test',
    currentFolder: fileUri(currentFolder),
    files,
    readNow: files.readNow,
    loadCatalogue: () => Promise.resolve(catalogue),
    locate(path) {
      const absolute = resolve(currentFolder, path);
      const found = statSync(absolute, { throwIfNoEntry: false });
      if (found === undefined) return Promise.resolve(undefined);
      const real = realpathSync(absolute);
      return Promise.resolve({
        kind: found.isDirectory() ? 'folder' : 'file',
        uri: fileUri(absolute),
        ...(real !== absolute && { real: fileUri(real) }),
      });
    },
    // Only the current folder itself is a repository, so that the answers do not depend on the folders around it.
    repositoryOf: () => Promise.resolve(existsSync(join(currentFolder, '.git')) ? fileUri(currentFolder) : undefined),
    openCommit,
    write: () => Promise.resolve('nothing is written here'),
    serveAgents: () => Promise.reject(new Error('there is no agent here')),
    serveEditor: () => Promise.reject(new Error('there is no editor here')),
    readStandardInput: () =>
      Promise.resolve(standardInput === undefined ? { skipped: 'there is none' } : { text: standardInput }),
    out: (line) => out.push(line),
    err: (line) => err.push(line),
  };
}
