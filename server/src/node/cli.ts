/** The main of the command line. */

import { stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from '../cli/run.ts';
import type { World } from '../cli/world.ts';
import { version } from '../version.ts';
import { clock } from './clock.ts';
import { decode, diskFiles, fileUri } from './disk-files.ts';
import { loadCatalogue } from './load-catalogue.ts';

const world: World = {
  version,
  clock,
  currentFolder: fileUri(process.cwd()),
  files: diskFiles,
  loadCatalogue,
  async lookUp(path) {
    const absolute = resolve(path);
    const found = await stat(absolute).catch(() => undefined);
    if (found === undefined) return undefined;
    return { kind: found.isDirectory() ? 'folder' : 'file', uri: fileUri(absolute) };
  },
  async repositoryOf(folder) {
    for (let at = fileURLToPath(folder); ; at = dirname(at)) {
      if ((await stat(join(at, '.git')).catch(() => undefined)) !== undefined) return fileUri(at);
      if (dirname(at) === at) return undefined;
    }
  },
  async readStandardInput(maximumBytes) {
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of process.stdin) {
      const bytes = Buffer.from(chunk);
      chunks.push(bytes);
      size += bytes.length;
      if (size > maximumBytes) return { skipped: `it is larger than ${maximumBytes} bytes` };
    }
    return decode(Buffer.concat(chunks));
  },
  out: (line) => process.stdout.write(`${line}\n`),
  err: (line) => process.stderr.write(`${line}\n`),
};

// A reader that goes away, such as `head`, is no failure of ours.
process.stdout.on('error', () => process.exit(0));
process.exitCode = await run(process.argv.slice(2), world);
