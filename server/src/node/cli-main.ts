/** Connects the command line tool to the disk, terminal, cache and clock of Node.js, and runs one command. */

import {
  accessSync,
  constants,
  createReadStream,
  fstatSync,
  realpathSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parentPort, type Worker, workerData } from 'node:worker_threads';
import type { Named, World } from '../cli/environment.ts';
import { loadRules } from '../cli/load-rules.ts';
import { tame } from '../cli/output/terminal-escape.ts';
import { run } from '../cli/run.ts';
import { loadCatalogue } from '../load-catalogue.ts';
import { version } from '../version.ts';
import { type ReadText, tooLarge } from '../workspace/live/load.ts';
import { Bounds } from './bounds.ts';
import { cacheFile } from './cache-file.ts';
import { answerIn } from './call-thread.ts';
import { clock } from './clock.ts';
import { decode, decodeAny } from './decode.ts';
import { diskFiles, fileUri } from './disk-files.ts';
import { openCommit } from './git/committed-files.ts';
import { repositoryOf } from './list-folder.ts';
import { agentServices, serveAgents } from './mcp.ts';
import { notRegular } from './read-file.ts';
import { replaceText } from './replace-text.ts';
import { codeOf, refusalOf } from './system-error-text.ts';
import { userCacheFolder } from './user-cache-folder.ts';

type StartThread = (options: { readonly workerData: AgentThreadData }) => Worker;

interface AgentThreadData {
  readonly agentsIn: readonly string[];
}

/** Runs one command of the command line tool, and returns the exit code. */
export async function main(words: readonly string[], start: StartThread): Promise<number> {
  process.stdout.on('error', leave);
  // Errors on standard error, such as a closed stream, do not affect the result on standard output, so they are
  // ignored.
  process.stderr.on('error', () => {});
  const output = new Output();
  const serve = (folders: readonly string[]) =>
    serveAgents(version, () => start({ workerData: { agentsIn: folders } }));
  const code = await run(words, worldOf(output, new Bounds(), serve));
  output.flush();
  return code;
}

function worldOf(output: Output, bounds: Bounds, serve: World['serveAgents']): World {
  const { NO_COLOR, TERM } = process.env;
  const isTerminal = ({ isTTY }: { readonly isTTY: boolean }) => isTTY && TERM !== 'dumb';
  const disk = diskFiles(bounds);
  const pipes = new Map<string, number>();
  const err = (line: string) => {
    output.flush();
    process.stderr.write(`${line}\n`);
  };
  return {
    version,
    clock,
    currentFolder: fileUri(process.cwd()),
    homeFolder: fileUri(homedir()),
    files: { ...disk, read: (uris, maximumBytes) => readAll(disk, pipes, uris, maximumBytes) },
    readNow: disk.readNow,
    ...(process.stdout.isTTY && { columns: process.stdout.columns || 80 }),
    colours: isTerminal(process.stdout) && !NO_COLOR,
    loadCatalogue,
    cacheOf: (folders) => cacheFile(userCacheFolder(), folders, (sentence) => err(`selector-lens: ${tame(sentence)}`)),
    locate: (path) => Promise.resolve(locate(resolve(path), bounds, pipes)),
    async repositoryOf(folder) {
      const found = await repositoryOf(fileURLToPath(folder));
      if (found === undefined) return undefined;
      bounds.allow(found, realpathSync.native(found));
      return fileUri(found);
    },
    openCommit,
    readStandardInput: (maximumBytes, anyBytes) => readStream(process.stdin, maximumBytes, anyBytes),
    write: (uri, before, after) => replaceText(bounds, fileURLToPath(uri), before, after),
    async serveEditor() {
      await import('./server.ts');
    },
    serveAgents: serve,
    ...(isTerminal(process.stderr) && { status: showStatus }),
    out: (line) => output.write(line),
    err,
  };
}

/** Collects output and writes it to standard output in large pieces. */
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

/** Writes to standard output. Files are written synchronously, because their streams report a partial write as a success if the disk is full. */
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

