/** What the command line needs of this machine, and the run of one command. */

import { accessSync, constants, fstatSync, statSync, writeFileSync } from 'node:fs';
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
import { codeOf, refusalOf } from './refusal.ts';
import { replaceText } from './replace-text.ts';
import { keepHeapSmall } from './small-heap.ts';

/** Runs the command line, and answers the exit code. */
export async function main(words: readonly string[]): Promise<number> {
  // V8 concludes from what is read first, which stays, that all else of its kind will: it would be garbage for long.
  setFlagsFromString('--no-allocation-site-pretenuring');
  // A check of many files takes a quarter less memory so, and hardly more time; to collect more often takes more of it.
  keepHeapSmall(40, 32e6);
  process.stdout.on('error', leave);
  // Who does not listen to what is said beside the answer gets the answer all the same.
  process.stderr.on('error', () => {});
  const output = new Output();
  const code = await run(words, worldOf(output));
  output.flush();
  return code;
}

function worldOf(output: Output): World {
  const { NO_COLOR, TERM } = process.env;
  const isTerminal = ({ isTTY }: { readonly isTTY: boolean }) => isTTY && TERM !== 'dumb';
  return {
    version,
    clock,
    currentFolder: fileUri(process.cwd()),
    files: diskFiles,
    readNow,
    ...(process.stdout.isTTY && { columns: process.stdout.columns || 80 }),
    colours: isTerminal(process.stdout) && !NO_COLOR,
    loadCatalogue,
    cacheOf: (folders) => cacheFile(undefined, folders),
    lookUp: (path) => Promise.resolve(lookUp(resolve(path))),
    async repositoryOf(folder) {
      const found = await repositoryOf(fileURLToPath(folder));
      return found === undefined ? undefined : fileUri(found);
    },
    readStandardInput,
    write: (uri, before, after) => replaceText(fileURLToPath(uri), before, after),
    async serveEditor() {
      await import('./server.ts');
    },
    ...(isTerminal(process.stderr) && { status: showStatus }),
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
    if (this.#lines.length > 0) writeOut(this.#lines.join(''));
    this.#lines = [];
    this.#length = 0;
  }
}

/** The stream of a file takes it for written when only the beginning had room on the disk. */
function writeOut(text: string): void {
  if (!isFile(process.stdout.fd)) {
    process.stdout.write(text);
    return;
  }
  try {
    writeFileSync(process.stdout.fd, text);
  } catch (error) {
    leave(error);
  }
}

function isFile(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isFile();
  } catch {
    return false;
  }
}

/** A reader that goes away, such as `head`, is no failure; that an answer could not be given whole is one. */
function leave(error: unknown): never {
  if (codeOf(error) === 'EPIPE') process.exit(0);
  process.stderr.write(`selector-lens: Standard output cannot be written: ${refusalOf(error)}.\n`);
  process.exit(2);
}

/** Takes the line back before another one comes. */
function showStatus(text: string | undefined): void {
  process.stderr.write(`\r\u001B[K${text ?? ''}`);
}

function lookUp(path: string): Named | undefined {
  try {
    const kind = statSync(path).isDirectory() ? 'folder' : 'file';
    accessSync(path, kind === 'folder' ? constants.R_OK | constants.X_OK : constants.R_OK);
    return { kind, uri: fileUri(path) };
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(codeOf(error))) return undefined;
    return { kind: 'unreadable', reason: refusalOf(error) };
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
    return { skipped: refusalOf(error) };
  }
  const bytes = Buffer.concat(chunks);
  return anyBytes ? decodeAny(bytes) : decode(bytes);
}
