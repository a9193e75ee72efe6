/** What the command line needs of this machine, and the run of one command. */

import { statSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { run } from '../cli/run.ts';
import type { Named, World } from '../cli/world.ts';
import { version } from '../version.ts';
import type { ReadText } from '../workspace/load.ts';
import { cacheFile } from './cache-file.ts';
import { clock } from './clock.ts';
import { decode, decodeAny, diskFiles, fileUri, readNow } from './disk-files.ts';
import { repositoryOf } from './list-folder.ts';
import { loadCatalogue } from './load-catalogue.ts';
import { codeOf } from './read-text.ts';
import { keepHeapSmall } from './small-heap.ts';

/** Runs the command line, and answers the exit code. */
export async function main(words: readonly string[]): Promise<number> {
  // V8 concludes from what is read first, which stays, that all else of its kind will: it would be garbage for long.
  setFlagsFromString('--no-allocation-site-pretenuring');
  // A check of many files takes a quarter less memory so, and hardly more time; to collect more often takes more of it.
  keepHeapSmall(40, 32e6);
  // A reader that goes away, such as `head`, is no failure of ours.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => process.exit(0));
  const output = new Output();
  const code = await run(words, worldOf(output));
  output.flush();
  return code;
}

function worldOf(output: Output): World {
  const { NO_COLOR, TERM } = process.env;
  return {
    version,
    clock,
    currentFolder: fileUri(process.cwd()),
    files: diskFiles,
    readNow,
    colours: process.stdout.isTTY === true && !NO_COLOR && TERM !== 'dumb',
    loadCatalogue,
    cacheOf: (folders) => cacheFile(undefined, folders),
    lookUp: (path) => Promise.resolve(lookUp(resolve(path))),
    async repositoryOf(folder) {
      const found = await repositoryOf(fileURLToPath(folder));
      return found === undefined ? undefined : fileUri(found);
    },
    readStandardInput,
    write: (uri, before, after) => write(fileURLToPath(uri), before, after),
    async serveEditor() {
      await import('./server.ts');
    },
    ...(process.stderr.isTTY && { status: showStatus }),
    out: (line) => output.write(line),
    err(line) {
      output.flush();
      process.stderr.write(`${line}\n`);
    },
  };
}

/** Standard output, in large pieces. */
class Output {
  #lines: string[] = [];
  #length = 0;

  write(line: string): void {
    this.#lines.push(line, '\n');
    this.#length += line.length;
    if (this.#length > 60_000) this.flush();
  }

  flush(): void {
    if (this.#lines.length > 0) process.stdout.write(this.#lines.join(''));
    this.#lines = [];
    this.#length = 0;
  }
}

/** Takes the line back before another one comes. */
function showStatus(text: string | undefined): void {
  process.stderr.write(`\r\u001B[K${text ?? ''}`);
}

function lookUp(path: string): Named | undefined {
  try {
    return { kind: statSync(path).isDirectory() ? 'folder' : 'file', uri: fileUri(path) };
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    return { kind: 'unreadable', reason: `it could not be read (${code})` };
  }
}

async function readStandardInput(maximumBytes: number, anyBytes = false): Promise<ReadText> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of process.stdin) {
      const bytes = Buffer.from(chunk);
      chunks.push(bytes);
      size += bytes.length;
      if (size > maximumBytes) return { skipped: `it is larger than ${maximumBytes} bytes` };
    }
  } catch (error) {
    return { skipped: `it could not be read (${codeOf(error)})` };
  }
  const bytes = Buffer.concat(chunks);
  return anyBytes ? decodeAny(bytes) : decode(bytes);
}

const mark = '\uFEFF';

async function write(path: string, before: string | undefined, after: string): Promise<string | undefined> {
  try {
    const there = before === undefined ? '' : await readFile(path, 'utf8');
    const head = there.startsWith(mark) ? mark : '';
    if (before !== undefined && there.slice(head.length) !== before) return 'it changed meanwhile';
    await writeFile(path, head + after);
    return undefined;
  } catch (error) {
    return `it could not be written (${codeOf(error)})`;
  }
}