/** Ends the process after an error on standard output. If the reader closed the pipe early, as `head` does, this is not a failure; all other errors are, because the output is incomplete. */
function leave(error: unknown): never {
  if (codeOf(error) === 'EPIPE') process.exit(0);
  process.stderr.write(`selector-lens: Standard output cannot be written: ${refusalOf(error)}.\n`);
  process.exit(2);
}

/** Replaces the status line on standard error; undefined only clears it. */
function showStatus(text: string | undefined): void {
  process.stderr.write(`\r\u001B[K${text ?? ''}`);
}

/** Resolves a path that the user specified. A file is added to `bounds`, and a pipe to `pipes` with its descriptor. */
function locate(path: string, bounds: Bounds, pipes: Map<string, number>): Named | undefined {
  try {
    const found = statSync(path);
    const uri = fileUri(path);
    if (found.isDirectory()) {
      accessSync(path, constants.R_OK | constants.X_OK);
      return { kind: 'folder', uri, ...realOf(path) };
    }
    const descriptor = descriptorOf(path, found);
    const refusal = descriptor === undefined ? notRegular(found) : undefined;
    if (refusal !== undefined) return { kind: 'unreadable', reason: refusal };
    accessSync(path, constants.R_OK);
    if (descriptor !== undefined) {
      pipes.set(uri, descriptor);
      return { kind: 'file', uri };
    }
    bounds.name(path);
    return { kind: 'file', uri, ...realOf(path) };
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(codeOf(error))) return undefined;
    return { kind: 'unreadable', reason: refusalOf(error) };
  }
}

/** Returns the URI of the real path, if it differs from the path because of links. */
function realOf(path: string): { readonly real?: string } {
  const real = realpathSync(path);
  return real === path ? {} : { real: fileUri(real) };
}

/** Returns the descriptor of a pipe that the shell opened for this process, as for `<(helm template web)`. */
function descriptorOf(path: string, found: Stats): number | undefined {
  const number =
    /^(?:\/dev\/fd|\/proc\/self\/fd)\/(\d{1,9})$/.exec(path)?.[1] ?? (path === '/dev/stdin' ? '0' : undefined);
  const isStream = found.isFIFO() || found.isSocket() || found.isFile();
  return number === undefined || !isStream ? undefined : Number(number);
}

async function readAll(
  disk: Pick<World['files'], 'read'>,
  pipes: ReadonlyMap<string, number>,
  uris: readonly string[],
  maximumBytes: number,
): Promise<readonly ReadText[]> {
  if (!uris.some((uri) => pipes.has(uri))) return await disk.read(uris, maximumBytes);
  const texts: ReadText[] = [];
  for (const uri of uris) {
    const descriptor = pipes.get(uri);
    const [read] =
      descriptor === undefined
        ? await disk.read([uri], maximumBytes)
        : [await readStream(descriptor === 0 ? process.stdin : createReadStream('', { fd: descriptor }), maximumBytes)];
    texts.push(read ?? { skipped: 'it could not be read' });
  }
  return texts;
}

/** Reads a stream to its end; with `anyBytes`, NUL characters are allowed. */
async function readStream(
  stream: AsyncIterable<string | Buffer>,
  maximumBytes: number,
  anyBytes = false,
): Promise<ReadText> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of stream) {
      const bytes = Buffer.from(chunk);
      chunks.push(bytes);
      size += bytes.length;
      if (size > maximumBytes) return { skipped: tooLarge(maximumBytes) };
    }
  } catch (error) {
    return { skipped: refusalOf(error) };
  }
  const bytes = Buffer.concat(chunks);
  return anyBytes ? decodeAny(bytes) : decode(bytes);
}

// A thread loads this module in order to answer the calls of agents.
if (parentPort !== null && workerData?.agentsIn !== undefined) {
  const { agentsIn }: AgentThreadData = workerData;
  const bounds = new Bounds();
  const world = worldOf(new Output(), bounds, () => Promise.reject(new Error('this thread serves agents')));
  const port = parentPort;
  void loadRules().then(() => answerIn(port, agentServices(world, bounds, { named: agentsIn })));
}
