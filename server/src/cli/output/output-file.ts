/** Writes the output of a command to the file that `--output` names. */

import { resolveUri } from '../../workspace/uri.ts';
import type { World } from '../environment.ts';
import { UsageError } from '../options/arguments.ts';

const maximumBytes = 100_000_000;

/** Runs a command, and writes its output to a file. A command that fails without output changes no file. */
export async function writeTo(path: string, world: World, run: (world: World) => Promise<number>): Promise<number> {
  const lines: string[] = [];
  const { columns: _, ...rest } = world;
  const code = await run({ ...rest, colours: false, out: (line) => lines.push(line) });
  if (code === 2 && lines.length === 0) return code;
  const refuse = (reason: string) => new UsageError(`The output '${path}' cannot be written: ${reason}.`);
  const named = await world.locate(path);
  if (named?.kind === 'folder') throw refuse('it is a folder');
  if (named?.kind === 'unreadable') throw refuse(named.reason);
  const uri =
    named?.uri ?? (path.startsWith('/') ? resolveUri('file:///', path) : resolveUri(world.currentFolder, path));
  const [read] = named === undefined ? [] : await world.files.read([uri], maximumBytes);
  if (read !== undefined && 'skipped' in read) throw refuse(read.skipped);
  const problem = await world.write(uri, read?.text, lines.map((line) => `${line}\n`).join(''));
  if (problem !== undefined) throw refuse(problem);
  return code;
}
