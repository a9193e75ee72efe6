/** How are files read from disk? */

import { isUtf8 } from 'node:buffer';
import { statSync } from 'node:fs';
import { readFile, realpath, stat } from 'node:fs/promises';
import { sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { FileContent, FileSource, FileStat, ReadText } from '../workspace/load.ts';
import { canonicalUri } from '../workspace/uri.ts';
import { listFolder } from './list-folder.ts';
import { decode, decodeAny, readTextAside, readTextHere, statOf } from './read-text.ts';
import { turns } from './turns.ts';

export { decode, decodeAny };

/** The files of `file:` URIs. */
export const diskFiles: FileSource = {
  list: (folder, limit, filter) => listFolder(fileURLToPath(folder), folder, limit, filter),
  stat: (uris) => ofEach(uris, statHere, statAside),
  read: (uris, maximumBytes) =>
    ofEach(
      uris,
      (path) => readTextHere(path, maximumBytes),
      (path) => readTextAside(path, maximumBytes),
    ),
  contents: (folder, uris, maximumBytes) => Promise.all(uris.map((uri) => contentIn(folder, uri, maximumBytes))),
  pause: turns(),
};

/** One of them without waiting. */
export function readNow(uri: string, maximumBytes: number): ReadText {
  return readTextHere(fileURLToPath(uri), maximumBytes);
}

/** What a file holds that lies in a folder, also where links lead. */
async function contentIn(folder: string, uri: string, maximumBytes: number): Promise<FileContent | undefined> {
  try {
    const path = await realpath(fileURLToPath(uri));
    if (!path.startsWith((await realpath(fileURLToPath(folder))) + sep)) return undefined;
    const found = await stat(path);
    if (!found.isFile() || found.size > maximumBytes) return undefined;
    const bytes = await readFile(path);
    return isUtf8(bytes) ? { bytes, text: bytes.toString('utf8') } : { bytes };
  } catch {
    return undefined;
  }
}

export function fileUri(path: string): string {
  return canonicalUri(pathToFileURL(path).href);
}

/** In milliseconds: longer than any disk at hand takes for a small file. */
const slow = 5;

/**
 * Asks `here`, one after the other. As soon as two in a row take long, as on a drive of the network, asks for all that are
 * left `aside`, so that they are waited for together and hold up nobody. One alone says little: the machine was busy.
 */
async function ofEach<T>(
  uris: readonly string[],
  here: (path: string) => T,
  aside: (path: string) => Promise<T>,
): Promise<readonly T[]> {
  const answers: T[] = [];
  const paths = uris.map((uri) => fileURLToPath(uri));
  let slowOnes = 0;
  for (const path of paths) {
    const start = performance.now();
    answers.push(here(path));
    slowOnes = performance.now() - start > slow ? slowOnes + 1 : 0;
    if (slowOnes === 2) break;
  }
  return [...answers, ...(await Promise.all(paths.slice(answers.length).map(aside)))];
}

function statHere(path: string): FileStat | undefined {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    return found?.isFile() ? statOf(found) : undefined;
  } catch {
    return undefined;
  }
}

async function statAside(path: string): Promise<FileStat | undefined> {
  const found = await stat(path).catch(() => undefined);
  return found?.isFile() ? statOf(found) : undefined;
}

export type { ReadText };
